"""`GroundingArrays`: the rules of a grammar as arrays, to restrict it to what a query offers.

They serve what `grammax.automaton.grounded` defines: a kind of which nothing is available is dead,
and so is each symbol that derives no sentence without dead ones. A state is alive if a rule in
progress there can be completed without dead symbols.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.lr.engine import LrEngine

WHOLE: Final = 0  # every permitted token competes
NAMED: Final = 1  # as in `NamedOnly`
GROUNDED: Final = 2  # as in `Grounded`


class GroundingArrays(NamedTuple):
    """The rules of a grammar and the states of its LR table; without a table, only kinds."""

    must: NDArray[np.bool_]  # (kinds): whether its tokens must be available
    rules: NDArray[np.int32]  # (symbols): the number of rules of each symbol
    left: NDArray[np.int32]  # (rules): the symbol that a rule is for
    lengths: NDArray[np.int32]  # (rules): the number of symbols that a rule has
    uses: NDArray[np.int32]  # rules that use each symbol, one entry per use
    uses_first: NDArray[np.int32]  # (symbols + 1)
    rests: NDArray[np.int32]  # the symbols left in each rule in progress
    rests_first: NDArray[np.int32]  # (items + 1)
    items_first: NDArray[np.int32]  # (LR states + 1): the rules in progress in each state


def grounding_arrays(automaton: BoundAutomaton[Any], must: Collection[int]) -> GroundingArrays:
    """The arrays of a grammar; tokens of the kinds `must` must be available."""
    kinds = len(automaton.vocabulary.kinds)
    engine = automaton.engine
    flags = np.isin(np.arange(kinds), list(must))
    if not isinstance(engine, LrEngine):
        nothing = np.zeros(0, np.int32)
        none = np.zeros(kinds, np.int32)
        zero = np.zeros(1, np.int32)
        return GroundingArrays(flags, none, nothing, nothing, nothing, zero, nothing, zero, zero)
    tables = engine.tables
    productions = tables.productions
    uses, uses_first = _joined(productions.uses)
    items = [tables.rule(rule)[1][dot:] for kernel in tables.kernels for rule, dot in kernel]
    rests, rests_first = _joined(items)
    return GroundingArrays(
        flags,
        np.array(list(map(len, productions.rules_of)), np.int32),
        np.array([left for left, _ in productions.rules], np.int32),
        np.array([len(right) for _, right in productions.rules], np.int32),
        uses,
        uses_first,
        rests,
        rests_first,
        _offsets(map(len, tables.kernels)),
    )


def _joined(parts: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Sequences end to end, and the index at which each begins."""
    return np.array([x for part in parts for x in part], np.int32), _offsets(map(len, parts))


def _offsets(lengths: Iterable[int]) -> NDArray[np.int32]:
    return np.cumsum([0, *lengths], dtype=np.int32)
