"""The data files of a folder: pairs, and tables of tokens.

A file of pairs is TSV with two columns, which may begin with a line that names them, or JSON lines:
objects with an utterance (`query`, `question`, `utterance` or `text`) and a logical form (`lf`, or
`sql`), which is a string or a list of tokens. Either may be compressed (`.gz`). A table of tokens
is CSV, TSV or Parquet with the columns `token`, `kind` and, optionally, `aliases`, separated by
`|`.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from grammax.errors import FileFormatError, GrammaxError, Location, Problem, VocabularyError
from grammax.folder.settings import Notation
from grammax.grammar.kinds import read_tokens
from grammax.language.domain import Pair, Tokens
from grammax.language.pair_files import FORMS, UTTERANCES

_PIECES: Final = {
    "spaces": re.compile(r"\S+"),
    "brackets": re.compile(r"'[^']*'|\"[^\"]*\"|[()]|[^\s()]+"),
    "calls": re.compile(r"'[^']*'|\"[^\"]*\"|[(),]|[^\s(),]+"),
    "sql": re.compile(r"[^\t\n\r]+"),  # a token; `sql/notation` reads whole forms
}


_EMPTY: Final = "Write one pair on each line: an utterance, a tab and its logical form."
_MISSING: Final = (
    "Write pairs there, an utterance, a tab and its logical form on each line, or correct [splits] "
    "in the settings, which names the file."
)
ReadForm = Callable[[str], Tokens]
"""Reads a logical form; a `GrammaxError` says why one cannot be read."""


SQL: Final = "the training pairs have SQL, of which a grammar knows neither tables nor columns"
SQL_HINT: Final = (
    "`grammax new DIR --sql FILE --schema SCHEMA` makes a folder that reads the pairs as SQL, and "
    "a parser that prints SQL."
)


class Line(NamedTuple):
    """A pair, and its line number."""

    number: int
    pair: Pair


def read_pairs(path: Path, notation: Notation | ReadForm) -> tuple[list[Line], list[Problem]]:
    """The pairs of a file, and a problem for each line that cannot be read."""
    to_form = partial(read_form, notation=notation) if isinstance(notation, str) else notation
    pairs: list[Line] = []
    problems: list[Problem] = []

    def wrong(message: str, line: int = 0, hint: str = "") -> None:
        problems.append(Problem("pair", message, hint, Location(str(path), line, 1)))

    read = _json_lines if ".jsonl" in path.suffixes else _tab_lines
    try:
        for number, found in read(path, to_form):
            if isinstance(found, str):
                wrong(found, number)
            else:
                pairs.append(Line(number, found))
    except FileNotFoundError:
        wrong("there is no such file", hint=_MISSING)
    except (OSError, EOFError) as error:
        wrong(f"it cannot be read: {error}")
    if not pairs and not problems:
        wrong("it has no pairs", hint=_EMPTY)
    if not pairs and read is _tab_lines and len(problems) > 1 and not _has_tabs(path):
        first = problems[0].location.line
        problems.clear()
        wrong("it has no tab in any line", first, f"{_EMPTY} CSV has to be saved with tabs.")
    return pairs, problems


def read_form(text: str, notation: Notation) -> Tokens:
    """The tokens of a logical form, split by the rules of the notation.

    >>> read_form("answer(len(riverid('red river')))", "calls")
    ('answer', '(', 'len', '(', 'riverid', '(', "'red river'", ')', ')', ')')
    """
    return tuple(_PIECES[notation].findall(text))


def likely_notation(lines: Sequence[Line]) -> Notation:
    """The probable notation of pairs read as "spaces": whether brackets touch other tokens."""
    tokens = {token for line in lines for token in line.pair.tokens if " " not in token}
    touching = [token for token in tokens if len(token) > 1 and not token.startswith(("'", '"'))]
    if not any(re.match(r"\(|.*\)$", token) for token in touching):
        return "spaces"
    calls = any(re.search(r"\w\(|\),|,$", token) for token in touching)
    return "calls" if calls else "brackets"


def looks_like_sql(lines: Sequence[Line]) -> bool:
    """Whether most logical forms begin with SELECT."""
    selects = sum(" ".join(line.pair.tokens[:1]).lower() == "select" for line in lines)
    return 2 * selects > len(lines)


def read_texts(path: Path) -> tuple[str, ...]:
    """The lines of a text file that are not empty."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise FileFormatError(f"{path}: there is no such file of out-of-domain texts") from None
    except UnicodeDecodeError as error:
        raise FileFormatError(f"{path}: byte {error.start} is not UTF-8: save it as such") from None
    return tuple(line for each in text.splitlines() if (line := each.strip()))


class Tables(NamedTuple):
    """Tokens by kind, and their aliases."""

    tokens: dict[str, tuple[str, ...]]
    aliases: dict[str, tuple[str, ...]]


