"""The faults of the soak test. Each begins, lasts for some seconds, and ends."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from soak_store import StoreServer

SOURCE = Path(__file__).with_name("soak_clock.c")
DAY = 86_400


def workers_of(supervisor: int) -> list[int]:
    """The processes that serve, now."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[1]) == supervisor and fields[0] != "Z":
                found.append(int(path.parent.name))
    return sorted(found)


@dataclass(frozen=True)
class Target:
    """What the faults happen to."""

    supervisor: int  # the process whose children serve
    clock: Path  # the file that moves the service's clock
    store: StoreServer | None


Fault = Callable[[Target], AbstractContextManager[None]]


@contextmanager
def calm(target: Target) -> Iterator[None]:
    """No fault."""
    del target
    yield


@contextmanager
def killed(target: Target) -> Iterator[None]:
    """A worker is killed, as by the system where memory runs out."""
    os.kill(workers_of(target.supervisor)[0], signal.SIGKILL)
    yield


@contextmanager
def hanging(target: Target) -> Iterator[None]:
    """A worker stops, and is replaced after half a minute."""
    os.kill(workers_of(target.supervisor)[-1], signal.SIGSTOP)
    yield


@contextmanager
def full_disk(target: Target) -> Iterator[None]:
    """No worker can write to any file, by the limit of the size of files."""
    _limit(target.supervisor, 0)
    try:
        yield
    finally:
        _limit(target.supervisor, resource.RLIM_INFINITY)


@contextmanager
def other_clock(target: Target) -> Iterator[None]:
    """The clock of the service jumps a day ahead, and a day back at the end."""
    _move(target.clock, DAY)
    try:
        yield
    finally:
        _move(target.clock, 0)


@contextmanager
def no_store(target: Target) -> Iterator[None]:
    """The database that answers is stopped, and is started again at the end."""
    assert target.store is not None
    target.store.stop()
    try:
        yield
    finally:
        target.store.start()


CLOCK = "the clock jumps"
STORE = "the store is restarted"
FAULTS: dict[str, tuple[Fault, float]] = {  # with their seconds
    "no fault": (calm, 10.0),
    "a worker is killed": (killed, 15.0),
    "the disk is full": (full_disk, 8.0),
    "the catalogue changes often": (calm, 8.0),
    CLOCK: (other_clock, 8.0),
    STORE: (no_store, 8.0),
    "a worker hangs": (hanging, 45.0),
}


def clock_environment(clock: Path) -> dict[str, str]:
    """What gives a process a clock that a file moves; nothing without a C compiler."""
    compiler, library = shutil.which("cc"), clock.with_suffix(".so")
    if compiler is None:
        return {}
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE)]
    subprocess.run(command, check=True, timeout=60)
    clock.write_bytes(bytes(8))
    return {"LD_PRELOAD": str(library), "SOAK_CLOCK": str(clock)}


def ids_in(path: Path, key: str) -> set[str]:
    """A key of all lines of JSON that are whole."""
    found = set()
    for line in path.read_bytes().splitlines():
        with suppress(ValueError, KeyError, TypeError):
            found.add(str(json.loads(line)[key]))
    return found


def _move(clock: Path, seconds: int) -> None:
    """Written in place, since the service has the file in its memory."""
    with clock.open("r+b") as file:
        file.write(seconds.to_bytes(8, sys.byteorder))


def _limit(supervisor: int, most: int) -> None:
    for worker in workers_of(supervisor):
        with suppress(ProcessLookupError):
            _, hard = resource.prlimit(worker, resource.RLIMIT_FSIZE)
            resource.prlimit(worker, resource.RLIMIT_FSIZE, (most, hard))
