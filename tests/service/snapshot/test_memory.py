"""Memory stays as it is while the catalogue changes hundreds of times."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest
from service.given import TOKEN
from service.processes import SECONDS, ask, port_of, starting
from variants import THOROUGH

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc"),
]
CHANGES = 1_000 if THOROUGH else 60
GROWN_MB = 120.0  # one snapshot has 20 MB; some may be in use, or not collected yet


def test_memory_is_flat_over_many_changes(tmp_path: Path) -> None:
    authorized = {"Authorization": f"Bearer {TOKEN}"}
    with starting(tmp_path) as (process, log):
        port = port_of(process, log)
        end = monotonic() + SECONDS
        while ask(port, "GET", "/ready")[0] != 200:
            assert monotonic() < end
            sleep(0.1)
        used = []
        for number in range(CHANGES):
            value = {"name": f"Narnia {number}", "kind": "country"}
            status, made, _ = ask(port, "POST", "/catalogue", {"values": [value]}, **authorized)
            assert status == 200
            assert ask(port, "POST", "/ask", {"query": f"narnia {number} steel"})[0] == 200
            if number % 3 == 0:
                path = f"/catalogue/{made['added'][0]['token']}"
                assert ask(port, "DELETE", path, **authorized)[0] == 200
            if number % 20 == 19:
                sleep(2)
                used.append(_megabytes(process.pid))
        assert max(used[1:]) - used[0] < GROWN_MB, used
        assert len([*Path(f"/proc/{process.pid}/fd").iterdir()]) < 100


def _megabytes(process: int) -> float:
    told = Path(f"/proc/{process}/smaps_rollup").read_text()
    return sum(int(kb) for kb in re.findall(r"Private_\w+:\s+(\d+)", told)) / 1024
