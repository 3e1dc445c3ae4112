"""The rows of a store → the columns and cells of an `Answer`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from grammax.language.answer import Cell, Column
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.english.phrases import time_phrase
from grammax.tables.form.tree import FieldRef
from grammax.tables.query.translate import AMOUNTS, MULTI_VALUED, Query

_SIGNS: Final = {"percent": "%", "times": "x"}


def answer_columns(
    query: Query, catalogue: Catalogue, real: Iterable[str] | None
) -> tuple[Column, ...]:
    """The columns of a query; all fields but the `real` ones are generated, none if it is None."""
    known = None if real is None else frozenset(real)
    found = [
        Column("Ticker"),
        Column("Name"),
    ]
    for column in query.columns:
        token = column.field.token
        made_up = known is not None and token not in known
        found.append(
            Column(
                _label(column.field, catalogue),
                token,
                _type(token, catalogue),
                _unit(token, catalogue) or None,
                made_up,
            )
        )
    return tuple(found)


def answer_rows(
    columns: Sequence[Column], rows: Iterable[Sequence[object]], catalogue: Catalogue
) -> tuple[tuple[tuple[Cell, ...], ...], tuple[tuple[Cell, ...], ...]]:
    """Rows as a store gives them → rows of tokens, and rows of names."""
    enums = [_is_enum(column, catalogue) for column in columns]
    several = [column.field in MULTI_VALUED for column in columns]
    names: dict[str, str] = {}

    def name(token: str) -> str:
        if token not in names:
            names[token] = catalogue.name_of(token) if token in catalogue else token
        return names[token]

    def shown(cell: Cell, enum: bool) -> Cell:
        if not enum or cell is None:
            return cell
        return tuple(map(name, cell)) if isinstance(cell, tuple) else name(str(cell))

    given = tuple(tuple(map(_cell, row, several)) for row in rows)
    return given, tuple(tuple(map(shown, row, enums)) for row in given)


def _cell(value: object, several: bool) -> Cell:
    if value is None or value != value:  # NaN differs from itself
        return None
    if several:
        return tuple(str(value).split(", "))
    return value if isinstance(value, str) else float(value)  # type: ignore[arg-type]


def _label(ref: FieldRef, catalogue: Catalogue) -> str:
    name = catalogue.fields[ref.token].name
    return name if ref.time is None else f"{name} {time_phrase(ref.time)}"


def _type(token: str, catalogue: Catalogue) -> str:
    type_ = catalogue.fields[token].type
    return type_.lower() if type_ in catalogue.schema.number_types else "text"


def _unit(token: str, catalogue: Catalogue) -> str:
    field = catalogue.fields[token]
    if field.type in AMOUNTS:
        return "USD"
    return _SIGNS.get(field.unit, field.unit)


def _is_enum(column: Column, catalogue: Catalogue) -> bool:
    return column.field is not None and (
        catalogue.fields[column.field].type in catalogue.value_types
    )
