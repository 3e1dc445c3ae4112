"""Two replicas of `grammax serve` behind nginx against one: queries a second, p99, errors.

python benchmarks/replicas.py [--quick] [--json] [--chart FILE]

nginx has the configuration of deploy/nginx.conf, with ports of loopback and without TLS. The
replicas are processes of their own with one worker each, and share the catalogue's file alone. One
replica alone, both, and both while each in turn is ended and started again. nginx, the clients and
the replicas share the cores of one machine. A value that one replica adds must be known to the
other, and an end in the middle must lose no query.
"""

from __future__ import annotations

import http.client
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from time import monotonic, perf_counter, sleep

import uvloop
from replicas_proxy import PREFIX, free_port, proxied
from report import Claim, Options, Row, progress, run
from service_clients import Timed, load
from service_process import Service, get, served

from grammax.domains import load_domain
from grammax.evaluation.benchmark import at_least, at_most

CLIENTS = 16
WARM_SECONDS = 5.0
RESTART_SECONDS = 25.0  # in which both replicas are ended and started again
RATE = 100.0  # meanwhile, a second
TOKEN = "a token for loopback only"
FOLLOW_SECONDS = 10.0


@dataclass
class Replica:
    """A service at a fixed port, which can be ended and started again."""

    port: int
    folder: Path
    starts: int = 0
    stack: ExitStack = field(default_factory=ExitStack)

    def start(self) -> Service:
        """Start it; it is ready on return."""
        arguments = ["--port", str(self.port), "--quiet", "--root-path", PREFIX]
        arguments += ["--trust-proxy", "127.0.0.1"]
        for what in ("catalogue", "corrections"):
            arguments += [f"--{what}", str(self.folder / f"{what}.jsonl")]
        made = self.stack.enter_context(served(1, *arguments))
        self.starts += 1
        return made

    def stop(self) -> None:
        """End it by SIGTERM, which finishes what has begun."""
        self.stack.close()


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """One replica, two, and two that are restarted, behind the same proxy."""
    os.environ["GRAMMAX_TOKEN"] = TOKEN
    queries = [pair.query for pair in load_domain("eqs").pairs("test")]
    seconds = 8.0 if options.quick else 30.0
    rows: list[Row] = []
    progress("starting")
    with replicas(2) as (folder, both):
        for count in (1, 2):
            with proxied(folder, [each.port for each in both[:count]]) as port:
                name = "one replica" if count == 1 else "two replicas"
                progress(name)
                uvloop.run(load(port, f"{PREFIX}/parse", queries, CLIENTS, WARM_SECONDS))
                rows.append(measured(name, port, queries, seconds))
        with proxied(folder, [each.port for each in both]) as port:
            progress("a change of the catalogue")
            followed = seconds_to_follow(port, both)
            progress("restarted one after the other")
            restarting = Thread(target=restart, args=(both,))
            restarting.start()
            name = "two, each restarted meanwhile"
            rows.append(measured(name, port, queries, max(seconds, RESTART_SECONDS), RATE))
            restarted = sum(each.starts for each in both) - len(both)
            restarting.join()
            gone = seconds_without_replicas(port, both)
    one, two, disturbed = rows
    speed = [float(str(row["a second"])) for row in (one, two)]
    claims = [
        at_least("two replicas against one, queries a second", speed[1] / speed[0], 1, "x"),
        at_most("errors", sum(int(str(row["errors"])) for row in rows[:2]), 0, ""),
        at_least("replicas restarted under load", restarted, 2, ""),
        at_most("errors meanwhile", int(str(disturbed["errors"])), 0, ""),
        at_most("until both replicas know a new value", followed, 2, "s"),
        at_most("until 503 with a reason where no replica is left", gone, 2, "s"),
    ]
    return rows, claims


@contextmanager
def replicas(count: int) -> Iterator[tuple[Path, list[Replica]]]:
    """So many replicas that are ready, and the folder that they share."""
    with tempfile.TemporaryDirectory(prefix="grammax-replicas-") as name, ExitStack() as stack:
        folder = Path(name)
        made = [Replica(free_port(), folder) for _ in range(count)]
        for replica in made:
            stack.callback(replica.stop)
            replica.start()
        yield folder, made


def measured(
    name: str, port: int, queries: Sequence[str], seconds: float, rate: float | None = None
) -> Row:
    """A row for a load of queries through the proxy."""
    timed: Timed = uvloop.run(load(port, f"{PREFIX}/parse", queries, CLIENTS, seconds, rate))
    return timed.row(name, seconds)


def restart(both: Sequence[Replica]) -> None:
    """End and start one replica after the other; each is ready before the next is ended."""
    for replica in both:
        sleep(1)
        replica.stop()
        replica.start()


def seconds_to_follow(port: int, both: Sequence[Replica]) -> float:
    """From the answer to a change until each replica has the new version."""
    value = {"values": [{"name": "Wakanda", "kind": "country", "aliases": ["wakandan"]}]}
    status, body = sent(port, f"{PREFIX}/catalogue", value, Authorization=f"Bearer {TOKEN}")
    assert status == 200, body
    version = json.loads(body)["version"]
    begin = perf_counter()
    for replica in both:
        while json.loads(get(replica.port, "/health")[1])["version"] != version:
            if perf_counter() - begin > FOLLOW_SECONDS:
                raise SystemExit(f"the replica at {replica.port} did not follow the catalogue")
            sleep(0.01)
    return perf_counter() - begin


def seconds_without_replicas(port: int, both: Sequence[Replica]) -> float:
    """How long a query takes that no replica answers; it must be told so in the service's form."""
    for replica in both:
        replica.stop()
    begin = monotonic()
    status, body = sent(port, f"{PREFIX}/parse", {"query": "steel japan"})
    spent = monotonic() - begin
    assert (status, json.loads(body)["error"]["code"]) == (503, "unavailable"), body
    return spent


def sent(port: int, path: str, body: object, **headers: str) -> tuple[int, bytes]:
    """The status and the body of a request through the proxy."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        all_headers = {"Content-Type": "application/json", **headers}
        connection.request("POST", path, json.dumps(body), all_headers)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


if __name__ == "__main__":
    run(
        "replicas",
        __doc__ or "",
        main,
        packages=("starlette", "uvicorn", "numba"),
        threads=2,
        chart="p99 ms",
    )
