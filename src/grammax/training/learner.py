"""`Learner`: epochs of steps: batches through a network, the loss under the grammar, RMSprop.

The random numbers of an epoch depend only on the seed and the number of the epoch, so that a
training that is resumed from a checkpoint ends with the same weights as an uninterrupted one.
On a CPU a batch has two parts, whatever the number of cores, and one thread each where there are
two cores: PyTorch's own threads wait for each other in every product.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from grammax.errors import GrammaxError
from grammax.model.config import TrainingConfig
from grammax.model.network import Network
from grammax.training.batch import on_device
from grammax.training.examples import Example
from grammax.training.loss import batch_loss
from grammax.training.recorded import RecordedSteps
from grammax.training.stream import Step, StepMaker, StepStream
from grammax.training.workers import usable_workers

EpochProgress = Callable[[int, float], None]  # pairs done so far in the epoch, loss so far
DECAY: Final = 0.9  # decay of RMSprop's mean of squares
_PARTS: Final = 2  # of a batch on a CPU
_READ: Final = 32  # steps on a GPU after which their losses are read, which waits for it
_LARGE: Final = 2_000  # pairs from which on other processes prepare them


class Diverged(GrammaxError):
    """The loss or a weight is not a finite number."""


class Learner(ABC):
    """A network that learns from examples, by number from 0 to `pairs`, which a subclass draws.

    Its state is the weights, the optimizer and `epochs_done`. `workers` processes prepare the
    batches, by default as many as are useful; the weights do not depend on their number.
    """

    def __init__(
        self, network: Network, config: TrainingConfig, pairs: int, workers: int | None = None
    ) -> None:
        self.network = network
        self.config = config
        self.pairs = pairs
        # A GPU records the steps of the optimizer, so there its rate is a tensor.
        device, rate = network.device, config.learning_rate
        is_gpu = device.type == "cuda"
        self.optimizer = torch.optim.RMSprop(
            network.parameters(),
            lr=torch.tensor(rate, device=device) if is_gpu else rate,
            alpha=DECAY,
            foreach=True,
            capturable=is_gpu,
        )
        self._recorded = self._recording() if is_gpu else None
        self.epochs_done = 0
        self._workers = workers
        self._stream: tuple[int, StepStream] | None = None  # and the next epoch that it has

    @abstractmethod
    def draw(
        self, numbers: Sequence[int], everything: bool, random: np.random.Generator
    ) -> Sequence[Example]:
        """Some examples by number, under the grammar or, with `everything`, over all rows."""

    def prepare(self) -> None:  # noqa: B027 - most need nothing
        """Prepare what drawing needs, before other processes do it."""

    def learn_epoch(self, progress: EpochProgress = lambda *_: None) -> float:
        """Learn from all pairs once; returns the mean loss."""
        loss = self._train(self.epochs_done, progress)
        self.epochs_done += 1
        return loss

    def _train(self, number: int, progress: EpochProgress) -> float:
        config = self.config
        self.network.train()
        torch.manual_seed(_mixed(config.seed, number))
        for group in self.optimizer.param_groups:
            rate = config.learning_rate_at(number)
            group["lr"] = group["lr"].fill_(rate) if isinstance(group["lr"], Tensor) else rate
        # A loss is read where that costs nothing, or rarely, since the program waits for it.
        every = 1 if self.network.device.type == "cpu" else _READ
        done, mean, total = 0, 0.0, torch.zeros((), device=self.network.device)
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
        return StepMaker(self.draw, self.pairs, self.config, spelt, beginning, parts)

    def prepared_maker(self) -> StepMaker:
        """`maker`, with what drawing needs: then it can be used in other processes."""
        self.prepare()
        return self.maker()


def _advice(config: TrainingConfig) -> str:
    return (
        f"Training has stopped; the last checkpoint is unchanged. Try a lower learning_rate than "
        f"{config.learning_rate:g}, or a lower max_grad_norm."
    )


def _mixed(seed: int, number: int) -> int:
    """One seed from two integers."""
    return int(np.random.SeedSequence((seed, number)).generate_state(1)[0])
