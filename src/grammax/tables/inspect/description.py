"""`TableDescription`: what inspection finds out about a table, and what `schema.toml` holds.

The facts (numbers of rows, values, ranges) are those of the data at the time of the inspection; the
rest is inferred from them, and may be edited in `schema.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, final

from grammax.errors import GrammaxError
from grammax.tables.semantics import Aggregate, Better, Role, SemanticClass


class InspectError(GrammaxError):
    """Data that cannot be opened or inspected, or a schema file that cannot be used."""


class State(StrEnum):
    """Who an entry of `schema.toml` comes from."""

    INFERRED = "inferred"
    EDITED = "edited"  # a person's; later inspections keep it
    REMOVED = "removed"  # by a person; later inspections do not bring it back


class ValueType(StrEnum):
    """The types of columns that are told apart."""

    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"
    TIME = "time"
    TEXT = "text"
    LIST = "list"  # of texts
    OTHER = "other"  # binary, nested: not used

    @property
    def is_number(self) -> bool:
        return self in (ValueType.INTEGER, ValueType.NUMBER)


@final
@dataclass(frozen=True, slots=True)
class Facts:
    """What was counted in one column.

    `least` and `greatest` are numbers, ISO dates or texts, as `type` says. `values` has the values
    as texts with the number of rows of each, the most common first: all of them if `complete`.
    """

    type: ValueType = ValueType.OTHER
    rows: int = 0
    nulls: int = 0
    distinct: int = 0
    exact: bool = True  # whether `distinct` was counted, not estimated
    least: float | str | None = None
    greatest: float | str | None = None
    mean: float | None = None
    mean_length: float | None = None  # of texts
    values: tuple[tuple[str, int], ...] = ()
    complete: bool = True
    examples: tuple[str, ...] = ()  # values of the first rows

    @property
    def filled(self) -> int:
        """The number of rows that have a value."""
        return self.rows - self.nulls

    @property
    def is_unique(self) -> bool:
        """Whether no value occurs twice, and none is missing."""
        return self.rows > 0 and self.nulls == 0 and self.distinct == self.rows and self.exact

    def shown(self) -> str:
        """The facts in words: "93 different numbers from 46 to 230, 6 rows without"."""
        if not self.filled:
            return "no values" if self.rows else "no rows"
        about = "" if self.exact else "about "
        noun = _NOUNS.get(self.type, "values")
        words = f"{about}{self.distinct:,} different {noun}"
        if self.distinct == 1:
            words = f"always {_brief(self.values[0][0] if self.values else self.least)}"
        elif self.least is not None and self.type is not ValueType.TEXT:
            words += f" from {_brief(self.least)} to {_brief(self.greatest)}"
        elif self.values or self.examples:
            some = [value for value, _ in self.values] or list(self.examples)
            words += ", such as " + ", ".join(_brief(value) for value in some[:3])
        rows = "row" if self.nulls == 1 else "rows"
        return words + (f"; {self.nulls:,} {rows} without" if self.nulls else "")


_NOUNS: Final = {
    ValueType.INTEGER: "numbers", ValueType.NUMBER: "numbers", ValueType.DATE: "dates",
    ValueType.TIMESTAMP: "times", ValueType.TEXT: "texts",
}  # fmt: skip
_BRIEF: Final = 30


def _brief(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}".replace(",", "") if value == int(value) else f"{value:.6g}"
    text = " ".join(str(value).split())
    return text if len(text) <= _BRIEF else text[: _BRIEF - 1] + "…"


@final
@dataclass(frozen=True, slots=True)
class ColumnDescription:
    """One column of the wide view.

    `name` is its path, `price` or `customer.country`; `table` and `column` say where it is stored.
    """

    name: str
    table: str
    column: str
    token: str  # of the field, such as FLD_LENGTH
    label: str  # what it is called in sentences
    semantic: SemanticClass
    role: Role
    names: tuple[str, ...] = ()  # other names that people use
    verb: str = ""  # how a value of it is said with a verb: "directed by {}"
    more: str = ""  # what a row with much of it is called: "expensive"
    less: str = ""  # what a row with little of it is called: "cheap"
    unit: str = ""
    aggregate: Aggregate = Aggregate.COUNT
    additive: bool = False  # whether a sum over rows means something
    better: Better = Better.NEITHER
    enumerated: bool = False  # whether its values are names that queries mention
    values_of: str = ""  # the type of its values, which columns with the same values share
    prefix: str = ""  # of the tokens of its values, such as CIT_
    order: tuple[str, ...] = ()  # its values from small to large, if they are a scale
    many: str = ""  # what separates several values in one text; "[]": a list
    reading: str = ""  # how its texts are read as numbers or dates (see `readings`)
    doubt: str = ""  # a sentence, if the inference looks doubtful
    state: State = State.INFERRED
    path: tuple[str, ...] = ()  # the join that leads to its table; empty for the fact table
    facts: Facts = Facts()


@final
@dataclass(frozen=True, slots=True)
class EntityDescription:
    """What a row stands for; `key`, `label` and `measure` are names of columns, or empty."""

    singular: str
    plural: str
    names: tuple[str, ...] = ()
    key: str = ""
    label: str = ""
    measure: str = ""  # what "largest" means
    doubt: str = ""
    state: State = State.INFERRED


@final
@dataclass(frozen=True, slots=True)
class Join:
    """A many-to-one step from the table of `path[:-1]` to `table`.

    `path` names the steps from the fact table: `("customer", "country")`. Each of `columns` is
    equal to the one of `keys` at its position, and `keys` are unique in `table`.
    """

    path: tuple[str, ...]
    table: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    declared: bool  # by the database, not inferred from names and values
    state: State = State.INFERRED

    @property
    def name(self) -> str:
        return ".".join(self.path)


@final
@dataclass(frozen=True, slots=True)
class Taught:
    """Words that people taught with `grammax teach`, by hand or on the page.

    Each maps a word to what it means; `values` does so by the name of a column.
    """

    rows: tuple[str, ...] = ()  # other nouns for a row
    columns: Mapping[str, str] = field(default_factory=dict)  # other names of columns
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # of stored values
    phrases: Mapping[str, str] = field(default_factory=dict)  # words that stand for a condition

    def __bool__(self) -> bool:
        return bool(self.rows or self.columns or self.phrases or any(self.values.values()))

    def names_of(self, column: str) -> tuple[str, ...]:
        """The taught names of a column."""
        return tuple(name for name, meant in self.columns.items() if meant == column)

    def names_of_value(self, column: str, stored: str) -> tuple[str, ...]:
        """The taught names of a value of a column."""
        there = self.values.get(column, {})
        return tuple(name for name, meant in there.items() if meant == stored)


@final
@dataclass(frozen=True, slots=True)
class TableDescription:
    """A table with what it refers to, as one wide view."""

    source: str  # a path or URL, without a password
    table: str  # the table whose rows are counted
    entity: EntityDescription
    columns: tuple[ColumnDescription, ...]
    joins: tuple[Join, ...] = ()
    rows: int = 0
    sampled: int | None = None  # rows that distinct values were counted in, if not all
    tables: tuple[str, ...] = ()  # all tables of the source
    notes: tuple[str, ...] = ()  # sentences for the report
    taught: Taught = Taught()

    @property
    def used(self) -> tuple[ColumnDescription, ...]:
        """The columns that were not removed."""
        return tuple(column for column in self.columns if column.state is not State.REMOVED)

    def column(self, name: str) -> ColumnDescription:
        """A column by its name in the wide view."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def doubts(self) -> Iterator[tuple[str, str]]:
        """What looks doubtful: the name of a column or of the table, and a sentence."""
        if self.entity.doubt:
            yield self.table, self.entity.doubt
        yield from ((column.name, column.doubt) for column in self.used if column.doubt)

    def without_facts(self) -> TableDescription:
        """What `schema.toml` keeps: all but what is counted anew in the data."""
        columns = tuple(replace(column, facts=Facts()) for column in self.columns)
        return replace(self, columns=columns, rows=0, sampled=None, tables=(), notes=())
