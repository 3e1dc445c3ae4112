"""Random draws: tokens by a Zipf law over the catalogue's ranking, and wordings by a skewed one.

The k-th most common token of a pool is drawn with a probability proportional to 1 / (k + 2) ** s
(Zipf, 1949, with Mandelbrot's offset), so a few tokens are in most queries and many in hardly any.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Final, TypeVar, final

T = TypeVar("T")
OFFSET: Final = 2


@final
@dataclass(frozen=True, slots=True)
class Zipf:
    """Tokens to be drawn from, the most common first."""

    tokens: tuple[str, ...]
    cumulative: tuple[float, ...]

    @classmethod
    def over(cls, tokens: Iterable[str], exponent: float, offset: float = OFFSET) -> Zipf:
        """The law over these tokens, given in order of commonness."""
        ranked = tuple(tokens)
        weights = ((rank + offset) ** -exponent for rank in range(1, len(ranked) + 1))
        return cls(ranked, tuple(accumulate(weights)))

    def draw(self, random: Random) -> str:
        """One token."""
        return self.tokens[bisect_right(self.cumulative, random.random() * self.cumulative[-1])]


def pick(random: Random, choices: Sequence[T], skew: float = 0.0) -> T:
    """One of the choices; with a `skew` the first ones are likelier (1 is about Zipf's law)."""
    if not skew:
        return choices[int(random.random() * len(choices))]
    return choices[int(len(choices) * random.random() ** (1 + skew))]
