"""What was taught, and how to forget it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from grammax.tables.data_files import SCHEMA
from grammax.tables.inspect.description import State, Taught
from grammax.tables.inspect.schema_file import parse_schema, schema_file_text
from grammax.tables.teach.lesson import (
    Lesson,
    TaughtFolder,
    TeachError,
    listed,
    require_folder,
    taught_folder,
)
from grammax.tables.teach.pairs import PAIRS, forget_pair, read_pairs
from grammax.tables.teach.words import COLUMNS, PHRASES, ROWS, values_section
from grammax.tables.toml import line_of
from grammax.text import did_you_mean, nearest


class TaughtThing(NamedTuple):
    """Something that was taught, and where it is written."""

    kind: str  # column, value, row, phrase, class or pair
    word: str
    means: str
    file: str
    line: int


def list_taught(folder: Path | str) -> list[TaughtThing]:
    """Everything that was taught, or edited by hand, in the order of the files."""
    path = require_folder(folder)
    file, text = path / SCHEMA, schema_file_text(path / SCHEMA)
    kept = parse_schema(text, file)
    found = [
        TaughtThing(kind, word, means, str(file), line_of(text, section, key) or 0)
        for kind, section, key, word, means in _in_schema(kept.taught)
    ]
    for column in kept.columns:
        if column.state is State.EDITED:
            means = f"{column.semantic}{f' in {column.unit}' if column.unit else ''}"
            line = line_of(text, ("columns", column.name), "class") or 0
            found.append(TaughtThing("class", column.name, means, str(file), line))
    found.sort(key=lambda each: each.line)
    pairs = read_pairs(path).pairs
    return found + [
        TaughtThing("pair", query, lf, str(path / PAIRS), line) for line, query, lf in pairs
    ]


def _in_schema(taught: Taught) -> Iterator[tuple[str, tuple[str, ...], str, str, str]]:
    """The kind, the section, the key, the word, and what it means."""
    for row in taught.rows:
        yield "row", ROWS, "rows", row, "a row"
    for name, column in taught.columns.items():
        yield "column", COLUMNS, name, name, column
    for column, names in taught.values.items():
        for name, value in names.items():
            yield "value", values_section(column), name, name, f"{value} of {column}"
    for phrase, means in taught.phrases.items():
        yield "phrase", PHRASES, phrase, phrase, means


def forget(folder: Path | str, word: str) -> Lesson:
    """Forget a word that was taught, the class of a column, or the query of a pair."""
    with taught_folder(folder) as opened:
        wanted = " ".join(word.casefold().split())
        taught = opened.description.taught
        found = [each for each in _in_schema(taught) if each[3].casefold() == wanted]
        if not found:
            return _forget_class(opened, wanted) or _forget_pair(opened, word)
        for kind, section, key, name, _ in found:
            if kind == "row" and len(taught.rows) > 1:
                opened.set(section, key, tuple(each for each in taught.rows if each != name))
            else:
                opened.remove(section, key)
        opened.write()
        meant = " and ".join(means for *_, means in found)
        return opened.lesson(found[0][1], 0, f"{word!r} no longer means {meant}.")


def _forget_class(opened: TaughtFolder, name: str) -> Lesson | None:
    """Set what a column holds to what is inferred; None if no column of that name was edited."""
    kept, inspected = opened.table.kept, opened.table.inspected
    assert kept is not None
    assert inspected is not None
    edited = [each.name for each in kept.columns if each.state is State.EDITED]
    column = next((each for each in edited if each.casefold() == name), None)
    if column is None or column not in [each.name for each in inspected.columns]:
        return None
    section, fresh = ("columns", column), inspected.column(column)
    line = opened.set(section, "class", fresh.semantic)
    for key in ("role", "aggregate", "additive", "better", "enumerated"):
        opened.set(section, key, getattr(fresh, key))
    for key, text in (("unit", fresh.unit), ("doubt", fresh.doubt)):
        if text:
            opened.set(section, key, text)
        else:
            opened.remove(section, key)
    opened.set(section, "state", State.INFERRED)
    opened.write()
    unit = f" in {fresh.unit}" if fresh.unit else ""
    return opened.lesson(section, line, f"{column} is {fresh.semantic}{unit} again, as inferred.")


def _forget_pair(opened: TaughtFolder, word: str) -> Lesson:
    gone = forget_pair(opened.folder, word)
    if gone is not None:
        change = f"the pair of {gone.query!r} is no longer trained on."
        return Lesson(str(opened.folder / PAIRS), "", 0, change, needs_training=True)
    known = [each.word for each in list_taught(opened.folder)]
    close = did_you_mean(nearest(word, known), sentence=True)
    there = f"Taught were: {listed(known)}." if known else "Nothing was taught."
    raise TeachError(
        " ".join(f"{word!r} was not taught in {opened.folder}. {close} {there}".split())
    )
