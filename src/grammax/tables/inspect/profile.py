"""Facts of a table's columns, counted by its store through Ibis.

Small tables are fetched once and counted here, which is exact and takes one query however many
columns there are. Of larger ones the store computes counts, ranges and estimates of the number of
different values, for many columns in one pass; then the values of those columns that have few
enough. Stores that cannot estimate count different values in a sample.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, final

import ibis

from grammax.tables.inspect.description import Facts, ValueType
from grammax.tables.inspect.source import DataSource

MOST_VALUES: Final = 50_000  # different texts that are listed
LONGEST_MEAN: Final = 60.0  # characters of listed texts, on average
_MOST_NUMBERS: Final = 100  # different numbers that are listed
_MOST_CELLS: Final = 1_500_000  # of tables that are fetched
_TOGETHER: Final = 40  # columns in one query
_EXAMPLES: Final = 200
_COUNTED_ROWS: Final = {"duckdb": 20_000_000}
_COUNTED_ELSEWHERE: Final = 300_000
_TEXT_SHOWN: Final = 200  # characters of a listed text


@final
@dataclass(frozen=True, slots=True)
class Profile:
    """The facts of a table by column; `sampled` rows were counted, if not all."""

    rows: int
    columns: Mapping[str, Facts]
    sampled: int | None = None


def profile(source: DataSource, table: Any) -> Profile:
    """The facts of every column of an Ibis table of a source."""
    types = {name: type_of(type_) for name, type_ in table.schema().items()}
    [[rows]] = source.rows(table.aggregate(rows=table.count()))
    plain = table.select(
        **{name: _plain(table[name], type_) for name, type_ in types.items() if _used(type_)}
    ) if any(map(_used, types.values())) else None  # fmt: skip
    found: dict[str, Facts] = {}
    sampled = None
    if plain is not None and rows * len(plain.columns) <= _MOST_CELLS:
        found = _counted(source, plain, types, rows)
    elif plain is not None:
        sampled = _sample_size(source, rows)
        found = _aggregated(source, plain, types, rows, sampled)
    facts = {name: found.get(name, Facts(type_, rows)) for name, type_ in types.items()}
    return Profile(rows, facts, sampled)


def type_of(type_: Any) -> ValueType:
    """The type of a column among those that are told apart."""
    tests = (
        (type_.is_boolean, ValueType.BOOLEAN),
        (type_.is_integer, ValueType.INTEGER),
        (type_.is_numeric, ValueType.NUMBER),
        (type_.is_date, ValueType.DATE),
        (type_.is_timestamp, ValueType.TIMESTAMP),
        (type_.is_time, ValueType.TIME),
        (type_.is_string, ValueType.TEXT),
        (type_.is_uuid, ValueType.TEXT),
    )
    if type_.is_array() and type_.value_type.is_string():
        return ValueType.LIST
    if type_.is_decimal() and type_.scale == 0:
        return ValueType.INTEGER
    return next((found for test, found in tests if test()), ValueType.OTHER)


def _used(type_: ValueType) -> bool:
    return type_ is not ValueType.OTHER


def _plain(column: Any, type_: ValueType) -> Any:
    """A column as numbers, booleans, lists or texts, which every driver returns alike."""
    match type_:
        case ValueType.NUMBER:
            return column.cast("float64")
        case ValueType.INTEGER:
            return column.cast("int64")
        case ValueType.BOOLEAN | ValueType.LIST:
            return column
        case _:
            return column.cast("string")


# Small tables: counted here


def _counted(
    source: DataSource, plain: Any, types: Mapping[str, ValueType], rows: int
) -> dict[str, Facts]:
    fetched = source.rows(plain)
    columns: Iterable[Sequence[Any]] = zip(*fetched, strict=True) if fetched else ()
    cells = dict(zip(plain.columns, columns, strict=True)) if fetched else {}
    return {name: facts_of(types[name], cells.get(name, ()), rows) for name in plain.columns}


def facts_of(type_: ValueType, cells: Sequence[Any], rows: int) -> Facts:
    """The facts of a column, all of whose cells are given.

    >>> facts_of(ValueType.INTEGER, [3, 1, 3, None], 4).values
    (('3', 2), ('1', 1))
    """
    known = [cell for cell in map(_clean, cells) if cell is not None]
    if type_ is ValueType.LIST:
        return _facts_of_lists(known, rows)
    counts = Counter(known)
    numbers = type_.is_number and all(isinstance(cell, int | float) for cell in counts)
    texts = [str(cell) for cell in counts]
    mean_length = (
        sum(len(text) * n for text, n in zip(texts, counts.values(), strict=True)) / len(known)
        if known and type_ is ValueType.TEXT else None
    )  # fmt: skip
    listed = _is_listed(type_, len(counts), mean_length)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    ends = [cell if numbers else str(cell) for cell in counts] or [None]
    return Facts(
        type_, rows, rows - len(known), len(counts), True,
        _end(min(ends, default=None), numbers), _end(max(ends, default=None), numbers),
        math.fsum(known) / len(known) if numbers and known else None,
        mean_length,
        tuple((_text(cell), n) for cell, n in ordered) if listed else (),
        listed,
        tuple(dict.fromkeys(_text(cell) for cell in known[:_EXAMPLES])),
    )  # fmt: skip


def _facts_of_lists(known: Sequence[Any], rows: int) -> Facts:
    counts = Counter(str(item) for items in known for item in items if item is not None)
    listed = len(counts) <= MOST_VALUES
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return Facts(
        ValueType.LIST, rows, rows - len(known), len(counts),
        values=tuple(ordered) if listed else (), complete=listed,
        examples=tuple(text for text, _ in ordered[:_EXAMPLES]),
    )  # fmt: skip


def _clean(cell: Any) -> Any:
    """A cell as it is counted: not-a-number and empty texts are missing."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    if isinstance(cell, str):
        return cell if cell.strip() else None
    if isinstance(cell, bytes):
        return cell.decode("utf-8", errors="replace")
    return cell


