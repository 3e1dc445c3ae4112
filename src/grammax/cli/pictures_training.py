"""The curve of a training, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grammax.model.header import Epoch


def draw_curve(epochs: Sequence[Epoch], path: Path) -> None:
    """Loss and held-out accuracy by epoch, as PNG or SVG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    loss = figure.subplots()
    numbers = [epoch.number for epoch in epochs]
    loss.plot(numbers, [epoch.loss for epoch in epochs], color="tab:gray")
    loss.set_xlabel("epoch")
    loss.set_ylabel("loss a pair", color="tab:gray")
    loss.set_ylim(bottom=0)
    measured = [(epoch.number, epoch.accuracy) for epoch in epochs if epoch.accuracy is not None]
    if measured:
        accuracy = loss.twinx()
        accuracy.plot(*zip(*((n, 100 * a) for n, a in measured), strict=True), color="tab:blue")
        accuracy.set_ylabel("exact match on the held-out part, %", color="tab:blue")
        accuracy.set_ylim(0, 100)
    figure.savefig(path, dpi=150)
