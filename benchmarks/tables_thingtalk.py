"""Schema2QA's gold as a logical form, and the exact match of forms.

| gold | form |
|---|---|
| `=~`, `==`, `has`, `has~`, `in` a text | EQ the value, whatever part of it is said |
| `{"count": column}` | the column of how many values the list has |
| `>=`, `<=` | GE, LE |
| order and limit `[1, n]` | `(top n …)`, `(bottom n …)` |
| agg count | `(count)` |
| select | `(display …)`; the name of the entity is shown anyway |
| nothing but the table | `(display FLD_NAME)` |

Comparisons of the gold are never strict ("more than 100" is `>= 100`), so GR is taken for GE, and
LS for LE, in both forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from tables_columns import Unsayable
from tables_schema2qa import COUNT, Table

from grammax.tables.form.canonical import same
from grammax.tables.form.tree import (
    Aggregate,
    And,
    Display,
    EnumValue,
    FieldRef,
    Last,
    LogicalForm,
    Not,
    Number,
    Op,
    Or,
    Rank,
    Relational,
    compound,
    parts_of,
)
from grammax.tables.inspect.description import ColumnDescription
from grammax.tables.own.catalogue import has_values
from grammax.tables.semantics import SemanticClass

_OPERATORS: Final[Mapping[str, Op]] = {
    "==": "EQ", "=~": "EQ", "~=": "EQ", "has": "EQ", "has~": "EQ", ">=": "GE", "<=": "LE",
}  # fmt: skip
_LOOSE: Final[Mapping[Op, Op]] = {"GR": "GE", "LS": "LE"}
_MINUTES: Final = {"ms": Decimal(1) / 60_000, "s": Decimal(1) / 60, "min": Decimal(1),
                   "h": Decimal(60)}  # fmt: skip
_NAME: Final = "id"


def gold_form(gold: Mapping[str, Any], table: Table) -> LogicalForm:
    """The form of a gold query; raises `Unsayable`."""
    if "unsupported" in gold:
        reason = str(gold["unsupported"])
        raise Unsayable({"join": "a join", "value": "a number of a telephone or the like"}.get(
            reason.split()[0], "a filter inside a count or after a rank"))  # fmt: skip
    if gold["table"] != table.world.description.table:
        raise Unsayable("another table")
    parts = list(_parts(gold, table))
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def same_form(one: LogicalForm, other: LogicalForm, table: Table) -> bool:
    """Whether two forms are the same, but for strict comparisons and the name that is shown."""
    return same(_loose(one, table), _loose(other, table))


def _parts(gold: Mapping[str, Any], table: Table) -> Iterator[LogicalForm]:
    where, order, select = gold.get("where"), gold.get("order"), gold.get("select", ())
    yield from _conditions(where, table) if where is not None else ()
    if order is not None:
        yield _rank(order, gold.get("limit"), table)
    elif gold.get("limit"):
        raise Unsayable("some rows, without an order")
    if gold.get("agg"):
        if gold["agg"] != ["count", None]:
            raise Unsayable("an aggregate of counts")
        yield Aggregate("count")
    for each in select:
        yield Display(FieldRef(_column(each, table).token))
    if where is None and order is None and not select:
        yield Display(FieldRef(_column(_NAME, table).token))


def _conditions(where: Any, table: Table) -> Iterator[LogicalForm]:
    """The parts of a conjunction."""
    if isinstance(where, dict) and "and" in where:
        years = {str(each): year for each, year in _years(where["and"])}
        for each in where["and"]:
            year = years.get(str(each), "")
            if year:
                yield Relational(FieldRef(_column(each[0], table).token), "EQ", Number(year))
            elif year is not None:
                yield from _conditions(each, table)
    else:
        yield _condition(where, table)


def _condition(where: Any, table: Table) -> LogicalForm:
    if isinstance(where, dict):
        if "not" in where:
            return Not(_condition(where["not"], table))
        if "and" in where:
            return And(tuple(_conditions(where, table)))
        if "or" in where:
            return _either([_condition(each, table) for each in where["or"]])
        raise Unsayable(f"the condition {next(iter(where))}")
    left, operator, value = where
    column = _column(left, table)
    if operator == "in":
        return _either([_compared(column, "EQ", each, table) for each in value])
    if operator not in _OPERATORS:
        raise Unsayable(f"the operator {operator}")
    return _compared(column, _OPERATORS[operator], value, table)


def _compared(column: ColumnDescription, op: Op, value: Any, table: Table) -> LogicalForm:
    ref = FieldRef(column.token)
    if isinstance(value, bool):
        token = table.world.boolean_of(column, value)
        assert token is not None
        return Relational(ref, "EQ", EnumValue(token))
    if isinstance(value, dict):
        return _computed(ref, op, value, column, table)
    if isinstance(value, int | float):
        return Relational(ref, op, Number(str(value)))
    return Relational(ref, op, _value(column, str(value), table))


def _computed(
    ref: FieldRef, op: Op, value: Mapping[str, Any], column: ColumnDescription, table: Table
) -> LogicalForm:
    match value:
        case {"enum": name} | {"location": name}:
            return Relational(ref, op, _value(column, name, table))
        case {"measure": [_, str()]} | {"+": [{"measure": _}, {"measure": _}]}:
            minutes = sum((_minutes(each) for each in value.get("+", [value])), Decimal(0))
            return Relational(ref, op, Number(f"{minutes.normalize():f}"))
        case {"-": [{"var": "$now"}, {"measure": [int(count), "year"]}]} if op == "GE":
            return Relational(ref, "EQ", Last(count, "YEAR"))
        case {"var": "$location.current_location"}:
            raise Unsayable("here")
        case {"slot": _} | {"time": _}:
            raise Unsayable("a time of day")
    raise Unsayable("a computed date")


def _years(parts: Sequence[Any]) -> Iterator[tuple[Any, str | None]]:
    """Comparisons with both ends of a year, one comparison here: the first has the year."""
    for one in parts:
        for other in parts:
            match one, other:
                case (
                    [column, ">=", {"date": str(start)}],
                    [same_column, "<=", {"+": [{"date": str(end)}, {"measure": [1, "year"]}]}],
                ) if column == same_column and start == end and start.isdigit():
                    yield one, start
                    yield other, None


def _minutes(measure: Mapping[str, Any]) -> Decimal:
    number, unit = measure["measure"]
    if unit not in _MINUTES:
        raise Unsayable(f"the unit {unit}")
    return Decimal(str(number)) * _MINUTES[unit]


def _value(column: ColumnDescription, text: str, table: Table) -> EnumValue:
    if not has_values(column):
        raise Unsayable(f"a value of a column that is not enumerated ({column.semantic})")
    token = table.world.token_of(column, text)
    if token is None:
        raise Unsayable("a value that the table lacks")
    return EnumValue(token)


def _rank(order: Sequence[Any], limit: Sequence[int] | None, table: Table) -> LogicalForm:
    key, direction = order
    column = _column(key, table)
    if not (column.semantic.is_number or column.semantic is SemanticClass.DATE):
        raise Unsayable("the first rows by a text")
    if limit is not None and limit[0] != 1:
        raise Unsayable("rows that are not the first")
    count = None if limit is None else limit[1]
    return Rank("top" if direction == "desc" else "bottom", count, FieldRef(column.token))


def _column(given: Any, table: Table) -> ColumnDescription:
    if isinstance(given, dict):
        if "distance" in given:
            raise Unsayable("a distance")
        given = f"{COUNT} {given['count']}"
    name = table.names.get(given)
    if name is None:
        raise Unsayable("a column that is not there")
    return table.world.description.column(name)


def _either(parts: Sequence[LogicalForm]) -> LogicalForm:
    *before, last = parts
    for part in reversed(before):
        last = Or((part, last))
    return last


def _loose(form: LogicalForm, table: Table) -> LogicalForm:
    """The form with comparisons that are not strict, without the name unless it stands alone."""
    name = Display(FieldRef(_column(_NAME, table).token))
    if isinstance(form, Relational):
        return Relational(form.field, _LOOSE.get(form.op, form.op), form.value)
    parts = [_loose(part, table) for part in parts_of(form) if part != name]
    if not parts:
        return form
    word = type(form).word if isinstance(form, And | Or | Not) else "AND"
    return parts[0] if len(parts) == 1 and word != "NOT" else compound(word, parts)
