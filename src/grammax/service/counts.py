"""Whose turn it is to take a connection: numbers in a file that all workers have in memory."""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from time import monotonic_ns
from typing import Final, final

from grammax.files import lock_descriptor

_WORKERS: Final = 64  # at once; more are not counted
_PLACE: Final = 3  # numbers of a worker: its process, its connections, when it took the last
_BYTES: Final = 8 * _PLACE * _WORKERS


@final
class Counts:
    """One worker's view. A process that is gone does not count, and others take its place."""

    def __init__(self, path: Path) -> None:
        self._numbers = _mapped(path)
        self._mine: int | None = None
        with path.open("rb") as file:
            lock_descriptor(file.fileno())  # until it is closed
            self._mine = next((p for p in self._places() if not self._is_there(p)), None)
            if self._mine is not None:
                self._numbers[self._mine + 1] = self._numbers[self._mine + 2] = 0
                self._numbers[self._mine] = os.getpid()

    def tell(self, connections: int) -> None:
        """Let the others know how many this worker has."""
        if self._mine is not None:
            self._numbers[self._mine + 1] = connections

    def took(self) -> None:
        """Let the others know that this worker takes a connection now."""
        if self._mine is not None:
            self._numbers[self._mine + 2] = monotonic_ns()

    def is_my_turn(self) -> bool:
        """Whether no other has fewer connections, or as many and took its last before."""
        if self._mine is None:
            return True
        mine = self._standing(self._mine)
        others = (p for p in self._places() if p != self._mine and self._is_there(p))
        return all(mine <= self._standing(place) for place in others)

    def leave(self) -> None:
        """Take no more connections from now on."""
        if self._mine is not None:
            self._numbers[self._mine] = 0
            self._mine = None

    def _standing(self, place: int) -> tuple[int, int]:
        return self._numbers[place + 1], self._numbers[place + 2]

    def _places(self) -> range:
        return range(0, _PLACE * _WORKERS, _PLACE)

    def _is_there(self, place: int) -> bool:
        process = self._numbers[place]
        if not process:
            return False
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except OSError:
            pass
        return True


def _mapped(path: Path) -> memoryview[int]:
    """The file's numbers. A map keeps its file open, so a lock on that would never end."""
    number = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if os.fstat(number).st_size < _BYTES:
            os.ftruncate(number, _BYTES)
        return memoryview(mmap.mmap(number, _BYTES)).cast("q")
    finally:
        os.close(number)
