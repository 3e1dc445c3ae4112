"""`SqlAnswers`: answers of a SQLite file to forms.

The only statements that are executed are SELECTs written of a form. The file is opened read-only,
an authorizer permits reading alone, and the clock is checked while a query runs.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, Final, final

from grammax.errors import GrammaxError
from grammax.folder.answers import as_answer
from grammax.folder.sql.schema import Schema
from grammax.folder.sql.schema_files import DIALECT, open_database
from grammax.folder.sql.writing import statement, write_sql
from grammax.language.answer import ANSWER_SECONDS, BEGINNING, Answer, AnswerTooSlow, View
from grammax.language.domain import Tokens

_STEPS: Final = 10_000  # instructions of SQLite's machine between two looks at the clock
_MOST: Final = 100_000  # rows; of more than these an answer says so
_PERMITTED: Final = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION))


class SqlFailed(GrammaxError):
    """A query that the database refused."""


@final
@dataclass(frozen=True, slots=True)
class SqlAnswers:
    """Answers of a SQLite file, which is opened for each query."""

    schema: Schema
    database: Path

    @property
    def instant(self) -> bool:
        """It is not known how large the database is."""
        return False

    def answer(
        self,
        tokens: Tokens,
        limit: int,
        seconds: float = ANSWER_SECONDS,
        view: View = BEGINNING,
    ) -> Answer:
        """The rows of a query, at most `limit`."""
        begun = perf_counter()
        labels, rows = self._run(tokens, seconds)
        named = [dict(zip(labels, row, strict=True)) for row in rows]
        answer = as_answer(named[:_MOST], limit, perf_counter() - begun, view)
        if len(rows) <= _MOST:
            return answer
        note = f"The query has more than {_MOST:,} rows; these are of the first ones."
        return replace(answer, total=None, more=True, notes=(note,))

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether two queries have the same rows, and any; in the same order if both sort them."""
        if one == other:
            return True
        try:
            found, expected = (self._run(tokens, ANSWER_SECONDS)[1] for tokens in (one, other))
        except (SqlFailed, AnswerTooSlow):
            return False
        if not expected or len(found) != len(expected):
            return False
        if is_sorted(one) and is_sorted(other):
            return found == expected
        return Counter(found) == Counter(expected)

    def sql(self, tokens: Tokens, view: View = BEGINNING) -> str:  # noqa: ARG002
        """The query as it is executed."""
        return write_sql(tokens, self.schema)

    def _run(self, tokens: Tokens, seconds: float) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The labels of the columns, which differ, and the rows."""
        query = str(statement(tokens, self.schema).sql(dialect=DIALECT))
        end = monotonic() + seconds
        with closing(open_database(self.database)) as connection:
            connection.set_authorizer(_authorize)
            connection.set_progress_handler(lambda: monotonic() > end, _STEPS)
            try:
                cursor = connection.execute(query)
                rows = cursor.fetchmany(_MOST + 1)
            except sqlite3.Error as error:
                if monotonic() > end:
                    message = f"there was no answer after {seconds:g} seconds: {query}"
                    raise AnswerTooSlow(message) from None
                raise SqlFailed(
                    f"{self.database} could not answer: {error}. Does it fit the schema? {query}"
                ) from None
            labels = [str(each[0]) for each in cursor.description]
        return _different(labels), [tuple(map(_cell, row)) for row in rows]


def is_sorted(tokens: Tokens) -> bool:
    """Whether a form sorts its rows, which an order inside a subquery does not."""
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        if token == "order" and depth == 2 and tokens[at - 1] == "(":
            return True
    return False


def _authorize(action: int, *_: str | None) -> int:
    return sqlite3.SQLITE_OK if action in _PERMITTED else sqlite3.SQLITE_DENY


def _cell(value: Any) -> Any:
    return f"{len(value):,} bytes" if isinstance(value, bytes) else value


def _different(labels: Sequence[str]) -> list[str]:
    """The labels with numbers after those that occur again.

    >>> _different(["name", "COUNT(*)", "name"])
    ['name', 'COUNT(*)', 'name (2)']
    """
    seen: Counter[str] = Counter()
    found = []
    for label in labels:
        seen[label] += 1
        found.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return found
