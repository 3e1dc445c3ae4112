"""Facts of large tables, counted by their store through Ibis.

One query has the counts and ranges of many columns, with the number of their different values where
the store estimates it; the next has the values of those columns that have few enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import ibis

from grammax.tables.inspect.description import Facts, ValueType
from grammax.tables.inspect.profile.cells import (
    EXAMPLES,
    MOST_VALUES,
    end,
    examples_of,
    facts_of_lists,
    is_listed,
)
from grammax.tables.inspect.profile.columns import as_plain, plain_table, sample_of
from grammax.tables.inspect.source import DataSource

_TOGETHER: Final = 40  # columns in one query
_ESTIMATED_FROM: Final = 200_000  # rows, by stores that do not estimate the number of values
_UNIQUE: Final = 0.9  # of them, from which on the number of different values grows with theirs
_NEARLY: Final = 0.8  # of an estimate, which may be too large
_MOMENTS: Final = (ValueType.DATE, ValueType.TIMESTAMP, ValueType.TIME)
_EXACT: Final = 3_000_000  # cells of likely keys whose different values are counted


def aggregated(
    source: DataSource, table: Any, types: Mapping[str, ValueType], rows: int, sampled: int | None
) -> dict[str, Facts]:
    """The facts of some columns of a table.

    Ranges are those of all rows, and so are the values that are listed, unless `sampled`. How many
    different values a column has is estimated first, to find those that have few.
    """
    plain = plain_table(table, types)
    store, share = source.connection.name, min(1.0, _ESTIMATED_FROM / rows)
    part = sample_of(plain, sampled / rows if sampled else 1.0, store)
    some = sample_of(table, share, store)
    scalars = [name for name, type_ in types.items() if type_ is not ValueType.LIST]
    estimates = source.is_duckdb and not sampled
    found: dict[str, Facts] = {}
    for names in _chunks(scalars, _TOGETHER):
        found |= _ranges(source, table, {name: types[name] for name in names}, rows, estimates)
        if not estimates:
            different = _distinct(source, some, names)
            for name, n in different.items():
                unique = n > _UNIQUE * share * found[name].filled
                found[name] = replace(found[name], distinct=round(n / share) if unique else n)
    columns = [*zip(*source.rows(plain.limit(EXAMPLES)), strict=True)]
    for name, cells in zip(types, columns, strict=True):
        if name in found:
            distinct = min(found[name].distinct, found[name].filled)
            found[name] = replace(found[name], distinct=distinct, examples=examples_of(cells))
    found |= {} if sampled else _keys(source, table, found)
    listed = [
        name
        for name, facts in found.items()
        if is_listed(facts.type, int(facts.distinct * _NEARLY), facts.mean_length)
    ]
    for name, values in _values(source, part, listed):
        facts = found[name]
        whole = is_listed(facts.type, len(values), facts.mean_length)
        found[name] = replace(
            facts, distinct=len(values) if whole else facts.distinct,
            exact=(whole or facts.exact) and not sampled,
            values=tuple(values) if whole else (), complete=whole,
        )  # fmt: skip
    for name in types:
        if name not in found:
            lists = source.rows(plain.select(name).limit(MOST_VALUES))
            found[name] = facts_of_lists((cell for (cell,) in lists), rows)
    return found


def _ranges(
    source: DataSource, table: Any, types: Mapping[str, ValueType], rows: int, estimates: bool
) -> dict[str, Facts]:
    """The counts, ranges and means of columns in one query.

    With `estimates`, it has the numbers of different values, too. DuckDB estimates them at nearly
    no cost; counting them takes ten times as long.
    """
    asked: dict[str, Any] = {}
    for index, (name, type_) in enumerate(types.items()):
        # Dates are compared as dates: as texts it takes longer.
        dated = type_ in _MOMENTS
        column = table[name] if dated else as_plain(table[name], type_)
        asked[f"known {index}"] = _known(column, type_, source.connection.name).count()
        if type_ is ValueType.TEXT:
            column = column.nullif("")  # quicker than looking for spaces, too
        else:
            column = _known(column, type_, source.connection.name)
        least, greatest = column.min(), column.max()
        asked[f"least {index}"] = least.cast("string") if dated else least
        asked[f"greatest {index}"] = greatest.cast("string") if dated else greatest
        if type_.is_number:
            asked[f"mean {index}"] = column.mean()
        elif type_ is ValueType.TEXT:
            asked[f"mean {index}"] = column.length().mean()
        if estimates:
            asked[f"distinct {index}"] = column.approx_nunique()
    [row] = source.rows(table.aggregate(**asked))
    got = dict(zip(asked, row, strict=True))
    found = {}
    for index, (name, type_) in enumerate(types.items()):
        number, known = type_.is_number, int(got[f"known {index}"])
        mean = got.get(f"mean {index}")
        mean = None if mean is None else float(mean)
        found[name] = Facts(
            type_, rows, rows - known, int(got.get(f"distinct {index}") or 0), False,
            end(got[f"least {index}"], number), end(got[f"greatest {index}"], number),
            mean if number else None, None if number else mean, complete=False,
        )  # fmt: skip
    return found


def _keys(source: DataSource, table: Any, found: Mapping[str, Facts]) -> dict[str, Facts]:
    """The columns that may identify rows, with the number of their values counted."""
    likely = [
        name
        for name, facts in found.items()
        if facts.type in (ValueType.TEXT, ValueType.INTEGER)
        and facts.nulls == 0
        and facts.distinct > _NEARLY * facts.rows
    ]
    most = _EXACT // max(1, max((facts.rows for facts in found.values()), default=1))
    counted = _distinct(source, table, likely[:most]) if likely[:most] else {}
    return {name: replace(found[name], distinct=n, exact=True) for name, n in counted.items()}


def _known(column: Any, type_: ValueType, store: str) -> Any:
    """A column whose missing values, as `clean` has them, are null."""
    if type_ is ValueType.TEXT:
        return column.strip().nullif("")
    if type_ is ValueType.NUMBER and store in ("duckdb", "postgres"):
        wrong = column.isnan() | column.isinf()
        return ibis.ifelse(wrong, ibis.null("float64"), column)
    return column


def _distinct(source: DataSource, table: Any, names: Sequence[str]) -> dict[str, int]:
    """The numbers of different values; PostgreSQL counts distinct rows faster than values."""
    counted = [
        table.filter(table[name].notnull())
        .select(value=table[name])
        .distinct()
        .aggregate(n=ibis._.count())
        .select(column=ibis.literal(index), n="n")
        for index, name in enumerate(names)
    ]
    together = ibis.union(*counted) if len(counted) > 1 else counted[0]
    return {names[int(index)]: int(n) for index, n in source.rows(together)}


def _values(
    source: DataSource, part: Any, names: Sequence[str]
) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """The values of columns with their numbers of rows, several columns in one query."""
    for some in _chunks(names, 10):
        counted = [
            part.filter(part[name].notnull())
            .group_by(value=part[name].cast("string"))
            .aggregate(n=ibis._.count())
            .order_by(ibis.desc("n"), "value")
            .limit(MOST_VALUES + 1)
            .select(column=ibis.literal(index), value="value", n="n")
            for index, name in enumerate(some)
        ]
        together = ibis.union(*counted) if len(counted) > 1 else counted[0]
        values: dict[int, list[tuple[str, int]]] = {index: [] for index in range(len(some))}
        for index, value, n in source.rows(together):
            if str(value).strip():
                values[int(index)].append((_value(value), int(n)))
        for index, found in values.items():
            yield some[index], sorted(found, key=lambda item: (-item[1], item[0]))


def _value(value: Any) -> str:
    """A value as `as_text` writes it: "3", not "3.0"."""
    text = str(value)
    return text[:-2] if text.endswith(".0") and text[:-2].lstrip("-").isdigit() else text


def _chunks(names: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (names[start : start + size] for start in range(0, len(names), size))
