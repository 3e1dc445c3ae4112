"""What attacks cost a service: its memory, and what an honest client sees meanwhile."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from service.attacks.clients import Connection, Timed, ask_steadily, request

HONEST = "127.0.0.2"
ATTACKERS = ("127.0.0.1", "127.0.0.3", "127.0.0.4", "127.0.0.5")
_SCRIPT = Path(__file__).with_name("attacks.py")
_SAMPLED_S = 0.2


@dataclass(frozen=True, slots=True)
class Outcome:
    """An attack: memory before it and the most during it, and what clients were told."""

    before: float  # megabytes
    most: float
    after: float
    waited: float  # the part of the time in which the event loop was ready and had no core
    honest: Timed
    told: Counter[str]


def megabytes(processes: Sequence[int]) -> float:
    """The resident memory of processes, together.

    Pages of files that are mapped do not count: the system takes them back when it needs them.
    """
    return sum(map(_resident, processes))


def seconds_without_a_core(processes: Sequence[int]) -> float:
    """How long the event loops of processes could have run, but others had the cores."""
    files = (Path(f"/proc/{each}/task/{each}/schedstat") for each in processes)
    return sum(int(file.read_text().split()[1]) for file in files) / 1e9


async def withstand(
    port: int, processes: Sequence[int], names: Sequence[str], seconds: float
) -> Outcome:
    """Attack from other processes, each attack from one of a few addresses."""
    before = most = megabytes(processes)
    began, waited = monotonic(), seconds_without_a_core(processes)
    attackers = [
        await _attacker(port, seconds, address, names[number :: len(ATTACKERS)])
        for number, address in enumerate(ATTACKERS)
        if names[number :: len(ATTACKERS)]
    ]
    try:
        honest = asyncio.create_task(ask_steadily(port, seconds + 1.0, HONEST))
        while not honest.done():
            await asyncio.sleep(_SAMPLED_S)
            most = max(most, megabytes(processes))
        told: Counter[str] = Counter()
        for each in attackers:
            async with asyncio.timeout(60):
                printed, _ = await each.communicate()
            told.update(json.loads(printed or "{}"))
    finally:
        for each in attackers:
            if each.returncode is None:
                each.kill()
    waited = (seconds_without_a_core(processes) - waited) / (monotonic() - began)
    return Outcome(before, most, megabytes(processes), waited, await honest, told)


async def warm_up(port: int) -> None:
    """Use once what loads code when it is first used."""
    async with Connection(port, HONEST, 2**24) as connection:
        for kind in ("csv", "parquet", "sql"):
            await connection.send(request("/export", {"lf": "(FLD_MKT_CAP GR 1)", "format": kind}))
            await connection.answer()
        for asked in (request("/row", {"key": "NVDA"}), request("/fields?search=e")):
            await connection.send(asked)
            await connection.answer()
    await ask_steadily(port, 2.0, HONEST, 0.02)


async def _attacker(
    port: int, seconds: float, address: str, names: Sequence[str]
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, _SCRIPT, str(port), str(seconds), address, *names, stdout=subprocess.PIPE
    )


def _resident(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    found = next(line for line in lines if line.startswith("RssAnon"))
    return int(found.split()[1]) / 1024
