"""`Trainer`: a network that learns the pairs of a domain."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, final

import numpy as np
import torch

from grammax.automaton.protocol import Automaton
from grammax.errors import GrammaxError
from grammax.language.domain import Domain, Pair
from grammax.model.checkpoint import load_tensors, read_network
from grammax.model.config import ConfigError, ModelConfig, TrainingConfig
from grammax.model.header import Epoch, in_row_order, new_reader
from grammax.model.network import Network
from grammax.model.parser import TorchParser
from grammax.reading.parse import QueryNotice
from grammax.reading.reader import QueryReader
from grammax.reading.words import WordVocabulary
from grammax.search import Unconstrained
from grammax.training.augment.variations import Variations
from grammax.training.examples import Example, divided, examples, own_pairs, trainable
from grammax.training.learner import DECAY as DECAY
from grammax.training.learner import Diverged as Diverged
from grammax.training.learner import EpochProgress as EpochProgress
from grammax.training.learner import Learner


class UntrainableNotice(UserWarning):
    """Training pairs that were left out."""


@final
class Trainer(Learner):
    """A network that learns the pairs of a domain.

    `more` are pairs to train on beside those of the domain, such as corrections. Instead of the
    share that the configuration holds out, the pairs `without` may be left out; these do not
    measure the accuracy of each epoch. `agreed` are pairs to train on, too, that teachers read. A
    domain may have a model to start with: then the network has its weights and its words.
    """

    def __init__(
        self,
        domain: Domain,
        model: ModelConfig,
        config: TrainingConfig,
        device: str = "cpu",
        more: Sequence[Pair] = (),
        without: Collection[Pair] | None = None,
        agreed: Sequence[Pair] = (),
        workers: int | None = None,
    ) -> None:
        if model.decisions_only and config.sees_all_rows(config.epochs - 1):
            raise ConfigError(
                "decisions_only skips the tokens that a grammar forces, and over all rows there is "
                'no grammar. Leave it off, or train with softmax="grammar" and full_epochs=0.'
            )
        self.domain = domain
        self.device = device
        self.more = tuple(more)
        self.agreed = tuple(agreed)
        torch.manual_seed(config.seed)
        pairs = own_pairs(domain, config)
        own, self.held_out = divided(pairs, config.held_out, config.seed)
        written = list(domain.written_pairs()) if config.written else []
        if without is not None:
            left_out = set(without)
            own = [pair for pair in pairs if pair not in left_out]
            written = [pair for pair in written if pair not in left_out]
            self.held_out = []
        self.automaton = domain.automaton(config.grammar)
        self.training: tuple[Pair, ...] = (*own, *written, *more, *agreed)
        reader = new_reader(model, domain, WordVocabulary(()))
        self._examples: dict[bool, list[Example]] = {}
        read: dict[Pair, Example] = {}
        if reader.filling is not None:
            read = self._trainable(reader, model.decisions_only)
            self.training = tuple(pair for pair in self.training if pair in read)
        if not self.training:
            raise GrammaxError(f"the domain {domain.name!r} has no pairs to train on")
        begun = None if domain.start is None else read_network(domain.start, domain)
        reader.words = self._words(read) if begun is None else WordVocabulary(begun[0].words)
        by_people = set(written)
        again = [pair for pair in self.training if pair in by_people] * (config.written - 1)
        self.training = (*self.training, *again)
        counts = Counter(token for pair in self.training for token in pair.tokens)
        # Texts that queries mention, in quotes, have no rows of their own.
        common = (t for t, count in counts.items() if count >= config.min_count)
        seen = [domain.vocabulary.id(t) for t in common if t in domain.vocabulary]
        if begun is not None:  # its words and tokens; others are known by their spelling
            tensors, seen = in_row_order(begun[1], begun[0].seen, domain.vocabulary)
        network = Network(model, domain.vocabulary, reader, seen, config.dropout).to(device)
        if begun is not None:
            load_tensors(network, tensors, Path(str(domain.start)))
        super().__init__(network, config, len(self.training), workers)
        if read:
            known = {pair: _with_ids(example, reader.words) for pair, example in read.items()}
            self._examples[False] = [known[pair] for pair in self.training]
        self._variations: Variations | None = None

    def _trainable(self, reader: QueryReader, decisions_only: bool) -> dict[Pair, Example]:
        """The training pairs without those that ask for what their query does not say."""
        pairs = dict.fromkeys(self.training)
        found, errors = trainable(pairs, reader, self.automaton, decisions_only)
        if errors:
            warnings.warn(
                f"{len(errors):,} of {len(pairs):,} training pairs are left out, because "
                f"their logical form has something that the query does not say. The first: "
                f"{errors[0]}",
                UntrainableNotice,
                stacklevel=3,
            )
        return dict(found)

    def _words(self, read: dict[Pair, Example]) -> WordVocabulary:
        """The words of the training queries."""
        if not read:
            return WordVocabulary.from_queries(pair.query for pair in self.training)
        return WordVocabulary.from_words(w for p in self.training for w in read[p].query.words)

    def run(self, progress: EpochProgress = lambda *_: None) -> Epoch:
        """Train one more epoch and measure it; after `Diverged` the checkpoint is unchanged."""
        started = perf_counter()
        loss = self.learn_epoch(progress)
        seconds = perf_counter() - started
        return Epoch(self.epochs_done, loss, self.accuracy(), seconds, len(self.training))

    def accuracy(self) -> float | None:
        """Exact match on the held-out pairs, under the grammar."""
        if not self.held_out:
            return None
        parser = TorchParser(self.network, self.automaton)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", QueryNotice)
            found = parser.parse_batch([pair.query for pair in self.held_out])
        pairs = zip(found, self.held_out, strict=True)
        return sum(self.domain.same(f.tokens, p.tokens) for f, p in pairs) / len(self.held_out)

    def examples(self, everything: bool) -> list[Example]:
        """The training pairs, under the grammar or, with `everything`, over all rows."""
        if everything not in self._examples:
            automaton, only = self._automaton(everything), self.network.config.decisions_only
            self._examples[everything] = examples(
                self.training, self.network.reader, automaton, only
            )
        return self._examples[everything]

    def prepare(self) -> None:
        """Read the pairs, and prepare their variations."""
        for everything in {self.config.sees_all_rows(e) for e in (0, self.config.epochs - 1)}:
            given = self.examples(everything)
        reader, config = self.network.reader, self.config
        nests = config.p_nest and self.domain.nesting() is not None
        varies = nests or config.p_recombine or config.p_renumber or config.p_swap
        if self._variations is None and reader.names is not None and varies:
            tokens = (pair.tokens for pair in self.training)
            pairs = [(example.query, each) for example, each in zip(given, tokens, strict=True)]
            self._variations = Variations(self.domain, reader, reader.names, config, pairs)

    def varied_queries(self, count: int) -> list[str]:
        """Queries made of parts of the training queries; none if nothing can be varied."""
        self.prepare()
        random = np.random.default_rng((self.config.seed, 6))
        return [] if self._variations is None else self._variations.queries(count, random)

    def draw(
        self, numbers: Sequence[int], everything: bool, random: np.random.Generator
    ) -> Sequence[Example]:
        """The examples of some pairs, varied if the reader knows the names of tokens."""
        given = self.examples(everything)
        if self._variations is None:
            return [given[number] for number in numbers]
        automaton, only = self._automaton(everything), self.network.config.decisions_only
        return self._variations.draw(given, automaton, only, random, numbers)

    def _automaton(self, everything: bool) -> Automaton[Any]:
        return Unconstrained(self.domain.vocabulary) if everything else self.automaton


def _with_ids(example: Example, words: WordVocabulary) -> Example:
    """An example whose query was read before the words were known."""
    query = example.query
    return example._replace(query=replace(query, ids=tuple(map(words.id, query.words))))
