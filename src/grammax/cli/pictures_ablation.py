"""An ablation as a picture: a line a split, from the paper's network up to ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.figure import Figure

from grammax.evaluation.ablation import Ablated

_INK: Final = "#333333"
_COLOURS: Final = ("#1f5a8a", "#5b8db8", "#c28f2c", "#8a3d1f", "#6b8e5a")


def draw_ablation(found: Sequence[Ablated], path: Path) -> None:
    """Write the picture; the suffix of the path is its format."""
    figure = Figure(figsize=(8, 4), dpi=150, layout="constrained")
    axes = figure.subplots()
    places = range(len(found))
    for number, split in enumerate(found[0].exact):
        spreads = [row.exact[split] for row in found]
        axes.errorbar(
            places,
            [spread.mean for spread in spreads],
            [spread.deviation for spread in spreads],
            label=split.replace("_", " "),
            color=_COLOURS[number % len(_COLOURS)],
            marker="o",
            capsize=3,
        )
    axes.set_xticks(places, [row.stage.replace(", ", ",\n") for row in found], fontsize="small")
    axes.margins(x=0.08)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    axes.set_title("exact match", fontsize="medium", color=_INK)
    axes.tick_params(length=0, labelcolor=_INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#e5e5e5")
    axes.legend(frameon=False, labelcolor=_INK)
    figure.savefig(path)
