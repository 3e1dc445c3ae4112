"""The paper's table as a picture: a bar a row."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grammax.cli.bench_report import times

if TYPE_CHECKING:
    from grammax.evaluation.paper.figures import Figures


def draw_table(table: Sequence[Figures], path: Path) -> None:
    """Write seconds a query on a log scale, with the speed-up at each bar, as PNG or SVG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.8 + 0.35 * len(table)), layout="constrained")
    axes = figure.subplots()
    seconds = [row.median for row in table]
    bars = axes.barh([row.name for row in table], seconds, color="#33608c", log=True)
    axes.bar_label(bars, [times(row.speedup) for row in table], padding=3)
    axes.set_xlim(min(seconds) / 2, max(seconds) * 2)
    axes.set_xlabel("seconds a query, median of the runs; at the bar, the speed-up over NSP")
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
