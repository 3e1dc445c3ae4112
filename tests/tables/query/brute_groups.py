"""Summaries the slow way: the oracle for forms with aggregates and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from tables.query import brute_force as rows_of
from tables.query.brute_force import Row, World

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

FUNCTIONS: Mapping[str, Any] = {
    "sum": sum,
    "average": lambda values: sum(values) / len(values),
    "median": median,
    "min": min,
    "max": max,
}


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
    times: list[Time | None] = [None] if period is None else list(world.periods(period))
    found = []
    for number, time in enumerate(times):
        for values, members in sorted(members_of(world, groups, every, rows, number).items()):
            cells = {each: aggregated(world, each, members, time) for each in aggregates}
            if time is None or any(has_value(each, cell) for each, cell in cells.items()):
                found.append(Found(values, cells, time))
    for part in parts:
        found = [f for f in found if truth(world, part, f.cells) in (True, "no condition")]
    ranks = [part for part in parts if isinstance(part, Rank)]
    if period is None and not ranks:
        found = by_rank(found, Rank("top", None, aggregates[0]), keep_unknown=True)
    for rank in ranks:
        found = by_rank(found, rank, keep_unknown=False)
    return [written(world, each, groups, rows_of.unit_asked(lf)) for each in found]


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
            mine = [period] if isinstance(field, str) else values_of(world, field, every, row)
            combinations = [(*one, other) for one in combinations for other in mine]
        for combination in combinations:
            found.setdefault(combination, []).append(row)
    return found


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
    ref = each.field if time is None else FieldRef(each.field.token, time)
    known = [v for v in (rows_of.sound(world, ref, row) for row in rows) if v is not None]
    return FUNCTIONS[each.function](known) if known else None


def has_value(each: Aggregate, cell: Any) -> bool:
    return cell is not None and (each.field is not None or cell > 0)


def truth(world: World, lf: LogicalForm, cells: Mapping[Aggregate, Any]) -> Any:
    match lf:
        case Relational(Aggregate() as each, op, other):
            right = rows_of.number_of(world, other, each.field)
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
    labels = [
        str(found.time) if isinstance(group.field, str) else value
        for group, value in zip(groups, found.values, strict=True)
    ]
    shown = []
    for each, cell in found.cells.items():
        if each.field is not None:
            ref = FieldRef(each.field.token, found.time or each.field.time)
            cell = rows_of.in_unit(world, ref, cell, unit)
        shown.append(cell)
    return (*labels, *shown)
