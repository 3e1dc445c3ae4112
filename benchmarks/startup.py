"""A cold start: from the start of the process to the first logical form, and what it is spent on;
and from the start of `grammax serve` to the first answer over HTTP.

Beside the seconds on the clock it prints those of the processor, in user and system mode, which
other programs on the machine disturb less; the claims are about these. Modules are compiled to
bytecode beforehand, as pip does when it installs.

python benchmarks/startup.py [--quick] [--json] [--chart FILE]
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import NamedTuple

from report import Claim, Options, Row, progress, run

from grammax.evaluation.benchmark import at_most
from grammax.files import CACHE_VARIABLE

QUERY = "steel western europe not german"
PARSE = f"import grammax; grammax.load('eqs', compiled=False).parse({QUERY!r})"
COMMAND = ("-m", "grammax.cli.main", "parse", QUERY)
LOAD = "import grammax; grammax.load('eqs', compiled=False)"
ROWS = {
    "the interpreter alone": ("-c", "pass"),
    "import numpy": ("-c", "import numpy"),
    "import grammax": ("-c", "import grammax"),
    "load": ("-c", LOAD),
    "load and parse in Python": ("-c", PARSE),
    "grammax parse": COMMAND,
}
FIRST = "grammax parse, the first time ever"
SERVE = ("-m", "grammax.cli.main", "serve", "--port", "0", "--quiet")
SERVED = "grammax serve, to the first answer"
SERVED_FIRST = "grammax serve, to the first answer ever"
LISTENING = "grammax serve, to the page"
SHOWN = 8  # imports
ENVIRONMENT = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \|\s*(\S+)")


class Process(NamedTuple):
    """What a process took."""

    seconds: float
    processor: float  # seconds in user and system mode
    megabytes: float


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """Start each several times, interleaved; then list the imports."""
    repeats = 3 if options.quick else 11
    progress("preparing the model")
    started(COMMAND)
    taken: dict[str, list[Process]] = {name: [] for name in ROWS}
    for number in range(repeats):
        for name, arguments in ROWS.items():
            progress(f"{number + 1} of {repeats}: {name}")
            taken[name].append(started(arguments))
    rows: list[Row] = [row(name, found) for name, found in taken.items()]
    first = []
    for number in range(1 if options.quick else 3):
        progress(f"{number + 1}: {FIRST}")
        with tempfile.TemporaryDirectory() as empty:
            first.append(started(COMMAND, {CACHE_VARIABLE: empty}))
    rows.append(row(FIRST, first))
    warm, page = [], []
    with tempfile.TemporaryDirectory() as cache:
        for number in range(repeats + 1):
            progress(f"{number} of {repeats}: {SERVED}")
            at_page, at_answer = served(cache, SETTLING if number == 0 else 0)
            if number:
                page.append(at_page)
                warm.append(at_answer)
    ever = []
    for number in range(1 if options.quick else 3):
        progress(f"{number + 1}: {SERVED_FIRST}")
        with tempfile.TemporaryDirectory() as empty:
            ever.append(served(empty)[1])
    rows += [row(LISTENING, page), row(SERVED, warm), row(SERVED_FIRST, ever)]
    modules = imports()
    rows += [
        {"name": f"import {name}", "own, ms": own / 1e3, "with its imports, ms": whole / 1e3}
        for name, (own, whole) in sorted(modules.items(), key=lambda item: -item[1][0])[:SHOWN]
    ]
    parse = taken["grammax parse"]
    seconds = median(process.processor for process in parse)
    building = median(process.processor for process in first)
    memory = max(process.megabytes for process in parse)
    torch = sum(name.split(".")[0] == "torch" for name in modules)
    return rows, [
        at_most("a cold grammax parse, to the end of the process", seconds, 0.5, "s of processor"),
        at_most("its memory, resident", memory, 150, "MB"),
        at_most("the first one ever, which builds the cache", building, 2, "s of processor"),
        at_most("the first answer over HTTP", _seconds(warm), 1.5, "s"),
        at_most("the first answer over HTTP ever, with an empty cache", _seconds(ever), 5, "s"),
        at_most("modules of PyTorch that it imports", torch, 0, ""),
    ]


SETTLING = 90.0  # seconds in which everything is stored that later starts use


def served(cache: str, settling: float = 0.0) -> tuple[Process, Process]:
    """Start the service with a cache; what it took to the page, and to the first answer."""
    with tempfile.TemporaryDirectory() as home:
        log = Path(home) / "log"
        variables = {CACHE_VARIABLE: cache, "GRAMMAX_HOME": home}
        begun = perf_counter()
        with log.open("wb") as errors:
            process = subprocess.Popen(
                [sys.executable, *SERVE], stderr=errors, env={**ENVIRONMENT, **variables}
            )
        try:
            while not (found := _ADDRESS.search(log.read_text())):
                if process.poll() is not None:
                    raise SystemExit(f"grammax serve ended:\n{log.read_text()}")
                sleep(0.005)
            port = int(found[1])
            _until_ok(port, "GET", "/", None)
            page = _taken(process.pid, begun)
            _until_ok(port, "POST", "/ask", json.dumps({"query": QUERY}))
            answer = _taken(process.pid, begun)
            sleep(settling)
        finally:
            process.terminate()
            process.wait(60)
        return page, answer


def _until_ok(port: int, method: str, path: str, body: str | None) -> None:
    """Send a request until it is answered."""
    while True:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            if connection.getresponse().status == 200:
                return
        except (OSError, HTTPException):
            pass
        finally:
            connection.close()
        sleep(0.02)


def _taken(process: int, begun: float) -> Process:
    """What a process took until now; Linux tells that of others."""
    seconds = perf_counter() - begun
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return Process(seconds, 0.0, 0.0)
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    cpu = (int(fields[11]) + int(fields[12])) / ticks
    return Process(seconds, cpu, int(fields[21]) * page / (1 << 20))


def _seconds(found: list[Process]) -> float:
    return median(process.seconds for process in found)


def row(name: str, found: list[Process]) -> Row:
    """The median of some processes."""
    return {
        "name": name,
        "seconds": median(process.seconds for process in found),
        "of processor": median(process.processor for process in found),
        "slowest": max(process.seconds for process in found),
        "resident, MB": max(process.megabytes for process in found),
    }


def started(arguments: tuple[str, ...], variables: dict[str, str] | None = None) -> Process:
    """Run Python to its end, and see what it took."""
    begun = perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**ENVIRONMENT, **(variables or {})},
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"python {' '.join(arguments)} ended with {process.returncode}")
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Process(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def imports() -> dict[str, tuple[int, int]]:
    """Each module that `grammax parse` imports, with its own microseconds and all of them."""
    arguments = [sys.executable, "-X", "importtime", *COMMAND]
    lines = subprocess.run(
        arguments, capture_output=True, text=True, check=True, env=ENVIRONMENT
    ).stderr
    return {m.group(3): (int(m.group(1)), int(m.group(2))) for m in _IMPORT.finditer(lines)}


if __name__ == "__main__":
    run("startup", __doc__ or "", main, chart="seconds")
