"""The automaton of a grammar without some kinds: what is left for a query that lacks them.

A query that mentions no number leaves the rules that need none. They are compiled as a grammar of
their own, over the same vocabulary, so every prefix that is permitted can be completed, whatever
the construction. `Grounded` does without compiling, where no prefix leads into a dead end anyway.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.glr.engine import GlrEngine
from grammax.automaton.grounded import AvailableTokens
from grammax.automaton.lr.conflicts import find_conflicts
from grammax.automaton.lr.engine import LrEngine
from grammax.automaton.lr.tables import lalr_tables
from grammax.errors import AutomatonError, GrammaxError
from grammax.grammar.productions import Productions


class NothingLeft(GrammaxError):
    """A grammar of which every sentence needs a token of some kinds."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self.kinds = kinds
        super().__init__(
            f"every logical form needs {' or '.join(kinds)}, and the query mentions none."
        )


def reduced(automaton: BoundAutomaton[Any], available: AvailableTokens) -> BoundAutomaton[Any]:
    """The automaton without the kinds that must be available and of which a query has nothing."""
    kind_of = automaton.vocabulary.kinds_by_id
    there = {kind_of[row] for row in available.ids}
    return without(automaton, frozenset(kind for kind in available.kinds if kind not in there))


@lru_cache(maxsize=512)
def without(automaton: BoundAutomaton[Any], missing: frozenset[int]) -> BoundAutomaton[Any]:
    """An exact automaton for the sentences without some kinds; `NothingLeft` if there are none.

    >>> from grammax import Grammar, exact
    >>> text = 'film: "after" YEAR | "by" NAME\\nYEAR: "1999" | "2001"\\nNAME: "lang" | "ford"'
    >>> whole = exact(Grammar.read(text))
    >>> rest = without(whole, frozenset((whole.vocabulary.kind_number("YEAR"),)))
    >>> list(rest.next_tokens(rest.start).tokens)
    ['by']
    """
    if not missing:
        return automaton
    productions = _productions(automaton)
    left = productions.deriving(kind for kind in range(productions.kinds) if kind not in missing)
    if productions.start not in left:
        raise NothingLeft(tuple(automaton.vocabulary.kinds[kind] for kind in sorted(missing)))
    rules = tuple(rule for rule in productions.rules if left.issuperset(rule[1]))
    rest = Productions(productions.kinds, productions.names, rules, productions.start)
    return BoundAutomaton(_engine(rest), automaton.vocabulary)


def _productions(automaton: BoundAutomaton[Any]) -> Productions:
    engine = automaton.engine
    if isinstance(engine, LrEngine):
        return engine.tables.productions
    assert isinstance(engine, GlrEngine), "only exact automata know their rules"
    return engine.productions


def _engine(productions: Productions) -> Any:
    try:
        tables = lalr_tables(productions)
    except AutomatonError:
        return GlrEngine(productions)
    has_conflicts = next(find_conflicts(tables), None) is not None
    return GlrEngine(productions) if has_conflicts else LrEngine(tables)
