"""The smallest automaton: same language, no two states alike, one value per language."""

from __future__ import annotations

from automaton.finite.random_dfas import KINDS, dfas, language
from hypothesis import given

from grammax.automaton import Dfa
from grammax.automaton.finite.minimize import minimal_blocks


@given(dfas())
def test_minimising_keeps_the_language_and_never_grows(dfa: Dfa) -> None:
    minimal = dfa.minimal()
    assert minimal.equivalent(dfa)
    assert language(minimal) == language(dfa)
    assert len(minimal) <= len(dfa.trimmed())
    assert minimal.minimal() == minimal


@given(dfas())
def test_blocks_are_those_of_the_table_filling_algorithm(dfa: Dfa) -> None:
    """Moore (1956): two states differ if one is final or some token leads to two that differ."""
    trimmed = dfa.trimmed()
    states = range(len(trimmed))
    final = trimmed.final
    differ = {(a, b) for a in states for b in states if (a in final) != (b in final)}
    while True:
        more = {
            (a, b)
            for a in states
            for b in states
            for kind in KINDS
            if (kind in trimmed.arcs[a]) != (kind in trimmed.arcs[b])
            or (
                kind in trimmed.arcs[a] and (trimmed.arcs[a][kind], trimmed.arcs[b][kind]) in differ
            )
        }
        if more <= differ:
            break
        differ |= more
    block = minimal_blocks(trimmed.arcs, trimmed.final)
    assert all((block[a] != block[b]) == ((a, b) in differ) for a in states for b in states)


@given(dfas(), dfas())
def test_equal_languages_give_equal_values(a: Dfa, b: Dfa) -> None:
    assert (a.minimal() == b.minimal()) == a.equivalent(b)
    assert (a | b).minimal() == (b | a).minimal()
    assert (a | b | a).minimal() == (a | b).minimal()
