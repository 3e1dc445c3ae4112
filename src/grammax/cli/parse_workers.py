"""The same work on one item after the other in several processes, the results in order.

Processes are forked, so they share what was loaded. Only a few items wait at a time: the memory
does not grow with their number.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, TypeVar

from grammax.errors import GrammaxError

Item = TypeVar("Item")
Result = TypeVar("Result")

_WAITING: Final = 2  # items for each process, so that none has to wait for us
_work: Callable[[Any], Any] | None = None  # of this process


class NoWorkers(GrammaxError):
    """Processes that cannot be had, or that ended."""


def in_processes(
    work: Callable[[Item], Result], items: Iterator[Item], workers: int
) -> Iterator[tuple[Item, Result]]:
    """Each item with what `work` makes of it, in order."""
    if workers == 1:
        yield from ((item, work(item)) for item in items)
        return
    if "fork" not in multiprocessing.get_all_start_methods():
        raise NoWorkers("this system cannot fork processes: leave out --workers.")
    context = multiprocessing.get_context("fork")
    under_way: deque[tuple[Item, Future[Result]]] = deque()
    pool = ProcessPoolExecutor(workers, context, _begin, (work,))
    done = False
    try:
        for item in items:
            under_way.append((item, pool.submit(_do, item)))
            if len(under_way) == _WAITING * workers:
                yield _next(under_way)
        while under_way:
            yield _next(under_way)
        done = True
    except BrokenProcessPool as error:
        raise NoWorkers("a worker was ended, perhaps for want of memory.") from error
    finally:
        if not done:  # what they are at is wanted no more
            for process in multiprocessing.active_children():
                process.terminate()
        pool.shutdown(cancel_futures=True)


def _begin(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started it


def _do(item: Any) -> Any:
    assert _work is not None
    return _work(item)


def _next(under_way: deque[tuple[Item, Future[Result]]]) -> tuple[Item, Result]:
    item, future = under_way.popleft()
    return item, future.result()
