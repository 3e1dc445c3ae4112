"""What a market answers: columns, rows, and whether there were more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.english.phrases import time_phrase
from grammax.tables.form.tree import FieldRef
from grammax.tables.query.translate import AMOUNTS, MULTI_VALUED, Query

Cell: TypeAlias = str | float | tuple[str, ...] | None
"""Text or an enum token, a number, the tokens of a multi-valued field, or None: not known."""

_SIGNS: Final = {"percent": "%", "times": "x"}


@final
@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """A column: `field` is None for the ticker and the name.

    `synthetic` columns are generated, and whoever shows them says so.
    """

    label: str
    field: str | None
    unit: str
    synthetic: bool


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of an answer, in order: ticker, name, then what was displayed, ranked, compared.

    `rows` hold enum values as tokens, `named_rows` as names. `total` is the number of rows that
    there would be without a limit, where it is known.
    """

    columns: tuple[AnswerColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    named_rows: tuple[tuple[Cell, ...], ...]
    truncated: bool
    total: int | None
    seconds: float

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def synthetic(self) -> bool:
        """Whether any column is generated."""
        return any(column.synthetic for column in self.columns)


def answer_columns(
    query: Query, catalogue: Catalogue, real: Iterable[str] | None
) -> tuple[AnswerColumn, ...]:
    """The columns of a query; all fields but the `real` ones are generated, none if it is None."""
    known = None if real is None else frozenset(real)
    found = [
        AnswerColumn("Ticker", None, "", synthetic=False),
        AnswerColumn("Name", None, "", synthetic=False),
    ]
    for column in query.columns:
        token = column.field.token
        made_up = known is not None and token not in known
        found.append(
            AnswerColumn(_label(column.field, catalogue), token, _unit(token, catalogue), made_up)
        )
    return tuple(found)


def answer_rows(
    columns: Sequence[AnswerColumn], rows: Iterable[Sequence[object]], catalogue: Catalogue
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


def _unit(token: str, catalogue: Catalogue) -> str:
    field = catalogue.fields[token]
    if field.type in AMOUNTS:
        return "USD"
    return _SIGNS.get(field.unit, field.unit)


def _is_enum(column: AnswerColumn, catalogue: Catalogue) -> bool:
    return column.field is not None and (
        catalogue.fields[column.field].type in catalogue.value_types
    )
