"""A training and its folder: a checkpoint after every epoch, a log, and the finished model.

| file | contents |
|---|---|
| `checkpoint.safetensors` | the state of the training; replaced atomically after every epoch |
| `log.jsonl` | one line per epoch |
| `model.safetensors` | the finished model with its calibration, written once |
| `teachers/` | the trainings of the teachers, until all of them are finished |
| `agreed.jsonl` | what most teachers read; the training learns it, see `augment.agreed` |

The model is calibrated before it is written, with pairs that it was not trained on; see
`grammax.training.second`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, final

from grammax.errors import GrammaxError
from grammax.files import SCRATCH_SUFFIX, write_atomic
from grammax.language.capabilities import Fillable
from grammax.language.domain import Domain, Pair
from grammax.model.checkpoint import save_network
from grammax.model.config import ModelConfig, TrainingConfig, from_json
from grammax.model.header import Epoch, Header, read_header
from grammax.training.checkpoint import CHECKPOINT as CHECKPOINT
from grammax.training.checkpoint import (
    model_header,
    model_tensors,
    resume_training,
    save_checkpoint,
)
from grammax.training.second import Tell, calibrated, runtime_parser
from grammax.training.teachers import Taught, forget_teachers, read_by_teachers
from grammax.training.trainer import EpochProgress, Trainer

LOG: Final = "log.jsonl"
MODEL: Final = "model.safetensors"

Finished = Callable[[Epoch], None]


class FolderInUse(GrammaxError):
    """A folder that holds another training."""


def train(
    domain: Domain,
    folder: Path,
    model: ModelConfig | None = None,
    config: TrainingConfig | None = None,
    *,
    device: str = "cpu",
    more: Sequence[Pair] = (),
    overwrite: bool = False,
) -> Path:
    """Train a model of a domain, calibrate it, and return its file.

    By default the domain's settings apply, and the network takes one step per choice. `more` are
    pairs to train on beside those of the domain.
    """
    config = config or training_config(domain)
    model = model or default_model(domain, config)
    made = Run.new(folder, domain, model, config, device=device, more=more, overwrite=overwrite)
    return made.train()


def training_config(domain: Domain, **given: Any) -> TrainingConfig:
    """The options that were given, else the domain's settings, else the default values.

    A model that also works without a grammar is trained on logical forms as they are written.
    """
    config = from_json(TrainingConfig, {**domain.training, **given})
    if isinstance(domain, Fillable) and config.sees_all_rows(config.epochs - 1):
        return replace(config, grammar=domain.exact)
    return config


def default_model(domain: Domain, config: TrainingConfig) -> ModelConfig:
    """The model for a training: one step per choice under a grammar, with slots where it has any.

    A training that begins with a model has its sizes.

    >>> from grammax.domains import load_domain
    >>> default_model(load_domain("eqs"), TrainingConfig(grammar="filled")).filled
    True
    """
    if config.sees_all_rows(config.epochs - 1):
        return ModelConfig()
    if domain.start is not None:
        return read_header(domain.start).model
    filled = isinstance(domain, Fillable) and config.grammar == domain.filled_grammar
    return ModelConfig(decisions_only=True, filled=filled)


@final
class Run:
    """A training in a folder; a process that is killed loses only the current epoch."""

    def __init__(self, folder: Path, trainer: Trainer, epochs: list[Epoch]) -> None:
        self.folder = folder
        self.trainer = trainer
        self.epochs = epochs
        for left_over in folder.glob(f"*{SCRATCH_SUFFIX}"):  # of a process killed while it wrote
            left_over.unlink(missing_ok=True)

    @classmethod
    def new(
        cls,
        folder: Path,
        domain: Domain,
        model: ModelConfig,
        config: TrainingConfig,
        *,
        device: str = "cpu",
        more: Sequence[Pair] = (),
        overwrite: bool = False,
        tell: Tell = lambda _: None,
    ) -> Run:
        """A new training of a domain; its teachers are trained first, or go on."""

        def made() -> Trainer:
            if overwrite and config.teachers:
                forget_teachers(folder)
            taught = Taught(domain, model, config, device, more)
            agreed = read_by_teachers(folder, taught, tell)
            return Trainer(domain, model, config, device, more, agreed=agreed)

        return cls.begin(folder, made, overwrite)

    @classmethod
    def begin(cls, folder: Path, make: Callable[[], Trainer], overwrite: bool = False) -> Run:
        """A new training; an existing one is overwritten only if `overwrite` is set."""
        if (folder / CHECKPOINT).exists() and not overwrite:
            raise FolderInUse(
                f"{folder} holds a training already. Continue it (--resume), overwrite it "
                f"(--overwrite), or choose another folder (--output)."
            )
        return cls(folder, make(), [])

    @classmethod
    def resume(
        cls,
        folder: Path,
        domain: Domain,
        device: str = "cpu",
        more: Sequence[Pair] = (),
        tell: Tell = lambda _: None,
    ) -> Run:
        """Continue the training of a folder from its last complete epoch."""
        if not (folder / CHECKPOINT).exists():
            raise FolderInUse(f"{folder} holds no training to continue: there is no {CHECKPOINT}")

        def agreed(header: Header) -> Sequence[Pair]:
            taught = Taught(domain, header.model, header.training, device, more)
            return read_by_teachers(folder, taught, tell)

        return cls(folder, *resume_training(folder / CHECKPOINT, domain, device, more, agreed))

    def train(
        self,
        progress: EpochProgress = lambda *_: None,
        finished: Finished = lambda _: None,
        *,
        calibrate: bool = True,
    ) -> Path:
        """Run all epochs that are left, then calibrate and write the model."""
        self.train_epochs(progress, finished)
        return self.finish(calibrate=calibrate)

    def train_epochs(
        self, progress: EpochProgress = lambda *_: None, finished: Finished = lambda _: None
    ) -> None:
        """Run all epochs that are left; `finished` is called after each of them."""
        for _ in range(self.trainer.epochs_done, self.trainer.config.epochs):
            epoch = self.trainer.run(progress)
            self.epochs.append(epoch)
            save_checkpoint(self.folder / CHECKPOINT, self.trainer, self.epochs)
            self._log()
            finished(epoch)
        self._log()

    def finish(self, tell: Tell = lambda _: None, *, calibrate: bool = True) -> Path:
        """Calibrate the model and write it, once; `CalibrationNotice` where it cannot be."""
        path, domain = self.folder / MODEL, self.trainer.domain
        header, tensors = model_header(self.trainer, self.epochs), model_tensors(self.trainer)
        if not calibrate:
            save_network(path, header, tensors)
            return path
        # `stored` builds the cache for later loads.
        parser = runtime_parser(header, tensors, domain, stored=True)
        save_network(path, calibrated(header, self.trainer, parser, tell), tensors)
        return path

    def _log(self) -> None:
        lines = "".join(f"{json.dumps(asdict(epoch))}\n" for epoch in self.epochs)
        write_atomic(self.folder / LOG, lines.encode())
