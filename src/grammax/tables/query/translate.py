"""Translate a logical form to a query of an engine: an expression for a store, or arrays.

Only rows for which the form is true are answers: `(NOT (FLD_LENGTH GR 120))` leaves out films of
unknown length. `conditions` says when a form is true, `summary` how rows are summarised.

A rank among the parts of the outermost AND selects the best of the rows that satisfy the rest, or
orders those that have a value if it has no count; elsewhere it tests whether a row is among the
best of all. A display among those parts adds a column or an order; elsewhere it has no effect. It
is never a condition: NOT of it constrains nothing, and an OR ignores it.

Rows are ordered by the displays that sort; else by the last rank; else by the schema's measure, the
largest first; rows without a value come last. Ties are broken by the entity's key. Columns of
numbers come before others. Amounts are shown in the unit of the form's first number that has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar, final

from grammax.language.answer import BEGINNING, Sort, View, column_index
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.canonical import flat_parts, without_double_negation
from grammax.tables.form.tree import (
    Aggregate,
    And,
    Display,
    FieldRef,
    Group,
    LogicalForm,
    LogicalFormError,
    Measure,
    Number,
    Rank,
    Relational,
)
from grammax.tables.form.walk import depth, walk
from grammax.tables.query.columns import ColumnRef as ColumnRef
from grammax.tables.query.columns import Columns, Shown, fields_of
from grammax.tables.query.conditions import Conditions
from grammax.tables.query.engine import SHARES, Aggregated, Engine, Order, Table, Value
from grammax.tables.query.source import Source
from grammax.tables.query.summary import Summary, is_about_groups

DEEPEST: Final = 100  # depth; stores and their drivers recurse over a query
_DEFAULTS: Final = 3  # columns that an answer shows unasked
_NOT_MEASURES: Final = frozenset(("YEAR", "COORDINATE", "CODE", "DATE"))  # classes of numbers
T = TypeVar("T")


@final
@dataclass(frozen=True, slots=True)
class Query:
    """The expression, and its columns; unless it is a summary, those of the entity come first.

    `by_measure` says that the rows are ordered by the schema's measure, for want of another order.
    The form does not mention the columns that are named in `defaults`.
    """

    expression: Table
    columns: tuple[ColumnRef, ...]
    engine: Engine
    summary: bool = False
    by_measure: bool = False
    defaults: frozenset[str] = frozenset()


def translate(
    lf: LogicalForm, catalogue: Catalogue, source: Source, view: View = BEGINNING
) -> Query:
    """The query of a logical form; its rows are ordered, and none is left out yet."""
    lf = without_double_negation(lf)
    _require_shallow(lf)
    parts = outer_parts(lf)
    columns = _columns(catalogue, source, unit_asked_for(lf))
    if any(map(is_about_groups, parts)):
        return _summary(parts, columns, view.sort)
    return _rows(lf, parts, columns, view)


def spread(token: str, catalogue: Catalogue, source: Source) -> Table:
    """One row: the quantiles 0.05, 0.5 and 0.95 of a field's numbers, in its default unit."""
    columns = _columns(catalogue, source)
    value = columns.meaningful(FieldRef(token))
    return columns.engine.summarised(
        columns.table(), {}, {name: Aggregated(name, [value]) for name in SHARES}
    )


def selected(lf: LogicalForm, catalogue: Catalogue, source: Source) -> Table:
    """The keys of the rows that a form selects, in no order; it must not be a summary."""
    _require_shallow(lf)
    rows = _Selection(outer_parts(lf), _columns(catalogue, source))
    return rows.table().select(catalogue.schema.entity.key)


def row_query(key: str, fields: Sequence[str], catalogue: Catalogue, source: Source) -> Query:
    """The one row with a key, and those of the fields that there is data of."""
    columns = _columns(catalogue, source)
    entity, engine = catalogue.schema.entity, columns.engine
    shown = [FieldRef(token) for token in fields if columns.scan.has(token)]
    names = [columns.name(ref) for ref in shown]
    table = columns.table()
    table = table.filter(engine.among(engine.as_text(table[entity.key]), [key]))
    refs = tuple(
        ColumnRef(name, ref, columns.unit_of(ref)) for name, ref in zip(names, shown, strict=True)
    )
    return Query(table.select(*entity.columns, **{n: table[n] for n in names}), refs, engine)


