"""The values of columns and the names of columns, as tables of tokens.

Goes in: a schema, what pairs show, and a SQLite file if there is one. Comes out: for each column
the texts that a query may compare it with, and rows of the folder's tables of tokens, with names.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

from grammax.errors import FileFormatError
from grammax.folder.sql.observed import Observed, observed
from grammax.folder.sql.reading.terms import VALUE
from grammax.folder.sql.schema import Column, Schema
from grammax.folder.sql.schema_files import DIALECT, open_database, sqlglot
from grammax.language.domain import Tokens

_MOST: Final = 20_000  # different texts of a column; one with more has those of pairs
_MANY: Final = 10  # different texts of pairs, from which a column without a database has others
_LONGEST: Final = 100  # characters
_NEARLY_ALL: Final = 0.9  # the share of texts that makes a column one of numbers
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
_DATE: Final = re.compile(r"\d{1,4}[-/.:]\d{1,2}([-/.:]\d{1,4})?.*")
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\dA-Z_]+|\d+")
_SIGNS: Final = re.compile(r"[\t\n\r]")


@final
@dataclass(frozen=True, slots=True)
class Values:
    """What a column may be compared with."""

    texts: tuple[str, ...]
    is_number: bool  # whether with numbers
    is_ordered: bool  # whether less and more can be asked of it
    is_open: bool = False  # whether with any words of the query: not all its texts are listed


def column_values(
    schema: Schema, found: Observed, database: Path | None = None
) -> dict[str, Values]:
    """For each column what a query may compare it with."""
    stored = {} if database is None else stored_texts(schema, database)
    too_many = {token for token in schema.columns_by_token if database and token not in stored}
    values: dict[str, Values] = {}
    for token, column in schema.columns_by_token.items():
        texts = stored.get(token, ())
        said = tuple(found.values.get(token, ()))
        numbers = column.is_number or token in found.numeric
        if texts and not said and _are_numbers(texts):
            numbers, texts = True, ()  # numbers that are stored as texts
        is_open = not column.is_number and (
            token in too_many or (not database and len(said) >= _MANY)
        )
        known = found.listed_values(token) if is_open else said
        listed = tuple(dict.fromkeys((*(() if column.is_number else texts), *known)))
        dates = bool(texts or said) and all(_DATE.fullmatch(text) for text in (*texts, *said))
        values[token] = Values(listed, numbers, numbers or dates or token in found.ordered, is_open)
    return values


def _are_numbers(texts: Sequence[str]) -> bool:
    """Whether texts are numbers, but for some such as "n/a"."""
    count = sum(_NUMBER.fullmatch(text) is not None for text in texts)
    return count >= _NEARLY_ALL * len(texts)


def stored_texts(schema: Schema, database: Path) -> dict[str, tuple[str, ...]]:
    """The different texts of each column of a SQLite file, sorted; `FileFormatError` if a table or
    a column of the schema is not in it.
    """
    found: dict[str, tuple[str, ...]] = {}
    with closing(open_database(database)) as connection:
        for column in schema.columns_by_token.values():
            try:
                rows, texts = 0, list[str]()
                for (value,) in connection.execute(_distinct(column)):
                    rows += 1
                    texts += [value] if isinstance(value, str) and _fits(value) else []
            except sqlite3.Error as error:
                raise FileFormatError(
                    f"{database} does not fit the schema: {column.table}.{column.name} cannot be "
                    f"read ({error}). Give the database whose schema it is, or none."
                ) from None
            if rows <= _MOST:
                found[column.token] = tuple(sorted(texts))
    return found


def absent_values(
    pairs: Iterable[tuple[int, str, Tokens]], schema: Schema, database: Path
) -> Iterator[tuple[int, Column, str]]:
    """The values of forms that neither their questions nor the database have, with the numbers of
    the pairs; a pair is a number, a question and a form.
    """
    columns = schema.columns_by_token
    known: dict[tuple[str, str], bool] = {}
    with closing(open_database(database)) as connection:
        for number, question, form in pairs:
            found = observed([(question, form)], schema)
            for token in found.values:
                for text in found.listed_values(token):
                    at = token, text
                    if at not in known:
                        query = _with_text(columns[token])
                        known[at] = connection.execute(query, (text,)).fetchone() is not None
                    if not known[at]:
                        yield number, columns[token], text


def _with_text(column: Column) -> str:
    """`SELECT 1 FROM table WHERE column = ?`, of one row."""
    exp: Any = sqlglot().exp
    name = exp.to_identifier(column.name, quoted=True)
    table = exp.Table(this=exp.to_identifier(column.table, quoted=True))
    equal = exp.EQ(this=exp.Column(this=name), expression=exp.Placeholder())
    return str(exp.select("1").from_(table).where(equal).limit(1).sql(dialect=DIALECT))


def _distinct(column: Column) -> str:
    """`SELECT DISTINCT column FROM table`, with at most one row too many."""
    exp: Any = sqlglot().exp
    name = exp.Column(
        this=exp.to_identifier(column.name, quoted=True),
        table=exp.to_identifier(column.table, quoted=True),
    )
    table = exp.Table(this=exp.to_identifier(column.table, quoted=True))
    query = exp.select(name).from_(table).distinct().limit(_MOST + 1)
    return str(query.sql(dialect=DIALECT))


def _fits(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and text == text.strip() and not _SIGNS.search(text)


def value_rows(
    values: Mapping[str, Values], kinds: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Token, kind and names of each value; `kinds` has the kind of each column's values."""
    for column, each in values.items():
        for text in each.texts:
            yield f"{column}{VALUE}{text}", kinds[column], text.replace("|", " ")


def column_names(schema: Schema, column: Column) -> str:
    """The names of a column, separated by `|`: its words, after those of its table if needed.

    >>> from grammax.folder.sql.schema_files import parse_schema
    >>> schema = parse_schema("CREATE TABLE film (filmTitle TEXT, id INT); CREATE TABLE role (id)")
    >>> [column_names(schema, each) for each in schema.tables[0].columns]
    ['film title', 'film id|id']
    """
    own = words(column.name)
    if len(schema.owners(column.name)) == 1:
        return own
    return f"{words(column.table)} {own}|{own}"


def words(name: str) -> str:
    """The words of a name, in lower case.

    >>> words("CountryName"), words("release_year"), words("ISBN13")
    ('country name', 'release year', 'isbn 13')
    """
    return " ".join(_WORDS.findall(name)).lower() or name
