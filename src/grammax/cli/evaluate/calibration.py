"""The calibration of the parser's confidence, and the cost of abstaining."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from grammax.cli.evaluate.scope import Scope, chosen_model
from grammax.cli.terminal import late_progress, new_table, plain, print_json, print_result
from grammax.confidence import Calibration, Judgement, Watched, stored_calibration
from grammax.evaluation.calibration import CalibrationReport, Judged, SplitCalibration
from grammax.language.domain import Domain, Pair
from grammax.model.header import read_header
from grammax.runtime.parser import RuntimeParser
from grammax.training.calibration import learn_from_header, watched


def evaluate_calibration(scope: Scope, model: Path | None) -> None:
    """Measure the confidence of a model's parser and show the result."""
    domain = scope.domain
    path, name = chosen_model(domain, model)
    with late_progress(1) as progress:
        progress("calibrating the confidence", 0)
        parser = RuntimeParser.load(path, domain)
        calibration = calibration_of(parser, path, domain)
        pairs = scope.pairs()
        outside = domain.out_of_domain("test")[: scope.limit]
        near = domain.near_misses("test")[: scope.limit]
    found: list[SplitCalibration] = []
    with late_progress(sum(map(len, pairs.values())) + len(outside) + len(near)) as progress:
        for split, some in pairs.items():
            progress(split, 0)
            found.append(
                SplitCalibration.from_judged(split, judged(parser, domain, calibration, some))
            )
            progress(split, len(some))
        abstained = [_abstained(parser, domain, calibration, texts) for texts in (outside, near)]
    report = CalibrationReport(
        domain.name,
        domain.version,
        name,
        tuple(found),
        len(outside),
        abstained[0],
        len(near),
        abstained[1],
    )
    if scope.json:
        print_json({**asdict(report), "calibration": calibration.to_json()})
    else:
        print_calibration(report)
    if scope.chart is not None:
        from grammax.cli.charts import draw_calibration

        draw_calibration(report, scope.chart)


def calibration_of(parser: RuntimeParser, path: Path, domain: Domain) -> Calibration:
    """The calibration in the model file; else one learnt from the pairs that training held out."""
    header = read_header(path)
    return stored_calibration(header) or learn_from_header(parser, header, domain)


def judged(
    parser: RuntimeParser, domain: Domain, calibration: Calibration, pairs: Sequence[Pair]
) -> list[Judged]:
    """Each pair with the confidence of its parse, and whether that parse is right."""
    found = watched(parser, [pair.query for pair in pairs])
    judgements = [_judgement(calibration, domain, each) for each in found]
    return [
        Judged(judgement.confidence, judgement.abstains, domain.same(decoded.tokens, pair.tokens))
        for pair, (_, decoded, _), judgement in zip(pairs, found, judgements, strict=True)
    ]


def _judgement(calibration: Calibration, domain: Domain, each: Watched) -> Judgement:
    return calibration.judge(*each, contradictory=domain.contradicts(each[1].tokens))


def _abstained(
    parser: RuntimeParser, domain: Domain, calibration: Calibration, texts: Sequence[str]
) -> int:
    found = watched(parser, texts)
    return sum(_judgement(calibration, domain, each).abstains for each in found)


def print_calibration(report: CalibrationReport) -> None:
    """One row per split, then the texts to abstain on."""
    numbers = (
        "queries", "exact match %", "confidence %", "ECE 10 bins", "ECE 15 bins", "area of risk",
        "coverage %", "match covered %", "abstained", "of these wrong",
    )  # fmt: skip
    table = new_table("split", *numbers, numbers=numbers)
    for split in report.splits:
        table.add_row(
            split.split,
            f"{split.queries:,}",
            _percent(split.accuracy),
            _percent(split.confidence),
            _number(split.error_10),
            _number(split.error_15),
            _number(split.curve.area if split.queries else None),
            _percent(split.coverage),
            _percent(split.accuracy_covered),
            f"{split.abstained:,}",
            f"{split.abstained_wrong:,}",
        )
    print_result(table)
    for name, texts, abstained in (
        ("out-of-domain texts", report.out_of_domain, report.out_of_domain_abstained),
        ("near misses", report.near_misses, report.near_misses_abstained),
    ):
        if texts:
            share = abstained / texts
            print_result(plain(f"{name}: {abstained:,} of {texts:,} abstained, {share:.1%}"))
    print_result(plain(f"{report.domain} {report.version}, {report.model}, greedy"))


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
