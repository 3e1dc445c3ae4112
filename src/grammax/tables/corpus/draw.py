"""Random draws: tokens by a Zipf law over the catalogue's ranking, and wordings by a skewed one.

`Dice` also remember the rules that a draw applied: every pattern of words is a rule, whose id is
the name of its table and the pattern itself, such as "range/between {n} and {m}".

The k-th most common token of a pool is drawn with a probability proportional to 1 / (k + 2) ** s
(Zipf, 1949, with Mandelbrot's offset), so a few tokens are in most queries and many in hardly any.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
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


@final
class Dice(Random):
    """Random numbers, with a note of the rules that were chosen.

    >>> dice = Dice(7)
    >>> dice.rule("range", ("{n} to {m}",)), sorted(dice.taken())
    ('{n} to {m}', ['range/{n} to {m}'])
    """

    def __init__(self, seed: int | str = 0) -> None:
        super().__init__(seed)
        self._rules: set[str] = set()

    def chance(self, probability: float, rule: str = "") -> bool:
        """True with a probability; the rule is then noted."""
        happens = self.random() < probability
        if happens and rule:
            self._rules.add(rule)
        return happens

    def rule(self, table: str, patterns: Sequence[str], skew: float = 0.0) -> str:
        """One of the patterns of a table, as `pick` chooses; it is noted."""
        pattern = pick(self, patterns, skew)
        self._rules.add(f"{table}/{pattern}")
        return pattern

    def note(self, rule: str) -> None:
        """Note a rule that was chosen otherwise."""
        self._rules.add(rule)

    def attempt(self, draw: Callable[[], T | None]) -> T | None:
        """What is drawn; if that is None, the rules that it noted are forgotten."""
        before = set(self._rules)
        drawn = draw()
        if drawn is None:
            self._rules = before
        return drawn

    def taken(self) -> frozenset[str]:
        """The rules noted since the last call."""
        rules = frozenset(self._rules)
        self._rules.clear()
        return rules
