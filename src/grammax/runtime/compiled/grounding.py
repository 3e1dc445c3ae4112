"""The restriction of a grammar to the tokens that a query makes available, in compiled code."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from grammax.runtime.compiled.arithmetic import copy
from grammax.runtime.compiled.compile import compiled
from grammax.runtime.grounding import GroundingArrays
from grammax.vocabulary import Ids

_ALIVE: Final = 1
_NOT_ALIVE: Final = 2


@compiled
def find_dead(grounding: GroundingArrays, kind_of: NDArray[np.int32], rows: Ids, dead: Any) -> None:
    """Mark the symbols, (symbols), that derive no sentence with the available rows alone."""
    kinds, symbols = len(grounding.must), len(grounding.rules)
    waiting, count = np.empty(symbols, np.int32), 0
    there = np.zeros(kinds + 1, np.bool_)
    for row in rows:
        there[kind_of[row]] = True
    for symbol in range(symbols):
        missing = symbol < kinds and grounding.must[symbol] and not there[symbol]
        dead[symbol] = missing or grounding.rules[symbol] > 0
        if not dead[symbol]:
            waiting[count] = symbol
            count += 1
    left_over = np.empty(len(grounding.lengths), np.int32)
    copy(left_over, grounding.lengths)
    for rule in range(len(left_over)):
        left = grounding.left[rule]
        if left_over[rule] == 0 and dead[left]:
            dead[left] = False
            waiting[count] = left
            count += 1
    while count:
        count -= 1
        symbol = waiting[count]
        for use in range(grounding.uses_first[symbol], grounding.uses_first[symbol + 1]):
            rule = grounding.uses[use]
            left_over[rule] -= 1
            left = grounding.left[rule]
            if left_over[rule] == 0 and dead[left]:
                dead[left] = False
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
