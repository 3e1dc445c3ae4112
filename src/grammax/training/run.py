"""A training and its folder: a checkpoint after every epoch, a log, and the finished model.

| file | holds |
|---|---|
| `checkpoint.safetensors` | all that the next epoch needs; replaced whole after every epoch |
| `log.jsonl` | a line an epoch |
| `model.safetensors` | the finished model, without what only training needs |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final, final

from grammax.errors import GrammaxError
from grammax.files import write_atomic
from grammax.language.domain import Domain, Pair
from grammax.model.checkpoint import resume, save_checkpoint
from grammax.model.header import Epoch
from grammax.training.trainer import Progress, Trainer

CHECKPOINT: Final = "checkpoint.safetensors"
LOG: Final = "log.jsonl"
MODEL: Final = "model.safetensors"


class FolderInUse(GrammaxError):
    """A folder that holds another training."""


@final
class Run:
    """A training in a folder; what it loses when it is killed is the epoch under way."""

    def __init__(self, folder: Path, trainer: Trainer, epochs: list[Epoch]) -> None:
        self.folder = folder
        self.trainer = trainer
        self.epochs = epochs
        for left_over in folder.glob(".*.safetensors.*"):  # of a process killed while it wrote
            left_over.unlink(missing_ok=True)

    @classmethod
    def begin(cls, folder: Path, make: Callable[[], Trainer], overwrite: bool = False) -> Run:
        """A new training; one that is there already is overwritten only if that is wanted."""
        if (folder / CHECKPOINT).exists() and not overwrite:
            raise FolderInUse(
                f"{folder} holds a training already. Go on with it (--resume), overwrite it "
                f"(--overwrite), or choose another folder (--output)."
            )
        return cls(folder, make(), [])

    @classmethod
    def go_on(
        cls, folder: Path, domain: Domain, device: str = "cpu", more: Sequence[Pair] = ()
    ) -> Run:
        """The training of a folder, from its last whole epoch on."""
        if not (folder / CHECKPOINT).exists():
            raise FolderInUse(f"{folder} holds no training to go on with: there is no {CHECKPOINT}")
        return cls(folder, *resume(folder / CHECKPOINT, domain, device, more))

    def train(
        self,
        progress: Progress = lambda *_: None,
        finished: Callable[[Epoch], None] = lambda _: None,
    ) -> Path:
        """All epochs that are left, then the model; `finished` is told of each epoch."""
        for _ in range(self.trainer.epochs_done, self.trainer.config.epochs):
            epoch = self.trainer.run(progress)
            self.epochs.append(epoch)
            save_checkpoint(self.folder / CHECKPOINT, self.trainer, self.epochs)
            self._log()
            finished(epoch)
        self._log()
        save_checkpoint(self.folder / MODEL, self.trainer, self.epochs, final=True)
        return self.folder / MODEL

    def _log(self) -> None:
        lines = "".join(f"{json.dumps(asdict(epoch))}\n" for epoch in self.epochs)
        write_atomic(self.folder / LOG, lines.encode())
