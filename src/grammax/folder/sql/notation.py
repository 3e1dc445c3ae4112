"""`SqlNotation`: SQL as the notation of a folder's logical forms.

Goes in: the schema of the settings. Comes out: forms of SQL, the SQL of forms, and the answers of a
database.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import final

from grammax.folder.sql.answers import SqlAnswers
from grammax.folder.sql.reading.statement import read_sql
from grammax.folder.sql.schema import Schema
from grammax.folder.sql.schema_files import read_schema
from grammax.folder.sql.unsupported import NotAForm
from grammax.folder.sql.writing import write_sql
from grammax.language.answer import Answers
from grammax.language.domain import Tokens


@final
class SqlNotation:
    """SQL over the tables of a schema, which is read on first use."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def schema(self) -> Schema:
        """The schema."""
        return read_schema(self._path)

    def read(self, text: str) -> Tokens:
        """The form of a statement; a `GrammaxError` shows what has none."""
        return read_sql(text, self.schema)

    def text(self, tokens: Tokens) -> str:
        """The SQL of a form; the beginning of a form, which has none, as its tokens."""
        try:
            return write_sql(tokens, self.schema)
        except NotAForm:
            return " ".join(tokens)

    @contextmanager
    def answers(self, database: Path) -> Iterator[Answers]:
        """The answers of a SQLite file."""
        yield SqlAnswers(self.schema, database)