def _columns(catalogue: Catalogue, source: Source, unit: str | None = None) -> Columns:
    return Columns(catalogue, source.scan(), unit, source.spellings, source.today)


def _require_shallow(lf: LogicalForm) -> None:
    nested = depth(lf)
    if nested > DEEPEST:
        raise LogicalFormError(
            f"The logical form nests {nested:,} constraints; a query can nest {DEEPEST}.",
            hint="Flatten AND within AND, and take out double negations.",
        )


def outer_parts(lf: LogicalForm) -> list[LogicalForm]:
    """The form itself, or the parts of the outermost ANDs, in the order of the text."""
    lf = without_double_negation(lf)
    return flat_parts(lf) if isinstance(lf, And) else [lf]


def unit_asked_for(lf: LogicalForm) -> str | None:
    """The unit of the first number that has one."""
    values = (node.value for node in walk(lf) if isinstance(node, Relational))
    return next((v.unit for v in values if isinstance(v, Number) and v.unit), None)


def _summary(parts: Sequence[LogicalForm], columns: Columns, sort: Sort | None) -> Query:
    summary = Summary([part for part in parts if is_about_groups(part)], parts, columns)
    rows = _Selection([part for part in parts if not is_about_groups(part)], columns)
    summary.prepare()
    expression, shown = summary.of(rows.table())
    if sort is not None:
        engine, fields = columns.engine, [_token(ref.shows) for ref in shown]
        at = column_index(sort.column, fields, [str(ref.shows) for ref in shown])
        others = [ref for index, ref in enumerate(shown) if index != at]
        order = [
            _directed(engine, sort, _sort_key(columns, shown[at].shows, expression, shown[at].name))
        ]
        order += [engine.ascending(expression[ref.name]) for ref in others]
        expression = expression.order_by(order)
    return Query(expression, shown, columns.engine, summary=True)


def _rows(lf: LogicalForm, parts: Sequence[LogicalForm], columns: Columns, view: View) -> Query:
    rows = _Selection(parts, columns)
    order, by_measure = rows.order()
    own = columns.catalogue.schema.entity.fields
    shown = [m for m in _shown(lf, parts) if not (isinstance(m, FieldRef) and m.token in own)]
    added = _default_columns(columns, shown) if view.defaults else []
    shown = sorted([*shown, *added], key=lambda measure: not _is_number(measure, columns))
    names = [columns.name(measure) for measure in shown]
    table = rows.table()
    if view.sort is not None:
        by_measure = False
        order = rows.sorted_by(table, shown, view.sort)
    table = table.order_by(order)
    cells = {
        name: columns.in_unit(measure, table[name])
        for name, measure in zip(names, shown, strict=True)
    }
    refs = tuple(ColumnRef(columns.name(m), m, columns.unit_of(m)) for m in shown)
    entity = columns.catalogue.schema.entity.columns
    defaults = frozenset(map(columns.name, added))
    return Query(table.select(*entity, **cells), refs, columns.engine, False, by_measure, defaults)


def _is_number(measure: Measure, columns: Columns) -> bool:
    """Whether a column has numbers: they follow the names, so that a narrow screen shows them."""
    if not isinstance(measure, FieldRef):
        return True
    type_, schema = columns.catalogue.fields[measure.token].type, columns.catalogue.schema
    return type_ in schema.number_types and not schema.number(type_).dates


def _default_columns(columns: Columns, shown: Sequence[Measure]) -> list[Measure]:
    """The schema's default columns for an answer that shows no number."""
    catalogue = columns.catalogue
    numbers = catalogue.schema.number_types
    for measure in shown:
        if not isinstance(measure, FieldRef) or catalogue.fields[measure.token].type in numbers:
            return []
    found: list[Measure] = [
        FieldRef(token) for token in default_measures(catalogue) if columns.scan.has(token)
    ]
    return [measure for measure in found if measure not in shown]


def default_measures(catalogue: Catalogue) -> Sequence[str]:
    """The fields that an answer shows unasked: those of the schema, else its first numbers."""
    schema, fields = catalogue.schema, catalogue.fields
    if schema.default_columns:
        return [token for token in schema.default_columns if token in fields]
    plain = [
        number.name
        for number in schema.numbers
        if not number.dates and number.semantic not in _NOT_MEASURES
    ]
    first = [token for token in (schema.measure, schema.price) if token in fields]
    others = [token for token, field in fields.items() if field.type in plain]
    found = dict.fromkeys(str(token) for token in (*first, *others))
    return [token for token in found if token not in schema.entity.fields][:_DEFAULTS]


