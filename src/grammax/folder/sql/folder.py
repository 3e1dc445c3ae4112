"""`grammax new DIR --sql`: writes the folder of a domain whose pairs are SQL.

Goes in: a file of questions and SQL, a schema, and a SQLite file if there is one. Comes out:
settings, the grammar of the schema, tables of columns, values and numbers, and the pairs that have
a form, every fifth of them for testing. Those that have none are told.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from grammax.errors import GrammaxError, Location, Problem
from grammax.folder.new import folder_name
from grammax.folder.open_kinds import PLACE
from grammax.folder.settings import SETTINGS
from grammax.folder.sql.grammar import (
    COUNT,
    LISTED_COUNT,
    LISTED_NUMBER,
    LISTED_TEXT,
    NUMBER,
    PATTERN,
    TEXT,
    SqlGrammar,
    sql_grammar,
)
from grammax.folder.sql.observed import Observed, observed
from grammax.folder.sql.pairs import SqlPair, pair_lines, read_sql_pairs
from grammax.folder.sql.reading.scope import base_token
from grammax.folder.sql.reading.terms import VALUE
from grammax.folder.sql.schema import Schema
from grammax.folder.sql.schema_files import is_database, read_schema
from grammax.folder.sql.values import absent_values, column_names, column_values, value_rows

SCHEMA: Final = "schema.sql"
QUOTED: Final = f"'{PLACE}'"
_TESTED: Final = 5  # every fifth pair is for testing
_FEW: Final = 10  # pairs of which none are for testing
_HEADER: Final = ("token", "kind", "aliases")
_Row = tuple[str, str, str]


class Written(NamedTuple):
    """The files that were written, why lines of the file of pairs were left out, and what is
    doubtful about others.
    """

    files: list[Path]
    refused: list[Problem]
    doubtful: list[Problem]


def write_sql_folder(
    folder: Path, pairs: Path, schema: Path | None = None, database: Path | None = None
) -> Written:
    """Write the folder of an SQL domain. Nothing is ever overwritten."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise GrammaxError(
            f"{folder} exists already, and nothing was written. Choose the name of a new folder."
        )
    source = schema or database
    if source is None:
        raise GrammaxError(
            "there is no schema. Give --schema FILE with CREATE TABLE statements, or --database "
            "FILE with a SQLite file, whose schema is used then."
        )
    tables = read_schema(source)
    accepted, refused = read_sql_pairs(pairs, tables)
    found = observed(((pair.question, pair.form) for pair in accepted), tables)
    values = column_values(tables, found, database)
    grammar = sql_grammar(tables, found, values)
    value_table = [*value_rows(values, grammar.texts.listed), *_listed_rows(found)]
    tested = accepted[::_TESTED] if len(accepted) >= _FEW else []
    trained = [p for n, p in enumerate(accepted) if n % _TESTED] if tested else accepted
    files = {
        "grammar.lark": grammar.text,
        "columns.tsv": _table(_column_rows(tables, grammar)),
        "values.tsv": _table(value_table),
        "train.jsonl": pair_lines(trained),
        **({"test.jsonl": pair_lines(tested)} if tested else {}),
    }
    where = _copied(source, files)
    splits = [name.partition(".")[0] for name in files if name.endswith(".jsonl")]
    text = _settings(folder, where, database, splits, grammar)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in {SETTINGS: text, **files}.items():
        (folder / name).write_text(content, encoding="utf-8", newline="\n")
    doubtful = [] if database is None else list(_doubtful(pairs, accepted, tables, database))
    return Written([folder / name for name in (SETTINGS, *files)], refused, doubtful)


def _doubtful(
    path: Path, pairs: Iterable[SqlPair], schema: Schema, database: Path
) -> Iterator[Problem]:
    """A warning for each value of a pair that neither its question nor the database has."""
    given = ((each.line, each.question, each.form) for each in pairs)
    for line, column, text in absent_values(given, schema, database):
        message = f"{column.table}.{column.name} has no {text!r} in the database, nor the question"
        hint = "The pair teaches a value that no question can mean: correct it, or leave it out."
        yield Problem("absent", message, hint, Location(str(path), line, 1), "warning")


def _copied(source: Path, files: dict[str, str]) -> Path | None:
    """Add the statements of the schema to the files; a SQLite file stays where it is."""
    if is_database(source):
        return source
    files[SCHEMA] = source.read_text(encoding="utf-8-sig")
    return None


def _settings(
    folder: Path,
    source: Path | None,
    database: Path | None,
    splits: Iterable[str],
    grammar: SqlGrammar,
) -> str:
    schema = SCHEMA if source is None else _from(folder, source)
    lines = [
        "# The settings of a domain whose logical forms are SQL.",
        f'name = "{folder_name(folder)}"',
        'notation = "sql"',
        f"schema = {_quoted(schema)}",
    ]
    if database is not None:
        lines.append(f"database = {_quoted(_from(folder, database))}  # answers, and is only read")
    lines += [
        'tables = ["columns.tsv", "values.tsv"]  # columns and values, with what people call them',
        'any_order = ["and", "or"]',
        "",
        "[splits]",
        *(f'{name} = "{name}.jsonl"' for name in splits),
        "",
        "[filled]  # by the query: its numbers, and some of its words",
        f'{NUMBER} = "number"',
        f'{COUNT} = "integer"',
        f"{TEXT} = {_words(QUOTED)}",
        *(f"{kind} = {_words(f'{c}{VALUE}{PLACE}')}" for c, kind in grammar.texts.filled.items()),
        "",
    ]
    return "\n".join(lines)


def _words(written: str) -> str:
    """The setting of a kind that words of the query fill."""
    return f'{{ fill = "text", case = "any", written = {_quoted(written)} }}'


def _from(folder: Path, file: Path) -> str:
    """A file as seen from the folder."""
    try:
        return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive
        return file.resolve().as_posix()


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _column_rows(schema: Schema, grammar: SqlGrammar) -> Iterator[_Row]:
    columns = schema.columns_by_token
    for token, kind in grammar.column_kinds.items():
        yield token, kind, column_names(schema, columns[base_token(token)])


def _listed_rows(found: Observed) -> Iterator[_Row]:
    """Numbers and texts that a question does not mention, so that it cannot fill them."""
    for kind, numbers in (
        (LISTED_NUMBER, found.listed_numbers), (LISTED_COUNT, found.listed_counts)
    ):  # fmt: skip
        yield from ((number, kind, number) for number in numbers)
    for kind, texts in ((LISTED_TEXT, found.listed_texts), (PATTERN, [*found.patterns])):
        for text in texts:
            yield text, kind, text[1:-1].replace("|", " ").strip("%_") or text


def _table(rows: Iterable[_Row]) -> str:
    return "".join("\t".join(row) + "\n" for row in (_HEADER, *rows))
