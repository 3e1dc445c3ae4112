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
