"""The market: how long it takes to build, how large it is, and how fast it answers.

python benchmarks/market.py [--quick] [--json]

`prepare` is logical form → judgement → Ibis → SQL; `execute` is the store's part alone. Nothing
is remembered between questions. On a machine that others use, `execute_cpu_ms`, the
processor's time, tells more than the clock.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from equity import sampled_forms
from report import Claim, Options, Row, at_most, progress, run

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market.store import open_market
from grammax.tables import grammar as grammars
from grammax.tables.form.text import from_tokens, read
from grammax.tables.form.tree import LogicalForm
from grammax.tables.form.typecheck import check
from grammax.tables.query.store import Store

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


def measure(options: Options) -> tuple[list[Row], list[Claim]]:
    """Build a market in a temporary folder and ask it."""
    load_catalogue()
    with tempfile.TemporaryDirectory() as folder:
        rows, claims = _build(Path(folder), 1 if options.quick else 3)
        with open_market(Path(folder) / "market-0.duckdb") as market:
            forms = {name: read(text) for name, text in PAPER.items()}
            found, of_paper = _ask(market, forms, 5 if options.quick else 15)
            rows += found
            claims.append(at_most("execute the paper's forms, median", of_paper, 20, "ms"))
            rows.append(_ask_random(market, 30 if options.quick else 100))
    progress("")
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
    megabytes = (folder / "market-0.duckdb").stat().st_size / 1e6
    row: Row = {
        "name": "build",
        "equities": equities,
        "seconds_median": median(seconds),
        "seconds_most": max(seconds),
        "open_again_seconds": again,
        "megabytes": megabytes,
    }
    return [row], [
        at_most("build the market, slowest", max(seconds), 20, "s"),
        at_most("size of the market", megabytes, 150, "MB"),
        Claim("real equities", "≥ 1,800", f"{equities:,}", (equities or 0) >= 1800),
    ]


def _ask(market: Store, forms: dict[str, LogicalForm], repeats: int) -> tuple[list[Row], float]:
    """A row for each form, and the median execution over all of them, interleaved."""
    samples: dict[str, list[tuple[float, float, float]]] = {name: [] for name in forms}
    for _ in range(repeats + 1):
        for name, lf in forms.items():
            progress(f"asking: {name}")
            samples[name].append(_times(market, lf))
    rows: list[Row] = []
    for name, times in samples.items():
        prepare, execute, cpu = zip(*times[1:], strict=True)  # the first warms up
        answer = market.answer(forms[name], LIMIT, SECONDS)
        assert answer.rows, f"{name} has an empty answer"
        rows.append(
            {
                "name": name,
                "rows": answer.total,
                "prepare_ms": median(prepare),
                "execute_ms": median(execute),
                "execute_least_ms": min(execute),
                "execute_most_ms": max(execute),
                "execute_cpu_ms": median(cpu),
            }
        )
    return rows, median(execute for times in samples.values() for _, execute, _ in times[1:])


def _ask_random(market: Store, count: int) -> Row:
    """Typed forms drawn from the grammar: every construct, few with many rows."""
    lexicon = market.catalogue.lexicon
    drawn = sampled_forms(grammars.grammar(lexicon, typed=True), 2 * count)
    every = [from_tokens(form) for form in drawn]
    forms = [lf for lf in every if not check(lf, market.catalogue)][:count]
    times = []
    answered = 0
    for number, lf in enumerate(forms):
        progress(f"asking random forms, {number + 1} of {len(forms)}")
        _times(market, lf)
        times.append(_times(market, lf))
        answered += bool(market.answer(lf, LIMIT, SECONDS).rows)
    prepare, execute, cpu = zip(*times, strict=True)
    return {
        "name": f"{len(forms)} random typed forms",
        "with_rows": answered,
        "prepare_ms": median(prepare),
        "prepare_p95_ms": _p95(prepare),
        "execute_ms": median(execute),
        "execute_p95_ms": _p95(execute),
        "execute_most_ms": max(execute),
        "execute_cpu_ms": median(cpu),
    }


def _times(market: Store, lf: LogicalForm) -> tuple[float, float, float]:
    """Milliseconds to prepare, nothing remembered; to execute; and of that, the processor's."""
    market.forget()
    begin = perf_counter()
    prepared = market.prepare(lf, LIMIT)
    ready = perf_counter()
    worked = process_time()
    market.run(prepared, SECONDS)
    cpu = process_time() - worked
    return (ready - begin) * 1e3, (perf_counter() - ready) * 1e3, cpu * 1e3


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[len(values) * 95 // 100]


if __name__ == "__main__":
    run("market", __doc__ or "", measure)
