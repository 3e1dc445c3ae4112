"""`DeviceAutomaton`: the states of an automaton that are known, as tables on the device.

A state is known once all its moves are. Python's engines find the moves of the states that a
sentence passes, see `StateTable`; the device only looks them up.

A row of a table has columns for what may come next: available tokens of each kind, tokens of each
kind that all queries share, the end of the sentence, and nothing. Which of them is permitted may
depend on the query; a column has the number of the flag that it depends on, see `Given.alive`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np
import torch
from torch import Tensor

from grammax.automaton.bound import BoundAutomaton
from grammax.runtime.grounding import GROUNDED, WHOLE
from grammax.runtime.states import UNKNOWN, StateTable
from grammax.vocabulary import Ids

# Flags; those of the LR states follow.
NOT: Final = 0
ALWAYS: Final = 1
FLAGS: Final = 2

NEVER: Final = 1 << 30  # the distance after what is not permitted

_STATES: Final = 1 << 14
_BYTES: Final = 256 << 20  # of the tables, at most


@final
class DeviceAutomaton:
    """Tables of a fixed size, so that recorded graphs stay valid; k kinds, w = 2 k + 2 columns.

    `table[state]`, (3, w), has for each column its flag, the next state, and the distance from
    there to the end of the sentence. The next state of nothing is what became of a sentence that
    cannot go on: it is over, or the state is not `known`.
    """

    def __init__(
        self,
        automaton: BoundAutomaton[Any],
        kind_of: Ids,
        mode: int,
        must: Sequence[bool],
        endings: tuple[int, int],
        device: torch.device,
    ) -> None:
        self._automaton, self._kind_of = automaton, kind_of
        self._mode, self._must = mode, np.array(must, np.bool_)
        self._over, self._lacks = endings
        self.kinds = kinds = len(automaton.vocabulary.kinds)
        self.end, self.none, self.width = 2 * kinds, 2 * kinds + 1, 2 * kinds + 2
        self._room = max(2, min(_STATES, _BYTES // (24 * self.width)))
        self.start = self._room  # as state 0, but the sentence may not be empty
        self.table: Tensor = torch.zeros(
            self._room + 1, 3, self.width, dtype=torch.int64, device=device
        )
        self._forget()
        spans = [automaton.vocabulary.spans(kind) for kind in range(kinds)]
        self.sizes = np.array([sum(stop - start for start, stop in each) for each in spans])
        self.firsts = np.array([each[0][0] if each else 0 for each in spans])

    def learn(self, sentences: Sequence[Sequence[int]]) -> None:
        """Make the states that some sentences pass known."""
        fresh: set[int] = set()
        for sentence in sentences:
            if not self._walk(sentence, fresh):  # the table is full: begin again
                self._forget()
                fresh.clear()
                self._walk(sentence, fresh)
        if fresh:
            self._send(np.array(sorted(fresh), np.int64))

    def _forget(self) -> None:
        self.states = StateTable(self._automaton, self._room)
        self._known: set[int] = set()
        self.table[:, 0] = NOT
        self.table[:, 1, self.none] = self._lacks

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

    def _send(self, states: Ids) -> None:
        arrays, kinds = self.states.arrays, self.kinds
        moves = arrays.moves[states].astype(np.int64)
        permitted, after = moves >= 0, np.maximum(moves, 0)
        several = (arrays.size[states] > 1)[:, None]
        flag = FLAGS + arrays.top[after] if self._mode == GROUNDED else ALWAYS
        shared = np.where(several & self._must, NOT, flag) if self._mode == GROUNDED else flag
        rows = np.zeros((len(states), 3, self.width), np.int64)
        available = permitted & several & (self._mode != WHOLE)
        rows[:, 0, :kinds] = np.where(available, flag, NOT)
        rows[:, 0, kinds : 2 * kinds] = np.where(permitted, np.where(several, shared, ALWAYS), NOT)
        rows[:, 0, self.end] = np.where(arrays.distance[states] == 0, ALWAYS, NOT)
        rows[:, 1, : 2 * kinds] = np.tile(after, 2)
        rows[:, 1, self.none] = self._over
        rows[:, 2, : 2 * kinds] = np.tile(np.where(permitted, arrays.distance[after], NEVER), 2)
        sent = torch.from_numpy(rows).to(self.table.device)
        self.table[torch.from_numpy(states).to(self.table.device)] = sent
        if states[0] == 0:
            self.table[self.start] = sent[0]
            self.table[self.start, 0, self.end] = NOT
