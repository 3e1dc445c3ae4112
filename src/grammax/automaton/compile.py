"""A grammar → a bound automaton, in each of the ways that the engine knows."""

from __future__ import annotations

from typing import Any

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.earley import EarleyEngine, EarleyState
from grammax.automaton.finite.dfa import Dfa
from grammax.automaton.finite.engine import FiniteEngine, FiniteState
from grammax.automaton.lr.engine import LrEngine, LrState
from grammax.automaton.networks.superset import superset_dfa
from grammax.automaton.networks.unrolled import UnrolledEngine, UnrolledState
from grammax.errors import AutomatonError, VocabularyError
from grammax.grammar.grammar import Grammar
from grammax.vocabulary import Vocabulary
from grammax.vocabulary.layout import arrange


def superset(grammar: Grammar, vocabulary: Vocabulary | None = None) -> BoundAutomaton[FiniteState]:
    """A finite automaton for any grammar: it never forbids what the grammar allows."""
    return bind(FiniteEngine(superset_dfa(grammar.productions), "superset"), grammar, vocabulary)


def unrolled(
    grammar: Grammar, depth: int = 3, vocabulary: Vocabulary | None = None
) -> BoundAutomaton[UnrolledState]:
    """Exact to `depth` nested rules, a superset below; for any grammar."""
    return bind(UnrolledEngine(grammar.productions, depth), grammar, vocabulary)


def lr(grammar: Grammar, vocabulary: Vocabulary | None = None) -> BoundAutomaton[LrState]:
    """Exact; `ConflictError` if the grammar is not LR(1)."""
    return bind(LrEngine.from_grammar(grammar), grammar, vocabulary)


def earley(grammar: Grammar, vocabulary: Vocabulary | None = None) -> BoundAutomaton[EarleyState]:
    """Exact for any grammar, and slow."""
    return bind(EarleyEngine(grammar.productions), grammar, vocabulary)


def finite(dfa: Dfa, vocabulary: Vocabulary, name: str = "finite") -> BoundAutomaton[FiniteState]:
    """An automaton that was built by hand, over the kinds of a vocabulary."""
    if dfa.is_empty:
        raise AutomatonError("the automaton accepts no sentence at all: its start is a dead end")
    highest = max((kind for out in dfa.arcs for kind in out), default=-1)
    if highest >= len(vocabulary.kinds):
        raise VocabularyError(
            f"the automaton has an arc of kind {highest}, but the vocabulary numbers its kinds "
            f"from 0 to {len(vocabulary.kinds) - 1}"
        )
    return BoundAutomaton(FiniteEngine(dfa, name), vocabulary)


def bind(engine: Any, grammar: Grammar, vocabulary: Vocabulary | None) -> BoundAutomaton[Any]:
    """The engine over a vocabulary; without one, over the grammar's tokens, laid out for it."""
    if vocabulary is None:
        layout = arrange(len(grammar.kinds), engine.likely_sets())
        vocabulary = Vocabulary(grammar.kinds, layout)
    if vocabulary.kinds != tuple(grammar.kinds):
        raise VocabularyError(
            f"the vocabulary has the kinds {', '.join(vocabulary.kinds[:6])} ..., the grammar "
            f"{', '.join([*grammar.kinds][:6])} ...: they must be the same, in the same order. "
            f"Make it with `Vocabulary(grammar.kinds)`."
        )
    return BoundAutomaton(engine, vocabulary)
