"""Run a function on many items in several processes, with the results in order.

Processes are forked, so they share the loaded model. Few items are queued at a time, so memory
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

_QUEUED: Final = 2  # queued items per process, so that no process waits
_work: Callable[[Any], Any] | None = None  # of this process


class NoWorkers(GrammaxError):
    """Processes cannot be started, or ended unexpectedly."""


def in_processes(
    work: Callable[[Item], Result], items: Iterator[Item], workers: int
) -> Iterator[tuple[Item, Result]]:
    """Each item with the result of `work`, in order."""
    if workers == 1:
        yield from ((item, work(item)) for item in items)
        return
    if "fork" not in multiprocessing.get_all_start_methods():
        raise NoWorkers("this system cannot fork processes: leave out --workers.")
    context = multiprocessing.get_context("fork")
    queue: deque[tuple[Item, Future[Result]]] = deque()
    pool = ProcessPoolExecutor(workers, context, _begin, (work,))
    done = False
    try:
        for item in items:
            queue.append((item, pool.submit(_do, item)))
            if len(queue) == _QUEUED * workers:
                yield _next(queue)
        while queue:
            yield _next(queue)
        done = True
    except BrokenProcessPool as error:
        raise NoWorkers("a worker was ended, perhaps because memory ran out.") from error
    finally:
        if not done:  # their results are no longer needed
            for process in multiprocessing.active_children():
                process.terminate()
        pool.shutdown(cancel_futures=True)


def _begin(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent


def _do(item: Any) -> Any:
    assert _work is not None
    return _work(item)


def _next(queue: deque[tuple[Item, Future[Result]]]) -> tuple[Item, Result]:
    item, future = queue.popleft()
    return item, future.result()
