"""Compile a grammar to an automaton over its tokens, by any of the six constructions."""

from __future__ import annotations

from typing import Any

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.earley import EarleyEngine, EarleyState
from grammax.automaton.finite.dfa import Dfa
from grammax.automaton.finite.engine import FiniteEngine, FiniteState
from grammax.automaton.glr.engine import GlrEngine, GlrState
from grammax.automaton.lr.conflicts import lr_tables
from grammax.automaton.lr.engine import LrEngine, LrState
from grammax.automaton.networks.superset import superset_engine
from grammax.automaton.networks.unrolled import UnrolledEngine, UnrolledState
from grammax.errors import AutomatonError, ConflictError, VocabularyError
from grammax.grammar.grammar import Grammar
from grammax.vocabulary import Vocabulary
from grammax.vocabulary.layout import arrange

# What `exact` spends on the question whether a grammar is LR(1): a second or two at most.
_QUICK_STEPS = 500_000
_QUICK_ITEMS = 50_000


def exact(grammar: Grammar, vocabulary: Vocabulary | None = None) -> BoundAutomaton[Any]:
    """The automaton that accepts exactly the language: `lr` if that is soon found, else `glr`.

    >>> from grammax import Grammar, exact
    >>> exact(Grammar.read('sum: sum "+" "1" | "1"')).name
    'lr'
    >>> exact(Grammar.read('sum: sum "+" sum | "1"')).name  # ambiguous, so not LR(1)
    'glr'
    """
    try:
        engine = LrEngine(lr_tables(grammar, _QUICK_STEPS, _QUICK_ITEMS))
    except (ConflictError, AutomatonError):
        return glr(grammar, vocabulary)
    return bind(engine, grammar, vocabulary)


def superset(grammar: Grammar, vocabulary: Vocabulary | None = None) -> BoundAutomaton[Any]:
    """A finite automaton for any grammar. It accepts every sentence of the grammar.

    It may accept more, such as brackets that do not match. That of a large grammar is made where it
    is visited (`SubsetEngine`), and may confuse the ends of some rules, which its engine names.

    >>> from grammax import Grammar, superset
    >>> automaton = superset(Grammar.read('list: "(" list ")" | "x"'))
    >>> automaton.accepts(automaton.read(["(", "x", ")"])), automaton.accepts(automaton.read("(x"))
    (True, True)
    """
    return bind(superset_engine(grammar.productions), grammar, vocabulary)


def unrolled(
    grammar: Grammar, depth: int = 3, vocabulary: Vocabulary | None = None
) -> BoundAutomaton[UnrolledState]:
    """An automaton for any grammar: exact to `depth` nested rules, a superset beyond.

    >>> from grammax import Grammar, unrolled
    >>> automaton = unrolled(Grammar.read('list: "(" list ")" | "x"'), depth=2)
    >>> automaton.accepts(automaton.read("(x")), automaton.accepts(automaton.read("((((x)))"))
    (False, True)
    """
    return bind(UnrolledEngine(grammar.productions, depth), grammar, vocabulary)


def lr(grammar: Grammar, vocabulary: Vocabulary | None = None) -> BoundAutomaton[LrState]:
    """An exact automaton; `ConflictError` if the grammar is not LR(1).

    >>> from grammax import Grammar, lr
    >>> automaton = lr(Grammar.read('film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"'))
    >>> state = automaton.read(["genre", "is"])
    >>> list(automaton.next_tokens(state).tokens)
    ['drama', 'comedy']
    """
    return bind(LrEngine.from_grammar(grammar), grammar, vocabulary)


def glr(grammar: Grammar, vocabulary: Vocabulary | None = None) -> BoundAutomaton[GlrState]:
    """An exact automaton for any grammar, ambiguous ones too; a step visited before is a look-up.

    >>> from grammax import Grammar, glr
    >>> automaton = glr(Grammar.read('sum: sum "+" sum | "1"'))  # ambiguous, so not LR(1)
    >>> automaton.accepts(automaton.read("1+1+1"))
    True
    """
    return bind(GlrEngine(grammar.productions), grammar, vocabulary)


def earley(grammar: Grammar, vocabulary: Vocabulary | None = None) -> BoundAutomaton[EarleyState]:
    """An exact automaton for any grammar, and the reference for the others.

    It remembers nothing, and a step takes longer as the prefix grows; `glr` is as exact, and fast.

    >>> from grammax import Grammar, earley
    >>> automaton = earley(Grammar.read('sum: sum "+" sum | "1"'))  # ambiguous, so not LR(1)
    >>> automaton.accepts(automaton.read("1+1+1"))
    True
    """
    return bind(EarleyEngine(grammar.productions), grammar, vocabulary)


def finite(dfa: Dfa, vocabulary: Vocabulary, name: str = "finite") -> BoundAutomaton[FiniteState]:
    """The automaton of a `Dfa` that was built by hand, over the kinds of a vocabulary."""
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
    """An engine bound to a vocabulary; by default to the grammar's tokens, laid out for it."""
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
