"""`Sampling`: sentences drawn at random, each step from the softmax under the grammar.

The Gumbel-max trick (Gumbel 1954; Maddison et al. 2014): the token with the largest sum of its
log-probability and Gumbel noise is a draw from the softmax, the second largest is a draw from the
rest, and so on. So a draw is the best token of noisy scores, a search draws by looking for the
best, and where a token does not fit the budget the next one in the order is a draw among the
others: each step follows the softmax of all rows, masked and renormalised.

With `top_p` (Holtzman et al. 2020) a draw comes from the fewest tokens whose probabilities sum to
that share, the nucleus. Only where none of these fits the budget, it comes from the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from grammax.head.protocol import Candidate, Scores
from grammax.search.result import SearchError
from grammax.search.scores import Logs, distribution, ranked
from grammax.vocabulary import Span


@final
@dataclass(frozen=True, slots=True)
class Sampling:
    """How sentences are drawn: how many, and from which distribution.

    `count` is the number of sentences. Probabilities are those under the grammar to the power of 1
    / `temperature`; below 1 the likely tokens become likelier. With `top_p`, only the likeliest
    tokens are drawn from, as many as it takes for their probabilities to sum to it. The same `seed`
    draws the same sentences; without one each call draws new ones. The log-probability of a
    sentence is the model's own, whatever the temperature.

    >>> from grammax import Sampling
    >>> Sampling(5, temperature=0.7, top_p=0.9, seed=1)
    Sampling(count=5, temperature=0.7, top_p=0.9, seed=1)
    """

    count: int = 1
    temperature: float = 1.0
    top_p: float = 1.0
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.count < 1:
            raise SearchError(f"the number of samples is 1 or more, not {self.count}")
        if not 0 < self.temperature < np.inf:
            raise SearchError(
                f"a temperature is a number above 0, not {self.temperature}. For the best token "
                f"at each step, decode without sampling."
            )
        if not 0 < self.top_p <= 1:
            raise SearchError(f"top_p is a share above 0 and at most 1, not {self.top_p}")
        if self.seed is not None and self.seed < 0:
            raise SearchError(f"a seed is a number of 0 or more, not {self.seed}")

    def draws(self, sources: int) -> list[list[Draw]]:
        """For each source one `Draw` per sample, independent of each other."""
        each = np.random.SeedSequence(self.seed).spawn(sources)
        return [
            [Draw(np.random.default_rng(seed), self) for seed in of.spawn(self.count)]
            for of in each
        ]


@final
class Draw:
    """The random numbers of one sentence: makes scores whose best token is a draw. Mutable."""

    __slots__ = ("_random", "_sampling")

    def __init__(self, random: np.random.Generator, sampling: Sampling) -> None:
        self._random = random
        self._sampling = sampling

    def __call__(self, scores: Scores) -> NoisyScores:
        """The scores of one step, with noise."""
        ids, logs = distribution(scores)
        tempered = logs / self._sampling.temperature
        keys = tempered + self._random.gumbel(size=len(logs))
        kept = None if self._sampling.top_p == 1 else nucleus(tempered, self._sampling.top_p)
        return NoisyScores(ids, logs, keys, kept, scores.size)


@final
class NoisyScores:
    """Scores in the order in which their ids are drawn; log-probabilities are the model's."""

    __slots__ = ("_ids", "_kept", "_keys", "_logs", "size")

    def __init__(
        self,
        ids: NDArray[np.int64],
        logs: Logs,
        keys: Logs,
        kept: NDArray[np.bool_] | None,
        size: int,
    ) -> None:
        self._ids = ids
        self._logs = logs
        self._keys = keys
        self._kept = kept
        self.size = size

    def best(self, count: int, among: Sequence[Span] | None = None) -> list[Candidate]:
        """The first `count` draws: those from the nucleus, and then from the rest."""
        if self._kept is None:
            return ranked(self._ids, self._logs, self._keys, count, among)
        found: list[Candidate] = []
        for part in (self._kept, ~self._kept):
            found += ranked(
                self._ids[part], self._logs[part], self._keys[part], count - len(found), among
            )
            if len(found) == count:
                break
        return found


def nucleus(logs: Logs, share: float) -> NDArray[np.bool_]:
    """The fewest likeliest entries whose probabilities sum to `share` of all; at least one.

    >>> nucleus(np.log([0.1, 0.5, 0.4]), 0.8).tolist()
    [False, True, True]
    """
    order = np.argsort(-logs, kind="stable")
    with np.errstate(invalid="ignore"):
        probabilities = np.exp(logs[order] - logs.max(initial=-np.inf))
    before = probabilities.cumsum() - probabilities
    kept = np.zeros(len(logs), np.bool_)
    kept[order] = before < share * probabilities.sum()
    return kept
