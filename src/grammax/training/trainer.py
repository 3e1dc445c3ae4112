"""Epochs: batches through the network, the loss under the grammar, RMSprop.

The random numbers of an epoch depend only on the seed and the number of the epoch, so that a
training that is resumed from a checkpoint ends with the same weights as an uninterrupted one.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from time import perf_counter
from typing import Any, Final, NamedTuple, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from grammax.automaton.protocol import Automaton
from grammax.errors import GrammaxError
from grammax.head.protocol import Options
from grammax.language.domain import Domain, Pair
from grammax.model.config import ConfigError, ModelConfig, TrainingConfig
from grammax.model.header import Epoch, new_reader
from grammax.model.network import Network
from grammax.model.parser import TorchParser
from grammax.reading.coverage import coverage_before
from grammax.reading.parse import QueryNotice
from grammax.reading.reader import QueryReader
from grammax.reading.words import UNKNOWN, WordVocabulary
from grammax.search import Unconstrained
from grammax.training.augment.variations import Variations
from grammax.training.examples import Example, batches, divided, examples, trainable

EpochProgress = Callable[[int, float], None]  # pairs done so far in the epoch, loss so far
DECAY: Final = 0.9  # decay of RMSprop's mean of squares


class UntrainableNotice(UserWarning):
    """Training pairs that were left out."""


class Diverged(GrammaxError):
    """The loss or a weight is not a finite number."""


@final
class Trainer:
    """A network in training. Its state is the weights, the optimizer and `epochs_done`.

    `more` are pairs to train on beside those of the domain, such as corrections. Instead of the
    share that the configuration holds out, the pairs `without` may be left out; these do not
    measure the accuracy of each epoch.
    """

    def __init__(
        self,
        domain: Domain,
        model: ModelConfig,
        config: TrainingConfig,
        device: str = "cpu",
        more: Sequence[Pair] = (),
        without: Collection[Pair] | None = None,
    ) -> None:
        if model.decisions_only and config.sees_all_rows(config.epochs - 1):
            raise ConfigError(
                "decisions_only skips the tokens that a grammar forces, and over all rows there is "
                'no grammar. Leave it off, or train with softmax="grammar" and full_epochs=0.'
            )
        self.domain = domain
        self.config = config
        self.device = device
        self.more = tuple(more)
        torch.manual_seed(config.seed)
        own, self.held_out = divided(domain.pairs("train"), config.held_out, config.seed)
        written = list(domain.written_pairs()) if config.written else []
        if without is not None:
            left_out = set(without)
            own = [pair for pair in domain.pairs("train") if pair not in left_out]
            written = [pair for pair in written if pair not in left_out]
            self.held_out = []
        self.automaton = domain.automaton(config.grammar)
        self.training: tuple[Pair, ...] = (*own, *written, *more)
        if model.filled:
            self.training = self._trainable(new_reader(model, domain, WordVocabulary(())))
        if not self.training:
            raise GrammaxError(f"the domain {domain.name!r} has no pairs to train on")
        reader = self._reader(model)
        by_people = set(written)
        again = [pair for pair in self.training if pair in by_people] * (config.written - 1)
        self.training = (*self.training, *again)
        counts = Counter(token for pair in self.training for token in pair.tokens)
        seen = [domain.vocabulary.id(t) for t, count in counts.items() if count >= config.min_count]
        self.network = Network(model, domain.vocabulary, reader, seen, config.dropout).to(device)
        self.optimizer = torch.optim.RMSprop(
            self.network.parameters(), lr=config.learning_rate, alpha=DECAY, foreach=True
        )
        self.epochs_done = 0
        self._examples: dict[bool, list[Example]] = {}
        self._variations: Variations | None = None
        self._round: tuple[tuple[int, bool], list[Example]] | None = None

    def _trainable(self, reader: QueryReader) -> tuple[Pair, ...]:
        """The training pairs without those that ask for what their query does not say."""
        found, errors = trainable(self.training, reader, self.automaton)
        if errors:
            warnings.warn(
                f"{len(errors):,} of {len(self.training):,} training pairs are left out, because "
                f"their logical form has something that the query does not say. The first: "
                f"{errors[0]}",
                UntrainableNotice,
                stacklevel=3,
            )
        return tuple(found)

    def _reader(self, model: ModelConfig) -> QueryReader:
        """A reader that knows the words of the training queries."""
        blank = new_reader(model, self.domain, WordVocabulary(()))
        if blank.filling is None:
            words = WordVocabulary.from_queries(pair.query for pair in self.training)
        else:
            queries = (blank.read(pair.query) for pair in self.training)
            words = WordVocabulary.from_words(word for query in queries for word in query.words)
        blank.words = words
        return blank

    @property
    def pairs(self) -> int:
        """The number of pairs in an epoch."""
        return len(self.training)

    def run(self, progress: EpochProgress = lambda *_: None) -> Epoch:
        """Train one more epoch and measure it; after `Diverged` the checkpoint is unchanged."""
        number = self.epochs_done
        started = perf_counter()
        loss = self._train(number, progress)
        seconds = perf_counter() - started
        self.epochs_done += 1
        return Epoch(number + 1, loss, self.accuracy(), seconds, len(self.training))

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

    def _train(self, number: int, progress: EpochProgress) -> float:
        config = self.config
        self.network.train()
        torch.manual_seed(_mixed(config.seed, number))
        random = np.random.default_rng((config.seed, number))
        given = self._varied(number, random)
        for group in self.optimizer.param_groups:
            group["lr"] = config.learning_rate_at(number)
        done, total = 0, 0.0
        for batch in batches(given, config.batch, random):
            value = self.learn(batch)
            if not np.isfinite(value):
                where = f"in epoch {number + 1}, after {done:,} of {len(given):,} pairs"
                raise Diverged(f"the loss became {value} {where}. {_advice(config)}")
            done += len(batch)
            total += value * len(batch)
            progress(done, total / done)
        # The last step may have made them infinite; its loss was computed before it.
        if not all(bool(weights.isfinite().all()) for weights in self.network.parameters()):
            raise Diverged(f"weights became infinite in epoch {number + 1}. {_advice(config)}")
        return total / done

    def learn(self, batch: Sequence[Example]) -> float:
        """Take one step of the optimizer; returns the loss per pair."""
        loss = self._loss(batch)
        value = float(loss.detach())
        if np.isfinite(value):
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            parameters = self.network.parameters()
            nn.utils.clip_grad_norm_(parameters, self.config.max_grad_norm, foreach=True)
            self.optimizer.step()
        return value

    def examples(self, everything: bool) -> list[Example]:
        """The training pairs, under the grammar or, with `everything`, over all rows."""
        if everything not in self._examples:
            automaton, only = self._automaton(everything), self.network.config.decisions_only
            self._examples[everything] = examples(
                self.training, self.network.reader, automaton, only
            )
        return self._examples[everything]

    def _varied(self, number: int, random: np.random.Generator) -> list[Example]:
        """The examples of an epoch: those of the first epoch of its round."""
        config, everything = self.config, self.config.sees_all_rows(number)
        first = number - number % config.redraw
        if self._round is None or self._round[0] != (first, everything):
            if first != number:  # a training that was resumed
                random = np.random.default_rng((config.seed, first))
            self._round = (first, everything), self._drawn(everything, random)
        return self._round[1]

    def _drawn(self, everything: bool, random: np.random.Generator) -> list[Example]:
        """The examples of an epoch: the pairs, varied if the reader knows the names of tokens."""
        given, reader, config = self.examples(everything), self.network.reader, self.config
        if reader.names is None or not (config.p_recombine or config.p_renumber or config.p_swap):
            return given
        if self._variations is None:
            queries = [example.query for example in given]
            tokens = [pair.tokens for pair in self.training]
            pairs = list(zip(queries, tokens, strict=True))
            self._variations = Variations(self.domain, reader, reader.names, config, pairs)
        automaton, only = self._automaton(everything), self.network.config.decisions_only
        return self._variations.draw(given, automaton, only, random)

    def _automaton(self, everything: bool) -> Automaton[Any]:
        return Unconstrained(self.domain.vocabulary) if everything else self.automaton

    def _loss(self, batch: Sequence[Example]) -> Tensor:
        """The mean over the pairs of a batch of the summed losses of their tokens."""
        network = self.network
        queries = network.batch([example.query for example in batch])
        if self.config.p_unknown:
            hidden = torch.rand(queries.words.shape, device=network.device) < self.config.p_unknown
            words = queries.words.masked_fill(hidden & (queries.words > UNKNOWN), UNKNOWN)
            queries = queries._replace(words=words)
        encoded = network.encode(queries)
        runs = torch.from_numpy(_runs(batch, network.beginning)).to(network.device)
        states, _ = network.read(runs, network.start(encoded))
        # As in decoding, no attention and no rows are computed where the token is forced.
        chosen = _choices(batch)
        steps = torch.from_numpy(chosen.steps).to(network.device)
        states = states.gather(1, steps[..., None].expand(-1, -1, states.shape[-1]))
        covered = torch.from_numpy(_coverage(batch, chosen.steps, queries.words.shape[1]))
        hidden = network.attend(states, encoded, covered.to(network.device)).hidden
        wanted = hidden[torch.from_numpy(chosen.real).to(network.device)]
        targets = torch.from_numpy(chosen.targets).to(network.device)
        return network.rows.losses(wanted, chosen.options, targets).sum() / len(batch)


def _advice(config: TrainingConfig) -> str:
    return (
        f"Training has stopped; the last checkpoint is unchanged. Try a lower learning_rate than "
        f"{config.learning_rate:g}, or a lower max_grad_norm."
    )


class _Choices(NamedTuple):
    """The steps of a batch at which there is a choice, at most k per sequence."""

    steps: NDArray[np.int64]  # (n, k), padded with 0
    real: NDArray[np.bool_]  # (n, k): false where padded
    options: list[Options]  # without padding, row by row
    targets: NDArray[np.int64]


def _choices(batch: Sequence[Example]) -> _Choices:
    made = [
        [step for step, choice in enumerate(example.options) if choice is not None]
        for example in batch
    ]
    counts = np.array(list(map(len, made)))
    steps = np.zeros((len(batch), counts.max()), np.int64)
    options, targets = [], []
    for row, (example, numbers) in enumerate(zip(batch, made, strict=True)):
        steps[row, : len(numbers)] = numbers
        options += [choice for choice in example.options if choice is not None]
        targets += [example.targets[step] for step in numbers]
    real = np.arange(steps.shape[1]) < counts[:, None]
    return _Choices(steps, real, options, np.array(targets, np.int64))


def _runs(batch: Sequence[Example], beginning: int) -> NDArray[np.int64]:
    """The runs that the decoder reads, (n, steps, r), padded with -1."""
    steps = max(len(example.runs) for example in batch)
    longest = max(len(run) for example in batch for run in example.runs)
    table = np.full((len(batch), steps, longest or 1), -1, np.int64)
    table[:, 0, 0] = beginning
    for row, example in enumerate(batch):
        for step, run in enumerate(example.runs):
            table[row, step, : len(run)] = run
    return table


def _coverage(
    batch: Sequence[Example], steps: NDArray[np.int64], length: int
) -> NDArray[np.float32]:
    """The coverage masks at some steps, (n, k) → (n, k, length)."""
    masks = np.zeros((*steps.shape, length), np.float32)
    for row, example in enumerate(batch):
        if example.query.names:
            masks[row] = coverage_before(example.query.names, example.runs, length)[steps[row]]
    return masks


def _mixed(seed: int, number: int) -> int:
    """One seed from two integers."""
    return int(np.random.SeedSequence((seed, number)).generate_state(1)[0])