def _text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return f"{cell:.15g}" if isinstance(cell, float) else str(cell)


def _end(cell: Any, numbers: bool) -> float | str | None:
    if cell is None:
        return None
    return float(cell) if numbers else str(cell)[:_TEXT_SHOWN]


def _is_listed(type_: ValueType, distinct: int, mean_length: float | None) -> bool:
    if type_ is ValueType.TEXT:
        return distinct <= MOST_VALUES and (mean_length or 0) <= LONGEST_MEAN
    return distinct <= _MOST_NUMBERS


# Large tables: counted by the store


def _sample_size(source: DataSource, rows: int) -> int | None:
    most = _COUNTED_ROWS.get(source.connection.name, _COUNTED_ELSEWHERE)
    return most if rows > most else None


def _aggregated(
    source: DataSource, plain: Any, types: Mapping[str, ValueType], rows: int, sampled: int | None
) -> dict[str, Facts]:
    part = plain.sample(sampled / rows, seed=None) if sampled else plain
    examples = source.rows(plain.limit(_EXAMPLES))
    found: dict[str, Facts] = {}
    for names in _chunks(plain.columns, _TOGETHER):
        scalars = [name for name in names if types[name] is not ValueType.LIST]
        found |= _ranges(source, plain, types, scalars, rows)
        distinct = _distinct(source, part, scalars)
        for name in scalars:
            facts = found[name]
            count = min(distinct[name], facts.filled)
            shown = _shown(examples, plain.columns.index(name))
            found[name] = replace(facts, distinct=count, exact=False, examples=shown)
        lists = [name for name in names if types[name] is ValueType.LIST]
        found |= {name: _counted(source, plain.select(name).limit(MOST_VALUES), types, rows)[name]
                  for name in lists}  # fmt: skip
    listed = [
        name
        for name, facts in found.items()
        if facts.type is not ValueType.LIST
        and _is_listed(facts.type, int(facts.distinct * 0.8), facts.mean_length)
    ]
    for name, values in _values(source, part, listed):
        facts = found[name]
        whole = _is_listed(facts.type, len(values), facts.mean_length)
        found[name] = replace(
            facts, distinct=len(values) if whole else facts.distinct, exact=whole and not sampled,
            values=tuple(values) if whole else (), complete=whole,
        )  # fmt: skip
    return found


def _ranges(
    source: DataSource, plain: Any, types: Mapping[str, ValueType], names: Sequence[str], rows: int
) -> dict[str, Facts]:
    asked: dict[str, Any] = {}
    for index, name in enumerate(names):
        column = _known(plain[name], types[name], source.connection.name)
        asked[f"known {index}"] = column.count()
        asked[f"least {index}"] = column.min()
        asked[f"greatest {index}"] = column.max()
        if types[name].is_number:
            asked[f"mean {index}"] = column.mean()
        elif types[name] is ValueType.TEXT:
            asked[f"mean {index}"] = column.length().mean()
    if not asked:
        return {}
    [row] = source.rows(plain.aggregate(**asked))
    got = dict(zip(asked, row, strict=True))
    found = {}
    for index, name in enumerate(names):
        number, known = types[name].is_number, int(got[f"known {index}"])
        mean = got.get(f"mean {index}")
        mean = None if mean is None else float(mean)
        found[name] = Facts(
            types[name], rows, rows - known, 0, False,
            _end(got[f"least {index}"], number), _end(got[f"greatest {index}"], number),
            mean if number else None, None if number else mean, complete=False,
        )  # fmt: skip
    return found


def _known(column: Any, type_: ValueType, store: str) -> Any:
    """A column whose missing values, as `_clean` has them, are null."""
    if type_ is ValueType.TEXT:
        return ibis.ifelse(column.strip() == "", ibis.null("string"), column)
    if type_ is ValueType.NUMBER and store in ("duckdb", "postgres"):
        wrong = column.isnan() | column.isinf()
        return ibis.ifelse(wrong, ibis.null("float64"), column)
    return column


def _distinct(source: DataSource, part: Any, names: Sequence[str]) -> dict[str, int]:
    if not names:
        return {}
    asked = {f"distinct {index}": part[name].approx_nunique() for index, name in enumerate(names)}
    [row] = source.rows(part.aggregate(**asked))
    return {name: int(count) for name, count in zip(names, row, strict=True)}


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
    """A value as `_text` writes it: "3", not "3.0"."""
    text = str(value)
    return text[:-2] if text.endswith(".0") and text[:-2].lstrip("-").isdigit() else text


def _shown(examples: Sequence[Sequence[Any]], index: int) -> tuple[str, ...]:
    known = (_clean(row[index]) for row in examples)
    return tuple(dict.fromkeys(_text(cell) for cell in known if cell is not None))


def _chunks(names: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (names[start : start + size] for start in range(0, len(names), size))
