"""`parse_files`: blocks of files are parsed by processes of Ray, and each is written once.

A process is an actor that loads the model once and takes a block at a time. Ray starts a lost actor
again and gives it the block that it had; the block's file is written as a whole or not at all, so
whoever comes second writes the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

from grammax.errors import GrammaxError
from grammax.ray.blocks import (
    ROWS,
    Block,
    blocks_of,
    remove_scratch,
    remove_written,
    unfinished,
    write_block,
)
from grammax.ray.columns import BlockParser, Settings

LOCAL: Final = "local"
_CLUSTERS: Final = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"  # 0: loopback alone, on Linux as well
_AGAIN: Final = 10  # times that a block is parsed again; it may be what ends its process
_QUEUED: Final = 2  # blocks of an actor, so that it need not wait


class NoCluster(GrammaxError):
    """Ray is not installed, or no cluster answers."""


class NoProcesses(GrammaxError):
    """Processes of Ray that do not start, or that always end."""


@final
@dataclass(slots=True)
class Progress:
    """How much is done, and with what result."""

    blocks: int = 0
    of: int = 0
    before: int = 0  # blocks of an earlier run
    queries: int = 0
    abstained: int = 0
    errors: int = 0


def parse_files(
    given: str,
    output: str | Path,
    settings: Settings | None = None,
    *,
    address: str = LOCAL,
    workers: int | None = None,
    overwrite: bool = False,
    rows: int = ROWS,
    tell: Callable[[Progress], object] = lambda _: None,
) -> Progress:
    """Parse the queries of files to one file of Parquet for each block of `rows` in a folder.

    `given` is a file of Parquet or of lines, a folder, or a pattern. `address` is that of a
    cluster, or "local" for processes of this machine; a cluster needs `output` and all other files
    at the same paths on every machine. `workers` are as many as there are cores, or GPUs, by
    default, and at most. Blocks whose file is there are skipped.
    """
    settings = settings or Settings()
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    blocks = blocks_of(given, rows)
    version = settings.version()
    if overwrite:
        remove_written(folder)
    remove_scratch(folder)
    left = unfinished(folder, blocks, version)
    progress = Progress(len(blocks) - len(left), len(blocks), len(blocks) - len(left))
    tell(progress)
    if left:
        with _connected(address, workers):
            _run(left, folder, settings, version, workers, progress, tell)
    remove_scratch(folder)
    return progress


def _run(
    blocks: list[Block],
    folder: Path,
    settings: Settings,
    version: Mapping[str, str],
    workers: int | None,
    progress: Progress,
    tell: Callable[[Progress], object],
) -> None:
    import ray

    gpus = 0 if settings.device is None else 1
    resources = ray.cluster_resources()
    there = int(resources.get("GPU" if gpus else "CPU", 0))
    if not there:
        raise NoProcesses(f"The cluster has no {'GPU' if gpus else 'core'} for a process.")
    # More would wait for a place, with blocks that others could parse.
    count = min(workers or there, there, len(blocks))
    made = ray.remote(num_cpus=1, num_gpus=gpus, max_restarts=-1, max_task_retries=_AGAIN)(_Actor)
    actors = [made.remote(settings, str(folder.absolute()), dict(version)) for _ in range(count)]
    waiting = iter(blocks)
    busy: dict[Any, Any] = {}

    def give(actor: Any) -> None:
        with suppress(StopIteration):
            busy[actor.write.remote(next(waiting))] = actor

    for _ in range(_QUEUED):
        for actor in actors:
            give(actor)
    try:
        while busy:
            [done], _ = ray.wait([*busy], num_returns=1)
            actor = busy.pop(done)
            try:
                found: tuple[int, int, int] = ray.get(done)
            except ray.exceptions.RayTaskError as error:
                cause = error.cause
                raise cause if isinstance(cause, GrammaxError | OSError) else error from None
            except ray.exceptions.RayActorError as error:
                raise NoProcesses(
                    f"A process could not start, or ended again and again: "
                    f"{str(error).strip()[-400:]}\nOn a cluster, grammax, the model and all files "
                    f"must be at the same paths on every machine."
                ) from error
            progress.blocks += 1
            progress.queries += found[0]
            progress.abstained += found[1]
            progress.errors += found[2]
            tell(progress)
            give(actor)
    finally:
        for actor in actors:
            ray.kill(actor)


@final
class _Actor:
    """One process: a parser, and the folder that it writes to."""

    def __init__(self, settings: Settings, folder: str, version: dict[str, str]) -> None:
        self._settings, self._folder, self._version = settings, Path(folder), version
        self._parser = BlockParser(settings)

    def write(self, block: Block) -> tuple[int, int, int]:
        """Parse a block and write its file: how many queries, abstentions and errors it has."""
        made = self._parser(block.table(self._settings.column))
        write_block(self._folder, block, made, self._version)
        abstains = sum(map(bool, made["abstains"].to_pylist()))
        return made.num_rows, abstains, made.num_rows - made["error"].null_count


@contextmanager
def _connected(address: str, workers: int | None) -> Iterator[None]:
    """Ray, started here or reached at its address; as it was where the program uses it already.

    What is started here listens on loopback: anyone who reaches Ray's ports can run programs.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address == LOCAL:
        os.environ.setdefault(_CLUSTERS, "0")  # read when Ray is imported
    try:
        import ray
    except ModuleNotFoundError as error:
        raise NoCluster("Ray is not installed: pip install 'grammax[ray]'") from error
    if ray.is_initialized():
        yield
        return
    options: dict[str, Any] = {"address": address, "log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        cores = max(workers or 0, os.cpu_count() or 1)
        options |= {"num_cpus": cores, "include_dashboard": False}
    try:
        ray.init(**options)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise NoCluster(
            f"No cluster of Ray answers at {address}: {str(error).partition(chr(10))[0]} Give its "
            f"address, such as ray://HOST:10001 or auto, or {LOCAL} for this machine."
        ) from error
    try:
        yield
    finally:
        ray.shutdown()
