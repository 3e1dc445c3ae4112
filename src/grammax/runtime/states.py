"""`StateTable`: the states of an automaton as arrays, filled when they are first visited.

A row of `moves` has the next state for each kind. Python's engines find the moves (LR stacks,
determinised networks, Earley sets), once each; after some queries, decoding visits only states that
are known, and a step is one look-up for every engine.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, Final, NamedTuple, cast, final

import numpy as np
from numpy.typing import NDArray

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.lr.engine import LrState
from grammax.automaton.protocol import Engine, State
from grammax.vocabulary import Ids
from grammax.vocabulary.layout import bits

NOT_PERMITTED: Final = -1
UNKNOWN: Final = -2  # permitted, but the next state has not been asked for

_BYTES: Final = 64 << 20  # of `moves`, at most; only pages that are used take memory
_STATES: Final = 1 << 16


class AutomatonArrays(NamedTuple):
    """The states that are known, and the rows of each kind."""

    moves: NDArray[np.int32]  # (states, kinds): the next state, `NOT_PERMITTED` or `UNKNOWN`
    size: Ids  # (states): the number of permitted tokens
    distance: NDArray[np.int32]  # (states): the fewest tokens to a complete sentence
    top: NDArray[np.int32]  # (states): the state of the LR table on top of the stack, else 0
    spans: Ids  # (m, 2): the spans of all kinds, those of a kind side by side
    first: NDArray[np.int32]  # (kinds + 1): the first span of each kind


@final
class StateTable:
    """The known states of an automaton; state 0 is its start.

    It may also have those of what some queries leave of the grammar, see `automaton.reduced`.
    Threads may share it: rows are complete before another row refers to them.
    """

    def __init__(self, automaton: BoundAutomaton[Any], room: int | None = None) -> None:
        self._automaton = automaton
        self._lock = Lock()
        self._numbers: dict[int, int] = {}  # by identity: states that are equal may differ in it
        self._states: list[State] = []  # keeps them alive
        vocabulary = automaton.vocabulary
        kinds = len(vocabulary.kinds)
        room = room or max(2, min(_STATES, _BYTES // (4 * kinds)))
        spans = [vocabulary.spans(kind) for kind in range(kinds)]
        self._sizes = np.array([sum(stop - start for start, stop in each) for each in spans])
        self.arrays = AutomatonArrays(
            moves=np.empty((room, kinds), np.int32),
            size=np.zeros(room, np.int64),
            distance=np.zeros(room, np.int32),
            top=np.zeros(room, np.int32),
            spans=np.array([span for each in spans for span in each], np.int64).reshape(-1, 2),
            first=np.cumsum([0, *map(len, spans)], dtype=np.int32),
        )
        self._add(automaton.start)

    def __len__(self) -> int:
        return len(self._states)

    def find(self, state: int, kind: int) -> bool:
        """Fill in the state after a kind; False if the table is full."""
        with self._lock:
            if self.arrays.moves[state, kind] != UNKNOWN:  # another thread was faster
                return True
            before = self._states[state]
            after = _engine_of(before).move(before, kind)
            assert after is not None, "the kind is permitted"
            number = self._numbers.get(id(after))
            if number is None:
                if len(self._states) == len(self.arrays.moves):
                    return False
                number = self._add(after)
            self.arrays.moves[state, kind] = number
            return True

    def start_of(self, automaton: BoundAutomaton[Any]) -> int | None:
        """The number of the start of an automaton over the same kinds; None if the table is full.

        It is that of the grammar, or of what a query leaves of it.
        """
        if automaton is self._automaton:
            return 0
        with self._lock:
            number = self._numbers.get(id(automaton.start))
            if number is None and len(self._states) < len(self.arrays.moves):
                number = self._add(automaton.start)
            return number

    def _add(self, state: State) -> int:
        engine, arrays, number = _engine_of(state), self.arrays, len(self._states)
        permitted = list(bits(engine.kind_sets.bits(engine.permitted(state))))
        arrays.moves[number] = NOT_PERMITTED
        arrays.moves[number, permitted] = UNKNOWN
        arrays.size[number] = self._sizes[permitted].sum()
        arrays.distance[number] = engine.tokens_to_accept(state)
        arrays.top[number] = state.top if isinstance(state, LrState) else 0
        self._states.append(state)
        self._numbers[id(state)] = number
        return number


def _engine_of(state: State) -> Engine[Any]:
    return cast("Engine[Any]", state.owner)
