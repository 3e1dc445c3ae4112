"""`DeviceAutomaton`: the states of an automaton that are known, as tables on the device.

A state is known once all its moves are. Python's engines find the moves of the states that a
sentence passes, see `StateTable`; the device only looks them up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grammax.automaton.bound import BoundAutomaton
from grammax.runtime.compiled.states import NOT_PERMITTED, UNKNOWN, StateTable
from grammax.vocabulary import Ids

NEVER: Final = 1 << 30  # the distance after a token that is not permitted


@final
class DeviceAutomaton:
    """Tables of a fixed size, so that recorded graphs stay valid; k kinds."""

    def __init__(self, automaton: BoundAutomaton[Any], kind_of: Ids, device: torch.device) -> None:
        self._automaton, self._kind_of = automaton, kind_of
        self.states = StateTable(automaton)
        room, kinds = self.states.arrays.moves.shape
        self._known: set[int] = set()
        self.known = torch.zeros(room, dtype=torch.bool, device=device)
        self.several = torch.zeros(room, dtype=torch.bool, device=device)  # tokens are permitted
        self.accepting = torch.zeros(room, dtype=torch.bool, device=device)
        # (room, k): the next state, the LR state on top of its stack, its distance to the end
        self.moves = torch.full((room, kinds), NOT_PERMITTED, device=device)
        self.tops = torch.zeros(room, kinds, dtype=torch.int64, device=device)
        self.distances = torch.full((room, kinds), NEVER, dtype=torch.int32, device=device)
        spans = [automaton.vocabulary.spans(kind) for kind in range(kinds)]
        sizes = [sum(stop - start for start, stop in each) for each in spans]
        firsts = [each[0][0] if each else 0 for each in spans]
        self.sizes: Tensor = torch.tensor(sizes, device=device)  # (k): tokens of each kind
        self.firsts: Tensor = torch.tensor(firsts, device=device)  # (k): the first of them

    def learn(self, sentences: Sequence[Sequence[int]]) -> None:
        """Make the states that some sentences pass known."""
        fresh: set[int] = set()
        for sentence in sentences:
            if not self._walk(sentence, fresh):  # the table is full: begin again
                self.states, self._known = StateTable(self._automaton), set()
                self.known.fill_(False)
                fresh.clear()
                self._walk(sentence, fresh)
        self._send(np.array(sorted(fresh), np.int64))

    def _walk(self, sentence: Sequence[int], fresh: set[int]) -> bool:
        """Find the moves of all states of a sentence; False if the table is full."""
        state, moves = 0, self.states.arrays.moves
        for token in (*sentence, None):
            if state not in self._known:
                for kind in np.flatnonzero(moves[state] == UNKNOWN).tolist():
                    if not self.states.find(state, kind):
                        return False
                self._known.add(state)
                fresh.add(state)
            if token is not None:
                state = int(moves[state, self._kind_of[token]])
        return True

    def _send(self, states: NDArray[np.int64]) -> None:
        if not len(states):
            return
        arrays, device = self.states.arrays, self.moves.device
        moves = arrays.moves[states]
        permitted, after = moves >= 0, np.maximum(moves, 0)
        at = torch.from_numpy(states).to(device)
        for table, values in (
            (self.moves, moves.astype(np.int64)),
            (self.tops, np.where(permitted, arrays.top[after], 0).astype(np.int64)),
            (self.distances, np.where(permitted, arrays.distance[after], NEVER).astype(np.int32)),
            (self.several, arrays.size[states] > 1),
            (self.accepting, arrays.distance[states] == 0),
            (self.known, np.ones(len(states), np.bool_)),
        ):
            table[at] = torch.from_numpy(values).to(device)
