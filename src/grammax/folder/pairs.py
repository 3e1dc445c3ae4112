"""Pairs of an utterance and a logical form from TSV or JSON lines, and what is wrong with them.

A TSV has two columns, and may begin with a line that names them. A line of JSON is an object with
the utterance (`query`, `question`, `utterance` or `text`) and the logical form (`lf`), which is a
text or a list of tokens. Either may be compressed (`.gz`).
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from grammax.errors import Location, Problem
from grammax.folder.settings import Notation
from grammax.language.domain import Pair, Tokens

_UTTERANCES: Final = ("query", "question", "utterance", "text")
_FORMS: Final = ("lf", "logical form", "logical_form")
_PIECES: Final = {
    "spaces": re.compile(r"\S+"),
    "brackets": re.compile(r"'[^']*'|\"[^\"]*\"|[()]|[^\s()]+"),
    "calls": re.compile(r"'[^']*'|\"[^\"]*\"|[(),]|[^\s(),]+"),
}


class Line(NamedTuple):
    """A pair, and the line of the file that has it."""

    number: int
    pair: Pair


def read_pairs(path: Path, notation: Notation) -> tuple[list[Line], list[Problem]]:
    """The pairs of a file, and a problem for each line that has none."""
    pairs: list[Line] = []
    problems: list[Problem] = []

    def wrong(message: str, line: int = 0) -> None:
        problems.append(Problem("pair", message, "", Location(str(path), line, 1)))

    read = _json_lines if ".jsonl" in path.suffixes else _tab_lines
    try:
        for number, found in read(path, notation):
            if isinstance(found, str):
                wrong(found, number)
            else:
                pairs.append(Line(number, found))
    except FileNotFoundError:
        wrong("there is no such file")
    except (OSError, EOFError) as error:
        wrong(f"it cannot be read: {error}")
    if not pairs and not problems:
        wrong("it has no pairs")
    return pairs, problems


def tokens_of(text: str, notation: Notation) -> Tokens:
    """The tokens of a logical form.

    >>> tokens_of("answer(len(riverid('red river')))", "calls")
    ('answer', '(', 'len', '(', 'riverid', '(', "'red river'", ')', ')', ')')
    """
    return tuple(_PIECES[notation].findall(text))


def _tab_lines(path: Path, notation: Notation) -> Iterator[tuple[int, Pair | str]]:
    for number, line in _lines(path):
        if not isinstance(line, str):
            yield number, line[0]
            continue
        columns = [column.strip() for column in line.split("\t")]
        if number == 1 and columns[0].lower() in _UTTERANCES and columns[-1].lower() in _FORMS:
            continue
        if len(columns) != 2 or not all(columns):
            wanted = "two columns, an utterance and a logical form, with a tab between them"
            there = sum(map(bool, columns))
            yield number, f"there must be {wanted}; there are {there}: {line[:60]!r}"
            continue
        yield number, Pair(columns[0], tokens_of(columns[1], notation))


def _json_lines(path: Path, notation: Notation) -> Iterator[tuple[int, Pair | str]]:
    for number, line in _lines(path):
        if not isinstance(line, str):
            yield number, line[0]
            continue
        try:
            row = json.loads(line)
            utterance = next(row[key] for key in _UTTERANCES if key in row)
            form = row["lf"]
        except (ValueError, TypeError, KeyError, StopIteration):
            yield (
                number,
                (
                    f"there must be a JSON object with {' or '.join(_UTTERANCES)} and with lf, not "
                    f"{line[:60]!r}"
                ),
            )
            continue
        if isinstance(form, str):
            form = tokens_of(form, notation)
        if not isinstance(form, list | tuple) or not all(map(_is_text, (utterance, *form))):
            yield number, "the utterance and each token must be texts that are not empty"
            continue
        yield number, Pair(utterance, tuple(form))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _lines(path: Path) -> Iterator[tuple[int, str | tuple[str]]]:
    """Lines that are not empty, whatever they end in; what is no UTF-8 is told as `(problem,)`."""
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
