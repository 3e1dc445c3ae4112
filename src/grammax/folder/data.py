"""The data files of a folder: pairs, and texts without a logical form.

A file of pairs is TSV with two columns, which may begin with a line that names them, or JSON lines:
objects with an utterance (`query`, `question`, `utterance` or `text`) and a logical form (`lf`, or
`sql`), which is a string or a list of tokens. Either may be compressed (`.gz`).
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from grammax.errors import FileFormatError, GrammaxError, Location, Problem
from grammax.folder.settings import Notation
from grammax.language.domain import Pair, Tokens
from grammax.language.pair_files import FORMS, UTTERANCES

_PIECES: Final = {
    "spaces": re.compile(r"\S+"),
    "brackets": re.compile(r"'[^']*'|\"[^\"]*\"|[()]|[^\s()]+"),
    "calls": re.compile(r"'[^']*'|\"[^\"]*\"|[(),]|[^\s(),]+"),
    "sql": re.compile(r"[^\t\n\r]+"),  # a token; `sql/notation` reads whole forms
}


_LIKE_UTTERANCES: Final = (
    *UTTERANCES, "utterances", "queries", "questions", "sentence", "input", "source", "nl",
    "natural language", "english", "x",
)  # fmt: skip
_LIKE_FORMS: Final = (
    *FORMS, "form", "forms", "logical forms", "output", "target", "program", "meaning", "mr",
    "meaning representation", "code", "parse", "y",
)  # fmt: skip
_EMPTY: Final = "Write one pair on each line: an utterance, a tab and its logical form."
_OBJECT: Final = 'such as {"query": "...", "lf": "..."}'
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


def _has_tabs(path: Path) -> bool:
    return any(isinstance(line, str) and "\t" in line for _, line in numbered_lines(path))


def _tab_lines(path: Path, to_form: ReadForm) -> Iterator[tuple[int, Pair | str]]:
    for number, line in numbered_lines(path):
        if not isinstance(line, str):
            yield number, line[0]
            continue
        columns = [column.strip() for column in line.split("\t")]
        heads = [column.lower() for column in columns]
        if number == 1 and heads[0] in UTTERANCES and heads[-1] in FORMS:
            continue
        if number == 1 and heads[0] in _LIKE_UTTERANCES and heads[-1] in _LIKE_FORMS:
            known = f"{', '.join(UTTERANCES)}, a tab, and {', '.join(FORMS)}"
            yield number, f"it looks like a header, whose names may be {known}; there is {line!r}"
            continue
        if len(columns) != 2 or not all(columns):
            wanted = "two columns, an utterance and a logical form, with a tab between them"
            there = sum(map(bool, columns))
            told = f"there must be {wanted}; there are {there}: {line[:60]!r}"
            yield number, no_tab(line, _OBJECT) or told
            continue
        try:
            yield number, Pair(columns[0], to_form(columns[1]))
        except GrammaxError as error:
            yield number, str(error)


def json_object(line: str, example: str) -> dict[str, Any]:
    """A line of JSON lines; `FileFormatError` says why it is not an object, such as the example."""
    try:
        found = json.loads(line)
    except ValueError as error:
        where = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        why = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise FileFormatError(f"not JSON: {why}{where}: {line[:60]!r}") from None
    except RecursionError:
        raise FileFormatError(f"not JSON that can be read: {line[:60]!r}") from None
    if not isinstance(found, dict):
        raise FileFormatError(f"each line must be an object, {example}, not {line[:60]!r}")
    return found


def no_tab(line: str, example: str) -> str | None:
    """What is wrong with a line that is JSON where columns are expected; None for others."""
    if "\t" in line or not line.lstrip().startswith(("[", "{")):
        return None
    return (
        f"JSON is read from a file whose name ends in .jsonl, with an object on each line, "
        f"{example}; there is {line[:60]!r}"
    )


def _json_lines(path: Path, to_form: ReadForm) -> Iterator[tuple[int, Pair | str]]:
    for number, line in numbered_lines(path):
        if not isinstance(line, str):
            yield number, line[0]
            continue
        try:
            row = json_object(line, _OBJECT)
        except FileFormatError as error:
            yield number, str(error)
            continue
        try:
            utterance = next(row[key] for key in UTTERANCES if key in row)
            form = row["lf"] if "lf" in row else row["sql"]
        except (KeyError, StopIteration):
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
