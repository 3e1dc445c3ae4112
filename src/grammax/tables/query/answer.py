"""Convert the rows of a store to the columns and cells of an `Answer`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from grammax.language.answer import Cell, Column
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.english.phrases import time_phrase
from grammax.tables.form.tree import FieldRef
from grammax.tables.query.translate import Query

_SIGNS: Final = {"percent": "%", "times": "x"}


def answer_columns(
    query: Query, catalogue: Catalogue, synthetic: Callable[[str], bool]
) -> tuple[Column, ...]:
    """The columns of a query: the entity's own, then its fields; `synthetic` by token."""
    found = [Column(_heading(name)) for name in catalogue.schema.entity.columns]
    for column in query.columns:
        token = column.field.token
        found.append(
            Column(
                _label(column.field, catalogue),
                token,
                _type(token, catalogue),
                _unit(token, catalogue) or None,
                synthetic(token),
            )
        )
    return tuple(found)


def answer_rows(
    columns: Sequence[Column], rows: Iterable[Sequence[object]], catalogue: Catalogue
) -> tuple[tuple[tuple[Cell, ...], ...], tuple[tuple[Cell, ...], ...]]:
    """The rows of a store, with enum values as tokens and with enum values as names."""
    cells = [_cell_of(column, catalogue) for column in columns]
    enums = [_is_enum(column, catalogue) for column in columns]
    names: dict[str, str] = {}

    def name(token: str) -> str:
        if token not in names:
            names[token] = catalogue.name_of(token) if token in catalogue else token
        return names[token]

    def named(cell: Cell, enum: bool) -> Cell:
        if not enum or cell is None:
            return cell
        return tuple(map(name, cell)) if isinstance(cell, tuple) else name(str(cell))

    given = tuple(
        tuple(None if _is_missing(v) else cell(v) for cell, v in zip(cells, row, strict=True))
        for row in rows
    )
    return given, tuple(tuple(map(named, row, enums)) for row in given)


def _cell_of(column: Column, catalogue: Catalogue) -> Callable[[object], Cell]:
    """The function that converts the known values of a column to cells."""
    if column.field in catalogue.schema.many:
        return lambda value: tuple(str(value).split(", "))
    return str if column.type == "text" else lambda value: float(value)  # type: ignore[arg-type]


def _is_missing(value: object) -> bool:
    return value is None or value != value  # NaN differs from itself


def _heading(name: str) -> str:
    """A heading for a column of the entity: "running_time" → "Running time"."""
    return name.replace("_", " ").capitalize()


def _label(ref: FieldRef, catalogue: Catalogue) -> str:
    name = catalogue.fields[ref.token].name
    return name if ref.time is None else f"{name} {time_phrase(ref.time)}"


def _type(token: str, catalogue: Catalogue) -> str:
    type_ = catalogue.fields[token].type
    return type_.lower() if type_ in catalogue.schema.number_types else "text"


def _unit(token: str, catalogue: Catalogue) -> str:
    field, schema = catalogue.fields[token], catalogue.schema
    if field.type not in schema.number_types:
        return ""
    number = schema.number(field.type)
    if number.units and schema.unit is not None:
        return schema.unit.default.removeprefix(schema.enum(schema.unit.type).prefix)
    unit = field.unit or number.unit
    return _SIGNS.get(unit, unit)


def _is_enum(column: Column, catalogue: Catalogue) -> bool:
    return column.field is not None and (
        catalogue.fields[column.field].type in catalogue.value_types
    )
