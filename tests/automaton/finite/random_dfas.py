"""Random finite automata, and their languages up to a length."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from grammax.automaton import Dfa

KINDS = range(3)
LENGTH = 4
STRINGS = [string for length in range(LENGTH + 1) for string in product(KINDS, repeat=length)]


@st.composite
def dfas(draw: st.DrawFn) -> Dfa:
    """Automata as they come: with dead ends, states that are never reached, no sentence at all."""
    count = draw(st.integers(1, 5))
    states = st.integers(0, count - 1)
    arcs = draw(
        st.lists(st.dictionaries(st.sampled_from(KINDS), states), min_size=count, max_size=count)
    )
    return Dfa(tuple(arcs), frozenset(draw(st.sets(states))))


def language(dfa: Dfa) -> set[tuple[int, ...]]:
    return {string for string in STRINGS if dfa.accepts(string)}
