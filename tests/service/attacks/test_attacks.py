"""Under each attack memory stays flat, and an honest client sees no error.

How long it waits is printed, and measured by `benchmarks/attacks.py`.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
from service.attacks.attacks import ATTACKS
from service.attacks.clients import Connection, request
from service.attacks.measure import HONEST, Outcome, warm_up, withstand
from variants import THOROUGH

pytestmark = pytest.mark.slow
SECONDS = 10.0 if THOROUGH else 2.0
MEGABYTES = 100.0
START_SECONDS = 180.0


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """The port and the process of a service with one worker."""
    folder = tmp_path_factory.mktemp("attacked")
    log = folder / "log"
    command = [sys.executable, "-m", "grammax.cli.main", "serve", "--port", "0", "--quiet"]
    command += ["--audit", str(folder / "audit.jsonl")]
    with log.open("wb") as out:
        environment = {**os.environ, "GRAMMAX_HOME": str(folder)}
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
    try:
        port = _port(log, process)
        asyncio.run(_ready(port))
        asyncio.run(warm_up(port))
        yield port, process.pid
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.mark.parametrize("name", ATTACKS)
def test_the_service_withstands_an_attack(served: tuple[int, int], name: str) -> None:
    outcome = attacked(served, [name])
    check(outcome, name)
    assert outcome.told  # it took place


def test_the_service_withstands_all_attacks_together(served: tuple[int, int]) -> None:
    outcome = attacked(served, list(ATTACKS), 3 * SECONDS)
    check(outcome, "all together")
    assert {"200", "422", "429", "421", "403"} <= set(outcome.told)


def test_foreign_hosts_and_origins_are_all_refused(served: tuple[int, int]) -> None:
    outcome = attacked(served, ["foreign hosts"])
    assert set(outcome.told) <= {"421", "403"}


def test_corrections_without_a_token_have_a_quota(served: tuple[int, int]) -> None:
    outcome = attacked(served, ["/corrections"])
    assert outcome.told["201"] <= 120  # a minute may end meanwhile
    assert outcome.told["429"] > 0


def test_an_attack_on_columns_is_told_the_limit(served: tuple[int, int]) -> None:
    async def told() -> tuple[int, bytes]:
        async with Connection(served[0], HONEST) as connection:
            shown = " ".join(["(display FLD_MKT_CAP)"] * 95)
            await connection.send(request("/run", {"lf": f"(AND {shown})"}))
            return await connection.answer()

    status, body = asyncio.run(told())
    assert status == 422
    assert b"names 95 fields; at most 64 are permitted" in body


def attacked(served: tuple[int, int], names: list[str], seconds: float = SECONDS) -> Outcome:
    port, process = served
    return asyncio.run(withstand(port, [process], names, seconds))


def check(outcome: Outcome, name: str) -> None:
    honest = outcome.honest
    grown = outcome.most - outcome.before
    sys.stdout.write(
        f"{name}: {grown:+.0f} MB, honest p50 {1e3 * honest.quantile(0.5):.0f} ms, "
        f"p99 {1e3 * honest.quantile(0.99):.0f} ms, told {dict(outcome.told)}\n"
    )
    assert not honest.errors
    assert len(honest.seconds) > 5
    assert grown <= MEGABYTES


def _port(log: Path, process: subprocess.Popen[bytes]) -> int:
    end = monotonic() + START_SECONDS
    while monotonic() < end and process.poll() is None:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", log.read_text())
        if found:
            return int(found[1])
        sleep(0.05)
    raise AssertionError(f"the service did not start:\n{log.read_text()[-2000:]}")


async def _ready(port: int) -> None:
    end = monotonic() + START_SECONDS
    while monotonic() < end:
        try:
            async with Connection(port, HONEST) as connection:
                await connection.send(request("/ready"))
                status, _ = await connection.answer()
                if status == 200:
                    return
        except (OSError, EOFError):
            pass
        await asyncio.sleep(0.1)
    raise AssertionError("the service did not become ready")
