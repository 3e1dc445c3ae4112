"""One BLAS thread while a query is decoded; the process's own setting at all other times.

OpenBLAS divides a product of a matrix and a vector between threads from some 9,000 multiplications
on. The products of one query are a little larger than that. A second thread gains next to nothing,
takes twice the processor time, and on a busy machine each product waits for a thread that is not
running. Medians on two cores that other processes use too, and the fastest of several runs:

| per query | two threads | one thread |
|---|--:|--:|
| one query, compiled | 7.7 ms | 1.5 ms |
| one query, NumPy | 9.7 ms (fastest 2.3 ms) | 2.7 ms (fastest 2.4 ms) |
| batch | 11.8 ms (fastest 1.6 ms) | 2.3 ms (fastest 1.8 ms) |

Setting the limit and restoring it takes 10 µs.
"""

from __future__ import annotations

from threading import Lock, local
from typing import Any, Final, final

from threadpoolctl import OpenBLASController, ThreadpoolController


@final
class SingleThreaded:
    """A context manager that limits BLAS to one thread; it may be nested, and threads may share it.

    The limit of most libraries belongs to the whole process. The first query to enter saves and
    changes it, and the last to leave restores it: if each restored what it had found, two queries
    that overlap would leave the limit in place for ever.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._mine = local()
        self._threads = 0  # inside
        self._found = False
        self._shared: list[Any] = []  # libraries with one limit for the process
        self._own: list[Any] = []  # libraries with a limit for each thread
        self._before: list[int] = []  # the limits of shared libraries

    def __enter__(self) -> None:
        depth = self._mine.depth = getattr(self._mine, "depth", 0) + 1
        if depth > 1:
            return
        with self._lock:
            if not self._found:
                self._find()
            if self._threads == 0:
                self._before = _limit(self._shared)
            self._mine.before = _limit(self._own)
            self._threads += 1

    def __exit__(self, *error: object) -> None:
        self._mine.depth -= 1
        if self._mine.depth:
            return
        with self._lock:
            self._threads -= 1
            _restore(self._own, self._mine.before)
            if self._threads == 0:
                _restore(self._shared, self._before)

    def _find(self) -> None:
        """Look for the BLAS libraries of the process, which takes a millisecond."""
        for library in ThreadpoolController().select(user_api="blas").lib_controllers:
            facts = library.info()
            per_thread = facts["internal_api"] == "mkl" or facts.get("threading_layer") == "openmp"
            (self._own if per_thread else self._shared).append(library)
        self._found = True


single_threaded: Final = SingleThreaded()


def _limit(libraries: list[Any]) -> list[int]:
    """Set the limit of each library to 1, and return what it was."""
    before = [library.get_num_threads() for library in libraries]
    for library, number in zip(libraries, before, strict=True):
        if number != 1:
            _set(library, 1)
    return before


def _restore(libraries: list[Any], before: list[int]) -> None:
    for library, number in zip(libraries, before, strict=True):
        # A limit that somebody else has changed meanwhile is left alone.
        if number != 1 and library.get_num_threads() == 1:
            _set(library, number)


def _set(library: Any, number: int) -> None:
    library.set_num_threads(number)
    # threadpoolctl lets only the first thread that sets a limit set it again, until it lets go.
    if isinstance(library, OpenBLASController):
        library.clear_controlling_thread()
