"""What the values of a column are: countries, states, months, genders; and their other names.

>>> other_names("Germany")
('german', 'federal republic of germany')
>>> other_names("DE")[:2], other_names("Atlantis")
(('Germany', 'german'), ())
>>> kind_of(["Germany", "France", "Peru"]), kind_of(["CA", "NY", "TX"]), kind_of(["a", "b"])
('country', 'state', '')
>>> kind_of(["USA", "Japan", "Europe"])
'country'
>>> other_names("F", "gender")[:3], other_names("CA", "state")
(('Female', 'woman', 'women'), ('California', 'californian'))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

CALLED: Final[Mapping[str, tuple[str, ...]]] = {
    "country": ("country", "countries", "nation", "nations"),
    "continent": ("continent", "continents"),
    "state": ("state", "states"),
    "city": ("city", "cities", "town"),
    "month": ("month", "months"),
    "weekday": ("weekday", "day of the week", "day of week"),
    "gender": ("gender", "sex"),
    "color": ("color", "colour", "colors", "colours"),
    "language": ("language", "languages"),
    "currency": ("currency", "currencies"),
}
"""What a column is called by what its values are."""

_MOST: Final = 0.75  # of the values
_READ: Final = 200  # values, the most common ones


def kind_of(values: Sequence[str]) -> str:
    """The kind that most values are of, a key of `CALLED`; empty if there is none."""
    given = [value.strip().casefold() for value in values[:_READ] if value.strip()]
    if not given:
        return ""
    names = {"country": _countries(), **_kinds(), "city": places("city")}
    shares = {kind: sum(value in known for value in given) for kind, known in names.items()}
    if 2 * shares["country"] >= len(given):
        shares["country"] += shares["continent"]  # "USA", "Japan", "Europe"
    best = max(shares, key=lambda kind: shares[kind])
    # One value alone tells little, and single letters tell it of genders only.
    enough = len(given) > 1 and (best == "gender" or any(len(value) > 1 for value in given))
    return best if enough and shares[best] >= _MOST * len(given) else ""


def other_names(stored: str, kind: str = "country") -> tuple[str, ...]:
    """The other names of a value of a kind, given by any of its names or codes."""
    given = stored.strip().casefold()
    known = _countries() if kind in ("", "country", "city") else _kinds().get(kind, {})
    return tuple(name for name in known.get(given, ()) if name.casefold() != given)


@cache
def places(kind: str = "") -> frozenset[str]:
    """Names of places in lower case, of all kinds or of one: "city"."""
    lines = (line.split("\t") for line in _lines("places.tsv"))
    return frozenset(
        name.strip() for of, names in lines if not kind or of == kind for name in names.split(";")
    )


@cache
def _countries() -> Mapping[str, tuple[str, ...]]:
    """The names of each country, by each name and code in lower case."""
    return _by_name([line.split("\t") for line in _lines("countries.tsv")])


@cache
def _kinds() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """The same for the values of other kinds."""
    found: dict[str, list[list[str]]] = {}
    for line in _lines("kinds.tsv"):
        kind, *rest = line.split("\t")
        found.setdefault(kind, []).append(rest)
    return {kind: _by_name(lines) for kind, lines in found.items()}


def _lines(file: str) -> list[str]:
    text = files("grammax.tables.known_values").joinpath(file).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _by_name(lines: Sequence[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, others, codes in lines:
        names = (name, *filter(None, others.split("; ")))
        for key in (*names, *filter(None, codes.split("; "))):
            found.setdefault(key.casefold(), names)
    return found
