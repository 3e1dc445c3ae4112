"""Sample queries about a table, made from its columns; each is checked to have an answer.

>>> import tempfile
>>> from pathlib import Path
>>> from grammax.tables.own.domain import open_table
>>> with tempfile.TemporaryDirectory() as folder:
...     file = Path(folder) / "cars.csv"
...     _ = file.write_text("model,price_usd,fuel\\nA,20000,gas\\nB,35000,diesel\\nC,9000,gas\\n")
...     with open_table(file) as cars:
...         print(*cars.domain().samples, sep="\\n")
top 3 cars by price
how many cars per fuel
average price by fuel
cars with fuel gas
cars with price over 20 thousand
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, log10
from typing import Final

from grammax.errors import GrammaxError
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.text import read
from grammax.tables.inspect.description import ColumnDescription, TableDescription
from grammax.tables.own.catalogue import has_values, stored_values, type_of, value_tokens
from grammax.tables.query.store import Store
from grammax.tables.semantics import Role, SemanticClass

_C = SemanticClass
_GROUPED: Final = (_C.CATEGORY, _C.PLACE, _C.BOOLEAN, _C.ORGANISATION, _C.PERSON)
_NO_MEASURE: Final = (_C.COORDINATE, _C.CODE, _C.YEAR, _C.AGE, _C.RANK)
_GROUPS: Final = range(2, 51)  # values of a column that is worth grouping by
_LONGEST: Final = 24  # characters of a value that is named
_MANY: Final = 10  # rows of "top 10"; a small table has a "top 3"
_SECONDS: Final = 2.0  # for one answer: a slow table has fewer samples
_SAMPLES: Final = 6

Sample = tuple[str, str]
"""A query and its logical form."""


def samples(description: TableDescription, catalogue: Catalogue, store: Store) -> tuple[str, ...]:
    """Some queries that have answers, the most useful first."""
    found: list[str] = []
    for query, lf in _candidates(description):
        if len(found) < _SAMPLES and _has_answer(lf, catalogue, store):
            found.append(query)
    return tuple(found)


def _has_answer(lf: str, catalogue: Catalogue, store: Store) -> bool:
    try:
        answer = store.answer(read(lf, catalogue), 1, _SECONDS)
    except GrammaxError:  # this store, or this column, cannot answer it
        return False
    return any(cell is not None for row in answer.rows for cell in row)


def _candidates(description: TableDescription) -> Iterator[Sample]:
    rows = description.entity.plural
    measure = _measure(description)
    groups = _groups(description.used)
    if measure is not None:
        count = _MANY if description.rows > 2 * _MANY else 3
        yield f"top {count} {rows} by {measure.label}", f"(top {count} {measure.token})"
    for group in groups[:1]:
        yield f"how many {rows} per {group.label}", f"(by {group.token})"
        if measure is not None:
            lf = f"(AND (average {measure.token}) (by {group.token}))"
            yield f"average {measure.label} by {group.label}", lf
    yield from _of_values(rows, groups)
    if measure is not None:
        yield from _of_numbers(rows, measure)
    for group in groups[1:2]:
        yield f"how many {rows} per {group.label}", f"(by {group.token})"


def _measure(description: TableDescription) -> ColumnDescription | None:
    """The number that rows are compared by."""
    numbers = [
        column
        for column in description.used
        if column.role is Role.MEASURE
        and column.semantic.is_number
        and column.semantic not in _NO_MEASURE
        and column.facts.distinct > 1
    ]
    named = [column for column in numbers if column.name == description.entity.measure]
    return next(iter((*named, *numbers)), None)


def _groups(columns: Sequence[ColumnDescription]) -> list[ColumnDescription]:
    """Columns with a few values, own ones before those of other tables."""
    found = [
        column
        for column in columns
        if has_values(column)
        and column.semantic in _GROUPED
        and column.facts.distinct in _GROUPS
        and column.facts.distinct < max(column.facts.filled, 3)
        and not column.many
    ]
    return sorted(found, key=lambda each: (len(each.path), _GROUPED.index(each.semantic)))


def _of_values(rows: str, groups: Sequence[ColumnDescription]) -> Iterator[Sample]:
    tokens = value_tokens(groups)
    for group in groups:
        if group.semantic is _C.BOOLEAN:
            continue
        for value in stored_values(group)[:1]:
            if len(value) <= _LONGEST and value.isprintable():
                token = tokens[type_of(group)][value]
                yield (
                    f"{rows} with {group.label} {value}",
                    f"({group.token} EQ enumValue({token}))",
                )
                return


def _of_numbers(rows: str, measure: ColumnDescription) -> Iterator[Sample]:
    """Rows above a round number in the middle of the range."""
    mean = measure.facts.mean
    if mean is None or mean < 1:
        return
    unit = 10 ** floor(log10(mean))
    number = int(mean // unit * unit)
    for size, word, token in ((10**9, "billion", "BILLION"), (10**6, "million", "MILLION"),
                              (10**3, "thousand", "THOUSAND")):  # fmt: skip
        if number >= size:
            text, lf = f"{number // size} {word}", f"{number // size} {token}"
            break
    else:
        text = lf = str(number)
    if measure.semantic in (_C.MONEY, _C.COUNT, _C.NUMBER, _C.PHYSICAL) or text.isdigit():
        yield f"{rows} with {measure.label} over {text}", f"({measure.token} GR {lf})"
