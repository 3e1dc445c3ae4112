"""The market: how long it takes to build, how large it is, and how fast it answers.

python benchmarks/market.py [--quick] [--json]

Both ways of answering are interleaved: arrays in memory, and Ibis with DuckDB, where `prepare` is
logical form → judgement → Ibis → SQL and `execute` is the store's part alone. An answer has its
rows, their number and its notes. Whole queries are not remembered. `floor_ms` is the time to read
the columns of a query once. On a machine that others use, `..._cpu_ms`, the processor's time, tells
more than the clock.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
from equity import sampled_forms
from report import Claim, Options, Row, progress, run

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market.database import open_database
from grammax.domains.eqs.market.store import open_market
from grammax.evaluation.benchmark import at_least, at_most
from grammax.tables import grammar as grammars
from grammax.tables.form.text import from_tokens, read
from grammax.tables.form.tree import FieldRef, LogicalForm
from grammax.tables.form.typecheck import check
from grammax.tables.memory.values import Texts
from grammax.tables.query.spellings import TOKENS
from grammax.tables.query.store import Store
from grammax.tables.query.translate import translate

PAPER = {
    "return on capital in the S&P 500": (
        "(AND (FLD_INDEX EQ enumValue(IDX_SP500)) (display FLD_RETURN_ON_CAP))"
    ),
    "steel, Western Europe, not German": (
        "(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY)))"
        " (FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE))"
        " (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))"
    ),
    "top five Asian tech companies": (
        "(AND (FLD_DOMICILE EQ COU_ASIA) (FLD_EQS_SECTOR EQ SEC_GICS_INFORMATION_TECHNOLOGY)"
        " (top 5 FLD_MKT_CAP))"
    ),
    "auto nysex last quarter mcap > $1bn": (
        "(AND (FLD_EQS_SECTOR EQ SEC_GICS_AUTOMOBILES_COMPONENTS) (FLD_EXCHANGE EQ EXC_XNYS)"
        " (FLD_MKT_CAP(LAST QUARTER) GR 1 BILLION CUR_USD))"
    ),
    "top 10 European non-German tech by P/B": (
        "(AND (FLD_DOMICILE EQ COU_EUROPE) (NOT (FLD_DOMICILE EQ COU_GERMANY))"
        " (FLD_EQS_SECTOR EQ SEC_GICS_INFORMATION_TECHNOLOGY) (top 10 FLD_MKT_CAP)"
        " (display FLD_PB_RATIO DESC))"
    ),
}
LIMIT, SECONDS = 100, 60.0


class Times(NamedTuple):
    """Milliseconds of one question, asked both ways."""

    prepare: float
    execute: float
    database: float  # the whole answer
    database_cpu: float
    arrays: float
    arrays_cpu: float


def measure(options: Options) -> tuple[list[Row], list[Claim]]:
    """Build a market in a temporary folder and ask it."""
    catalogue = load_catalogue()
    with tempfile.TemporaryDirectory() as folder:
        rows, claims = _build(Path(folder), 1 if options.quick else 3)
        path = Path(folder) / "market-0.duckdb"
        with open_market(path) as arrays, open_database(path, catalogue) as database:
            forms = {name: read(text) for name, text in PAPER.items()}
            found, times = _ask(arrays, database, forms, 5 if options.quick else 15)
            rows += found
            drawn = _random_forms(arrays, 30 if options.quick else 100)
            row, random = _ask_random(arrays, database, drawn)
            rows.append(row)
    progress("")
    of_paper, faster = _middle(times, "arrays"), _faster([*times, *random])
    claims += [
        at_most("execute the paper's forms, median", _middle(times, "execute"), 20, "ms"),
        at_most("answer the paper's forms from arrays, median", of_paper, 1, "ms"),
        at_least("times faster than Ibis and DuckDB, median", faster, 40, ""),
    ]
    return rows, claims


def _build(folder: Path, times: int) -> tuple[list[Row], list[Claim]]:
    seconds = []
    for number in range(times):
        progress(f"building a market, {number + 1} of {times}")
        begin = perf_counter()
        open_market(folder / f"market-{number}.duckdb").close()
        seconds.append(perf_counter() - begin)
    begin = perf_counter()
    with open_market(folder / "market-0.duckdb") as market:
        again = perf_counter() - begin
        equities = market.answer(read("(FLD_PRICE GR 0)"), limit=0).total
    megabytes, mapped = (
        (folder / f"market-0.{ending}").stat().st_size / 1e6 for ending in ("duckdb", "columns")
    )
    row: Row = {
        "name": "build",
        "equities": equities,
        "seconds_median": median(seconds),
        "seconds_most": max(seconds),
        "open_again_seconds": again,
        "megabytes": megabytes,
        "arrays_megabytes": mapped,
    }
    return [row], [
        at_most("build the market, slowest", max(seconds), 20, "s"),
        at_most("open the market again", again, 0.3, "s"),
        at_most("size of the market", megabytes, 150, "MB"),
        at_most("size of its arrays", mapped, 300, "MB"),
        Claim("real equities", "≥ 1,800", f"{equities:,}", (equities or 0) >= 1800),
    ]


def _ask(
    arrays: Store, database: Store, forms: dict[str, LogicalForm], repeats: int
) -> tuple[list[Row], list[Times]]:
    """A row for each form, all of them interleaved."""
    samples: dict[str, list[Times]] = {name: [] for name in forms}
    for _ in range(repeats + 1):
        for name, lf in forms.items():
            progress(f"asking: {name}")
            samples[name].append(_times(arrays, database, lf))
    rows: list[Row] = []
    for name, times in samples.items():
        del times[0]  # it warms up
        answer, same = (store.answer(forms[name], LIMIT, SECONDS) for store in (arrays, database))
        assert answer.rows, f"{name} has an empty answer"
        assert [row[:2] for row in answer.rows] == [row[:2] for row in same.rows]
        assert answer.total == same.total
        rows.append(
            {"name": name, "rows": answer.total, **_row(times), **_floor(arrays, [forms[name]])}
        )
    return rows, [each for times in samples.values() for each in times]


def _random_forms(market: Store, count: int) -> list[LogicalForm]:
    """Typed forms drawn from the grammar: every construct, few with many rows."""
    lexicon = market.catalogue.lexicon
    drawn = sampled_forms(grammars.grammar(lexicon, typed=True), 2 * count)
    every = [from_tokens(form) for form in drawn]
    return [lf for lf in every if not check(lf, market.catalogue)][:count]


def _ask_random(
    arrays: Store, database: Store, forms: Sequence[LogicalForm]
) -> tuple[Row, list[Times]]:
    times, answered = [], 0
    for number, lf in enumerate(forms):
        progress(f"asking random forms, {number + 1} of {len(forms)}")
        _times(arrays, database, lf)
        times.append(_times(arrays, database, lf))
        answered += bool(arrays.answer(lf, LIMIT, SECONDS).rows)
    row: Row = {
        "name": f"{len(forms)} random typed forms",
        "with_rows": answered,
        **_row(times),
        "database_p95_ms": _p95([each.database for each in times]),
        "arrays_p95_ms": _p95([each.arrays for each in times]),
        **_floor(arrays, forms),
    }
    return row, times


def _row(times: Sequence[Times]) -> Row:
    found: Row = {f"{name}_ms": _middle(times, name) for name in Times._fields}
    return {**found, "times faster": _faster(times)}


def _times(arrays: Store, database: Store, lf: LogicalForm) -> Times:
    """One question, asked both ways; nothing that was prepared is remembered."""
    database.forget()
    prepare, _ = _timed(lambda: database.prepare(lf, LIMIT))
    prepared = database.prepare(lf, LIMIT)
    execute, _ = _timed(lambda: database.run(prepared, SECONDS))
    database.forget()
    answer = _timed(lambda: database.answer(lf, LIMIT, SECONDS))
    direct = _timed(lambda: arrays.answer(lf, LIMIT, SECONDS))
    return Times(prepare, execute, *answer, *direct)


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds by the clock, and of the processor."""
    begin, worked = perf_counter(), process_time()
    work()
    return (perf_counter() - begin) * 1e3, (process_time() - worked) * 1e3


