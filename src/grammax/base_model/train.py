"""Trains the base model: draws tables, generates their questions, and learns all of them.

    python scripts/train_base_model.py --device cuda

Tables and questions depend on the seed alone, and so do the weights, on one device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Final, final

import numpy as np
import torch

from grammax.base_model.family import TableExamples, TableFamily, common_words
from grammax.base_model.schemas import SchemaDrawer, drawn_questions
from grammax.model.checkpoint import Tensors, load_tensors, stored_tensors
from grammax.model.config import ModelConfig, TrainingConfig
from grammax.model.header import Epoch, Header, read_file
from grammax.model.network import Network
from grammax.reading.words import WordVocabulary
from grammax.tables.shared_kinds import SHARED, digest_of, shared_classes
from grammax.training.checkpoint import model_tensors
from grammax.training.examples import Example
from grammax.training.learner import EpochProgress, Learner
from grammax.training.workers import ahead, usable_workers

MODEL: Final = ModelConfig(
    words=160,
    encoder=192,
    tokens=128,
    hidden=320,
    spelling=128,
    decisions_only=True,
    filled=True,
    longest_query=60,
    budget=96,
)
"""The network of the base model: small, so that a question takes a millisecond."""

TRAINING: Final = TrainingConfig(
    grammar="filled",
    epochs=12,
    batch=64,
    p_recombine=0,
    p_renumber=0,
    p_swap=0,
    p_unknown=0.15,
    held_out=0,
)


def drawn_table(
    drawer: SchemaDrawer, seed: int, count: int, model: ModelConfig = MODEL
) -> TableExamples | None:
    """The examples of a drawn table, `count` questions; None if there are none."""
    domain, pairs = drawn_questions(drawer, seed, count)
    return TableExamples.of(domain, pairs, model) if pairs else None


def drawn_tables(
    drawer: SchemaDrawer,
    seeds: Sequence[int],
    count: int,
    model: ModelConfig = MODEL,
    progress: Callable[[int], None] = lambda _: None,
) -> list[TableExamples]:
    """The examples of drawn tables, made by several processes; those with too few are left out."""

    def make(seed: int) -> Iterator[TableExamples | None]:
        yield drawn_table(drawer, seed, count, model)

    found: list[TableExamples] = []
    for number, table in enumerate(ahead(make, list(seeds), usable_workers()), 1):
        if table is not None:
            found.append(table)
        progress(number)
    return found


@final
class BaseTrainer(Learner):
    """A network that learns the examples of many tables.

    With `start`, the file of a model, it begins with the words and the weights of that model.
    """

    def __init__(
        self,
        tables: Sequence[TableExamples],
        model: ModelConfig = MODEL,
        config: TrainingConfig = TRAINING,
        device: str = "cpu",
        workers: int | None = None,
        start: Path | None = None,
    ) -> None:
        torch.manual_seed(config.seed)
        words = common_words(tables)
        if start is not None:
            header, tensors = read_file(start, "pt", stored_tensors)
            model, words = header.model, WordVocabulary(header.words)
        self.family = family = TableFamily(tables, model, words)
        network = Network(
            model, family.vocabulary, family.reader, family.seen, config.dropout, family.spelt()
        )
        if start is not None:
            load_tensors(network, tensors, start)
        super().__init__(network.to(device), config, len(family), workers)
        self.epochs: list[Epoch] = []

    def draw(
        self, numbers: Sequence[int], everything: bool, random: np.random.Generator
    ) -> Sequence[Example]:
        """Some examples by number."""
        return self.family.draw(numbers, everything, random)

    def run(self, progress: EpochProgress = lambda *_: None) -> Epoch:
        """Train one more epoch."""
        started = perf_counter()
        loss = self.learn_epoch(progress)
        epoch = Epoch(self.epochs_done, loss, None, perf_counter() - started, self.pairs)
        self.epochs.append(epoch)
        return epoch

    def header(self) -> Header:
        """The header of the model, not calibrated."""
        network, tokens = self.network, self.family.vocabulary.tokens
        return Header(
            domain=SHARED,
            version=digest_of(shared_classes({})),
            model=network.config,
            training=self.config,
            words=network.reader.words.known,
            seen=tuple(tokens[row] for row in network.seen),
            epochs=tuple(self.epochs),
        )

    def tensors(self) -> Tensors:
        """The weights of the finished model."""
        return model_tensors(self)
