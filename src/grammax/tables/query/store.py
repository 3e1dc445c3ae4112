"""`Store`: answers logical forms, from arrays in memory or from any store that Ibis supports.

    store = Store(PlainSource(catalogue, layout), runner_for(connect(url)), catalogue)
    answer = store.answer(lf)
    store.sql(lf, dialect="postgres")          # for any dialect, without a connection

Every logical form is type-checked before it runs. Queries are expressions, never concatenated SQL;
they are read-only and limited in time and rows.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from threading import Lock
from time import perf_counter
from types import TracebackType
from typing import Any, Final, Self, final

from grammax.language.answer import (
    ANSWER_SECONDS,
    BEGINNING,
    Answer,
    Cell,
    Column,
    Spread,
    View,
    Without,
    column_index,
)
from grammax.language.rows import NotNumeric
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.tree import LogicalForm, LogicalFormError
from grammax.tables.form.typecheck import require_well_typed
from grammax.tables.query.answer import answer_columns, answer_rows
from grammax.tables.query.diagnosis import diagnose
from grammax.tables.query.notes import notes_of_form, notes_of_rows, reasons_for_nothing
from grammax.tables.query.source import Row, Runner, Source
from grammax.tables.query.source import StoreError as StoreError
from grammax.tables.query.source import TooSlow as TooSlow
from grammax.tables.query.translate import Query, row_query, selected, spread, translate

LIMIT: Final = 100
_CACHED: Final = 256


@final
@dataclass(frozen=True)
class Prepared:
    """A query with the columns of its answer, compiled for the store."""

    query: Query
    columns: tuple[Column, ...]
    rows: Any
    runner: Runner
    notes: tuple[str, ...] = ()

    @cached_property
    def count(self) -> Any:
        """The count of rows without a limit, compiled when it is first asked for."""
        return self.runner.compile(self.query.engine.counted(self.query.expression))


@final
class Store:
    """A source and a runner that answer logical forms; threads may share it.

    `synthetic` tests whether a field, by token, holds generated data; `note` is shown with such
    columns. `described` makes the source that SQL is written from, where `source` is not of Ibis;
    `dialect` is that of the SQL.
    """

    def __init__(
        self,
        source: Source,
        runner: Runner,
        catalogue: Catalogue,
        *,
        synthetic: Callable[[str], bool] = lambda _: False,
        note: str = "",
        described: Callable[[], Source] | None = None,
        dialect: str = "duckdb",
    ) -> None:
        self.catalogue = catalogue
        self.note = note
        self.dialect = dialect
        self._source, self._runner, self._synthetic = source, runner, synthetic
        self._described = described
        self._cache: dict[tuple[object, ...], Prepared] = {}  # the oldest first
        self._spreads: dict[str, Spread | None] = {}
        self._lock = Lock()

    @property
    def today(self) -> datetime.date | None:
        """The store's own date, which "latest" and "last quarter" refer to."""
        return self._source.today

    @property
    def instant(self) -> bool:
        """Whether an answer takes a millisecond or so, and no other thread is needed."""
        return self._runner.instant

    def query(self, lf: LogicalForm, view: View = BEGINNING) -> Query:
        """The query of a logical form; raises `IllTyped` if it is ill-typed."""
        require_well_typed(lf, self.catalogue)
        return translate(lf, self.catalogue, self._source, view)

    def sql(self, lf: LogicalForm, dialect: str | None = None, view: View = BEGINNING) -> str:
        """The query as SQL of a dialect that Ibis knows: duckdb, postgres, trino, snowflake ..."""
        require_well_typed(lf, self.catalogue)
        source = self._source if self._described is None else self._described()
        query = translate(lf, self.catalogue, source, view)
        return query.engine.sql(query.expression, dialect or self.dialect)

    def answer(
        self,
        lf: LogicalForm,
        limit: int = LIMIT,
        seconds: float = ANSWER_SECONDS,
        view: View = BEGINNING,
    ) -> Answer:
        """The answer, at most `limit` rows; raises `TooSlow` if it takes longer than `seconds`."""
        begin = perf_counter()
        prepared = self.prepare(lf, limit, view)
        if seconds <= perf_counter() - begin:
            raise TooSlow(seconds)
        rows = self.run(prepared, seconds)
        more = len(rows) > limit
        left = seconds - (perf_counter() - begin)
        is_past_end = view.offset > 0 and not rows
        is_counted = more or is_past_end
        total = self._count(prepared, left) if is_counted else view.offset + len(rows)
        cells, named = self.cells(prepared.query, prepared.columns, rows[:limit])
        is_nothing = not is_past_end and not any(map(any, rows))
        notes = self._reasons(lf, begin + seconds) if is_nothing else []
        notes = notes or notes_of_rows(
            prepared.query, prepared.columns, cells, total, more, self.catalogue, view.offset
        )
        diagnosis: tuple[Without, ...] = ()
        if is_nothing:
            diagnosis = self._diagnosis(lf, begin + seconds)
        return Answer(
            columns=prepared.columns,
            rows=named,
            token_rows=cells,
            total=total,
            more=more,
            seconds=perf_counter() - begin,
            notes=(*prepared.notes, *notes),
            summary=prepared.query.summary,
            diagnosis=diagnosis,
            key=None if prepared.query.summary else 0,
        )

    def row(self, key: str, fields: Sequence[str], seconds: float = ANSWER_SECONDS) -> Answer:
        """The values of fields of the row with a key; without rows if there is no such row."""
        query = row_query(key, fields, self.catalogue, self._source)
        columns = answer_columns(query, self.catalogue, self._synthetic)
        rows = self._runner.run(self._runner.compile(query.expression.limit(1)), seconds)
        cells, named = self.cells(query, columns, rows)
        return Answer(columns, named, cells)

    def numbers(
        self, lf: LogicalForm, column: int | str, limit: int, seconds: float = ANSWER_SECONDS
    ) -> tuple[Column, list[object]]:
        """A column of an answer, and its cells in all rows, at most `limit`.

        The columns are those of `answer` with the default ones.
        """
        query = self.query(lf, View(defaults=True))
        columns = answer_columns(query, self.catalogue, self._synthetic)
        at = column_index(column, [c.field for c in columns], [c.label for c in columns])
        own = len(columns) - len(query.columns)
        if at < own or columns[at].type in ("text", "date"):
            named = [c.label for c in columns[own:] if c.type not in ("text", "date")]
            raise NotNumeric(columns[at].label, ", ".join(named))
        cells = query.expression.select(query.columns[at - own].name).limit(limit)
        rows = self._runner.run(self._runner.compile(cells), seconds)
        return columns[at], [cell for [cell] in rows]

    def cells(
        self, query: Query, columns: Sequence[Column], rows: Sequence[Row]
    ) -> tuple[tuple[tuple[Cell, ...], ...], tuple[tuple[Cell, ...], ...]]:
        """The rows of the store, with enum values as tokens and with enum values as names."""
        return answer_rows(query, columns, rows, self.catalogue, self._source.spellings)

    def prepare(self, lf: LogicalForm, limit: int = LIMIT, view: View = BEGINNING) -> Prepared:
        """Check, translate and compile a logical form; recent results are cached.

        Those that take no time are not: they would hold the arrays that they have computed.
        """
        if limit < 0:
            raise StoreError(f"The limit is {limit}; permitted: 0 rows or more.")
        if self.instant:
            return self._prepared(lf, limit, view)
        key = (lf, limit, view, self.today)
        with self._lock:
            found = self._cache.pop(key, None)
        if found is None:
            found = self._prepared(lf, limit, view)
        with self._lock:
            self._cache[key] = found
            while len(self._cache) > _CACHED:
                del self._cache[next(iter(self._cache))]
        return found

    def _prepared(self, lf: LogicalForm, limit: int, view: View) -> Prepared:
        query = self.query(lf, view)
        columns = answer_columns(query, self.catalogue, self._synthetic)
        rows = self._runner.compile(query.expression.limit(limit + 1, offset=view.offset))
        return Prepared(query, columns, rows, self._runner, notes_of_form(lf, self.catalogue))

    def run(self, prepared: Prepared, seconds: float = ANSWER_SECONDS) -> list[Row]:
        """The rows of the store, one more than the limit if there are more."""
        return self._runner.run(prepared.rows, seconds)

    def _reasons(self, lf: LogicalForm, end: float) -> list[str]:
        """Why an answer has no rows, or counts none, as far as is found until the time `end`."""

        def has_rows(part: LogicalForm) -> bool:
            try:
                rows = selected(part, self.catalogue, self._source).limit(1)
                left = end - perf_counter()
                return bool(self._runner.run(self._runner.compile(rows), left))
            except StoreError:
                return True

        return list(reasons_for_nothing(lf, self.catalogue, has_rows))

    def _diagnosis(self, lf: LogicalForm, end: float) -> tuple[Without, ...]:
        """Which conditions remove everything, as far as is found until the time `end`."""
        return diagnose(lf, self.catalogue, lambda form: self.count(form, end - perf_counter()))

    def count(self, lf: LogicalForm, seconds: float = ANSWER_SECONDS) -> int | None:
        """How many rows a form selects that is no summary; None if it cannot be counted in time."""
        if seconds <= 0:
            return None
        try:
            rows = selected(lf, self.catalogue, self._source)
            counted = self._runner.compile(self._source.scan().engine.counted(rows))
            [[total]] = self._runner.run(counted, seconds)
        except (StoreError, LogicalFormError):
            return None
        return int(str(total))

    def spread(self, token: str, seconds: float = ANSWER_SECONDS) -> Spread | None:
        """How the numbers of a field are spread, computed once; None if that is not known."""
        field = self.catalogue.fields.get(token)
        if field is None or field.type not in self.catalogue.schema.number_types:
            return None
        if self.catalogue.schema.number(field.type).dates:
            return None
        if token not in self._spreads:
            try:
                found = self._runner.compile(spread(token, self.catalogue, self._source))
                [cells] = self._runner.run(found, seconds)
            except TooSlow:
                return None
            except StoreError:  # there is no data of it, or no such function
                cells = ()
            numbers = [float(str(cell)) for cell in cells if cell is not None]
            is_known = len(numbers) == len(Spread._fields) and all(map(isfinite, numbers))
            self._spreads[token] = Spread(*numbers) if is_known else None
        return self._spreads[token]

    def forget(self) -> None:
        """Empty the caches of prepared queries and of spreads."""
        with self._lock:
            self._cache.clear()
            self._spreads.clear()

    def _count(self, prepared: Prepared, seconds: float) -> int | None:
        """The total number of rows, if it can be counted quickly."""
        try:
            [[total]] = self._runner.run(prepared.count, seconds)
        except TooSlow:
            return None
        return int(str(total))

    def close(self) -> None:
        """Close the connection."""
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