def _floor(market: Store, forms: Sequence[LogicalForm]) -> Row:
    """The bytes of the columns that a form reads, and the time to read so many once."""
    sizes = [_bytes_read(market, lf) for lf in forms]
    size = int(median(sizes))
    column = np.ones(max(1, size // 8))
    floor = min(_timed(column.sum)[0] for _ in range(50))
    best = median(_fastest(market, lf) for lf in forms)
    return {"bytes": size, "floor_ms": floor, "times the floor": best / floor}


def _fastest(market: Store, lf: LogicalForm) -> float:
    return min(_timed(lambda: market.answer(lf, LIMIT))[0] for _ in range(3))


def _bytes_read(market: Store, lf: LogicalForm) -> int:
    """The bytes of the columns that a form asks its source for, each counted once."""
    read_: dict[object, int] = {}

    class Counted:
        """A scan that notes the columns it is asked for."""

        def __init__(self) -> None:
            self._scan = market._source.scan()

        def __getattr__(self, name: str) -> Any:
            return getattr(self._scan, name)

        def column(self, ref: FieldRef) -> Any:
            found = self._scan.column(ref)
            read_[ref] = (found.codes if isinstance(found, Texts) else found).nbytes
            return found

        def change(self, ref: FieldRef) -> Any:
            found = self._scan.change(ref)
            read_["change", ref] = found.nbytes
            return found

    class Source:
        today = market.today
        spellings = TOKENS

        def scan(self) -> Any:
            return Counted()

    translate(lf, market.catalogue, Source())
    return sum(read_.values())


def _middle(times: Sequence[Times], name: str) -> float:
    return float(median(getattr(each, name) for each in times))


def _faster(times: Sequence[Times]) -> float:
    return median(each.database_cpu / max(each.arrays_cpu, 1e-3) for each in times)


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[len(values) * 95 // 100]


if __name__ == "__main__":
    run("market", __doc__ or "", measure)
