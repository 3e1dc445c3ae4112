"""A report of an evaluation as a picture: bars with their confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from grammax.evaluation import Report, Share

_THICKNESS: Final = 0.36  # of a bar; splits are 1 apart
_BLUES: Final = ("#5b8db8", "#b9d0e5")
_INK: Final = "#333333"


def draw_evaluation(report: Report, path: Path) -> None:
    """Write exact match and denotation of each split; the suffix of the path is its format."""
    splits = report.splits
    shares = {
        "exact match": [split.exact for split in splits],
        "denotation": [split.denotation for split in splits],
    }
    measured = {label: values for label, values in shares.items() if any(values)}
    figure = Figure(figsize=(7, 1.5 + 0.7 * len(splits)), dpi=150, layout="constrained")
    axes = figure.subplots()
    for number, (label, values) in enumerate(measured.items()):
        offset = (number - (len(measured) - 1) / 2) * _THICKNESS
        _draw_bars(axes, values, offset, label, _BLUES[number])
    axes.set_yticks(
        range(len(splits)), [f"{split.split}\n{split.queries:,} queries" for split in splits]
    )
    axes.set_ylim(len(splits) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    axes.tick_params(length=0, labelcolor=_INK)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    title = f"{report.domain}, {report.model}, grammar {report.grammar}"
    figure.suptitle(title, fontsize="medium", color=_INK)
    if measured:
        figure.legend(loc="outside lower center", ncols=2, frameon=False, labelcolor=_INK)
    figure.savefig(path)


def _draw_bars(
    axes: Axes, shares: Sequence[Share | None], offset: float, label: str, colour: str
) -> None:
    """A bar for each share that was measured, with its interval, and its value to the right."""
    measured = [(place + offset, share) for place, share in enumerate(shares) if share is not None]
    places = [place for place, _ in measured]
    values = [share.value for _, share in measured]
    whiskers = [
        [share.value - share.low for _, share in measured],
        [share.high - share.value for _, share in measured],
    ]
    axes.barh(places, values, _THICKNESS, color=colour, label=label)
    axes.errorbar(values, places, xerr=whiskers, fmt="none", ecolor=_INK, elinewidth=1, capsize=2.5)
    for place, value in zip(places, values, strict=True):
        axes.text(1.15, place, f"{100 * value:.1f} %", va="center", ha="right", color=_INK)
