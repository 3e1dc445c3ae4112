"""A training and its folder: a checkpoint after every epoch, a log, and the finished model.

| file | contents |
|---|---|
| `checkpoint.safetensors` | the state of the training; replaced atomically after every epoch |
| `log.jsonl` | one line per epoch |
| `model.safetensors` | the finished model with its calibration, written once |

The model is calibrated before it is written, with pairs that it was not trained on. A domain may
know the phrasing rules of its pairs: then a second network is trained, in a third of the epochs,
without the pairs that use some of the rules and some of those that people wrote; it parses these
and the held-out ones. For other
domains the pairs are, in this order: those that were held out; a split `dev` or `validation`; and
where there is neither a tenth of the training pairs, parsed by a second network that was trained
without them (cross-fitting), which takes as long as the training itself.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, final

from grammax.confidence import Calibration
from grammax.errors import GrammaxError
from grammax.files import SCRATCH_SUFFIX, write_atomic
from grammax.language.capabilities import Fillable
from grammax.language.domain import Domain, Pair
from grammax.model.checkpoint import Tensors, save_network
from grammax.model.config import ModelConfig, TrainingConfig, from_json
from grammax.model.header import Epoch, Header, decoding_grammar, read_header
from grammax.runtime.parser import RuntimeParser
from grammax.runtime.weights import weights_from
from grammax.training.calibration import (
    NothingHeldOut,
    Texts,
    development_pairs,
    learn,
    learn_from_fold,
    learn_usage,
)
from grammax.training.checkpoint import (
    model_header,
    model_tensors,
    resume_training,
    save_checkpoint,
)
from grammax.training.fold import rule_fold
from grammax.training.trainer import EpochProgress, Trainer, UntrainableNotice

CHECKPOINT: Final = "checkpoint.safetensors"
LOG: Final = "log.jsonl"
MODEL: Final = "model.safetensors"

Finished = Callable[[Epoch], None]
Tell = Callable[[str], None]  # the current stage

_FOLD: Final = 0.1  # share of the training pairs that the second network does not see
_SHORTER: Final = 3  # times fewer epochs of a network that never sees some phrasing rules


class FolderInUse(GrammaxError):
    """A folder that holds another training."""


class CalibrationNotice(UserWarning):
    """A model could not be calibrated, so its parser never abstains."""


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
    made = Run.begin(folder, lambda: Trainer(domain, model, config, device, more), overwrite)
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
        cls, folder: Path, domain: Domain, device: str = "cpu", more: Sequence[Pair] = ()
    ) -> Run:
        """Continue the training of a folder from its last complete epoch."""
        if not (folder / CHECKPOINT).exists():
            raise FolderInUse(f"{folder} holds no training to continue: there is no {CHECKPOINT}")
        return cls(folder, *resume_training(folder / CHECKPOINT, domain, device, more))

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
        parser = _runtime_parser(header, tensors, domain, stored=True)
        save_network(path, _calibrated(header, self.trainer, parser, tell), tensors)
        return path

    def _log(self) -> None:
        lines = "".join(f"{json.dumps(asdict(epoch))}\n" for epoch in self.epochs)
        write_atomic(self.folder / LOG, lines.encode())


def _calibrated(header: Header, trainer: Trainer, parser: RuntimeParser, tell: Tell) -> Header:
    """The header with the calibration of a trained network, or the reason why it has none."""
    try:
        found = _calibration(trainer, parser, tell)
    except NothingHeldOut as error:
        warnings.warn(
            f"the model is not calibrated, so its parser never abstains: {error}",
            CalibrationNotice,
            stacklevel=4,
        )
        return replace(header, uncalibrated=str(error))
    return replace(header, confidence=found.to_json())


def _calibration(trainer: Trainer, parser: RuntimeParser, tell: Tell) -> Calibration:
    domain, training = trainer.domain, trainer.training
    texts, seed = Texts.of(domain), trainer.config.seed
    tell("calibrating")
    rules = domain.rules("train")
    if rules is not None and any(rules):
        return _calibration_by_rules(trainer, parser, rules, tell)
    other_pairs = trainer.held_out or development_pairs(domain)
    if other_pairs:
        return learn(parser, domain, training, other_pairs, texts, seed)
    fold = _trained_on_fold(trainer, tell)
    second = _parser_of(fold)
    found = learn(second, domain, fold.training, fold.held_out, texts, seed)
    return replace(found, usage=learn_usage(parser, domain, training))


def _calibration_by_rules(
    trainer: Trainer, parser: RuntimeParser, rules: Sequence[frozenset[str]], tell: Tell
) -> Calibration:
    """The calibration from phrasing rules that a second, shorter training does not see."""
    domain, config = trainer.domain, trainer.config
    written = domain.written_pairs()
    fold = rule_fold(domain.pairs("train"), rules, trainer.held_out, config.seed, written)
    if not fold.unseen:
        raise NothingHeldOut(
            f"{len(rules)} pairs are too few to leave some of their phrasing rules out. Generate "
            f"more pairs."
        )
    short = replace(config, epochs=max(1, config.epochs // _SHORTER), full_epochs=0)
    second = _second_trainer(trainer, short, fold.pairs)
    _run_epochs(second, tell, "some phrasing rules")
    return learn_from_fold(_parser_of(second), parser, domain, second.training, fold, config.seed)


def _trained_on_fold(trainer: Trainer, tell: Tell) -> Trainer:
    """A second training like the first, without a tenth of the pairs."""
    config = replace(trainer.config, held_out=_FOLD)
    fold = _second_trainer(trainer, config, None)
    if not fold.held_out:
        raise NothingHeldOut(
            f"{len(trainer.training)} pairs are too few to set some aside. Give at least "
            f"{round(1 / _FOLD)} pairs, or a split `dev`."
        )
    _run_epochs(fold, tell, "a tenth of the pairs")
    return fold


def _second_trainer(
    trainer: Trainer, config: TrainingConfig, without: Sequence[Pair] | None
) -> Trainer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UntrainableNotice)  # the first training has told of them
        model, device = trainer.network.config, trainer.device
        return Trainer(trainer.domain, model, config, device, trainer.more, without)


def _run_epochs(trainer: Trainer, tell: Tell, without: str) -> None:
    epochs = trainer.config.epochs
    for epoch in range(1, epochs + 1):
        tell(f"calibrating: epoch {epoch} of {epochs} without {without}")
        trainer.run()


def _parser_of(trainer: Trainer) -> RuntimeParser:
    """The parser of a network that is not stored."""
    return _runtime_parser(model_header(trainer, ()), model_tensors(trainer), trainer.domain)


def _runtime_parser(
    header: Header, tensors: Tensors, domain: Domain, *, stored: bool = False
) -> RuntimeParser:
    """The parser of a model that is not in a file yet; with `stored` its cache is."""
    arrays = {name: tensor.cpu().float().numpy() for name, tensor in tensors.items()}
    weights = weights_from(header, arrays, domain, stored=stored)
    return RuntimeParser(weights, domain.automaton(decoding_grammar(header.model, domain)))
