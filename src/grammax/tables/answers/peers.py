"""The peers of a row: rows of the same categories, those of the nearest size first.

Categories are added one by one while enough rows remain; of a value that is too rare, the one that
contains it is tried. Among the rows that remain, the nearest are those just above and just below
the row in the order of the schema's default measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest
from time import monotonic
from typing import Final

from grammax.language.answer import Cell, View
from grammax.language.rows import Peers
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.text import to_tokens
from grammax.tables.form.tree import (
    And,
    Display,
    EnumValue,
    FieldRef,
    LogicalForm,
    Number,
    Op,
    Order,
    Relational,
)
from grammax.tables.query.source import Row, TooSlow
from grammax.tables.query.store import Prepared, Store
from grammax.tables.query.translate import default_measures

_MOST_CATEGORIES: Final = 2
_ENOUGH: Final = 4  # rows with the same values, the row itself among them
_TRIED: Final = 6  # values of categories: each is a query
_CATEGORIES: Final = frozenset(("", "CATEGORY", "PLACE", "BOOLEAN"))  # classes of types
_SIZES: Final = range(-20, 25)  # powers of ten of numbers that a form may have


def peers_of(
    store: Store, key: str, row: Mapping[str, Cell], limit: int, seconds: float
) -> Peers | None:
    """The peers of a row, of which the values are given by field, as tokens."""
    end = monotonic() + seconds
    catalogue = store.catalogue
    categories, total = _categories(store, row, min(_ENOUGH, limit + 1), end)
    measures = [FieldRef(token) for token in default_measures(catalogue) if token in row]
    if not categories and not measures:
        return None
    conditions = list(categories)
    size = row[measures[0].token] if measures else None
    found: list[tuple[Prepared, list[Row]]] = []
    for bound, order in _around(measures, size):
        displays = [Display(ref, order if i == 0 else None) for i, ref in enumerate(measures)]
        form = _together([*conditions, *bound, *displays])
        prepared = store.prepare(form, limit + 1, View())
        left = end - monotonic()
        if left <= 0:
            raise TooSlow(seconds)
        found.append((prepared, store.run(prepared, left)))
    prepared = found[0][0]
    rows = _alternating([rows for _, rows in found], key, limit)
    shown = len(catalogue.schema.entity.columns) + len(measures)
    if len(found) > 1:  # the order of sizes, which the order of the two queries hides
        at = len(catalogue.schema.entity.columns)
        rows.sort(key=lambda each: -float(str(each[at])))
    _, named = store.cells(prepared.query, prepared.columns, rows)
    listing = _together(conditions or [Display(measures[0], "DESC")])
    return Peers(
        prepared.columns[:shown],
        tuple(cells[:shown] for cells in named),
        to_tokens(listing),
        total,
    )


def _categories(
    store: Store, row: Mapping[str, Cell], enough: int, end: float
) -> tuple[list[LogicalForm], int | None]:
    """Conditions that the row shares with enough others, and how many rows satisfy them."""
    found: list[LogicalForm] = []
    total: int | None = None
    tried = 0
    for token in _category_fields(store.catalogue):
        for value in _containing(row.get(token), store.catalogue):
            if tried == _TRIED or len(found) == _MOST_CATEGORIES:
                return found, total
            tried += 1
            condition = Relational(FieldRef(token), "EQ", EnumValue(value))
            count = store.count(_together([*found, condition]), end - monotonic())
            if count is None:
                return found, total
            if count < enough:
                continue
            if total is None or count < total:
                found, total = [*found, condition], count
            break
    return found, total


def _category_fields(catalogue: Catalogue) -> list[str]:
    """Fields whose values classify rows, the best first: hierarchies, categories, places."""
    schema = catalogue.schema
    types = {
        enum.name: enum
        for enum in schema.enums
        if not (enum.open or enum.ordered or enum.many) and enum.semantic in _CATEGORIES
    }
    fields = [
        token
        for token, field in catalogue.fields.items()
        if field.type in types and token not in schema.entity.fields and token not in schema.many
    ]
    classes = {token: types[catalogue.fields[token].type].semantic for token in fields}
    return sorted(fields, key=lambda f: (f not in schema.top_groups, classes[f] == "BOOLEAN"))


def _containing(value: Cell, catalogue: Catalogue) -> Iterator[str]:
    """A value and those that contain it, the narrowest first."""
    known: str | None = value if isinstance(value, str) else None
    while known is not None and known in catalogue.values:
        yield known
        known = catalogue.values[known].parent


def _around(
    measures: Sequence[FieldRef], size: Cell
) -> list[tuple[list[LogicalForm], Order | None]]:
    """Conditions and orders: rows from a size upwards, and from it downwards."""
    digits = _digits(size)
    if digits is None:
        return [([], "DESC" if measures else None)]
    sides: tuple[tuple[Op, Order], ...] = (("GE", "ASC"), ("LS", "DESC"))
    return [([Relational(measures[0], op, Number(digits))], order) for op, order in sides]


def _digits(size: Cell) -> str | None:
    """A number as it is written in a form; None for those of absurd size."""
    if isinstance(size, str | tuple) or size is None:
        return None
    exact = Decimal(str(size))
    return f"{exact:f}" if not exact or exact.adjusted() in _SIZES else None


def _alternating(found: Sequence[Sequence[Row]], key: str, limit: int) -> list[Row]:
    """Rows from above and from below in turn, without the row itself."""
    others = [[row for row in rows if str(row[0]) != key] for rows in found]
    pairs = zip_longest(*others)
    return [row for pair in pairs for row in pair if row is not None][:limit]


def _together(parts: Sequence[LogicalForm]) -> LogicalForm:
    return parts[0] if len(parts) == 1 else And(tuple(parts))
