"""Other names of countries: "german" and "federal republic of germany" for a stored "Germany".

>>> other_names("Germany")
('german', 'federal republic of germany')
>>> other_names("DE")[:2], other_names("Atlantis")
(('Germany', 'german'), ())
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def other_names(stored: str) -> tuple[str, ...]:
    """The other names of a country, given by any of its names or codes; none of other places."""
    given = stored.strip().casefold()
    names = _countries().get(given, ())
    return tuple(name for name in names if name.casefold() != given)


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    """The names of each country, by each name and code in lower case."""
    text = files("grammax.tables.own").joinpath("countries.tsv").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, others, codes = line.split("\t")
            names = (name, *filter(None, others.split("; ")))
            for key in (*names, *filter(None, codes.split("; "))):
                found.setdefault(key.casefold(), names)
    return found
