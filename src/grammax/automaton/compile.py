"""A grammar → a bound automaton, in each of the ways that the engine knows."""

from __future__ import annotations

from typing import Any

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.earley import EarleyEngine, EarleyState
from grammax.automaton.finite import Dfa
from grammax.automaton.finite_engine import FiniteEngine, FiniteState
from grammax.automaton.lr import LrEngine, LrState
from grammax.automaton.superset import superset_dfa
from grammax.automaton.unrolled import UnrolledEngine, UnrolledState
from grammax.grammar.grammar import Grammar
from grammax.layout import arrange
from grammax.vocabulary import Vocabulary


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
    return bind(LrEngine.of(grammar), grammar, vocabulary)


def earley(grammar: Grammar, vocabulary: Vocabulary | None = None) -> BoundAutomaton[EarleyState]:
    """Exact for any grammar, and slow."""
    return bind(EarleyEngine(grammar.productions), grammar, vocabulary)


def finite(dfa: Dfa, vocabulary: Vocabulary, name: str = "finite") -> BoundAutomaton[FiniteState]:
    """An automaton that was built by hand, over the kinds of a vocabulary."""
    return BoundAutomaton(FiniteEngine(dfa, name), vocabulary)


def bind(engine: Any, grammar: Grammar, vocabulary: Vocabulary | None) -> BoundAutomaton[Any]:
    """The engine over a vocabulary; without one, over the grammar's tokens, laid out for it."""
    if vocabulary is None:
        layout = arrange(len(grammar.kinds), engine.likely_sets())
        vocabulary = Vocabulary(grammar.kinds, layout)
    return BoundAutomaton(engine, vocabulary)
