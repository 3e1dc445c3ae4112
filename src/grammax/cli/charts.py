"""Pictures of results, drawn with matplotlib; the suffix of a path is its format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from grammax.evaluation import Report, Share
    from grammax.evaluation.ablation import Ablated
    from grammax.evaluation.calibration import CalibrationReport, SplitCalibration
    from grammax.evaluation.paper.figures import Figures
    from grammax.model.header import Epoch

_SUFFIXES: Final = (".png", ".svg")
_INK: Final = "#333333"
_GREY: Final = "#e5e5e5"
_COLOURS: Final = ("#33608c", "#c2713a", "#5d8a4a", "#8a5a94", "#7a7a7a")
_BLUES: Final = ("#5b8db8", "#b9d0e5")
_BAR: Final = 0.36  # thickness; splits are 1 apart


def require_drawable(path: Path, option: str) -> None:
    """Raise if the suffix is unknown, or if the folder or matplotlib is missing.

    Called before the results are computed, which may take minutes.
    """
    require_folder(path)
    if path.suffix.lower() not in _SUFFIXES:
        found = path.suffix or "no suffix"
        message = f"{path} ends in {found!r}; a chart is {' or '.join(_SUFFIXES)}"
        raise typer.BadParameter(message, param_hint=option)
    import matplotlib.figure  # noqa: F401 - it may be missing


def require_folder(path: Path) -> None:
    """Raise if the folder of a file does not exist."""
    if not path.parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(path.parent))


def draw_training(epochs: Sequence[Epoch], path: Path) -> None:
    """Loss and held-out accuracy by epoch."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    loss = figure.subplots()
    loss.plot(
        [epoch.number for epoch in epochs], [epoch.loss for epoch in epochs], color="tab:gray"
    )
    loss.set_xlabel("epoch")
    loss.set_ylabel("loss per pair", color="tab:gray")
    loss.set_ylim(bottom=0)
    measured = [(epoch.number, epoch.accuracy) for epoch in epochs if epoch.accuracy is not None]
    if measured:
        accuracy = loss.twinx()
        accuracy.plot(*zip(*((n, 100 * a) for n, a in measured), strict=True), color="tab:blue")
        accuracy.set_ylabel("exact match on the held-out pairs, %", color="tab:blue")
        accuracy.set_ylim(0, 100)
    figure.savefig(path, dpi=150)


def draw_table(table: Sequence[Figures], speedups: Sequence[str], path: Path) -> None:
    """Seconds per query of each row on a log scale, with the speed-up at each bar."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.8 + 0.35 * len(table)), layout="constrained")
    axes = figure.subplots()
    seconds = [row.median for row in table]
    bars = axes.barh([row.name for row in table], seconds, color=_COLOURS[0], log=True)
    axes.bar_label(bars, speedups, padding=3)
    axes.set_xlim(min(seconds) / 2, max(seconds) * 2)
    axes.set_xlabel("seconds per query, median of the runs; at the bar, the speed-up over NSP")
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)


def draw_ablation(found: Sequence[Ablated], path: Path) -> None:
    """One line per split, from the paper's network up to ours."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), dpi=150, layout="constrained")
    axes = figure.subplots()
    positions = range(len(found))
    for number, split in enumerate(found[0].exact):
        spreads = [row.exact[split] for row in found]
        axes.errorbar(
            positions,
            [spread.mean for spread in spreads],
            [spread.deviation for spread in spreads],
            label=split.replace("_", " "),
            color=_COLOURS[number % len(_COLOURS)],
            marker="o",
            capsize=3,
        )
    axes.set_xticks(positions, [row.stage.replace(", ", ",\n") for row in found], fontsize="small")
    axes.margins(x=0.08)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(_percent)
    axes.set_title("exact match", fontsize="medium", color=_INK)
    axes.tick_params(length=0, labelcolor=_INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color=_GREY)
    axes.legend(frameon=False, labelcolor=_INK)
    figure.savefig(path)


