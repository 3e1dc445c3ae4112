"""The progress of a training on stderr, and a summary at its end."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, final

from grammax.cli.terminal import messages_console, print_json, print_lines, print_message

if TYPE_CHECKING:
    from grammax.model.header import Epoch
    from grammax.training.run import Run
    from grammax.training.trainer import Trainer


@final
class TrainingProgress:
    """Epoch, loss, held-out accuracy, speed and time left: a bar on a terminal, else lines."""

    def __init__(self, trainer: Trainer) -> None:
        from rich.progress import (
            BarColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._epochs = trainer.config.epochs
        self._pairs = trainer.pairs
        self._number = trainer.epochs_done + 1
        self._held_out = ""
        self._console = messages_console()
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=self._console, transient=True)
        total = self._epochs * self._pairs
        done = trainer.epochs_done * self._pairs
        self._task = self._bar.add_task("preparing", total=total, completed=done)

    def __enter__(self) -> Self:
        if self._console.is_interactive:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Remove the bar, so that a message can be read."""
        self._bar.stop()

    def moved(self, done: int, loss: float) -> None:
        """Report how many pairs of the epoch are done."""
        self._bar.update(
            self._task,
            completed=(self._number - 1) * self._pairs + done,
            description=self._line(self._number, loss, self._bar.tasks[0].speed or 0),
        )

    def finished(self, epoch: Epoch) -> None:
        """Report a finished epoch; if there is no bar, on a separate line."""
        if epoch.accuracy is not None:
            self._held_out = f"  held-out {epoch.accuracy:.1%}"
        self._number = epoch.number + 1
        if not self._console.is_interactive:
            line = self._line(epoch.number, epoch.loss, epoch.pairs / epoch.seconds)
            self._console.print(line, soft_wrap=True)

    def _line(self, epoch: int, loss: float, speed: float) -> str:
        return (
            f"epoch {epoch}/{self._epochs}  loss {loss:.3f}{self._held_out}  {speed:,.0f} pairs/s"
        )


def draw_run(run: Run) -> Path | None:
    """Draw the curve so far; None if no epoch is finished, or matplotlib is missing."""
    from grammax.cli.charts import draw_training

    if not run.epochs:
        return None
    path = run.folder / "curve.png"
    try:
        draw_training(run.epochs, path)
    except ModuleNotFoundError:
        print_message('No curve was drawn: pip install "grammax[plot]"', "yellow")
        return None
    return path


def print_interrupted(run: Run) -> None:
    """Print how many epochs are finished, and how to resume."""
    done, wanted = len(run.epochs), run.trainer.config.epochs
    stored = f"Stopped after {done} of {wanted} epochs, which are stored in {run.folder}."
    print_message(f"{stored} Continue with --resume.", "yellow")


def print_training(run: Run, drawn: Path | None, json: bool) -> None:
    """Print the result of a training, and the files that it wrote."""
    from grammax.confidence import stored_calibration
    from grammax.model.header import read_header
    from grammax.training.run import CHECKPOINT, LOG, MODEL

    last = run.epochs[-1]
    calibration = stored_calibration(read_header(run.folder / MODEL))
    pairs = 0 if calibration is None else calibration.pairs
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
                "pairs_per_second": last.pairs / last.seconds,
                "calibrated_with": pairs,
                "files": [str(path) for path in files],
            }
        )
        return
    accuracy = "" if last.accuracy is None else f", held-out exact match {last.accuracy:.1%}"
    summary = f"{last.number} epochs in {seconds:,.0f} s, loss {last.loss:.3f}{accuracy}"
    calibrated = [f"Calibrated with {pairs:,} pairs that it was not trained on."] if pairs else []
    print_lines([summary, *calibrated, *map(str, files)])
