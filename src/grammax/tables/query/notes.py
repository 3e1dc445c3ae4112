"""Notes: what people should know of an answer, in plain sentences.

Some follow from the form alone: what is left out, how rows are sorted, and conditions that
contradict each other. Others depend on the rows: how many are shown, and what there is no data of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Final, TypeAlias

from grammax.language.answer import Cell, Column
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.english.phrases import (
    field_name,
    is_date,
    operand_phrase,
    time_name,
    value_name,
)
from grammax.tables.form.tree import (
    Aggregate,
    EnumValue,
    FieldRef,
    Last,
    LogicalForm,
    Measure,
    Not,
    Number,
    Or,
    Percent,
    Rank,
    Relational,
)
from grammax.tables.form.walk import walk
from grammax.tables.lexicon import POWERS_OF_TEN
from grammax.tables.query.answer import label
from grammax.tables.query.columns import fields_of
from grammax.tables.query.conditions import matching_values, may_be_small
from grammax.tables.query.periods import span_of, time_in
from grammax.tables.query.translate import Query, outer_parts

HasRows: TypeAlias = Callable[[LogicalForm], bool]
_PROBES: Final = 4  # queries that look for the reason why there are no rows
_BOUNDS: Final = {"GE": "at least {}", "GR": "above {}", "LE": "at most {}", "LS": "below {}"}

_DATED: Final = {"GE": "{} or later", "GR": "after {}", "LE": "{} or earlier", "LS": "before {}"}


def notes_of_form(lf: LogicalForm, catalogue: Catalogue) -> tuple[str, ...]:
    """The notes that hold whatever the rows are."""
    impossible = contradictions(lf, catalogue)
    if impossible:
        return tuple(impossible)
    schema = catalogue.schema
    plural = schema.entity.plural[:1].upper() + schema.entity.plural[1:]
    return tuple(
        f"{plural} with a negative {field_name(FieldRef(token), catalogue)} are left out."
        for token in dict.fromkeys(_never_negative(lf))
        if token in schema.positive
    )


def notes_of_rows(
    query: Query,
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    total: int | None,
    more: bool,
    catalogue: Catalogue,
    offset: int = 0,
) -> list[str]:
    """The notes on the rows of an answer."""
    schema = catalogue.schema
    found = []
    if query.by_measure and len(rows) > 1:
        ref = FieldRef(str(schema.measure))
        first = "largest" if schema.is_size(catalogue.fields[ref.token].type) else "highest"
        first = "latest" if is_date(ref, catalogue) else first
        found.append(f"Sorted by {field_name(ref, catalogue)}, {first} first.")
    if offset and rows:
        of = "" if total is None else f" of {total:,}"
        found.append(f"Showing {offset + 1:,} to {offset + len(rows):,}{of}.")
    elif more and rows:
        of = "" if total is None else f" of {total:,}"
        found.append(f"Showing the first {len(rows):,}{of}.")
    for index, column in enumerate(columns):
        if rows and column.type != "text" and all(row[index] is None for row in rows):
            of_whom = "" if query.summary else f" for these {schema.entity.plural}"
            found.append(f"{column.label}: there is no data{of_whom}.")
    return found


def reasons_for_nothing(lf: LogicalForm, catalogue: Catalogue, has_rows: HasRows) -> Iterator[str]:
    """Why an answer has no rows, or counts none: values that no row has, fields without data."""
    if contradictions(lf, catalogue):
        return
    entity = catalogue.schema.entity
    for part in outer_parts(lf)[:_PROBES]:
        if not isinstance(part, Relational | Rank) or isinstance(part.field, Aggregate):
            continue
        if isinstance(part, Relational) and isinstance(part.value, EnumValue):
            if part.op == "EQ" and not has_rows(part):
                value = value_name(part.value.token, catalogue)
                name = _name(part.field, catalogue)
                yield f"No {entity.singular} here has {value} as {name}."
        elif not has_rows(Rank("top", None, part.field)):
            yield f"There is no data on {_name(part.field, catalogue)}."


def contradictions(lf: LogicalForm, catalogue: Catalogue) -> list[str]:
    """Conditions of the outermost AND that no row can satisfy together."""
    parts = outer_parts(lf)
    found = [
        *_crossed_bounds(parts, catalogue),
        *_crossed_periods(parts, catalogue),
        *_excluded_values(parts, catalogue),
    ]
    return list(dict.fromkeys(found))


def _never_negative(lf: LogicalForm) -> Iterator[str]:
    """The fields whose negative values are left out, if they mean nothing."""
    for node in walk(lf):
        match node:
            case Relational(FieldRef(token)) if may_be_small(node):
                yield token
            case Rank("bottom", _, FieldRef(token)):
                yield token
            case Relational(Aggregate(_, FieldRef(token))) | Rank(
                _, _, Aggregate(_, FieldRef(token))
            ):
                yield token
            case Aggregate(_, FieldRef(token)):
                yield token


def _crossed_bounds(parts: Sequence[LogicalForm], catalogue: Catalogue) -> Iterator[str]:
    """Bounds of one measure, in the same unit, between which there is nothing."""
    lower: dict[tuple[object, ...], tuple[Decimal, Relational]] = {}
    upper: dict[tuple[object, ...], tuple[Decimal, Relational]] = {}
    for part in parts:
        if not isinstance(part, Relational) or not isinstance(part.value, Number | Percent):
            continue
        if _is_dated(part, catalogue):
            continue
        key: tuple[object, ...] = (part.field, _unit(part.value, catalogue))
        amount = _amount(part.value)
        if part.op in ("GR", "GE", "EQ"):
            lower[key] = max(lower.get(key, (amount, part)), (amount, part), key=lambda b: b[0])
        if part.op in ("LS", "LE", "EQ"):
            upper[key] = min(upper.get(key, (amount, part)), (amount, part), key=lambda b: b[0])
    for key in [key for key in lower if key in upper]:
        (low, least), (high, most) = lower[key], upper[key]
        strict = "GR" in (least.op, most.op) or "LS" in (least.op, most.op)
        if low > high or (low == high and strict):
            both = f"{_bound(least, catalogue)} and {_bound(most, catalogue)}"
            yield f"{label(least.field, catalogue)}: nothing is both {both}."


def _crossed_periods(parts: Sequence[LogicalForm], catalogue: Catalogue) -> Iterator[str]:
    """Bounds of one date between which there is no day; those relative to today are left out."""
    lower: dict[object, tuple[int, Relational]] = {}  # the first day
    upper: dict[object, tuple[int, Relational]] = {}  # the day after the last
    for part in parts:
        if not isinstance(part, Relational) or not _is_dated(part, catalogue):
            continue
        time = time_in(part.value)
        if time is None or isinstance(time, Last):
            continue
        span = span_of(time, None)
        if part.op in ("GR", "GE", "EQ"):
            low = (span.end if part.op == "GR" else span.first), part
            lower[part.field] = max(lower.get(part.field, low), low, key=lambda bound: bound[0])
        if part.op in ("LS", "LE", "EQ"):
            high = (span.first if part.op == "LS" else span.end), part
            upper[part.field] = min(upper.get(part.field, high), high, key=lambda bound: bound[0])
    for field in [field for field in lower if field in upper]:
        (low_day, least), (high_day, most) = lower[field], upper[field]
        if low_day >= high_day:
            both = f"{_bound(least, catalogue)} and {_bound(most, catalogue)}"
            yield f"{label(least.field, catalogue)}: nothing is both {both}."


def _is_dated(part: Relational, catalogue: Catalogue) -> bool:
    """Whether a date, or the first or last one, is compared."""
    ref = part.field
    if isinstance(ref, Aggregate):
        return ref.function != "count" and ref.field is not None and is_date(ref.field, catalogue)
    return isinstance(ref, FieldRef) and is_date(ref, catalogue)


def _excluded_values(parts: Sequence[LogicalForm], catalogue: Catalogue) -> Iterator[str]:
    """Enum values that exclude each other, or that are asked for and excluded."""
    wanted: dict[FieldRef, list[tuple[Relational, set[str]]]] = {}
    excluded: dict[FieldRef, set[str]] = {}
    for part, is_affirmed in _enum_tests(parts):
        assert isinstance(part.field, FieldRef)
        assert isinstance(part.value, EnumValue)
        affirmed = is_affirmed == (part.op != "NEQ")
        op = "EQ" if part.op == "NEQ" else part.op
        values = matching_values(catalogue, op, part.value.token)
        if affirmed:
            wanted.setdefault(part.field, []).append((part, values))
        elif op == "EQ":
            excluded.setdefault(part.field, set()).update(values)
    for ref, tests in wanted.items():
        names = [_bound(part, catalogue) for part, _ in tests]
        gone = excluded.get(ref, set())
        for name, (_, values) in zip(names, tests, strict=True):
            if values <= gone:
                yield f"{label(ref, catalogue)}: {name} is asked for and excluded at once."
        single = ref.token not in catalogue.schema.many
        if single and len(tests) > 1 and not set.intersection(*(values for _, values in tests)):
            yield f"{label(ref, catalogue)}: nothing is both {' and '.join(names)}."


def _enum_tests(parts: Sequence[LogicalForm]) -> Iterator[tuple[Relational, bool]]:
    """The comparisons with enum values that must all be true, or (False) all be false."""
    for part in parts:
        inside: Sequence[LogicalForm] = [part]
        if isinstance(part, Not):
            alternatives = [n for n in walk(part.part) if not isinstance(n, Or)]
            inside = alternatives if all(isinstance(n, Relational) for n in alternatives) else ()
        for node in inside:
            if isinstance(node, Relational) and isinstance(node.value, EnumValue):
                yield node, not isinstance(part, Not)


def _bound(part: Relational, catalogue: Catalogue) -> str:
    if _is_dated(part, catalogue):
        time = time_in(part.value)
        return _DATED.get(part.op, "in {}").format(time_name(time) if time else part.value)
    return _BOUNDS.get(part.op, "{}").format(operand_phrase(part.value, catalogue))


def _amount(value: Number | Percent) -> Decimal:
    if isinstance(value, Percent):
        return value.value / (100 if value.unit == "BPS" else 1)
    power = POWERS_OF_TEN[value.denomination] if value.denomination else 0
    return value.value * Decimal(10**power)


def _unit(value: Number | Percent, catalogue: Catalogue) -> str | None:
    if isinstance(value, Percent):
        return "percent"
    return value.unit or (catalogue.schema.unit.default if catalogue.schema.unit else None)


def _name(measure: Measure, catalogue: Catalogue) -> str:
    return " and ".join(field_name(ref, catalogue) for ref in fields_of(measure))
