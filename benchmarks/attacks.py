"""`grammax serve` under attack: memory, and how long an honest client waits meanwhile.

python benchmarks/attacks.py [--quick] [--json] [--minutes 10] [--seconds 20] [--only NAME ...]

Each attack of `tests/service/attacks` in turn, then all of them together for some minutes. The
honest client asks a short query ten times a second, from an address of its own, and each request is
timed from when it was due. Attackers and clients share the cores with the service: "waited" is the
part of the time in which its event loop could have run and no core was free.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from report import Claim, Options, Row, at_most, progress, run
from service_process import Service, served

sys.path[0] = str(Path(__file__).parents[1] / "tests")  # benchmarks have a module `service`, too

from service.attacks import measure  # type: ignore[import-not-found] # noqa: E402
from service.attacks.attacks import ATTACKS  # type: ignore[import-not-found] # noqa: E402
from service.attacks.clients import ask_steadily  # type: ignore[import-not-found] # noqa: E402

_MEGABYTES = 100.0
_P99_MS = 50.0
_TOGETHER = "all together"


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """No attack, each attack, and all of them together."""
    seconds = min(options.given.seconds, 5.0) if options.quick else options.given.seconds
    minutes = min(options.given.minutes, 0.5) if options.quick else options.given.minutes
    names = options.given.only or list(ATTACKS)
    progress("starting")
    with served(1, "--quiet") as service:
        asyncio.run(measure.warm_up(service.port))
        rows = [_calm(service, seconds)]
        for name in names:
            progress(name)
            rows.append(_row(name, _attacked(service, [name], seconds)))
        progress(f"{_TOGETHER}, {minutes:g} minutes")
        together = _attacked(service, names, 60.0 * minutes)
    rows.append(_row(_TOGETHER, together))
    for error in together.honest.errors[:5]:
        print(error, file=sys.stderr)
    alone = rows[1:-1]
    return rows, [
        at_most("MB more than before, in any attack", _most(rows[1:], "MB more"), _MEGABYTES, "MB"),
        at_most("p99 of the honest client, in any attack", _most(alone, "p99 ms"), _P99_MS, "ms"),
        at_most("errors of the honest client", sum(int(str(r["errors"])) for r in rows), 0, ""),
    ]


def _calm(service: Service, seconds: float) -> Row:
    """What the honest client sees without any attack."""
    memory = measure.megabytes(service.workers)
    waited = measure.seconds_without_a_core(service.workers)
    timed = asyncio.run(ask_steadily(service.port, seconds, measure.HONEST))
    waited = (measure.seconds_without_a_core(service.workers) - waited) / seconds
    after = measure.megabytes(service.workers)
    return _row("no attack", measure.Outcome(memory, memory, after, waited, timed, Counter()))


def _attacked(service: Service, names: Sequence[str], seconds: float) -> measure.Outcome:
    return asyncio.run(measure.withstand(service.port, service.workers, names, seconds))


def _row(name: str, outcome: measure.Outcome) -> Row:
    honest, told = outcome.honest, outcome.told.most_common(3)
    return {
        "name": name,
        "MB before": outcome.before,
        "MB more": outcome.most - outcome.before,
        "MB more afterwards": outcome.after - outcome.before,
        "requests": len(honest.seconds),
        "p50 ms": 1e3 * honest.quantile(0.5),
        "p99 ms": 1e3 * honest.quantile(0.99),
        "errors": len(honest.errors),
        "waited %": 100 * outcome.waited,
        "attackers were told": ", ".join(f"{n:,} {each}" for each, n in told),
    }


def _most(rows: Sequence[Row], column: str) -> float:
    return max((float(str(row[column])) for row in rows), default=0.0)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=10.0, help="of all attacks together")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each attack alone")
    parser.add_argument("--only", nargs="+", choices=list(ATTACKS), help="only these attacks")


if __name__ == "__main__":
    run(
        "attacks",
        __doc__ or "",
        main,
        packages=("starlette", "uvicorn", "numba"),
        chart="p99 ms",
        arguments=_arguments,
    )
