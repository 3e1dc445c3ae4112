"""`Store`: answers logical forms, from arrays in memory or from any store that Ibis supports.

    store = Store(PlainSource(catalogue, layout), runner_for(connect(url)), catalogue)
    answer = store.answer(lf)
    store.sql(lf, dialect="postgres")          # for any dialect, without a connection

Every logical form is type-checked before it runs. Queries are expressions, never concatenated SQL;
they are read-only and limited in time and rows.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from threading import Lock
from time import perf_counter
from types import TracebackType
from typing import Any, Final, Self, final

from grammax.errors import GrammaxError
from grammax.language.answer import (
    ANSWER_SECONDS,
    BEGINNING,
    Answer,
    Column,
    Spread,
    Tokens,
    View,
    Without,
)
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.text import from_tokens
from grammax.tables.form.tree import Display, LogicalForm, LogicalFormError
from grammax.tables.form.typecheck import require_well_typed
from grammax.tables.form.walk import walk
from grammax.tables.query.answer import answer_columns, answer_rows
from grammax.tables.query.diagnosis import diagnose
from grammax.tables.query.notes import notes_of_form, notes_of_rows, reasons_for_nothing
from grammax.tables.query.source import Row, Runner, Source
from grammax.tables.query.source import StoreError as StoreError
from grammax.tables.query.source import TooSlow as TooSlow
from grammax.tables.query.translate import Query, selected, spread, translate

LIMIT: Final = 100
_CACHED: Final = 256
_EVERY_ROW: Final = 100_000


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

    def sql(self, lf: LogicalForm, dialect: str | None = None) -> str:
        """The query as SQL of a dialect that Ibis knows: duckdb, postgres, trino, snowflake ..."""
        dialect = dialect or self.dialect
        import ibis  # a second; arrays answer without it
        from ibis.common.exceptions import IbisError

        require_well_typed(lf, self.catalogue)
        source = self._source if self._described is None else self._described()
        expression = translate(lf, self.catalogue, source).expression
        try:
            return str(ibis.to_sql(expression, dialect=dialect))
        except IbisError as error:
            reason = str(error).partition("\n")[0]
            raise StoreError(
                f"The dialect {dialect} cannot express this query: {reason}"
            ) from error
        except (AttributeError, ValueError):
            raise StoreError(
                f"There is no dialect {dialect!r}.\nPermitted: the stores of Ibis, such as "
                "bigquery, clickhouse, duckdb, mysql, postgres, snowflake, trino."
            ) from None

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
        cells, named = answer_rows(
            prepared.query,
            prepared.columns,
            rows[:limit],
            self.catalogue,
            self._source.spellings,
        )
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
        )

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
        engine = self._source.scan().engine

        def count(form: LogicalForm) -> int | None:
            left = end - perf_counter()
            if left <= 0:
                return None
            try:
                rows = selected(form, self.catalogue, self._source)
                counted = self._runner.compile(engine.counted(rows))
                [[total]] = self._runner.run(counted, left)
            except (StoreError, LogicalFormError):
                return None
            return int(str(total))

        return diagnose(lf, self.catalogue, count)

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


@final
class StoreAnswers:
    """The `Answers` of a store, for logical forms given as tokens.

    Two forms have the same answer if they list the same entities in the same order and display the
    same columns, or if they are summaries with the same columns and rows. Two empty answers are not
    the same. `form` is the tree of a form, if something else has made it already.
    """

    def __init__(self, store: Store, form: Callable[[Tokens], LogicalForm] | None = None) -> None:
        self._store = store
        self._form = form or (lambda tokens: from_tokens(tokens, store.catalogue))
        self._known: dict[Tokens, tuple[object, ...] | None] = {}

    @property
    def instant(self) -> bool:
        """Whether an answer takes a millisecond or so."""
        return self._store.instant

    def answer(
        self,
        tokens: Tokens,
        limit: int,
        seconds: float = ANSWER_SECONDS,
        view: View = BEGINNING,
    ) -> Answer:
        """The entities that a logical form selects, and the fields that it displays."""
        return self._store.answer(self._form(tokens), limit, seconds, view)

    def spread(self, token: str, seconds: float = ANSWER_SECONDS) -> Spread | None:
        """How the numbers of a field are spread."""
        return self._store.spread(token, seconds)

    def sql(self, tokens: Tokens) -> str:
        """The query of a logical form as SQL, for a person to read."""
        return self._store.sql(self._form(tokens))

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether both forms have an answer, and it is the same."""
        if one == other:
            return True
        first, second = self._answer(one), self._answer(other)
        return first is not None and bool(first[0]) and first == second

    def _answer(self, tokens: Tokens) -> tuple[object, ...] | None:
        """What identifies an answer; None if there is none."""
        if tokens not in self._known:
            try:
                self._known[tokens] = self._identity(self._form(tokens))
            except GrammaxError:
                self._known[tokens] = None
        return self._known[tokens]

    def _identity(self, lf: LogicalForm) -> tuple[object, ...]:
        """The keys in order and the displayed columns; of a summary, its rows and columns."""
        prepared = self._store.prepare(lf, _EVERY_ROW)
        rows = self._store.run(prepared)
        if prepared.query.summary:
            shown = tuple(str(column.shows) for column in prepared.query.columns)
            counted = rows if any(map(any, rows)) else []  # a count of nothing is empty, too
            return tuple(tuple(map(_rounded, row)) for row in counted), shown
        displayed = tuple(str(part) for part in walk(lf) if isinstance(part, Display))
        return tuple(row[0] for row in rows), displayed


def _rounded(cell: object) -> object:
    """A cell without the last digits of a float, which depend on the order of a sum."""
    return float(f"{cell:.12g}") if isinstance(cell, float) else cell
