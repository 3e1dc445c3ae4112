"""One BLAS thread while a query is decoded; the process's own setting at all other times.

OpenBLAS divides a product of a matrix and a vector between threads from some 9,000 multiplications
on. The products of one query are a little larger than that: a second thread gains nothing (per
query 2.41 ms with two threads, 2.44 ms with one, on two idle cores, for twice the processor time),
and on a busy machine each product waits for a thread that is not running (21 ms against 4.9 ms).
Setting and restoring the limit takes some microseconds per query.
"""

from __future__ import annotations

from threading import Lock, local
from typing import Any, Final, final

from threadpoolctl import OpenBLASController, ThreadpoolController

_OWN: Final = ("mkl", "openmp")  # a limit holds for the thread that sets it, else for the process


@final
class SingleThreaded:
    """A context manager that limits BLAS to one thread; it may be nested, and threads may share it.

    For most libraries the limit belongs to the whole process. The first query to enter saves and
    changes it, and the last to leave restores it: if each restored what it had found, two queries
    that overlap would leave the limit in place for ever.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._mine = local()
        self._inside = 0  # threads
        self._libraries: list[Any] | None = None
        self._before: list[int] = []

    def __enter__(self) -> None:
        depth = self._mine.depth = getattr(self._mine, "depth", 0) + 1
        if depth > 1:
            return
        with self._lock:
            if self._libraries is None:  # takes a millisecond
                self._libraries = ThreadpoolController().select(user_api="blas").lib_controllers
            if self._inside == 0:
                self._before = _limit(self._libraries, own=False)
            self._mine.before = _limit(self._libraries, own=True)
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        self._mine.depth -= 1
        if self._mine.depth:
            return
        with self._lock:
            libraries = self._libraries or []
            self._inside -= 1
            _restore(libraries, self._mine.before, own=True)
            if self._inside == 0:
                _restore(libraries, self._before, own=False)


single_threaded: Final = SingleThreaded()


def _limit(libraries: list[Any], own: bool) -> list[int]:
    """Set the limit of each library to 1, and return what it was."""
    found = []
    for library in libraries:
        found.append(library.num_threads)
        if _is_own(library) == own and found[-1] != 1:
            _set(library, 1)
    return found


def _restore(libraries: list[Any], before: list[int], own: bool) -> None:
    for library, number in zip(libraries, before, strict=True):
        # A limit that somebody else has changed meanwhile is left alone.
        if _is_own(library) == own and number != 1 and library.num_threads == 1:
            _set(library, number)


def _set(library: Any, number: int) -> None:
    library.set_num_threads(number)
    # threadpoolctl lets only the first thread that sets a limit set it again, until it lets go.
    if isinstance(library, OpenBLASController):
        library.clear_controlling_thread()


def _is_own(library: Any) -> bool:
    return library.internal_api in _OWN or getattr(library, "threading_layer", "") in _OWN
