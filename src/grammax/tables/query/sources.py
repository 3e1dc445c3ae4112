"""The tables that a logical form needs, no wider than it needs them.

They are known by name and type alone, so SQL can be made for any store without a connection, and
a mapping of the user's own tables has to hold only what is asked for.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, final

import ibis

from grammax.domains.eqs.market.file import MarketError
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.tree import (
    Display,
    FieldRef,
    LogicalForm,
    Number,
    Rank,
    Relational,
)
from grammax.tables.form.walk import walk
from grammax.tables.query.columns import DOLLARS
from grammax.tables.query.field_formulas import Formulas, column_of
from grammax.tables.query.formulas import Stored
from grammax.tables.query.moments import Moment
from grammax.tables.query.translate import DOLLAR, MULTI_VALUED, Tables

Names: TypeAlias = tuple[str, ...]
KEYS: Final[Mapping[str, str]] = {
    "equity_id": "int32",
    "calendar_quarter": "int32",
    "fiscal_quarter": "int32",
}


@final
@dataclass(frozen=True, slots=True)
class Needs:
    """What a logical form reads: fields by token, each with its stored columns; memberships."""

    enums: tuple[str, ...]
    numbers: Mapping[str, tuple[str, ...]]
    """The columns that the formula of each numeric field reads."""
    several: tuple[str, ...]
    currencies: tuple[str, ...]
    """Those of its amounts, beside the dollar."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The stored columns of all numeric fields, each once."""
        return tuple(dict.fromkeys(column for of in self.numbers.values() for column in of))


class Source(Protocol):
    """Where tables come from: grammax's own market, or a mapping of the user's."""

    formulas: Formulas
    today: datetime.date

    def tables(self, needs: Needs) -> Tables: ...


def needs_of(lf: LogicalForm, catalogue: Catalogue, formulas: Formulas) -> Needs:
    """What a well-typed logical form reads."""
    tokens = dict.fromkeys(ref.token for ref in _fields(lf))
    enums = [t for t in tokens if catalogue.fields[t].type in catalogue.value_types]
    numbers = {t: _columns(t, formulas) for t in tokens if t not in enums}
    amounts = [
        part.value.unit
        for part in walk(lf)
        if isinstance(part, Relational) and isinstance(part.value, Number) and part.value.unit
    ]
    return Needs(
        tuple(t for t in enums if t not in MULTI_VALUED),
        numbers,
        tuple(t for t in enums if t in MULTI_VALUED),
        tuple(c for c in dict.fromkeys(amounts) if c != DOLLAR),
    )


@final
class OwnTables:
    """The tables of the market that grammax builds."""

    def __init__(self, catalogue: Catalogue, today: datetime.date) -> None:
        self.formulas = Formulas(catalogue)
        self.today = today
        self._fields = catalogue.fields

    def tables(self, needs: Needs) -> Tables:
        for token in (*needs.enums, *needs.numbers, *needs.several):
            if token not in self._fields:
                raise MarketError(
                    f"{token} was added to the catalogue, and the market has no data of it.\n"
                    "Describe tables of your own that have it (see docs/equity-search.md)."
                )
        enums = {column_of(token): "string" for token in needs.enums}
        numbers = dict.fromkeys((*needs.columns, DOLLARS.column), "float64")
        equity = {"id": "int32", "ticker": "string", "name": "string"}
        return Tables(
            equity=_table("equity", equity | enums),
            membership=_table(
                "membership", {"equity_id": "int32", "field": "string", "value": "string"}
            ),
            fundamental=_table("fundamental", {**KEYS, **numbers}),
            exchange_rate=_table(
                "exchange_rate",
                {"currency": "string", "calendar_quarter": "int32", "usd": "float64"},
            ),
            today=self.today,
        )


def _table(name: str, schema: Mapping[str, str]) -> Any:
    return ibis.table(dict(schema), name=name)


def _fields(lf: LogicalForm) -> Iterable[FieldRef]:
    for part in walk(lf):
        if isinstance(part, Relational | Display | Rank):
            yield part.field
        if isinstance(part, Relational) and isinstance(part.value, FieldRef):
            yield part.value


def _columns(token: str, formulas: Formulas) -> tuple[str, ...]:
    found = formulas.value(token, Moment("calendar", 0), _ColumnNames())
    return tuple(dict.fromkeys(found))


@final
class _ColumnNames:
    """An `Algebra` that computes nothing, and tells which columns a formula reads."""

    def stored(self, series: Stored, moment: Moment) -> Names:
        del moment
        return (series.column,)

    def number(self, value: float) -> Names:
        del value
        return ()

    def add(self, a: Names, b: Names) -> Names:
        return a + b

    subtract = multiply = divide = add

    def absolute(self, a: Names) -> Names:
        return a

    def root(self, a: Names, degree: int) -> Names:
        del degree
        return a

    def mean(self, values: Sequence[Names]) -> Names:
        return sum(values, ())
