"""Sample queries about a table, made from its columns; each is checked to have an answer.

Examples are more of them, by what they show: filters, comparisons, ranks, columns, groups, time.

>>> import tempfile
>>> from pathlib import Path
>>> from grammax.tables.own.domain import open_table
>>> with tempfile.TemporaryDirectory() as folder:
...     file = Path(folder) / "cars.csv"
...     _ = file.write_text("model,price_usd,fuel\\nA,20000,gas\\nB,35000,diesel\\nC,9000,gas\\n")
...     with open_table(file) as cars:
...         domain = cars.domain()
...         print(*domain.samples, sep="\\n")
...         print(*domain.examples[3], sep=": ")
top 3 cars by price
how many cars per fuel
average price by fuel
cars with fuel gas
cars with price over 20 thousand
Show columns: ('show price and fuel',)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from math import floor, log10
from time import monotonic
from typing import Final, final

from grammax.errors import GrammaxError
from grammax.language.capabilities import Examples
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

_FILTER: Final = "Filter"
_COMPARE: Final = "Compare numbers"
_RANK: Final = "Rank"
_SHOW: Final = "Show columns"
_GROUP: Final = "Groups and counts"
_TIME: Final = "Time"
_CATEGORIES: Final = (_FILTER, _COMPARE, _RANK, _SHOW, _GROUP, _TIME)


@final
@dataclass(frozen=True, slots=True)
class Sample:
    """A query, its logical form, and the category of what it shows."""

    query: str
    lf: str
    category: str


def samples(
    description: TableDescription, catalogue: Catalogue, store: Store
) -> tuple[Sample, ...]:
    """Some queries that have answers, the most useful first."""
    candidates = _candidates(description)
    return tuple(islice((s for s in candidates if _has_answer(s.lf, catalogue, store)), _SAMPLES))


def examples(
    first: Iterable[Sample], description: TableDescription, catalogue: Catalogue, store: Store
) -> tuple[Examples, ...]:
    """Samples and others that have answers, by what they show; of a slow table fewer."""
    end = monotonic() + _SECONDS
    timely = takewhile(lambda _: monotonic() < end, _more(description))
    more = (s for s in timely if _has_answer(s.lf, catalogue, store))
    found = (*first, *more)
    return tuple(
        Examples(category, queries)
        for category in _CATEGORIES
        if (queries := tuple(s.query for s in found if s.category == category))
    )


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
        lf = f"(top {count} {measure.token})"
        yield Sample(f"top {count} {rows} by {measure.label}", lf, _RANK)
    for group in groups[:1]:
        yield Sample(f"how many {rows} per {group.label}", f"(by {group.token})", _GROUP)
        if measure is not None:
            lf = f"(AND (average {measure.token}) (by {group.token}))"
            yield Sample(f"average {measure.label} by {group.label}", lf, _GROUP)
    yield from _of_values(rows, groups)
    if measure is not None:
        yield from _of_numbers(rows, measure)
    for group in groups[1:2]:
        yield Sample(f"how many {rows} per {group.label}", f"(by {group.token})", _GROUP)


def _more(description: TableDescription) -> Iterator[Sample]:
    """Other queries, to show what can be asked."""
    singular, plural = description.entity.singular, description.entity.plural
    measures, groups = _measures(description), _groups(description.used)
    for measure in measures[:1]:
        lf = f"(bottom 1 {measure.token})"
        yield Sample(f"the {singular} with the lowest {measure.label}", lf, _RANK)
    yield from _of_values(plural, groups[1:])
    for measure in measures[1:2]:
        yield from _of_numbers(plural, measure)
    match [*measures[:1], *groups[:1], *measures[1:2]]:
        case [one, other, *_]:
            lf = f"(AND (display {one.token}) (display {other.token}))"
            yield Sample(f"show {one.label} and {other.label}", lf, _SHOW)
    yield from _of_dates(plural, description)


def _measure(description: TableDescription) -> ColumnDescription | None:
    """The number that rows are compared by."""
    return next(iter(_measures(description)), None)


def _measures(description: TableDescription) -> list[ColumnDescription]:
    """Numbers that rows are compared by, the most useful first."""
    numbers = [
        column
        for column in description.used
        if column.role is Role.MEASURE
        and column.semantic.is_number
        and column.semantic not in _NO_MEASURE
        and column.facts.distinct > 1
    ]
    named = [column for column in numbers if column.name == description.entity.measure]
    return [*named, *(column for column in numbers if column not in named)]


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
                lf = f"({group.token} EQ enumValue({token}))"
                yield Sample(f"{rows} with {group.label} {value}", lf, _FILTER)
                return


def _of_dates(rows: str, description: TableDescription) -> Iterator[Sample]:
    """Rows after a year in the middle of the range, and the number of rows in each year."""
    for column in description.used:
        years = [str(end)[:4] for end in (column.facts.least, column.facts.greatest)]
        if column.semantic is not _C.DATE or not all(map(str.isdecimal, years)):
            continue
        if years[0] == years[1]:
            continue
        year = (int(years[0]) + int(years[1])) // 2
        lf = f"({column.token} GR {year})"
        named = column.label if column.label.endswith("ed") else f"with {column.label}"
        yield Sample(f"{rows} {named} after {year}", lf, _TIME)
        yield Sample(f"how many {rows} by year", "(by YEAR)", _TIME)
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
        lf = f"({measure.token} GR {lf})"
        yield Sample(f"{rows} with {measure.label} over {text}", lf, _COMPARE)
