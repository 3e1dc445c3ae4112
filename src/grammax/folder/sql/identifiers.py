"""Names of tables and columns that SQLite reads without quotes."""

from __future__ import annotations

from functools import cache
from typing import Final

_RESERVED: Final = """
add all alter and as autoincrement between by case check collate commit constraint create cross
current current_date current_time current_timestamp default deferrable delete distinct do drop else
end escape except exists fetch foreign from full glob group having in index inner insert intersect
into is isnull join left like limit match natural not notnull null offset on or order outer over
partition primary references regexp returning right row select set table then to transaction union
unique update using values when where window with without
"""


@cache
def is_plain(name: str) -> bool:
    """Whether a name of a table or a column needs no quotes.

    >>> is_plain("release_year"), is_plain("release year"), is_plain("order")
    (True, False, False)
    """
    return name.isascii() and name.isidentifier() and name.lower() not in _words()


@cache
def _words() -> frozenset[str]:
    return frozenset(_RESERVED.split())
