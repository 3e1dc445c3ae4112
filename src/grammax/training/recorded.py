"""Steps of the optimizer that a GPU records, one for each shape of a batch, and repeats.

A step is some 400 small operations, which a program starts one by one more slowly than the GPU does
them. Here the program copies a batch, draws random numbers, and starts all the rest at once. The
weights after a step do not depend on what was recorded before: recording leaves them as they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
import torch
from torch import Tensor, nn

from grammax.model.choices import arrays, with_tensors
from grammax.model.graphs import Pool, Work, recorded
from grammax.model.network import Network
from grammax.training.batch import Array, Batch
from grammax.training.loss import batch_loss
from grammax.training.padding import StepShape, padded, step_shape


@final
class RecordedSteps:
    """Steps on a GPU. Mutable: it has the tensors of each shape, and changes the network.

    `graphs=False` does the same work without recording it, on any device.
    """

    def __init__(
        self,
        network: Network,
        optimizer: torch.optim.Optimizer,
        pairs: int,
        max_grad_norm: float,
        *,
        graphs: bool = True,
    ) -> None:
        self._network, self._optimizer = network, optimizer
        self._pairs, self._norm, self._graphs = pairs, max_grad_norm, graphs
        self._loss = torch.zeros((), device=network.device)
        self._count = torch.zeros((), device=network.device)
        self._drawn = network.draws(pairs)
        self._pool = Pool()
        self._steps: dict[StepShape, tuple[_Tensors, Work]] = {}

    def learn(self, batch: Batch[Array]) -> Tensor | None:
        """Take a step; returns its loss until the next one, or None if it cannot be recorded."""
        shape = step_shape(batch, self._pairs)
        if shape is None or shape.pairs > self._pairs:
            return None
        given = padded(batch, shape)
        self._count.fill_(batch.pairs)
        if shape not in self._steps:
            tensors = _Tensors(given, self._network.device)
            self._steps[shape] = tensors, self._recorded(tensors.batch)
        tensors, repeat = self._steps[shape]
        tensors.send(given)
        if self._drawn is not None:
            self._drawn.uniform_()
        repeat()
        return self._loss

    def _recorded(self, batch: Batch[Tensor]) -> Work:
        network, parameters = self._network, self._parameters

        def work() -> None:
            masks = None if self._drawn is None else network.masks_of(self._drawn)
            loss = batch_loss(network, batch, masks)
            found = torch.autograd.grad(loss / self._count, parameters, allow_unused=True)
            for weights, gradient in zip(parameters, found, strict=True):
                weights.grad = gradient
            nn.utils.clip_grad_norm_(parameters, self._norm, foreach=True)
            self._optimizer.step()
            self._loss.copy_(loss.detach())

        if not self._graphs:
            return work
        if not self._state:
            self._begin(work)
        return recorded(work, [*parameters, *self._state], self._pool)

    def _begin(self, work: Work) -> None:
        """Make the optimizer's state, by a step whose effects are taken back."""
        before = [weights.detach().clone() for weights in self._parameters]
        work()
        with torch.no_grad():
            for weights, saved in zip(self._parameters, before, strict=True):
                weights.copy_(saved)
            for tensor in self._state:
                tensor.zero_()

    @property
    def _parameters(self) -> Sequence[nn.Parameter]:
        return [weights for weights in self._network.parameters() if weights.requires_grad]

    @property
    def _state(self) -> list[Tensor]:
        """The tensors of the optimizer, which begin as zeros."""
        return [tensor for each in self._optimizer.state.values() for tensor in each.values()]


@final
class _Tensors:
    """The tensors of one shape: views of one tensor for each type, which is copied in one piece."""

    def __init__(self, like: Batch[Array], device: torch.device) -> None:
        every = list(arrays(like))
        self._places: dict[np.dtype[Any], list[int]] = {}
        for place, array in enumerate(every):
            self._places.setdefault(array.dtype, []).append(place)
        tensors: list[Tensor] = [torch.empty(0)] * len(every)
        self._flat = []
        for places in self._places.values():
            flat = torch.from_numpy(np.concatenate([every[p].ravel() for p in places])).to(device)
            self._flat.append(flat)
            parts = torch.split(flat, [every[place].size for place in places])
            for place, part in zip(places, parts, strict=True):
                tensors[place] = part.view(every[place].shape)
        self.batch: Batch[Tensor] = with_tensors(like, iter(tensors))

    def send(self, batch: Batch[Array]) -> None:
        """Copy a batch of this shape; from pinned memory the program need not wait for it."""
        every = list(arrays(batch))
        for places, flat in zip(self._places.values(), self._flat, strict=True):
            sent = torch.from_numpy(np.concatenate([every[place].ravel() for place in places]))
            flat.copy_(sent.pin_memory() if flat.is_cuda else sent, non_blocking=True)
