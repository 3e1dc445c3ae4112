"""A training as people read it: its curve, how it went, and which files it wrote."""

from __future__ import annotations

from pathlib import Path

from grammax.cli.terminal import print_json, print_lines, print_message
from grammax.training.run import CHECKPOINT, LOG, MODEL, Run


def draw_run(run: Run) -> Path | None:
    """The curve so far; None where there is nothing to draw, or nothing to draw with."""
    from grammax.cli.pictures_training import draw_curve

    if not run.epochs:
        return None
    path = run.folder / "curve.png"
    try:
        draw_curve(run.epochs, path)
    except ModuleNotFoundError:
        print_message('No curve was drawn: pip install "grammax[plot]"', "yellow")
        return None
    return path


def print_interrupted(run: Run) -> None:
    """How far it came, and how to go on."""
    done, wanted = len(run.epochs), run.trainer.config.epochs
    kept = f"Stopped after {done} of {wanted} epochs, which are kept in {run.folder}."
    print_message(f"{kept} Go on with --resume.", "yellow")


def print_training(run: Run, drawn: Path | None, json: bool) -> None:
    """What came of it, and where."""
    last = run.epochs[-1]
    files = [run.folder / name for name in (MODEL, CHECKPOINT, LOG)] + ([drawn] if drawn else [])
    seconds = sum(epoch.seconds for epoch in run.epochs)
    if json:
        print_json(
            {
                "domain": run.trainer.domain.name,
                "epochs": last.number,
                "loss": last.loss,
                "accuracy": last.accuracy,
                "seconds": seconds,
                "pairs_a_second": last.pairs / last.seconds,
                "files": [str(path) for path in files],
            }
        )
        return
    accuracy = "" if last.accuracy is None else f", held-out exact match {last.accuracy:.1%}"
    summary = f"{last.number} epochs in {seconds:,.0f} s, loss {last.loss:.3f}{accuracy}"
    print_lines([summary, *map(str, files)])
