"""Work in other processes: the same items in the same order, and nobody is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from grammax.training.workers import ahead, usable_workers

forks = pytest.mark.skipif(not usable_workers(1), reason="processes are not forked here")


def items(task: int) -> Iterator[tuple[int, int]]:
    for number in range(task % 4):
        yield task, number


@forks
@pytest.mark.parametrize("count", [0, 1, 3, 20])
def test_the_items_do_not_depend_on_the_number_of_processes(count: int) -> None:
    wanted = [item for task in range(11) for item in items(task)]
    assert list(ahead(items, range(11), count)) == wanted
    assert not active_children()


@pytest.mark.parametrize("count", [0, 2])
def test_without_tasks_there_is_nothing(count: int) -> None:
    assert list(ahead(items, [], count)) == []


@forks
def test_the_work_is_done_elsewhere() -> None:
    found = list(ahead(lambda _: iter([os.getpid()]), range(4), 2))
    assert len(set(found)) == 2
    assert os.getpid() not in found


@forks
def test_an_error_reaches_the_caller_after_what_came_before_it() -> None:
    def failing(task: int) -> Iterator[int]:
        yield task
        if task == 2:
            raise ValueError("the third task fails")

    found = ahead(failing, range(5), 2)
    assert [next(found) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="third"):
        next(found)
    assert not active_children()


@forks
def test_a_process_that_dies_is_noticed() -> None:
    def dying(_: int) -> Iterator[int]:
        yield 1
        os._exit(3)

    with pytest.raises(RuntimeError, match="died"):
        list(ahead(dying, range(3), 1))


@forks
def test_processes_end_with_the_iterator() -> None:
    def endless(_: int) -> Iterator[bytes]:
        while True:
            yield bytes(100_000)

    found = ahead(endless, range(2), 2)
    next(found)
    assert len(active_children()) == 2
    found.close()  # type: ignore[attr-defined]
    assert not active_children()


@forks
def test_connections_are_closed_once_everything_is_received() -> None:
    """Not by the iterator: the garbage collector may finalise its connections before it."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    found = ahead(items, range(4), 2)
    first = next(found)
    of_processes = 2 * 2  # two for each of the two, by which their end is noticed
    until = time.monotonic() + 10
    while len(list(Path("/proc/self/fd").iterdir())) > before + of_processes:
        assert time.monotonic() < until, "the connections are still open"
        time.sleep(0.05)
    assert [first, *found] == [(task, number) for task in range(4) for number in range(task)]


CHILD = """
import os, signal
from grammax.training.workers import ahead

def endless(_):
    while True:
        yield os.getpid()

found = ahead(endless, range(2), 2)
print(next(found), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@forks
def test_processes_end_after_a_parent_that_was_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        process = int(child.stdout.readline())
    for _ in range(100):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("the process runs on")
