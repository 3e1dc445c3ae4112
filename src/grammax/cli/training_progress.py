"""What a person sees of a training under way: a bar on a terminal, else a line an epoch."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self, final

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

if TYPE_CHECKING:
    from grammax.model.header import Epoch
    from grammax.training.trainer import Trainer


@final
class TrainingProgress:
    """Epoch, loss, held-out accuracy, speed and time left, on stderr."""

    def __init__(self, trainer: Trainer) -> None:
        self._epochs = trainer.config.epochs
        self._pairs = trainer.pairs
        self._number = trainer.epochs_done + 1
        self._held_out = ""
        self._console = Console(stderr=True)
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
        """Take the bar away, so that a message can be read."""
        self._bar.stop()

    def moved(self, done: int, loss: float) -> None:
        """So many pairs of the epoch are done."""
        speed = self._bar.tasks[0].speed or 0
        self._bar.update(
            self._task,
            completed=(self._number - 1) * self._pairs + done,
            description=(
                f"epoch {self._number}/{self._epochs}  loss {loss:.3f}{self._held_out}  "
                f"{speed:,.0f} pairs/s"
            ),
        )

    def finished(self, epoch: Epoch) -> None:
        """An epoch is over."""
        if epoch.accuracy is not None:
            self._held_out = f"  held-out {epoch.accuracy:.1%}"
        self._number = epoch.number + 1
        if not self._console.is_interactive:
            speed = epoch.pairs / epoch.seconds
            self._console.print(
                f"epoch {epoch.number}/{self._epochs}  loss {epoch.loss:.3f}{self._held_out}  "
                f"{speed:,.0f} pairs/s",
                highlight=False,
                soft_wrap=True,
            )
