"""Epochs: batches through the network, the loss under the grammar, RMSprop.

The random numbers of an epoch depend only on the seed and the number of the epoch, so that a
training that is resumed from a checkpoint ends with the same weights as an uninterrupted one.
On a CPU a batch has two parts, whatever the number of cores, and one thread each where there are
two cores: PyTorch's own threads wait for each other in every product.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Any, Final, final

import numpy as np
import torch
from torch import Tensor, nn

from grammax.automaton.protocol import Automaton
from grammax.errors import GrammaxError
from grammax.language.domain import Domain, Pair
from grammax.model.config import ConfigError, ModelConfig, TrainingConfig
from grammax.model.header import Epoch, new_reader
from grammax.model.network import Network
from grammax.model.parser import TorchParser
from grammax.reading.parse import QueryNotice
from grammax.reading.reader import QueryReader
from grammax.reading.words import WordVocabulary
from grammax.search import Unconstrained
from grammax.training.augment.variations import Variations
from grammax.training.batch import on_device
from grammax.training.examples import Example, divided, examples, trainable
from grammax.training.loss import batch_loss
from grammax.training.recorded import RecordedSteps
from grammax.training.stream import Step, StepMaker, StepStream
from grammax.training.workers import usable_workers

EpochProgress = Callable[[int, float], None]  # pairs done so far in the epoch, loss so far
DECAY: Final = 0.9  # decay of RMSprop's mean of squares
_PARTS: Final = 2  # of a batch on a CPU
_READ: Final = 32  # steps on a GPU after which their losses are read, which waits for it
_LARGE: Final = 2_000  # pairs from which on other processes prepare them


class UntrainableNotice(UserWarning):
    """Training pairs that were left out."""


class Diverged(GrammaxError):
    """The loss or a weight is not a finite number."""


@final
class Trainer:
    """A network in training. Its state is the weights, the optimizer and `epochs_done`.

    `more` are pairs to train on beside those of the domain, such as corrections. Instead of the
    share that the configuration holds out, the pairs `without` may be left out; these do not
    measure the accuracy of each epoch. `workers` processes prepare the batches, by default as many
    as are useful; the weights do not depend on their number.
    """

    def __init__(
        self,
        domain: Domain,
        model: ModelConfig,
        config: TrainingConfig,
        device: str = "cpu",
        more: Sequence[Pair] = (),
        without: Collection[Pair] | None = None,
        workers: int | None = None,
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
        reader = new_reader(model, domain, WordVocabulary(()))
        self._examples: dict[bool, list[Example]] = {}
        read: dict[Pair, Example] = {}
        if reader.filling is not None:
            read = self._trainable(reader, model.decisions_only)
            self.training = tuple(pair for pair in self.training if pair in read)
        if not self.training:
            raise GrammaxError(f"the domain {domain.name!r} has no pairs to train on")
        reader.words = self._words(read)
        by_people = set(written)
        again = [pair for pair in self.training if pair in by_people] * (config.written - 1)
        self.training = (*self.training, *again)
        counts = Counter(token for pair in self.training for token in pair.tokens)
        seen = [domain.vocabulary.id(t) for t, count in counts.items() if count >= config.min_count]
        self.network = Network(model, domain.vocabulary, reader, seen, config.dropout).to(device)
        # A GPU records the steps of the optimizer, so there its rate is a tensor.
        is_gpu = self.network.device.type == "cuda"
        rate = torch.tensor(config.learning_rate, device=device) if is_gpu else config.learning_rate
        self.optimizer = torch.optim.RMSprop(
            self.network.parameters(), lr=rate, alpha=DECAY, foreach=True, capturable=is_gpu
        )
        self._recorded = self._recording() if is_gpu else None
        self.epochs_done = 0
        if read:
            known = {pair: _with_ids(example, reader.words) for pair, example in read.items()}
            self._examples[False] = [known[pair] for pair in self.training]
        self._variations: Variations | None = None
        self._workers = workers
        self._stream: tuple[int, StepStream] | None = None  # and the next epoch that it has

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
        for group in self.optimizer.param_groups:
            rate = config.learning_rate_at(number)
            group["lr"] = group["lr"].fill_(rate) if isinstance(group["lr"], Tensor) else rate
        # A loss is read where that costs nothing, or rarely, since the program waits for it.
        every = 1 if self.network.device.type == "cpu" else _READ
        done, mean, total = 0, 0.0, torch.zeros((), device=self.device)
        stream = self._taken_stream()
        with self._one_thread_each() as pool:
            for place, step in enumerate(stream.epoch(number)):
                total += self.learn(step, pool)
                before, done = done, done + sum(batch.pairs for batch in step)
                if not place % every:
                    mean = float(total) / done
                if not np.isfinite(mean):
                    where = f"in epoch {number + 1}, after {before:,} of {self.pairs:,} pairs"
                    raise Diverged(f"the loss became {mean} {where}. {_advice(config)}")
                progress(done, mean)
        # The last step may have made them infinite; its loss was computed before it.
        if not all(bool(weights.isfinite().all()) for weights in self.network.parameters()):
            raise Diverged(f"weights became infinite in epoch {number + 1}. {_advice(config)}")
        self._stream = number + 1, stream
        return float(total) / done

    def learn(self, step: Step, pool: ThreadPoolExecutor | None = None) -> Tensor:
        """Take one step of the optimizer; returns the sum of the losses of its pairs.

        The parts of a batch are computed at the same time in the threads of a pool; their gradients
        are added in their order.
        """
        if self._recorded is not None and len(step) == 1:
            loss = self._recorded.learn(step[0])
            if loss is not None:
                return loss
        network, count = self.network, sum(batch.pairs for batch in step)
        batches = [on_device(batch, network.device) for batch in step]
        masks = [network.masks(batch.pairs) for batch in batches]
        parameters = [weights for weights in network.parameters() if weights.requires_grad]

        def computed(part: int) -> tuple[Tensor, tuple[Tensor | None, ...]]:
            loss = batch_loss(network, batches[part], masks[part])
            return loss.detach(), torch.autograd.grad(loss / count, parameters, allow_unused=True)

        later = range(1, len(batches))
        if pool is None:
            found = [computed(part) for part in (0, *later)]
        else:
            waiting = [pool.submit(computed, part) for part in later]
            found = [computed(0), *(each.result() for each in waiting)]
        for weights, *gradients in zip(parameters, *(each for _, each in found), strict=True):
            given = [gradient for gradient in gradients if gradient is not None]
            weights.grad = sum(given[1:], given[0]) if given else None
        nn.utils.clip_grad_norm_(parameters, self.config.max_grad_norm, foreach=True)
        self.optimizer.step()
        return sum((loss for loss, _ in found[1:]), found[0][0])

    def _recording(self) -> RecordedSteps:
        config = self.config
        return RecordedSteps(self.network, self.optimizer, config.batch, config.max_grad_norm)

    @contextmanager
    def _one_thread_each(self) -> Iterator[ThreadPoolExecutor | None]:
        """A pool for the parts of a batch where PyTorch may use several threads, else None."""
        threads = torch.get_num_threads()
        if self.network.device.type != "cpu":
            yield None
            return
        torch.set_num_threads(1)
        try:
            if threads == 1:
                yield None
            else:
                with ThreadPoolExecutor(_PARTS - 1) as pool:
                    yield pool
        finally:
            torch.set_num_threads(threads)

    def _taken_stream(self) -> StepStream:
        """The steps from the next epoch on; they are put back after a whole epoch."""
        (begins, stream), self._stream = self._stream or (0, None), None
        if stream is None or begins != self.epochs_done:
            maker = self.prepared_maker()
            many = self.pairs >= _LARGE or self._workers
            workers = usable_workers(self._workers) if many else 0
            stream = StepStream(maker, self.epochs_done, workers)
        return stream

    def maker(self) -> StepMaker:
        """What makes the steps of this training, of pairs as they are given."""
        network = self.network
        parts = _PARTS if network.device.type == "cpu" else 1
        spelt, beginning = network.config.spelt, network.beginning
        return StepMaker(self._drawn, self.pairs, self.config, spelt, beginning, parts)

    def examples(self, everything: bool) -> list[Example]:
        """The training pairs, under the grammar or, with `everything`, over all rows."""
        if everything not in self._examples:
            automaton, only = self._automaton(everything), self.network.config.decisions_only
            self._examples[everything] = examples(
                self.training, self.network.reader, automaton, only
            )
        return self._examples[everything]

    def prepared_maker(self) -> StepMaker:
        """`maker`, with what drawing pairs needs: then it can be used in other processes."""
        for everything in {self.config.sees_all_rows(e) for e in (0, self.config.epochs - 1)}:
            given = self.examples(everything)
        reader, config = self.network.reader, self.config
        varies = config.p_recombine or config.p_renumber or config.p_swap
        if self._variations is None and reader.names is not None and varies:
            tokens = (pair.tokens for pair in self.training)
            pairs = [(example.query, each) for example, each in zip(given, tokens, strict=True)]
            self._variations = Variations(self.domain, reader, reader.names, config, pairs)
        return self.maker()

    def _drawn(
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


def _advice(config: TrainingConfig) -> str:
    return (
        f"Training has stopped; the last checkpoint is unchanged. Try a lower learning_rate than "
        f"{config.learning_rate:g}, or a lower max_grad_norm."
    )


def _with_ids(example: Example, words: WordVocabulary) -> Example:
    """An example whose query was read before the words were known."""
    query = example.query
    return example._replace(query=replace(query, ids=tuple(map(words.id, query.words))))


def _mixed(seed: int, number: int) -> int:
    """One seed from two integers."""
    return int(np.random.SeedSequence((seed, number)).generate_state(1)[0])
