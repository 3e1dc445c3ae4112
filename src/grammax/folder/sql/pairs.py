"""Files of questions and SQL, as people have them.

TSV has a question and SQL on each line. JSON lines are objects with a question (`question`,
`utterance`, `text` or `query`) and SQL (`sql`, `lf`, or `query` beside another question).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from grammax.errors import FileFormatError, GrammarError, GrammaxError, Location, Problem
from grammax.folder.data import json_object, no_tab, numbered_lines
from grammax.folder.sql.reading.statement import read_sql
from grammax.folder.sql.schema import Schema
from grammax.folder.sql.unsupported import NotOneStatement, UnknownName, UnsupportedSql
from grammax.language.domain import Tokens

_QUESTIONS: Final = ("question", "utterance", "text", "query")
_QUERIES: Final = ("sql", "lf", "query")
_OBJECT: Final = 'such as {"question": "...", "sql": "..."}'
_CAUSES: Final = {
    "sql": "with SQL that has no form",
    "unknown-name": "with a table or column that the schema lacks",
    "statement": "with something else than one statement of SQL",
    "pair": "without a question and SQL",
}
_SHOWN: Final = 60  # characters of a line in a message


class SqlPair(NamedTuple):
    """A question, its SQL as it was written, and the form of it."""

    question: str
    sql: str
    form: Tokens
    line: int  # of the file


class SqlPairs(NamedTuple):
    """The pairs that have a form, and a problem for each line that has none."""

    pairs: list[SqlPair]
    refused: list[Problem]


def read_sql_pairs(path: Path, schema: Schema) -> SqlPairs:
    """The pairs of a file. `FileFormatError` if it is missing or empty, and `GrammarError` if no
    line of it has a form.
    """
    pairs: list[SqlPair] = []
    refused: list[Problem] = []
    try:
        for number, line in numbered_lines(path):
            try:
                question, sql = _columns(line, number, is_json=".jsonl" in path.suffixes)
                pairs.append(SqlPair(question, sql, read_sql(sql, schema), number))
            except _Heading:
                continue
            except GrammaxError as error:
                where = Location(str(path), number, 1)
                refused.append(Problem(_code(error), str(error), "", where, "warning"))
    except FileNotFoundError:
        raise FileFormatError(
            f"{path}: there is no such file of pairs. Give a file with a question and SQL on each "
            f"line: TSV, or JSON lines with question and sql."
        ) from None
    except (OSError, EOFError) as error:
        raise FileFormatError(f"{path} cannot be read: {error}") from None
    if not pairs and not refused:
        raise FileFormatError(
            f"{path} is empty. It needs a question and SQL on each line: TSV, or JSON lines with "
            f"question and sql."
        )
    if not pairs:
        raise GrammarError([replace(problem, severity="error") for problem in refused])
    return SqlPairs(pairs, refused)


def causes(refused: Sequence[Problem]) -> str:
    """Why some lines were left out, with their numbers, in words."""
    counts = Counter(problem.code for problem in refused)
    return ", ".join(f"{counts[code]:,} {_CAUSES[code]}" for code in _CAUSES if counts[code])


def _code(error: GrammaxError) -> str:
    if isinstance(error, UnknownName):
        return "unknown-name"
    if isinstance(error, NotOneStatement):
        return "statement"
    return "sql" if isinstance(error, UnsupportedSql) else "pair"


class _Heading(Exception):
    """A line that names the columns."""


def _columns(line: str | tuple[str], number: int, *, is_json: bool) -> tuple[str, str]:
    if not isinstance(line, str):
        raise FileFormatError(line[0])
    if is_json:
        return _of_object(line)
    columns = [column.strip() for column in line.split("\t")]
    if number == 1 and columns[0].lower() in _QUESTIONS and columns[-1].lower() in _QUERIES:
        raise _Heading
    if len(columns) != 2 or not all(columns):
        told = "there must be two columns, a question and SQL, with a tab between them, not"
        raise FileFormatError(no_tab(line, _OBJECT) or f"{told} {line[:_SHOWN]!r}")
    return columns[0], columns[1]


def _of_object(line: str) -> tuple[str, str]:
    row = json_object(line, _OBJECT)
    question = next((key for key in _QUESTIONS if key in row), None)
    sql = next((key for key in _QUERIES if key in row and key != question), None)
    if question is None or sql is None:
        raise FileFormatError(
            f"there must be a JSON object with a question and with sql, both texts, not "
            f"{line[:_SHOWN]!r}"
        )
    return _text(row, question), _text(row, sql)


def _text(row: dict[str, Any], key: str) -> str:
    text = row[key]
    if not isinstance(text, str):
        raise FileFormatError(f"{key} must be a text, not {str(text)[:_SHOWN]}")
    if not text.strip():
        raise FileFormatError(f"{key} is empty")
    return text


def pair_lines(pairs: Iterable[SqlPair]) -> str:
    """Pairs as JSON lines."""
    rows = ({"question": each.question, "sql": each.sql} for each in pairs)
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
