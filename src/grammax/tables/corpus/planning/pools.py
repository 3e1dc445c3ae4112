"""`Pools`: the fields, values and units that can be drawn, the most common first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final, final

from grammax.tables.catalogue.entries import Field, Value
from grammax.tables.corpus.draw import OFFSET, Zipf
from grammax.tables.corpus.style import Voice

_FIELD_EXPONENT: Final = 1.5
_IDIOM_EXPONENT: Final = 0.7  # for fields that people speak of in words of their own
_VALUE_EXPONENT: Final = 1.75
_FEW_VALUES_EXPONENT: Final = 1.4  # for types of which people know most values
_MANY: Final = 1_000
_OTHER_WORDS: Final = frozenset(("all", "try", "cop", "pen", "rub", "won", "mad", "top", "cup"))
"""Codes of units that are words of English, too."""
_UNIT_EXPONENT: Final = 2.0  # no offset: two thirds of the draws are the most common unit


@final
class Pools:
    """The fields by type, values by type and units that can be drawn; each has a usable wording.

    For some types, values with and without parts are drawn separately, because the ranking may list
    every region before the first country.
    """

    def __init__(self, voice: Voice) -> None:
        catalogue, words = voice.catalogue, voice.words
        self._catalogue = catalogue
        self._leaves_share = voice.style.drawing.leaves
        numbers = voice.style.numbers
        named = {t: field for t, field in catalogue.fields.items() if words.field(t)}
        numeric = {t: field for t, field in named.items() if field.type in numbers}
        self.fields = _over(numeric)
        self.by_type = {
            type_: _over(t for t, field in numeric.items() if field.type == type_)
            for type_ in dict.fromkeys(field.type for field in numeric.values())
        }
        self.columns = _over(named)
        self.additive = _where(numeric, lambda f: numbers[f.type].is_additive and f.base is None)
        self.additive_by_type = {
            type_: _over(t for t in self.additive.tokens if numeric[t].type == type_)
            for type_ in self.by_type
        }
        self.with_history = _where(numeric, voice.style.drawing.has_history)
        self.signed = _where(numeric, lambda f: bool(voice.signs(f.token)))
        even = _IDIOM_EXPONENT
        self.own_signs = _where(numeric, lambda f: voice.has_own_signs(f.token), even)
        self.comparable = _where(numeric, lambda f: voice.has_comparatives(f.token), even)
        self.idiomatic = _where(numeric, lambda f: voice.has_superlatives(f.token), even)
        units = [t for t, unit in catalogue.units.items() if _is_common(unit)]
        units = units or list(catalogue.units)
        self.units = Zipf.over(units, _UNIT_EXPONENT, 0) if units else None
        self._values: dict[str, Zipf] = {}
        self._leaves: dict[str, Zipf] = {}
        self._members: set[str] = set()
        self._add_values(voice)

    def value(self, type_: str, random: Random) -> str | None:
        """A value of a type, or None if no value of it may be drawn."""
        pool = self._values.get(type_)
        if type_ in self._leaves and random.random() < self._leaves_share[type_]:
            pool = self._leaves[type_]
        return pool.draw(random) if pool else None

    def below(self, token: str, random: Random) -> str | None:
        """A part of a value, such as a country of a region, if one may be drawn."""
        inside = self._catalogue.descendants(token)[1:]
        parts = [each for each in inside if each in self._members]
        return Zipf.over(parts, _VALUE_EXPONENT).draw(random) if parts else None

    def _add_values(self, voice: Voice) -> None:
        catalogue = self._catalogue
        for type_, realiser in voice.style.realisers.items():
            tokens = [t for t in catalogue.values_of(type_) if realiser.is_nameable(t, voice.words)]
            if type_ in self._leaves_share:
                self._add(self._leaves, type_, [t for t in tokens if not catalogue.children(t)])
                tokens = [t for t in tokens if catalogue.children(t)]
            self._add(self._values, type_, tokens)

    def _add(self, pools: dict[str, Zipf], type_: str, tokens: Sequence[str]) -> None:
        if tokens:
            exponent = _VALUE_EXPONENT if len(tokens) > _MANY else _FEW_VALUES_EXPONENT
            pools[type_] = Zipf.over(tokens, exponent, OFFSET)
            self._members.update(tokens)


def _is_common(unit: Value) -> bool:
    """Whether people write a unit beside a number: it has more names than its code."""
    return len(unit.aliases) > 1 and unit.aliases[0].lower() not in _OTHER_WORDS


def _over(tokens: Iterable[str], exponent: float = _FIELD_EXPONENT) -> Zipf:
    return Zipf.over(tokens, exponent)


def _where(
    fields: dict[str, Field], wanted: Callable[[Field], bool], exponent: float = _FIELD_EXPONENT
) -> Zipf:
    return _over((token for token, field in fields.items() if wanted(field)), exponent)
