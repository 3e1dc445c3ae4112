"""Convert the rows of a store to the columns and cells of an `Answer`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from grammax.language.answer import Cell, Column
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.english.dictionary import type_of_field
from grammax.tables.english.phrases import (
    aggregate_name,
    field_name,
    is_date,
    over_phrase,
    time_phrase,
)
from grammax.tables.english.wordings import UNIT_SIGNS
from grammax.tables.form.tree import Aggregate, Change, FieldRef, Group, Ratio
from grammax.tables.query.columns import Shown, fields_of
from grammax.tables.query.periods import iso_date, period_name
from grammax.tables.query.spellings import TOKENS, Spellings
from grammax.tables.query.translate import ColumnRef, Query

_NUMBER: Final = "number"  # the type of a column whose numbers have no type of the schema
_DATE: Final = "date"  # the type of a column of dates, whose cells are ISO texts
_FUNCTIONS: Final = {
    "sum": "Total {}",
    "average": "Average {}",
    "median": "Median {}",
    "min": "Lowest {}",
    "max": "Highest {}",
}
_OF_DATES: Final = {"min": "Earliest {}", "max": "Latest {}"}


def answer_columns(
    query: Query, catalogue: Catalogue, synthetic: Callable[[str], bool]
) -> tuple[Column, ...]:
    """The columns of a query: the entity's own, unless it is a summary, then those it shows.

    `synthetic` tests whether a field, by token, holds generated data.
    """
    entity = () if query.summary else catalogue.schema.entity.columns
    found = [Column(_heading(name)) for name in entity]
    for column in query.columns:
        refs = list(fields_of(column.shows))
        one = isinstance(column.shows, FieldRef | Aggregate | Group) and refs
        found.append(
            Column(
                label(column.shows, catalogue),
                refs[0].token if one else None,
                _type(column.shows, catalogue),
                _unit(column, catalogue) or None,
                any(synthetic(ref.token) for ref in refs),
                column.name in query.defaults,
            )
        )
    return tuple(found)


def label(shown: Shown, catalogue: Catalogue) -> str:
    """The heading of a column: "Length", "Average length", "Number of films"."""
    match shown:
        case FieldRef(token, time):
            name = catalogue.fields[token].name
            return name if time is None else f"{name} {time_phrase(time)}"
        case Ratio(above, below):
            return f"{label(above, catalogue)} divided by {field_name(below, catalogue)}"
        case Change(ref):
            name = field_name(FieldRef(ref.token), catalogue)
            return f"Change of {name} {over_phrase(ref)}"
        case Aggregate(_, None):
            return f"Number of {catalogue.schema.entity.plural}"
        case Aggregate("count"):
            name = aggregate_name(shown, catalogue)
            return name[:1].upper() + name[1:]
        case Aggregate(function, FieldRef() as ref):
            if is_date(ref, catalogue):
                return _OF_DATES[function].format(field_name(ref, catalogue))
            return _FUNCTIONS[function].format(field_name(ref, catalogue))
        case Group(FieldRef() as ref):
            return label(ref, catalogue)
        case Group(period):
            return str(period).capitalize()
    raise AssertionError(shown)


def answer_rows(
    query: Query,
    columns: Sequence[Column],
    rows: Iterable[Sequence[object]],
    catalogue: Catalogue,
    spellings: Spellings = TOKENS,
) -> tuple[tuple[tuple[Cell, ...], ...], tuple[tuple[Cell, ...], ...]]:
    """The rows of a store, with enum values as tokens and with enum values as names."""
    own: list[Shown | None] = [None] * (len(columns) - len(query.columns))
    shown = [*own, *(column.shows for column in query.columns)]
    given: list[Sequence[Cell]] = []
    named: list[Sequence[Cell]] = []
    for column, shows, values in zip(columns, shown, zip(*rows, strict=True), strict=False):
        cell = _cell_of(column, shows, catalogue, spellings)
        cells = [None if v is None or v != v else cell(v) for v in values]  # NaN differs from NaN
        given.append(cells)
        named.append(_named(cells, catalogue) if _is_enum(column, shows, catalogue) else cells)
    # Generators, as no other thread would run before the last of 100,000 rows of `tuple(zip(...))`.
    return (
        tuple(row for row in zip(*given, strict=True)),
        tuple(row for row in zip(*named, strict=True)),
    )


def _cell_of(
    column: Column, shows: Shown | None, catalogue: Catalogue, spellings: Spellings
) -> Callable[[Any], Cell]:
    """The function that converts the known values of a column to cells."""
    field = column.field
    if isinstance(shows, Group) and isinstance(shows.field, str) and not catalogue.schema.history:
        unit = shows.field
        return lambda value: period_name(unit, int(value))
    if column.type == _DATE:
        return iso_date
    if column.type != "text":
        return float
    if field is None:
        return str
    if field in catalogue.schema.many and not isinstance(shows, Group):
        return lambda value: tuple(spellings.token(field, one) for one in str(value).split(", "))
    return lambda value: spellings.token(field, value)


def _named(cells: Sequence[Cell], catalogue: Catalogue) -> list[Cell]:
    """The names of enum values, without the levels of a hierarchy if they differ without them."""
    tokens = {str(one) for c in cells if c for one in (c if isinstance(c, tuple) else (c,))}
    names = {token: catalogue.name_of(token) if token in catalogue else token for token in tokens}
    short = {token: _without_level(token, name, catalogue) for token, name in names.items()}
    if len(set(short.values())) == len(set(names.values())):
        names = short
    return [
        tuple(names[one] for one in cell) if isinstance(cell, tuple) else cell and names[str(cell)]
        for cell in cells
    ]


def _without_level(token: str, name: str, catalogue: Catalogue) -> str:
    """ "Horror (subgenre)" as "Horror", if a value above or below it is called so, too."""
    if not name.endswith(")") or token not in catalogue.values:
        return name
    base = _base(name)
    parent = catalogue.values[token].parent
    near = [*catalogue.children(token), *([] if parent is None else [parent])]
    return base if any(_base(catalogue.name_of(one)) == base for one in near) else name


def _base(name: str) -> str:
    return name.rpartition(" (")[0] if name.endswith(")") else name


def _heading(name: str) -> str:
    """A heading for a column of the entity: "running_time" → "Running time"."""
    return name.replace("_", " ").capitalize()


def _type(shown: Shown, catalogue: Catalogue) -> str:
    """ "text", "date", the class or the type of the field, or "number"."""
    match shown:
        case FieldRef(token):
            type_ = type_of_field(catalogue.fields[token], catalogue)
            return "text" if type_ == "enum" else type_
        case Aggregate("count"):
            return _NUMBER
        case Aggregate(_, FieldRef() as ref) | Group(FieldRef() as ref):
            return _type(ref, catalogue)
        case Group():
            return "text"
    return _NUMBER


def _unit(column: ColumnRef, catalogue: Catalogue) -> str:
    schema = catalogue.schema
    if column.unit is not None and schema.unit is not None:
        return column.unit.removeprefix(schema.enum(schema.unit.type).prefix)
    if isinstance(column.shows, Change):
        return UNIT_SIGNS["percent"]
    if not isinstance(column.shows, FieldRef | Aggregate | Group):
        return ""
    if isinstance(column.shows, Aggregate) and column.shows.function == "count":
        return ""
    for ref in fields_of(column.shows):
        field = catalogue.fields[ref.token]
        if field.type in schema.number_types:
            unit = field.unit or schema.number(field.type).unit
            return UNIT_SIGNS.get(unit, unit)
    return ""


def _is_enum(column: Column, shows: Shown | None, catalogue: Catalogue) -> bool:
    if column.field is None or isinstance(shows, Aggregate):
        return False
    return catalogue.fields[column.field].type in catalogue.value_types