def _token(shows: Shown) -> str | None:
    """The field by which a column is named; that of an aggregate or a group, too."""
    refs = list(fields_of(shows))
    one = isinstance(shows, FieldRef | Aggregate | Group)
    return refs[0].token if one and refs else None


def _sort_key(columns: Columns, shows: Shown, table: Table, name: str) -> Value:
    """What a column is sorted by: numbers by size, scales by rank, texts by the alphabet."""
    catalogue, engine = columns.catalogue, columns.engine
    ref = shows.field if isinstance(shows, Group) else shows
    if isinstance(ref, FieldRef) and catalogue.fields[ref.token].type in catalogue.value_types:
        return columns.named_order(ref, table[name])
    is_text = isinstance(ref, FieldRef) and (
        catalogue.fields[ref.token].type not in catalogue.schema.number_types
    )
    return engine.alphabetical(table[name]) if is_text else table[name]


def _directed(engine: Engine, sort: Sort, value: Value) -> Order:
    return engine.descending(value) if sort.descending else engine.ascending(value)


class _Selection:
    """The rows that satisfy the parts of an AND, after its ranks."""

    def __init__(self, parts: Sequence[LogicalForm], columns: Columns) -> None:
        self._columns, self._schema = columns, columns.catalogue.schema
        self._engine = columns.engine
        self._conditions = Conditions(columns)
        self._ranks = _of_kind(parts, Rank)
        self._displays = _of_kind(parts, Display)
        found = [self._conditions.of(part) for part in parts if not isinstance(part, Rank)]
        self._condition = [condition for condition in found if condition is not None]
        self._known = [self._conditions.known(rank) for rank in self._ranks]

    def table(self) -> Table:
        """The selected rows; every column must have been asked for before."""
        table = self._conditions.table()
        if self._condition:
            table = table.filter(self._engine.every(self._condition))
        for rank, known in zip(self._ranks, self._known, strict=True):
            table = table.filter(known)
            if rank.count is not None:
                table = table.order_by(self._conditions.best_first(rank)).limit(rank.count)
        return table

    def order(self) -> tuple[list[Order], bool]:
        """The order, and whether it is that of the schema's measure."""
        by_key = self._conditions.by_key()
        keys: dict[Measure, Order] = {}  # sorting again by the same field has no effect
        for display in self._displays:
            if display.order is not None and display.field not in keys:
                is_falling = display.order == "DESC"
                direct = self._engine.descending if is_falling else self._engine.ascending
                keys[display.field] = direct(self._columns.goodness(display.field))
        if keys:
            return [*keys.values(), by_key], False
        if self._ranks:
            return self._conditions.best_first(self._ranks[-1]), False
        measure = self._schema.measure
        if measure in self._columns.catalogue.fields and self._columns.scan.has(str(measure)):
            largest = self._columns.goodness(FieldRef(str(measure)))
            return [self._engine.descending(largest), by_key], True
        return [by_key], False

    def sorted_by(self, table: Table, shown: Sequence[Measure], sort: Sort) -> list[Order]:
        """The order by a column of the answer; ties are broken by the key."""
        entity = self._schema.entity.columns
        fields = [*(None for _ in entity), *map(_token, shown)]
        at = column_index(sort.column, fields, [*entity, *map(str, shown)])
        if at < len(entity):
            value = self._engine.alphabetical(table[entity[at]])
        else:
            measure = shown[at - len(entity)]
            value = _sort_key(self._columns, measure, table, self._columns.name(measure))
        return [_directed(self._engine, sort, value), self._conditions.by_key()]


def _of_kind(parts: Sequence[LogicalForm], kind: type[T]) -> list[T]:
    return [part for part in parts if isinstance(part, kind)]


def _shown(lf: LogicalForm, parts: Sequence[LogicalForm]) -> list[Measure]:
    """The displayed measures, then the ranked and compared ones."""
    found: list[Measure] = [display.field for display in _of_kind(parts, Display)]
    for node in walk(lf):
        if isinstance(node, Relational | Rank) and not isinstance(node.field, Aggregate):
            found.append(node.field)
        if isinstance(node, Relational) and isinstance(node.value, FieldRef):
            found.append(node.value)
    return list(dict.fromkeys(found))
