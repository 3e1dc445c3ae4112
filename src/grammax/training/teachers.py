"""Teachers: networks that are trained before another one, which learns what most of them read.

The training of a folder has them in `teachers/` until all of them are finished; what they agree on
is in `agreed.jsonl`, after a line with the settings of the training. See `augment.agreed`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from grammax.errors import FileFormatError, GrammaxError
from grammax.files import write_atomic
from grammax.language.domain import Domain, Pair
from grammax.model.config import ModelConfig, TrainingConfig
from grammax.model.header import Epoch, read_header
from grammax.runtime.parser import RuntimeParser
from grammax.training.augment.agreed import Reads, agreed_pairs
from grammax.training.checkpoint import (
    CHECKPOINT,
    resume_training,
    save_checkpoint,
)
from grammax.training.examples import divided, own_pairs
from grammax.training.second import Tell, parser_of
from grammax.training.trainer import Trainer

TEACHERS: Final = "teachers"
AGREED: Final = "agreed.jsonl"


class Taught(NamedTuple):
    """What a training is of; its teachers differ from it in their seeds."""

    domain: Domain
    model: ModelConfig
    config: TrainingConfig
    device: str = "cpu"
    more: Sequence[Pair] = ()


def read_by_teachers(folder: Path, taught: Taught, tell: Tell) -> list[Pair]:
    """The pairs that most teachers of a training read alike; none if it has no teachers.

    Teachers whose training was interrupted go on. They do not see the pairs that are held out.
    """
    domain, config = taught.domain, taught.config
    if not config.teachers:
        return []
    settings = {"model": asdict(taught.model), "training": asdict(config)}
    stored = _stored(folder / AGREED, settings)
    if stored is not None:
        return stored
    own, held_out = divided(own_pairs(domain, config), config.held_out, config.seed)
    queries: list[str] = []
    readers: list[Reads] = []
    for number in range(1, config.teachers + 1):
        own_folder = folder / TEACHERS / str(number)
        trainer, epochs = _teacher(own_folder, number, taught, held_out)
        queries = queries or trainer.varied_queries(len(own))
        if not queries:
            raise GrammaxError(
                f"{domain.name} has no pairs of which others can be made, so teachers have nothing "
                f"to agree on. Train without teachers."
            )
        for _ in range(len(epochs), config.epochs):
            epochs.append(trainer.run())
            save_checkpoint(own_folder / CHECKPOINT, trainer, epochs)
            tell(f"teacher {number} of {config.teachers}: epoch {len(epochs)} of {config.epochs}")
        readers.append(_reader(parser_of(trainer)))
    tell(f"{len(queries):,} recombined queries are parsed by {config.teachers} teachers")
    found = agreed_pairs(queries, readers, domain)
    lines = [settings, *({"query": pair.query, "lf": pair.tokens} for pair in found)]
    write_atomic(folder / AGREED, "".join(f"{json.dumps(line)}\n" for line in lines).encode())
    shutil.rmtree(folder / TEACHERS)
    return found


def forget_teachers(folder: Path) -> None:
    """Remove the teachers of an earlier training, and its checkpoint.

    Thus a new training that is interrupted before its first epoch is not taken for the earlier one.
    """
    shutil.rmtree(folder / TEACHERS, ignore_errors=True)
    for name in (AGREED, CHECKPOINT):
        (folder / name).unlink(missing_ok=True)


def _stored(path: Path, settings: dict[str, Any]) -> list[Pair] | None:
    """The pairs of a file; None if there is none, or it is of another training, or damaged."""
    try:
        first, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        pairs = [Pair(line["query"], tuple(line["lf"])) for line in lines]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    return pairs if first == settings else None


def _teacher(
    folder: Path, number: int, taught: Taught, held_out: Sequence[Pair]
) -> tuple[Trainer, list[Epoch]]:
    """A teacher as far as it was trained with these settings and pairs, and its epochs."""
    domain, model, config, device, more = taught
    seed = int(np.random.SeedSequence((config.seed, number)).generate_state(1)[0])
    config = replace(config, teachers=0, seed=seed)
    path = folder / CHECKPOINT
    with suppress(FileFormatError):  # it is of other pairs, or damaged
        if path.exists() and read_header(path).training == config:
            return resume_training(path, domain, device, more, without=held_out)
    return Trainer(domain, model, config, device, more, held_out), []


def _reader(parser: RuntimeParser) -> Reads:
    return lambda query: parser.parse(query).tokens
