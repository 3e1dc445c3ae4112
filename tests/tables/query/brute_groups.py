"""Summaries the slow way: the oracle for forms with aggregates and groups."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tables.query import brute_force as rows_of
from tables.query.brute_force import EPOCH, FUNCTIONS, Row, World

from grammax.tables.form.times import Time
from grammax.tables.form.tree import (
    Aggregate,
    EnumValue,
    FieldRef,
    Group,
    LogicalForm,
    Rank,
    Relational,
)


class Found(NamedTuple):
    """A group: its values (a period by its number), its aggregates, its period."""

    values: tuple[Any, ...]
    cells: dict[Aggregate, Any]
    time: Time | None


def answer(world: World, lf: LogicalForm) -> list[tuple[Any, ...]]:
    """Rows of the key and shown measures; of a summary, its groups and aggregates."""
    return summary(world, lf) if is_summary(lf) else rows_of.answer(world, lf)


def is_summary(lf: LogicalForm) -> bool:
    parts = rows_of.outer(rows_of.without_double_negation(lf))
    return any(map(rows_of.mentions_groups, parts))


def summary(world: World, lf: LogicalForm) -> list[tuple[Any, ...]]:
    lf = rows_of.without_double_negation(lf)
    every = rows_of.outer(lf)
    parts = [part for part in every if rows_of.mentions_groups(part)]
    rows = rows_of.selected(world, [part for part in every if part not in parts])
    groups = sorted({part for part in parts if isinstance(part, Group)}, key=str)
    aggregates = aggregates_of(parts)
    period = next((group.field for group in groups if isinstance(group.field, str)), None)
    history = world.catalogue.schema.history
    times: list[Time | None] = [None]
    if period is not None and history:
        times = list(world.periods(period))
    found = []
    for number, time in enumerate(times):
        for values, members in sorted(members_of(world, groups, every, rows, number).items()):
            cells = {each: aggregated(world, each, members, time) for each in aggregates}
            if time is None or any(has_value(each, cell) for each, cell in cells.items()):
                found.append(Found(values, cells, time))
    for part in parts:
        found = [f for f in found if truth(world, part, f.cells) in (True, "no condition")]
    ranks = [part for part in parts if isinstance(part, Rank)]
    in_time = [is_in_time(world, group) for group in groups]
    if any(in_time):
        found.sort(key=lambda each: each.values)
        found.sort(key=lambda each: [v for v, of in zip(each.values, in_time, strict=True) if of])
    elif not ranks:
        found = by_rank(found, Rank("top", None, aggregates[0]), keep_unknown=True)
    for rank in ranks:
        found = by_rank(found, rank, keep_unknown=False)
    asked = list(dict.fromkeys(part for part in parts if isinstance(part, Group)))
    places = [groups.index(group) for group in asked]
    shown = [written(world, each, groups, rows_of.unit_asked(lf)) for each in found]
    return [(*(row[place] for place in places), *row[len(places) :]) for row in shown]


def aggregates_of(parts: Sequence[LogicalForm]) -> list[Aggregate]:
    found: list[Any] = sorted((part for part in parts if isinstance(part, Aggregate)), key=str)
    found += [part.field for part in parts if isinstance(part, Rank)]
    found += sorted((part.field for part in parts if isinstance(part, Relational)), key=str)
    return list(dict.fromkeys(found)) or [Aggregate("count")]


def members_of(
    world: World,
    groups: Sequence[Group],
    every: Sequence[LogicalForm],
    rows: Sequence[Row],
    period: int,
) -> dict[tuple[Any, ...], list[Row]]:
    found: dict[tuple[Any, ...], list[Row]] = {} if groups else {(): []}
    for row in rows:
        combinations: list[tuple[Any, ...]] = [()]
        for group in groups:
            field = group.field
            if isinstance(field, str):
                history = world.catalogue.schema.history
                mine: Sequence[Any] = [period] if history else period_of(world, field, row)
            else:
                mine = values_of(world, field, every, row)
            combinations = [(*one, other) for one in combinations for other in mine]
        for combination in combinations:
            found.setdefault(combination, []).append(row)
    return found


def period_of(world: World, unit: str, row: Row) -> list[tuple[int, ...]]:
    """The period of a row's main date, as its year and its quarter or month."""
    days = world.value(FieldRef(str(world.catalogue.schema.date)), row)
    if days is None:
        return []
    day = EPOCH + datetime.timedelta(days=days)
    parts = {"YEAR": (), "QUARTER": ((day.month + 2) // 3,), "MONTH": (day.month,)}
    return [(day.year, *parts[unit])]


def period_text(unit: str, period: tuple[int, ...]) -> str:
    if unit == "YEAR":
        return str(period[0])
    return f"Q{period[1]} {period[0]}" if unit == "QUARTER" else "{:04}-{:02}".format(*period)


def is_in_time(world: World, group: Group) -> bool:
    """Whether groups are periods, dates or years."""
    if isinstance(group.field, str) or rows_of.is_date(world, group.field):
        return True
    type_ = world.catalogue.fields[group.field.token].type
    return any(n.name == type_ and n.semantic == "YEAR" for n in world.catalogue.schema.numbers)


def values_of(world: World, ref: FieldRef, every: Sequence[LogicalForm], row: Row) -> Sequence[Any]:
    """The groups of a field that a row belongs to."""
    catalogue = world.catalogue
    if ref.token in catalogue.schema.many:
        return sorted(world.members(ref.token, row))
    held = world.value(ref, row)
    if held is None or ref.token not in catalogue.schema.top_groups:
        return [] if held is None else [held]
    type_ = catalogue.fields[ref.token].type
    parents = {t: catalogue.values[t].parent for t in catalogue.values_of(type_)}
    level = [token for token, parent in parents.items() if parent is None]
    asked = [
        part.value.token
        for part in every
        if isinstance(part, Relational) and part.field == ref and part.op == "EQ"
        and isinstance(part.value, EnumValue)
    ]  # fmt: skip
    if asked:
        level = [min(asked)]
        while len(level) == 1 and level[0] in parents.values():
            level = [token for token, parent in parents.items() if parent == level[0]]
    return [token for token in level if held in catalogue.descendants(token)]


def aggregated(world: World, each: Aggregate, rows: Sequence[Row], time: Time | None) -> Any:
    if each.field is None:
        measure = FieldRef(str(world.catalogue.schema.measure), time)
        counted = [r for r in rows if time is None or rows_of.value(world, measure, r) is not None]
        return len(counted)
    if each.function == "count":
        return len(different(world, each.field, rows))
    ref = each.field if time is None else FieldRef(each.field.token, time)
    known = [v for v in (rows_of.sound(world, ref, row) for row in rows) if v is not None]
    return FUNCTIONS[each.function](known) if known else None


def different(world: World, ref: FieldRef, rows: Sequence[Row]) -> set[Any]:
    """The different known values of a field."""
    if ref.token in world.catalogue.schema.many:
        return {member for row in rows for member in world.members(ref.token, row)}
    return {rows_of.sound(world, ref, row) for row in rows} - {None}


def has_value(each: Aggregate, cell: Any) -> bool:
    return cell is not None and (each.field is not None or cell > 0)


def truth(world: World, lf: LogicalForm, cells: Mapping[Aggregate, Any]) -> Any:
    match lf:
        case Relational(Aggregate() as each, op, other):
            if each.function != "count" and rows_of.is_date(world, each.field):
                return rows_of.dated(world, op, cells[each], other)
            measure = None if each.function == "count" else each.field
            right = rows_of.number_of(world, other, measure)
            return rows_of.comparison(op, cells[each], right)
    return "no condition"


def by_rank(found: Sequence[Found], rank: Rank, keep_unknown: bool) -> list[Found]:
    assert isinstance(rank.field, Aggregate)
    by = rank.field
    known = [each for each in found if each.cells[by] is not None]
    known.sort(key=lambda each: each.values)
    known.sort(key=lambda each: each.cells[by], reverse=rank.direction == "top")
    unknown = [each for each in found if each.cells[by] is None and keep_unknown]
    return known[: rank.count] + sorted(unknown, key=lambda each: each.values)


def written(
    world: World, found: Found, groups: Sequence[Group], unit: str | None
) -> tuple[Any, ...]:
    """A group as a row of the answer."""
    labels = []
    for group, value in zip(groups, found.values, strict=True):
        if isinstance(group.field, str):
            label = period_text(group.field, value) if found.time is None else str(found.time)
        else:
            label = value
            if not isinstance(value, str):
                label = rows_of.in_unit(world, group.field, value, unit)
        labels.append(label)
    shown = []
    for each, cell in found.cells.items():
        if each.field is not None and each.function != "count":
            ref = FieldRef(each.field.token, found.time or each.field.time)
            cell = rows_of.in_unit(world, ref, cell, unit)
        shown.append(cell)
    return (*labels, *shown)
