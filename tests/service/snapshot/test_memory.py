"""Memory stays as it is while the catalogue changes hundreds of times."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest
from service.given import TOKEN
from service.processes import SECONDS, ask, port_of, starting
from variants import THOROUGH

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
CHANGES = 1_000 if THOROUGH else 60
SETTLED = 200 if THOROUGH else 20  # until then, caches fill and the heap grows by some 100 MB
GROWN_MB = 120.0  # one snapshot has 20 MB; some may be in use, or not collected yet


MAPPED = """
import ctypes
from grammax.service.memory import keep_large_arrays_apart


class Told(ctypes.Structure):
    _fields_ = [(f"field {number}", ctypes.c_size_t) for number in range(10)]


def mapped():
    told = ctypes.CDLL(None).mallinfo2
    told.restype = Told
    return getattr(told(), "field 4")  # hblkhd, bytes


keep_large_arrays_apart()
del [bytearray(20_000_000)][0]  # by default, arrays of up to this size are on the heap from now on
before = mapped()
array = bytearray(2_000_000)
print(mapped() - before)
"""


def test_large_arrays_have_pages_of_their_own() -> None:
    if not hasattr(ctypes.CDLL(None), "mallinfo2"):
        pytest.skip("the C library is another one")
    told = subprocess.run([sys.executable, "-c", MAPPED], capture_output=True, check=True)
    assert int(told.stdout) >= 2_000_000


@pytest.mark.slow
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
            if number % 20 == 19 and number >= SETTLED - 1:
                sleep(2)
                used.append(_megabytes(process.pid))
        assert max(used[1:]) - used[0] < GROWN_MB, used
        assert len([*Path(f"/proc/{process.pid}/fd").iterdir()]) < 100


def _megabytes(process: int) -> float:
    told = Path(f"/proc/{process}/smaps_rollup").read_text()
    return sum(int(kb) for kb in re.findall(r"Private_\w+:\s+(\d+)", told)) / 1024
