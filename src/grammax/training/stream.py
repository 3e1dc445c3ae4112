"""The steps of each epoch: pairs drawn, varied, grouped by length and collated, ahead of time.

In: the examples of the training pairs. Out: for each epoch its steps, each one or several batches.
The pairs of an epoch are shuffled into *buckets*; the random numbers of a bucket depend only on the
seed, the epoch and the bucket, so the steps are the same whichever process makes them. Variations
serve `redraw` epochs: then the first of these keeps its steps, and the others shuffle them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final, NamedTuple, final

import numpy as np

from grammax.model.config import TrainingConfig
from grammax.training.batch import Array, Batch, collated
from grammax.training.examples import BUCKET, Example, batches
from grammax.training.workers import ahead

Step = tuple[Batch[Array], ...]  # the parts of a batch, whose gradients are added
# Examples of some pairs by number, varied; over all rows or under the grammar.
Draw = Callable[[Sequence[int], bool, np.random.Generator], Sequence[Example]]

_LEAST: Final = 16  # examples in a part of a batch


class Bucket(NamedTuple):
    """Some pairs of an epoch."""

    epoch: int
    everything: bool  # whether over all rows
    number: int


@final
@dataclass(frozen=True)
class StepMaker:
    """Makes the steps of a bucket; no PyTorch.

    `parts` is the number of parts that a batch is divided into, if it is large enough.
    """

    draw: Draw
    pairs: int
    config: TrainingConfig
    spelt: int
    beginning: int
    parts: int

    @property
    def buckets(self) -> int:
        """The number of buckets of an epoch."""
        return -(-self.pairs // (self.config.batch * BUCKET))

    def steps(self, bucket: Bucket) -> Iterator[Step]:
        """The steps of a bucket."""
        epoch, everything, number = bucket
        seed, size = self.config.seed, self.config.batch * BUCKET
        order = np.random.default_rng((seed, epoch)).permutation(self.pairs)
        random = np.random.default_rng((seed, epoch, number))
        mine = order[number * size : (number + 1) * size].tolist()
        for batch in batches(self.draw(mine, everything, random), self.config.batch, random):
            yield tuple(self._collated(part, random) for part in self._divided(batch))

    def step(self, batch: Sequence[Example], random: np.random.Generator) -> Step:
        """The step of one batch."""
        return tuple(self._collated(part, random) for part in self._divided(batch))

    def _collated(self, part: Sequence[Example], random: np.random.Generator) -> Batch[Array]:
        return collated(part, self.spelt, self.beginning, self.config.p_unknown, random)

    def _divided(self, batch: Sequence[Example]) -> list[Sequence[Example]]:
        """The parts of a batch: its queries are of similar length, their logical forms are here."""
        batch = sorted(batch, key=lambda example: len(example.targets))
        parts = max(1, min(self.parts, len(batch) // _LEAST))
        ends = [len(batch) * part // parts for part in range(parts + 1)]
        return [batch[start:stop] for start, stop in pairwise(ends)]


@final
class StepStream:
    """The steps of the epochs from one on, made by some processes, or here by none."""

    def __init__(self, maker: StepMaker, first: int, workers: int) -> None:
        self._maker = maker
        self._kept: list[Step] = []
        self._key: tuple[int, bool] | None = None
        keys = [self._round(epoch) for epoch in range(first, maker.config.epochs)]
        tasks = [Bucket(*key, b) for key in dict.fromkeys(keys) for b in range(maker.buckets)]
        self._steps = ahead(maker.steps, tasks, workers)

    def epoch(self, number: int) -> Iterator[Step]:
        """The steps of an epoch; epochs are asked for in order."""
        config, key = self._maker.config, self._round(number)
        begins = number == key[0] or self._round(number - 1) != key
        goes_on = number + 1 < config.epochs and self._round(number + 1) == key
        if key != self._key:
            self._key, self._kept = key, []
            drawn = islice(self._steps, self._count())
            if begins and not goes_on:
                yield from drawn
                return
            for step in drawn:
                self._kept.append(step)
                if begins:
                    yield step
            if begins:
                return
        order = np.random.default_rng((config.seed, number)).permutation(len(self._kept))
        yield from (self._kept[place] for place in order.tolist())

    def _round(self, epoch: int) -> tuple[int, bool]:
        """The epoch whose variations an epoch has, and whether it is over all rows."""
        config = self._maker.config
        return epoch - epoch % config.redraw, config.sees_all_rows(epoch)

    def _count(self) -> int:
        """The number of steps of an epoch."""
        pairs, size = self._maker.pairs, self._maker.config.batch
        return -(-pairs // size)
