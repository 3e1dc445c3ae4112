"""The automata of a catalogue's language, from loosest to tightest, over one vocabulary.

| grammar | accepts |
|---|---|
| `superset` | a superset of the language, derived from its rules |
| `unrolled` | the language up to three nested constraints, a superset beyond |
| `lr` | the language |
| `filled` | the language for decoding: the query fills numbers, counts, times and texts |

Each of the first three exists typed and untyped. A domain may add machines of its own, built by
hand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

from grammax.automaton import BoundAutomaton, Dfa
from grammax.automaton.finite.engine import FiniteEngine
from grammax.automaton.lr.engine import LrEngine
from grammax.automaton.networks.superset import superset_engine
from grammax.automaton.networks.unrolled import UnrolledEngine
from grammax.tables import grammar as rules_of
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.compiled import CompiledGrammars, compiled_grammars
from grammax.tables.lexicon import TEXT, Lexicon
from grammax.tables.shared_kinds import classes_of
from grammax.vocabulary import Vocabulary

GrammarName = Literal["superset", "unrolled", "lr", "filled"]
MachineBuilder = Callable[[Lexicon, Vocabulary], Dfa]
"""Builds an automaton by hand over the kinds of a lexicon."""


def table_automaton(
    catalogue: Catalogue, grammar: GrammarName = "lr", typed: bool = True
) -> BoundAutomaton[Any]:
    """One of the automata, over the rows of `table_vocabulary`; changes reuse the base's."""
    return _bound(catalogue, _engine(catalogue.base.lexicon, grammar, typed))


def machine_automaton(
    catalogue: Catalogue, name: str, build: MachineBuilder
) -> BoundAutomaton[Any]:
    """An automaton built by hand, over the same rows."""
    base = catalogue.base
    return _bound(catalogue, FiniteEngine(build(base.lexicon, table_vocabulary(base)), name))


@lru_cache(maxsize=4)
def table_vocabulary(catalogue: Catalogue) -> Vocabulary:
    """The rows of the output matrix: one order for all grammars of a catalogue.

    Most rows of a changed catalogue are those of its base.
    """
    if catalogue.changes:
        base, changes = table_vocabulary(catalogue.base), catalogue.changes
        return base.changed(changes.by_kind(), changes.removed)
    kinds = rules_of.kinds(catalogue.lexicon)
    layout, classes = _compiled(catalogue.lexicon).layout, classes_of(catalogue.schema)
    return Vocabulary(kinds, layout, classes, None if catalogue.schema.history else TEXT)


def _bound(catalogue: Catalogue, engine: Any) -> BoundAutomaton[Any]:
    """An engine of the base, over the rows of a catalogue that may have changes."""
    automaton: BoundAutomaton[Any] = BoundAutomaton(engine, table_vocabulary(catalogue.base))
    if catalogue.changes:
        return automaton.with_vocabulary(table_vocabulary(catalogue))
    return automaton


@lru_cache(maxsize=4)
def _compiled(lexicon: Lexicon) -> CompiledGrammars:
    return compiled_grammars(lexicon)


def _engine(lexicon: Lexicon, grammar: GrammarName, typed: bool) -> Any:
    if grammar == "filled":
        return _compiled(lexicon).filled
    rules = rules_of.grammar(lexicon, typed)
    if grammar == "superset":
        return superset_engine(rules.productions)
    if grammar == "unrolled":
        return UnrolledEngine(rules.productions)
    return LrEngine.from_grammar(rules)