def read_tables(paths: Sequence[Path]) -> Tables:
    """All tables together; a token that is listed twice in one kind counts once."""
    tokens: dict[str, dict[str, None]] = {}
    aliases: dict[str, tuple[str, ...]] = {}
    for path in paths:
        if not path.exists():
            raise FileFormatError(
                f"{path}: there is no such file; `tables` in the settings names it. Write a table "
                f"there with the columns token, kind and aliases, or take it out of `tables`."
            )
        if path.suffix == ".parquet":
            rows = _parquet(path)
            for token, kind, called in rows:
                tokens.setdefault(kind, {})[token] = None
                aliases |= {token: called} if called else {}
            continue
        for kind, some in read_tokens(path).items():
            tokens.setdefault(kind, {}).update(dict.fromkeys(some))
        aliases |= _aliases(path)
    return Tables({kind: tuple(some) for kind, some in tokens.items()}, aliases)


def _has_tabs(path: Path) -> bool:
    return any(isinstance(line, str) and "\t" in line for _, line in numbered_lines(path))


def _tab_lines(path: Path, to_form: ReadForm) -> Iterator[tuple[int, Pair | str]]:
    for number, line in numbered_lines(path):
        if not isinstance(line, str):
            yield number, line[0]
            continue
        columns = [column.strip() for column in line.split("\t")]
        if number == 1 and columns[0].lower() in UTTERANCES and columns[-1].lower() in FORMS:
            continue
        if len(columns) != 2 or not all(columns):
            wanted = "two columns, an utterance and a logical form, with a tab between them"
            there = sum(map(bool, columns))
            yield number, f"there must be {wanted}; there are {there}: {line[:60]!r}"
            continue
        try:
            yield number, Pair(columns[0], to_form(columns[1]))
        except GrammaxError as error:
            yield number, str(error)


def _json_lines(path: Path, to_form: ReadForm) -> Iterator[tuple[int, Pair | str]]:
    for number, line in numbered_lines(path):
        if not isinstance(line, str):
            yield number, line[0]
            continue
        try:
            row = json.loads(line)
            utterance = next(row[key] for key in UTTERANCES if key in row)
            form = row["lf"] if "lf" in row else row["sql"]
        except (ValueError, TypeError, KeyError, StopIteration):
            yield (
                number,
                (
                    f"there must be a JSON object with lf, the logical form, and with the query as "
                    f"one of {', '.join(UTTERANCES)}; there is {line[:60]!r}"
                ),
            )
            continue
        try:
            form = to_form(form) if isinstance(form, str) else form
        except GrammaxError as error:
            yield number, str(error)
            continue
        if not isinstance(form, list | tuple) or not all(map(_is_text, (utterance, *form))):
            yield number, "the utterance and each token must be texts that are not empty"
            continue
        yield number, Pair(utterance, tuple(form))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def numbered_lines(path: Path) -> Iterator[tuple[int, str | tuple[str]]]:
    """Lines that are not empty, with any line ends; one that is not UTF-8 gives `(problem,)`."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        data = (
            file.read().removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        )
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                yield number, line.decode()
            except UnicodeDecodeError as error:
                yield (
                    number,
                    (f"byte {error.start + 1} of the line is not UTF-8; save it as UTF-8",),
                )


def _aliases(path: Path) -> dict[str, tuple[str, ...]]:
    """Token → aliases of a table that `read_tokens` has read."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        if path.suffix.lower() == ".csv":
            rows: Iterator[list[str]] = csv.reader(file)
        else:
            rows = (line.rstrip("\r\n").split("\t") for line in file)
        header = next(rows)
        if "aliases" not in header:
            return {}
        token, aliases = header.index("token"), header.index("aliases")
        return {
            row[token]: called
            for row in rows
            if len(row) > aliases and (called := _split_aliases(row[aliases]))
        }


def _parquet(path: Path) -> Iterable[tuple[str, str, tuple[str, ...]]]:
    try:
        import duckdb
    except ModuleNotFoundError:
        message = f'{path}: Parquet needs DuckDB: pip install "grammax[eqs]"; or save it as CSV'
        raise VocabularyError(message) from None
    try:
        table = duckdb.read_parquet(str(path))
        wanted = [
            name if name in table.columns else "NULL" for name in ("token", "kind", "aliases")
        ]
        rows = table.project(", ".join(wanted)).fetchall()
    except duckdb.Error as error:
        raise VocabularyError(f"{path} cannot be read as Parquet: {error}") from None
    for token, kind, called in rows:
        if not isinstance(token, str) or not isinstance(kind, str):
            raise VocabularyError(f"{path}: it needs the columns token and kind, both texts")
        yield token, kind, _split_aliases(called or "")


def _split_aliases(text: str) -> tuple[str, ...]:
    if "|" not in text:  # as in most rows of a large table
        alias = text.strip()
        return (alias,) if alias else ()
    return tuple(alias for part in text.split("|") if (alias := part.strip()))
