"""Columns of a table that a grammar uses alike, and the names of kinds and rules.

Goes in: a table, the values of its columns, and which of them are joined or summed. Comes out:
`Cell`s. A column that is joined, or that has texts of its own, is alone in its cell.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, final

from grammax.folder.sql.reading.scope import base_token
from grammax.folder.sql.schema import SECOND, Schema, Table
from grammax.folder.sql.values import Values

_SIGN: Final = re.compile(r"[^0-9A-Za-z]")


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """Columns of a table that are used alike."""

    kind: str
    columns: tuple[str, ...]  # as in the schema
    values: tuple[str, ...]  # symbols of what may stand beside them
    is_ordered: bool
    is_summed: bool


@final
@dataclass(frozen=True, slots=True)
class ColumnKinds:
    """The kinds of the texts that may stand beside each column."""

    listed: Mapping[str, str]  # in tables of tokens
    filled: Mapping[str, str]  # by the query


class _Use(NamedTuple):
    """What the columns of a cell have in common."""

    alone: str  # the column, if it is alone
    values: tuple[str, ...]
    is_ordered: bool
    is_summed: bool


class Names:
    """Gives names that differ; `name` keeps the first one that was given to a thing."""

    def __init__(self, *, upper: bool) -> None:
        self._upper = upper
        self._given: dict[str, str] = {}
        self._taken: set[str] = set()

    def name(self, thing: str, more: str = "") -> str:
        """The name of a thing, of letters, digits and `_`.

        >>> names = Names(upper=True)
        >>> names.name("film.a_b", "VALUE"), names.name("film_a.b", "VALUE")
        ('FILM_A_B_VALUE', 'FILM_A_B_VALUE_2')
        """
        key = f"{thing} {more}"
        if key not in self._given:
            plain = _SIGN.sub("_", thing.replace(SECOND, "_no")) + (f"_{more}" if more else "")
            plain = plain.upper() if self._upper else plain.lower()
            if not plain[0].isalpha():
                plain = f"{'T' if self._upper else 't'}{plain}"
            name, number = plain, 1
            while name in self._taken:
                number += 1
                name = f"{plain}_{number}"
            self._taken.add(name)
            self._given[key] = name
        return self._given[key]


def column_kinds(values: Mapping[str, Values], names: Names) -> ColumnKinds:
    """Names for the kinds of the texts of columns."""
    return ColumnKinds(
        {column: names.name(column, "VALUE") for column, each in values.items() if each.texts},
        {column: names.name(column, "TEXT") for column, each in values.items() if each.is_open},
    )


def cells_of(
    table: Table,
    values: Mapping[str, Values],
    kinds: ColumnKinds,
    joined: Collection[str],
    summed: Collection[str],
    names: Names,
) -> Iterator[Cell]:
    """The cells of a table."""
    groups: dict[_Use, list[str]] = {}
    for column in table.columns:
        token, each = column.token, values[column.token]
        symbols = ["number"] if each.is_number else []
        texts = [some[token] for some in (kinds.listed, kinds.filled) if token in some]
        alone = token if texts or token in joined else ""
        is_summed = each.is_number or token in summed
        use = _Use(alone, (*symbols, *texts), each.is_ordered, is_summed)
        groups.setdefault(use, []).append(token)
    for use, columns in groups.items():
        kind = names.name(columns[0], "COLUMN" if len(columns) == 1 else "COLUMNS")
        yield Cell(kind, tuple(columns), use.values, use.is_ordered, use.is_summed)


def of_instance(instance: str, column: str) -> str:
    """A column as one of an instance of its table."""
    return f"{instance}.{base_token(column).partition('.')[2]}"


def tokens_of(schema: Schema, instances: Iterable[str]) -> Sequence[str]:
    """The tokens of the columns of some instances of tables."""
    return [
        of_instance(instance, column.token)
        for instance in instances
        for column in schema.tables_by_token[instance.partition(SECOND)[0]].columns
    ]