def draw_evaluation(report: Report, path: Path) -> None:
    """Exact match and denotation of each split, as bars with their confidence intervals."""
    from matplotlib.figure import Figure

    splits = report.splits
    shares = {
        "exact match": [split.exact for split in splits],
        "denotation": [split.denotation for split in splits],
    }
    measured = {label: values for label, values in shares.items() if any(values)}
    figure = Figure(figsize=(7, 1.5 + 0.7 * len(splits)), dpi=150, layout="constrained")
    axes = figure.subplots()
    for number, (label, values) in enumerate(measured.items()):
        offset = (number - (len(measured) - 1) / 2) * _BAR
        _draw_bars(axes, values, offset, label, _BLUES[number])
    axes.set_yticks(
        range(len(splits)), [f"{split.split}\n{split.queries:,} queries" for split in splits]
    )
    axes.set_ylim(len(splits) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(_percent)
    axes.tick_params(length=0, labelcolor=_INK)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    title = f"{report.domain}, {report.model}, grammar {report.grammar}"
    figure.suptitle(title, fontsize="medium", color=_INK)
    if measured:
        figure.legend(loc="outside lower center", ncols=2, frameon=False, labelcolor=_INK)
    figure.savefig(path)


def draw_calibration(report: CalibrationReport, path: Path) -> None:
    """Reliability on the left, risk against coverage on the right."""
    from matplotlib.figure import Figure

    splits = [split for split in report.splits if split.queries]
    figure = Figure(figsize=(9, 4.4), dpi=150, layout="constrained")
    reliability, risk = figure.subplots(1, 2)
    _draw_reliability(reliability, splits)
    _draw_risk(risk, splits)
    for axes in (reliability, risk):
        axes.xaxis.set_major_formatter(_percent)
        axes.yaxis.set_major_formatter(_percent)
        axes.tick_params(length=0, labelcolor=_INK)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"{report.domain}, {report.model}", fontsize="medium", color=_INK)
    if splits:
        handles, labels = risk.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(splits), frameon=False)
    figure.savefig(path)


def _draw_bars(
    axes: Axes, shares: Sequence[Share | None], offset: float, label: str, colour: str
) -> None:
    """One bar per measured share, with its interval, and its value to the right."""
    measured = [(row + offset, share) for row, share in enumerate(shares) if share is not None]
    heights = [height for height, _ in measured]
    values = [share.value for _, share in measured]
    whiskers = [
        [share.value - share.low for _, share in measured],
        [share.high - share.value for _, share in measured],
    ]
    axes.barh(heights, values, _BAR, color=colour, label=label)
    axes.errorbar(
        values, heights, xerr=whiskers, fmt="none", ecolor=_INK, elinewidth=1, capsize=2.5
    )
    for height, value in zip(heights, values, strict=True):
        axes.text(1.15, height, f"{100 * value:.1f} %", va="center", ha="right", color=_INK)


def _draw_reliability(axes: Axes, splits: Sequence[SplitCalibration]) -> None:
    """The accuracy of each bin over its confidence; a dot's area is its number of queries."""
    axes.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=1, linestyle="--")
    for split, colour in zip(splits, _COLOURS, strict=False):
        bins = [found for found in split.bins if found.queries]
        confidence = [found.confidence for found in bins]
        accuracy = [found.accuracy for found in bins]
        sizes = [10 + 300 * found.queries / split.queries for found in bins]
        axes.scatter(confidence, accuracy, sizes, color=colour, alpha=0.7)  # type: ignore[arg-type]
    axes.set_xlim(0, 1.02)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("confidence", color=_INK)
    axes.set_ylabel("exact match", color=_INK)


def _draw_risk(axes: Axes, splits: Sequence[SplitCalibration]) -> None:
    """The risk at each coverage; dots mark the threshold at which the parser abstains."""
    for split, colour in zip(splits, _COLOURS, strict=False):
        curve = split.curve
        axes.plot(curve.coverage, curve.risk, color=colour, label=split.split)
        if split.coverage is not None and split.accuracy_covered is not None:
            axes.plot(split.coverage, 1 - split.accuracy_covered, "o", color=colour)
    axes.set_xlim(0, 1.02)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("coverage; the dots are the parser's threshold", color=_INK)
    axes.set_ylabel("errors among the answered queries", color=_INK)


def _percent(share: float, _: object) -> str:
    return f"{100 * share:.0f} %"
