"""`choose`: one id per sequence out of scored rows, the best or a sampled one.

Sampling inverts the cumulative distribution with one uniform number per token, over ids in
ascending order, so that what is chosen does not depend on how many rows were multiplied.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import torch
from torch import Tensor

from grammax.search.result import NoScore
from grammax.transformers.errors import UnsupportedOption
from grammax.transformers.row_scores import Scored


class SamplingOptions(NamedTuple):
    """How to sample: `temperature`, then the best `top_k` ids, then those of mass `top_p`."""

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float = 1.0

    def check(self) -> None:
        """Raise `UnsupportedOption` for values that mean nothing."""
        if not 0 < self.temperature < inf:
            raise UnsupportedOption(
                f"a temperature is positive, not {self.temperature}. For the best token pass "
                f"do_sample=False."
            )
        if not 0 < self.top_p <= 1:
            raise UnsupportedOption(f"top_p is above 0 and at most 1, not {self.top_p}")
        if self.top_k is not None and self.top_k < 1:
            raise UnsupportedOption(f"top_k is 1 or more, not {self.top_k}")


def choose(scored: Scored, sampling: SamplingOptions | None, uniform: Tensor | None) -> list[int]:
    """One id per row of the scores; `uniform` (n) has the numbers to sample with.

    >>> scored = Scored(torch.tensor([[0.0, 3.0, 1.0]]), torch.tensor([[5, 7, 9]]))
    >>> choose(scored, None, None)
    [7]
    >>> choose(scored, SamplingOptions(), torch.tensor([0.99], dtype=torch.float64))
    [9]
    """
    values = scored.values.float()
    if sampling is None:
        best, index = values.max(-1)
    else:
        assert uniform is not None
        index = _sampled(values, sampling, uniform)
        best = values.gather(-1, index[:, None])[:, 0]
    ids = index if scored.ids is None else scored.ids.gather(-1, index[:, None])[:, 0]
    found: list[list[float]] = torch.stack((best.double(), ids.double()), -1).tolist()  # one copy
    for value, _ in found:
        if not -inf < value < inf:
            raise NoScore(values.shape[-1])
    return [int(token) for _, token in found]


def _sampled(values: Tensor, sampling: SamplingOptions, uniform: Tensor) -> Tensor:
    """The index of a sampled value in each row."""
    values = values / sampling.temperature
    if sampling.top_k is not None and sampling.top_k < values.shape[-1]:
        least = values.topk(sampling.top_k).values[:, -1:]
        values = values.masked_fill(values < least, -inf)
    if sampling.top_p < 1:
        ascending, order = values.sort()
        drop = ascending.softmax(-1).cumsum(-1) <= 1 - sampling.top_p
        drop[:, -1] = False
        values = values.masked_fill(drop.scatter(-1, order, drop), -inf)
    mass = values.softmax(-1).double().cumsum(-1)
    aim = uniform.to(values.device)[:, None] * mass[:, -1:]
    return torch.searchsorted(mass, aim, right=True)[:, 0].clamp_(max=values.shape[-1] - 1)
