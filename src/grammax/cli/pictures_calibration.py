"""What confidence is worth, as a picture: reliability on the left, risk and coverage beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from grammax.evaluation.calibration import CalibrationReport, SplitCalibration

_COLOURS: Final = ("#33608c", "#c2713a", "#5d8a4a", "#8a5a94", "#7a7a7a")
_INK: Final = "#333333"


def draw_calibration(report: CalibrationReport, path: Path) -> None:
    """Write the picture of the splits that have queries; the suffix of the path is its format."""
    splits = [split for split in report.splits if split.queries]
    figure = Figure(figsize=(9, 4.4), dpi=150, layout="constrained")
    reliable, risky = figure.subplots(1, 2)
    _draw_reliability(reliable, splits)
    _draw_curves(risky, splits)
    for axes in (reliable, risky):
        axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
        axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
        axes.tick_params(length=0, labelcolor=_INK)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"{report.domain}, {report.model}", fontsize="medium", color=_INK)
    if splits:
        handles, labels = risky.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(splits), frameon=False)
    figure.savefig(path)


def _draw_reliability(axes: Axes, splits: Sequence[SplitCalibration]) -> None:
    """Of each bin its accuracy over its confidence; a dot's area is its number of queries."""
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


def _draw_curves(axes: Axes, splits: Sequence[SplitCalibration]) -> None:
    """The risk of each coverage, and where the parser abstains."""
    for split, colour in zip(splits, _COLOURS, strict=False):
        curve = split.curve
        axes.plot(curve.coverage, curve.risk, color=colour, label=split.split)
        if split.coverage is not None and split.accuracy_covered is not None:
            axes.plot(split.coverage, 1 - split.accuracy_covered, "o", color=colour)
    axes.set_xlim(0, 1.02)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("coverage; dots are where the parser abstains", color=_INK)
    axes.set_ylabel("mistakes among what is answered", color=_INK)
