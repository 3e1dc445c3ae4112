"""Work that is done ahead of time in other processes, in the order in which it is asked for.

In: tasks, and a function that makes the items of a task. Out: the items of all tasks, in order,
whatever the number of processes. Processes are forked, so the function may refer to anything and
nothing is copied; it must not use PyTorch, whose threads do not survive a fork. A process whose
parent was killed ends when it next sends an item.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, Final, TypeVar, cast

from threadpoolctl import threadpool_limits

T = TypeVar("T")
S = TypeVar("S")

_WAITING: Final = 96  # items that wait to be taken
_MADE: Final = 64  # items that wait in each process to be sent
_END: Final = "end"
_PAUSE: Final = 0.2  # seconds between looks at whether to stop


def usable_workers(wanted: int | None = None) -> int:
    """The number of processes to use: by default one per core but one, and no more than 16.

    0 where processes cannot be forked safely: the caller does the work itself.
    """
    if not sys.platform.startswith("linux"):
        return 0
    if wanted is not None:
        return wanted
    cores = len(os.sched_getaffinity(0))
    return 1 if cores < 3 else min(cores - 1, 16)


def ahead(make: Callable[[T], Iterator[S]], tasks: Sequence[T], count: int) -> Iterator[S]:
    """The items of all tasks, made by `count` processes; with 0 they are made here, when asked for.

    The processes end with the last item, or when the iterator is closed.
    """
    if not count or not tasks:
        for task in tasks:
            yield from make(task)
        return
    context = get_context("fork")
    readers: list[Connection[Any, Any]] = []
    processes = []
    for number in range(min(count, len(tasks))):
        reader, writer = context.Pipe(duplex=False)
        readers.append(reader)
        given = (make, tasks[number::count], writer, tuple(readers))
        process = context.Process(target=_work, args=given, daemon=True)
        with warnings.catch_warnings():  # of threads, which the child does not use
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        writer.close()
        processes.append(process)
    stop, found = Event(), Queue[Any](_WAITING)
    order = [readers[number % count] for number in range(len(tasks))]
    thread = Thread(target=_receive, args=(order, found, stop), daemon=True)
    thread.start()
    try:
        while (item := found.get())[0] != _END:
            if isinstance(item[1], BaseException):
                raise item[1]
            yield cast("S", item[1])
    finally:
        stop.set()
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()
        thread.join()


def _work(
    make: Callable[[T], Iterator[S]],
    tasks: Sequence[T],
    writer: Connection[Any, Any],
    readers: Sequence[Connection[Any, Any]],
) -> None:
    """The life of a process: the items of each task, and a mark after the last.

    Items are sent by a thread, so that the next ones are made while nobody takes these.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    for reader in readers:
        reader.close()  # else the end of the parent would go unnoticed
    gc.freeze()  # what was there before the fork is shared as long as nobody looks at it
    made = Queue[bytes | None](_MADE)
    thread = Thread(target=_send, args=(writer, made), daemon=True)
    thread.start()
    try:
        with threadpool_limits(
            1
        ):  # with a thread per core, 16 processes mostly wait: 7 times slower
            for task in tasks:
                for item in make(task):
                    made.put(_pickled("item", item))
                made.put(_pickled(_END, None))
    except Exception as error:
        made.put(_pickled("error", error))
    made.put(None)
    thread.join()


def _pickled(kind: str, item: object) -> bytes:
    return pickle.dumps((kind, item), pickle.HIGHEST_PROTOCOL)


def _send(writer: Connection[Any, Any], made: Queue[bytes | None]) -> None:
    """Send what a process has made; without a parent, the process ends."""
    try:
        while (item := made.get()) is not None:
            writer.send_bytes(item)
    except BrokenPipeError:
        os._exit(0)


def _receive(order: Sequence[Connection[Any, Any]], found: Queue[Any], stop: Event) -> None:
    """Take the items of each task from the process that makes them, and close the connections.

    An iterator that is left to the garbage collector cannot close them: its connections may have
    been finalised before it, and their numbers may be those of other files by then.
    """
    try:
        for reader in order:
            while (item := reader.recv())[0] != _END:
                _put(found, item, stop)
                if stop.is_set() or item[0] == "error":
                    return
        _put(found, (_END, None), stop)
    except (EOFError, OSError) as error:
        died = RuntimeError(f"a process that prepares pairs has died: {error}")
        _put(found, ("error", died), stop)
    finally:
        for reader in order:
            reader.close()


def _put(found: Queue[Any], item: Any, stop: Event) -> None:
    while not stop.is_set():
        with suppress(Full):
            found.put(item, timeout=_PAUSE)
            return
