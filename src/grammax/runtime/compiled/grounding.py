"""The restriction of a grammar to the tokens that a query makes available, in compiled code.

The rules are those of `grammax.automaton.grounded`: a kind of which nothing is available is dead,
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
from grammax.runtime.compiled.arithmetic import copy
from grammax.runtime.compiled.compile import compiled
from grammax.vocabulary import Ids

WHOLE: Final = 0  # every permitted token competes
NAMED: Final = 1  # as in `NamedOnly`
GROUNDED: Final = 2  # as in `Grounded`

_ALIVE: Final = 1
_NOT_ALIVE: Final = 2


class GroundingArrays(NamedTuple):
    """The rules of a grammar and the states of its LR table; without a table, only kinds."""

    must: NDArray[np.bool_]  # (kinds): whether its tokens must be available
    rules: NDArray[np.int32]  # (symbols): the number of rules of each symbol
    left: NDArray[np.int32]  # (rules): the symbol that a rule is for
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
        return GroundingArrays(flags, none, nothing, nothing, zero, nothing, zero, zero)
    tables = engine.tables
    productions = tables.productions
    uses, uses_first = _joined(productions.uses)
    items = [tables.rule(rule)[1][dot:] for kernel in tables.kernels for rule, dot in kernel]
    rests, rests_first = _joined(items)
    return GroundingArrays(
        flags,
        np.array(list(map(len, productions.rules_of)), np.int32),
        np.array([left for left, _ in productions.rules], np.int32),
        uses,
        uses_first,
        rests,
        rests_first,
        _offsets(map(len, tables.kernels)),
    )


@compiled
def find_dead(grounding: GroundingArrays, kind_of: NDArray[np.int32], rows: Ids, dead: Any) -> None:
    """Mark the symbols, (symbols), that derive no sentence with the available rows alone."""
    kinds, symbols = len(grounding.must), len(grounding.rules)
    waiting, count = np.empty(symbols, np.int32), 0
    there = np.zeros(kinds + 1, np.bool_)
    for row in rows:
        there[kind_of[row]] = True
    for kind in range(kinds):
        if grounding.must[kind] and not there[kind]:
            dead[kind] = True
            waiting[count] = kind
            count += 1
    left_over = np.empty(symbols, np.int32)
    copy(left_over, grounding.rules)
    gone = np.zeros(len(grounding.left), np.bool_)
    while count:
        count -= 1
        symbol = waiting[count]
        for use in range(grounding.uses_first[symbol], grounding.uses_first[symbol + 1]):
            rule = grounding.uses[use]
            if gone[rule]:
                continue
            gone[rule] = True
            left = grounding.left[rule]
            left_over[left] -= 1
            if left_over[left] == 0 and not dead[left]:
                dead[left] = True
                waiting[count] = left
                count += 1


@compiled
def is_alive(grounding: GroundingArrays, top: int, dead: Any, alive: Any) -> bool:
    """Whether a rule in progress in a state can be completed; `alive` caches, (LR states)."""
    if alive[top] == 0:
        found = _NOT_ALIVE
        for item in range(grounding.items_first[top], grounding.items_first[top + 1]):
            complete = True
            for index in range(grounding.rests_first[item], grounding.rests_first[item + 1]):
                if dead[grounding.rests[index]]:
                    complete = False
                    break
            if complete:
                found = _ALIVE
                break
        alive[top] = found
    return bool(alive[top] == _ALIVE)


def _joined(parts: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Sequences end to end, and the index at which each begins."""
    return np.array([x for part in parts for x in part], np.int32), _offsets(map(len, parts))


def _offsets(lengths: Iterable[int]) -> NDArray[np.int32]:
    return np.cumsum([0, *lengths], dtype=np.int32)
