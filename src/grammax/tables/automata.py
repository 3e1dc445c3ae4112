"""The automata of the LF language, from loosest to tightest, over one vocabulary.

| grammar | accepts |
|---|---|
| `paper` | a superset of the paper's subset, by hand: no times, ranks, units or fields as values |
| `superset` | a superset of the language, made from its rules |
| `unrolled` | the language to three nested constraints, a superset below |
| `lr` | the language |

Each but `paper`, which knows no types of values, is there typed and untyped.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import Any, Literal

from grammax.automaton import BoundAutomaton
from grammax.automaton.finite.engine import FiniteEngine
from grammax.automaton.lr.engine import LrEngine
from grammax.automaton.networks.superset import superset_dfa
from grammax.automaton.networks.unrolled import UnrolledEngine
from grammax.domains.eqs import paper as machines
from grammax.tables import grammar as grammars
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.lexicon import Lexicon
from grammax.vocabulary import Vocabulary
from grammax.vocabulary.layout import arrange

GrammarName = Literal["paper", "superset", "unrolled", "lr"]


def eqs_automaton(
    catalogue: Catalogue, grammar: GrammarName = "lr", typed: bool = True
) -> BoundAutomaton[Any]:
    """One of the automata, over the rows of `eqs_vocabulary`; changes need no other automaton."""
    if catalogue.changes:
        automaton = eqs_automaton(catalogue.base, grammar, typed)
        return automaton.with_vocabulary(eqs_vocabulary(catalogue))
    lexicon = catalogue.lexicon
    vocabulary = eqs_vocabulary(catalogue)
    return BoundAutomaton(_engine(lexicon, vocabulary, grammar, typed), vocabulary)


@lru_cache(maxsize=4)
def eqs_vocabulary(catalogue: Catalogue) -> Vocabulary:
    """The rows of the output matrix: one order for all grammars of a catalogue.

    It is laid out for what the typed and the untyped exact grammar permit together. Where the
    catalogue was changed, all but a few rows are those of its base.
    """
    if catalogue.changes:
        base, changes = eqs_vocabulary(catalogue.base), catalogue.changes
        return base.changed(changes.by_kind(), changes.removed)
    rules = [grammars.grammar(catalogue.lexicon, typed) for typed in (True, False)]
    sets = chain.from_iterable(LrEngine.from_grammar(grammar).likely_sets() for grammar in rules)
    return Vocabulary(rules[0].kinds, arrange(len(rules[0].kinds), sets))


def _engine(lexicon: Lexicon, vocabulary: Vocabulary, grammar: GrammarName, typed: bool) -> Any:
    if grammar == "paper":
        return FiniteEngine(machines.paper(lexicon, vocabulary), "paper")
    rules = grammars.grammar(lexicon, typed)
    if grammar == "superset":
        return FiniteEngine(superset_dfa(rules.productions), "superset")
    if grammar == "unrolled":
        return UnrolledEngine(rules.productions)
    return LrEngine.from_grammar(rules)
