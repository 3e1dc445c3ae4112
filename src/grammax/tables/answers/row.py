"""One row of a table: its values, in groups, and its peers."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Final

from grammax.language.rows import Group, Known, RowPage
from grammax.tables.answers.peers import peers_of
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.source import TooSlow
from grammax.tables.query.store import Store

MOST_VALUES: Final = 80
_READ: Final = 120  # fields; some have no value
_FEW: Final = 12  # numbers that need no groups
_WORDS: Final = ("text", "date")  # types of columns that are no numbers
_TITLES: Final = {
    "YEAR": "Years",
    "MONEY": "Amounts",
    "PERCENT": "Percentages",
    "RATIO": "Ratios",
    "COUNT": "Counts",
}
"""The titles of groups by the class, or else the name, of their type."""


def row_page(store: Store, key: str, limit: int, seconds: float) -> RowPage | None:
    """The row with a key and at most `limit` peers; None if there is no such row."""
    end = monotonic() + seconds
    catalogue = store.catalogue
    found = store.row(key, plain_fields(catalogue), seconds)
    if not found.rows:
        return None
    [row], [tokens] = found.rows, found.token_rows
    own = len(catalogue.schema.entity.columns)
    known = [
        Known(column, value)
        for column, value in zip(found.columns[own:], row[own:], strict=True)
        if value is not None and value != ()
    ]
    peers = None
    if limit > 0:
        by_field = zip((str(c.field) for c in found.columns[own:]), tokens[own:], strict=True)
        left = end - monotonic()
        if left <= 0:
            raise TooSlow(seconds)
        peers = peers_of(store, key, dict(by_field), limit, left)
    name = row[own - 1] if row[own - 1] is not None else row[0]
    return RowPage(str(row[0]), str(name), tuple(_groups(known[:MOST_VALUES], catalogue)), peers)


def plain_fields(catalogue: Catalogue) -> list[str]:
    """Fields that are not computed from others, the most important first."""
    own = catalogue.schema.entity.fields
    plain = [token for token, field in catalogue.fields.items() if field.base is None]
    return [token for token in plain if token not in own][:_READ]


def _groups(values: Sequence[Known], catalogue: Catalogue) -> list[Group]:
    """Texts, categories and dates first, then numbers, by their types if there are many."""
    types = {value: catalogue.fields[str(value.column.field)].type for value in values}
    texts = [value for value in values if value.column.type in _WORDS]
    others = [value for value in values if value.column.type not in _WORDS]
    groups = [Group("Description", tuple(texts))] if texts else []
    if len(others) <= _FEW:
        return [*groups, Group("Numbers", tuple(others))] if others else groups
    by_title: dict[str, list[Known]] = {}
    for value in others:
        by_title.setdefault(_title(types[value], catalogue), []).append(value)
    return groups + [Group(title, tuple(found)) for title, found in by_title.items()]


def _title(type_: str, catalogue: Catalogue) -> str:
    number = catalogue.schema.number(type_)
    name = number.semantic or number.name
    return _TITLES.get(name) or name.replace("_", " ").capitalize()
