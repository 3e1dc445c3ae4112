"""Tokens of fields and values: ASCII, upper case, each different from all others.

>>> distinct_tokens("FLD_", ["length", "Length", "unit-length", "价格", "Größe"])
('FLD_LENGTH', 'FLD_LENGTH_2', 'FLD_UNIT_LENGTH', 'FLD_4', 'FLD_GROSSE')
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count
from typing import Final

from grammax.tables.inspect.words import split
from grammax.text import fold_letters

_OTHER: Final = re.compile(r"[^a-z0-9]+")
_LONGEST: Final = 60
_PREFIX: Final = 3


def distinct_tokens(
    prefix: str, names: Sequence[str], taken: Collection[str] = ()
) -> tuple[str, ...]:
    """One token per name; a name without Latin letters or digits is numbered by its position."""
    used, found = set(taken), []
    for position, name in enumerate(names, 1):
        body = spelt(name) or str(position)
        token, number = f"{prefix}{body}", 1
        while token in used:
            number += 1
            token = f"{prefix}{body}_{number}"
        used.add(token)
        found.append(token)
    return tuple(found)


def spelt(name: str) -> str:
    """A name as the body of a token; empty if it has no Latin letter or digit."""
    return _OTHER.sub("_", fold_letters(name)).strip("_").upper()[:_LONGEST].rstrip("_")


def distinct_names(names: Iterable[str], missing: str = "column") -> tuple[str, ...]:
    """Column names without doubles, ignoring case; an empty one is numbered by its position.

    >>> distinct_names(["a", "A", "", " b ", "a_2"])
    ('a', 'A_2', 'column_3', 'b', 'a_2_2')
    """
    used: set[str] = set()
    found: list[str] = []
    for position, given in enumerate(names, 1):
        base = " ".join(given.split()) or f"{missing}_{position}"
        name, number = base, 1
        while name.casefold() in used:
            number += 1
            name = f"{base}_{number}"
        used.add(name.casefold())
        found.append(name)
    return tuple(found)


def distinct_prefixes(types: Sequence[str], taken: Collection[str] = ()) -> tuple[str, ...]:
    """One prefix per type of values: three letters of its name if they are free, else more.

    No prefix begins with another, so a token tells its type.

    >>> distinct_prefixes(["CITY", "CITIZENSHIP", "GENRE", "地区"])
    ('CIT_', 'CITIZENSHIP_', 'GEN_', 'T4_')
    """
    used, found = set(taken), []
    for position, type_ in enumerate(types, 1):
        body = "".join(word for word in split(spelt(type_))).upper() or f"T{position}"
        more = (f"{body}{number}_" for number in count(2))
        choices = chain((f"{body[:_PREFIX]}_", f"{body}_"), more)
        prefix = next(choice for choice in choices if choice not in used)
        used.add(prefix)
        found.append(prefix)
    return tuple(found)
