"""Which fields and values a query speaks of: drawn by a Zipf law over the catalogue's ranking.

The k-th most common token of a pool is drawn with a probability proportional to 1 / (k + 2) ** s
(Zipf, 1949, with Mandelbrot's offset), so a few are in most queries and many in hardly any.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Final, TypeVar, final

from grammax.tables.corpus.names import Names

T = TypeVar("T")
_OFFSET: Final = 2
_FIELD_EXPONENT: Final = 1.5
_VALUE_EXPONENT: Final = 1.75
_PLAIN_COUNTRIES: Final = 0.7


@final
@dataclass(frozen=True, slots=True)
class Zipf:
    """Tokens, the most common first, to be drawn from."""

    tokens: tuple[str, ...]
    cumulative: tuple[float, ...]

    @classmethod
    def of(cls, tokens: Iterable[str], exponent: float, offset: float = _OFFSET) -> Zipf:
        """The law over these tokens."""
        kept = tuple(tokens)
        weights = ((rank + offset) ** -exponent for rank in range(1, len(kept) + 1))
        return cls(kept, tuple(accumulate(weights)))

    def draw(self, random: Random) -> str:
        """One token."""
        return self.tokens[bisect_right(self.cumulative, random.random() * self.cumulative[-1])]


@final
class Pools:
    """What can be drawn: fields by type, values by type, currencies; all of them can be named.

    Among countries, plain ones and regions are drawn apart, for the ranking lists every region
    before the first country.
    """

    def __init__(self, names: Names) -> None:
        catalogue = names.catalogue
        self.names = names
        fields: dict[str, list[str]] = {type_: [] for type_ in catalogue.schema.number_types}
        for token, field in catalogue.fields.items():
            if field.type in fields and names.field(token):
                fields[field.type].append(token)
        numeric = (t for t, field in catalogue.fields.items() if field.type in fields)
        self.fields = Zipf.of((t for t in numeric if names.field(t)), _FIELD_EXPONENT)
        self.by_type = {t: Zipf.of(some, _FIELD_EXPONENT) for t, some in fields.items() if some}
        self.columns = Zipf.of((t for t in catalogue.fields if names.field(t)), _FIELD_EXPONENT)
        self._values: dict[str, Zipf] = {}
        self._members: set[str] = set()
        for type_ in catalogue.value_types:
            if type_ == "CURRENCY":
                kept = [*catalogue.units]
            else:
                kept = [t for t in catalogue.values_of(type_) if _nameable(t, names)]
            if type_ == "COUNTRY":
                plain = [t for t in kept if not catalogue.children(t)]
                self._add("PLAIN", plain)
                kept = [t for t in kept if catalogue.children(t)]
            self._add(type_, kept)

    def _add(self, type_: str, tokens: Sequence[str]) -> None:
        if tokens:
            money = type_ == "CURRENCY"  # two thirds are dollars
            law = (2.0, 0) if money else (_VALUE_EXPONENT, _OFFSET)
            self._values[type_] = Zipf.of(tokens, *law)
            self._members.update(tokens)

    def value(self, type_: str, random: Random) -> str | None:
        """A value of a type, or None if no value of it may be drawn."""
        if type_ == "COUNTRY" and "PLAIN" in self._values and random.random() < _PLAIN_COUNTRIES:
            type_ = "PLAIN"
        pool = self._values.get(type_)
        return pool.draw(random) if pool else None

    def below(self, token: str, random: Random) -> str | None:
        """A part of a value, such as a country of a region, if one may be drawn."""
        inside = self.names.catalogue.descendants(token)[1:]
        kept = [each for each in inside if each in self._members]
        return Zipf.of(kept, _VALUE_EXPONENT).draw(random) if kept else None


def pick(random: Random, choices: Sequence[T], skew: float = 0.0) -> T:
    """One of the choices; with a `skew` the first ones are likelier (1 is about Zipf's law)."""
    if not skew:
        return choices[int(random.random() * len(choices))]
    return choices[int(len(choices) * random.random() ** (1 + skew))]


def _nameable(token: str, names: Names) -> bool:
    """Ratings are always said with their agency; others must also be understood bare."""
    if token.startswith(("COU_", "SEC_")):
        return bool(names.value(token, bare=True)) and (
            token.startswith("SEC_") or bool(names.places(token))
        )
    return bool(names.value(token))
