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

Setting the limit and restoring it takes 4 µs.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, local
from typing import Final, NamedTuple, final

from threadpoolctl import OpenBLASController, ThreadpoolController


@final
class SingleThreaded:
    """A context manager that limits BLAS to one thread; it may be nested, and threads may share it.

    The limit of most libraries belongs to the whole process. The first query to enter saves and
    changes it, and the last to leave restores it: if each query restored the limit it had found,
    two overlapping queries would leave the limit at one thread.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._mine = local()
        self._threads = 0  # number of threads inside
        self._limits: list[_Limit] | None = None
        self._own: list[_Limit] = []  # those for each thread; the others are for the process
        self._shared: list[_Limit] = []
        self._before: list[int] = []  # of the shared ones

    def __enter__(self) -> None:
        depth = self._mine.depth = getattr(self._mine, "depth", 0) + 1
        if depth > 1:
            return
        with self._lock:
            if self._limits is None:  # takes a millisecond
                self._limits = _blas_limits()
                self._own = [limit for limit in self._limits if limit.per_thread]
                self._shared = [limit for limit in self._limits if not limit.per_thread]
            if self._threads == 0:
                self._before = _lower(self._shared)
            self._mine.before = _lower(self._own)
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


single_threaded: Final = SingleThreaded()


class _Limit(NamedTuple):
    """The number of threads that a BLAS library may use."""

    get: Callable[[], int]
    set: Callable[[int], object]
    per_thread: bool  # it holds for the thread that sets it, not for the process


def _blas_limits() -> list[_Limit]:
    found = []
    for library in ThreadpoolController().select(user_api="blas").lib_controllers:
        facts = library.info()
        per_thread = facts["internal_api"] == "mkl" or facts.get("threading_layer") == "openmp"
        get, set_ = library.get_num_threads, library.set_num_threads
        if isinstance(library, OpenBLASController) and not per_thread:
            # Called directly: threadpoolctl takes ten times as long, and lets a thread set the
            # limit only if no other thread has set it before.
            name = next(name for name in library.check_symbols if hasattr(library.dynlib, name))
            get = getattr(library.dynlib, name)
            set_ = getattr(library.dynlib, name.replace("get", "set"))
        found.append(_Limit(get, set_, per_thread))
    return found


def _lower(limits: list[_Limit]) -> list[int]:
    """Set each limit to 1, and return the old limits."""
    before = [limit.get() for limit in limits]
    for limit, number in zip(limits, before, strict=True):
        if number != 1:
            limit.set(1)
    return before


def _restore(limits: list[_Limit], before: list[int]) -> None:
    for limit, number in zip(limits, before, strict=True):
        # A limit that other code has changed meanwhile is left alone.
        if number != 1 and limit.get() == 1:
            limit.set(number)
