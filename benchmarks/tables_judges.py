"""Judges: which table a question is asked about, and whether a reading of it is right.

`judge_of` has the judge of a set. With rows, a reading is right if its answer is that of the gold
query (`tables_match`); in Schema2QA, which has no rows, if it is the gold form.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Protocol, Self

from sqlglot import exp
from tables_columns import Unsayable, scope_of
from tables_match import matches
from tables_questions import Question
from tables_runs import Runs
from tables_schema2qa import Table, read_table
from tables_sql import parsed, said
from tables_thingtalk import gold_form, same_form
from tables_worlds import World, world_of

from grammax.errors import GrammaxError
from grammax.tables.form.canonical import same
from grammax.tables.form.tree import LogicalForm
from grammax.tables.form.typecheck import require_well_typed
from grammax.tables.inspect.source import DataSource, open_data


class Judge(Protocol):
    """Knows what is right; `seconds` has, by world, how long it took to open it."""

    seconds: dict[str, float]

    def world(self, question: Question) -> World:
        """The world of the table that a question is asked about."""

    def gold(self, question: Question) -> LogicalForm:
        """The gold query as a form; raises `Unsayable`."""

    def is_right(self, question: Question, form: LogicalForm) -> bool:
        """Whether a form is a right reading of a question."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class ByRows:
    """The judge of sets with rows and gold SQL."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._stack = ExitStack()
        self._data: dict[Path, DataSource] = {}
        self._runs: dict[Path, Runs] = {}
        self._worlds: dict[tuple[Path, str], World] = {}

    def world(self, question: Question) -> World:
        if question.table:
            world = self._world(question.source, question.table)
            assert world is not None
            return world
        tree = parsed(question.sql)
        try:
            assert isinstance(tree, exp.Select)
            return scope_of(tree, lambda table: self._world(question.source, table)).world
        except (AssertionError, Unsayable):  # no view has all: the first table that it names
            found = (self._world(question.source, t.name.lower()) for t in tree.find_all(exp.Table))
            return next(world for world in found if world is not None)

    def gold(self, question: Question) -> LogicalForm:
        return said(question.sql, lambda table: self._world(question.source, table)).form

    def is_right(self, question: Question, form: LogicalForm) -> bool:
        if not question.answerable:
            return False
        runs = self._runs_of(question.source)
        each = [runs.golds(sql, question.text) for sql in (question.sql, *question.also)]
        golds = [gold for found in each for gold in found]
        if all(gold.is_empty for gold in golds):
            try:
                return same(form, self.gold(question))
            except Unsayable:
                return False
        try:
            found = self.world(question).rows(form)
        except GrammaxError:
            return False
        return any(matches(gold, found) for gold in golds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _world(self, source: Path, table: str) -> World | None:
        if (source, table) not in self._worlds:
            begin = perf_counter()
            data = self._data.get(source) or self._stack.enter_context(open_data(source))
            self._data[source] = data
            name = next((each for each in data.tables if each.lower() == table), None)
            if name is None:
                return None
            world = world_of(data, name, f"{source.stem}.{table}")
            self._worlds[source, table] = world
            self.seconds[world.name] = perf_counter() - begin
        return self._worlds[source, table]

    def _runs_of(self, source: Path) -> Runs:
        if source not in self._runs:
            self._runs[source] = Runs(source)
            self._stack.callback(self._runs[source].close)
        return self._runs[source]


class ByForm:
    """The judge of Schema2QA."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._tables: dict[Path, Table] = {}

    def world(self, question: Question) -> World:
        return self._table(question.source).world

    def gold(self, question: Question) -> LogicalForm:
        table = self._table(question.source)
        form = gold_form(question.gold, table)
        require_well_typed(form, table.world.catalogue)
        return form

    def is_right(self, question: Question, form: LogicalForm) -> bool:
        try:
            return same_form(form, self.gold(question), self._table(question.source))
        except Unsayable:
            return False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return

    def _table(self, source: Path) -> Table:
        if source not in self._tables:
            begin = perf_counter()
            self._tables[source] = read_table(source)
            self.seconds[self._tables[source].world.name] = perf_counter() - begin
        return self._tables[source]


def judge_of(question: Question) -> Judge:
    """The judge of the set that a question belongs to."""
    return ByForm() if question.gold else ByRows()
