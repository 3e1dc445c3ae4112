"""Names of tables and columns in SQL that is written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from grammax.folder.sql.reading.scope import table_of
from grammax.folder.sql.schema import SECOND, Schema

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


def instance_names(instances: Sequence[str], schema: Schema) -> dict[str, str]:
    """A name for each instance of a FROM; that of a single table is not needed, and empty."""
    if len(instances) == 1:
        return {instances[0]: ""}
    taken = {table.name.casefold() for table in schema.tables}
    names: dict[str, str] = {}
    for each in instances:
        name = schema.tables_by_token[table_of(each)].name
        if SECOND in each:
            name = f"{name}_{each.partition(SECOND)[2]}"
            while name.casefold() in taken:
                name += "_"
            taken.add(name.casefold())
        names[each] = name
    return names


@cache
def _words() -> frozenset[str]:
    return frozenset(_RESERVED.split())
