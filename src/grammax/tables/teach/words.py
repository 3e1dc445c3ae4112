"""What can be taught in `schema.toml`: names of columns, values and rows, phrases, classes, units.

Each function checks what is given, writes one line (a class writes what depends on it, too), and
returns a `Lesson`. A word means one thing: a name that is taken is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from grammax.tables.inspect.classify import permits
from grammax.tables.inspect.description import ColumnDescription, State
from grammax.tables.own.catalogue import has_values, stored_values, value_names
from grammax.tables.phrases.conditions import BadCondition, read_condition
from grammax.tables.semantics import (
    Aggregate,
    SemanticClass,
    default_aggregate,
    default_better,
    default_role,
)
from grammax.tables.teach.lesson import (
    Lesson,
    TaughtFolder,
    TeachError,
    listed,
    taught_folder,
)
from grammax.text import did_you_mean, fold_text, nearest

ROWS: Final = ("taught",)
COLUMNS: Final = ("taught", "columns")
PHRASES: Final = ("taught", "phrases")
_LONGEST: Final = 60  # characters of a name


def values_section(column: str) -> tuple[str, str, str]:
    """The section of the names of a column's values."""
    return ("taught", "values", column)


def teach_column_name(folder: Path | str, column: str, name: str) -> Lesson:
    """Teach another name of a column."""
    with taught_folder(folder) as opened:
        meant, word = opened.column(column), _word(name)
        if _folded(word) in map(_folded, (meant.label, *_names(opened, meant))):
            return opened.known(COLUMNS, word, f"{word!r} is a name of {meant.name}")
        before = _require_free(opened, word, but=meant)
        line = opened.set(COLUMNS, word, meant.name)
        opened.write()
        change = f"{word!r} means the column {meant.name}"
        change += f", and no longer {before}." if before else "."
        return opened.lesson(COLUMNS, line, change)


def teach_value_name(folder: Path | str, column: str, value: str, name: str) -> Lesson:
    """Teach another name of a value."""
    with taught_folder(folder) as opened:
        of, word = opened.column(column), _word(name)
        stored = _stored(opened, of, value)
        section = values_section(of.name)
        taught = opened.description.taught
        for other in stored_values(of):
            names = (*value_names(of, other), *taught.names_of_value(of.name, other))
            if _folded(word) in map(_folded, names):
                if other == stored:
                    return opened.known(section, word, f"{word!r} is a name of {stored!r}")
                if word not in taught.values.get(of.name, {}):
                    raise TeachError(
                        f"{word!r} is a name of another value of {of.name}, {other!r}. Choose "
                        f"another name."
                    )
        _require_no_phrase(opened, word)
        line = opened.set(section, word, stored)
        opened.write()
        return opened.lesson(section, line, f"{word!r} means {stored!r} of {of.name}.")


def teach_row_name(folder: Path | str, name: str) -> Lesson:
    """Teach another noun for a row."""
    with taught_folder(folder) as opened:
        word, entity = _word(name), opened.description.entity
        taught = opened.description.taught
        nouns = (entity.singular, entity.plural, *entity.names, *taught.rows)
        if _folded(word) in map(_folded, nouns):
            return opened.known(ROWS, "rows", f"{word!r} is a noun for {entity.plural}")
        before = _require_free(opened, word)
        if before:
            raise TeachError(f"{word!r} means {before} already. Choose another noun.")
        line = opened.set(ROWS, "rows", (*taught.rows, word))
        opened.write()
        return opened.lesson(ROWS, line, f"{word!r} means {entity.singular}.")


def teach_phrase(folder: Path | str, phrase: str, means: str) -> Lesson:
    """Teach a phrase that stands for a condition, such as "gross > 100m"."""
    with taught_folder(folder) as opened:
        word, text = _word(phrase), " ".join(means.split())
        entity = opened.description.entity
        if _folded(word) in map(_folded, (entity.singular, entity.plural)):
            raise TeachError(f"{word!r} is the noun for a row. Choose another phrase.")
        domain = opened.table.domain()
        try:
            tokens = read_condition(text, domain.catalogue, domain.mentions, domain.written_pieces)
        except BadCondition as error:
            raise TeachError(str(error)) from error
        before = _require_free(opened, word, but=word)
        if before:
            raise TeachError(f"{word!r} means {before} already. Choose another phrase.")
        line = opened.set(PHRASES, word, text)
        opened.write()
        return opened.lesson(PHRASES, line, f"{word!r} means {domain.paraphrase(tokens)}.")


def teach_class(
    folder: Path | str, column: str, semantic: str | None = None, unit: str | None = None
) -> Lesson:
    """Teach what the values of a column are, and their unit."""
    with taught_folder(folder) as opened:
        of = opened.column(column)
        now = of.semantic if semantic is None else _class(of, semantic)
        if unit and not now.is_number:
            raise TeachError(
                f"{of.name} is of the class {now}, whose values have no unit. Give a class of "
                f"numbers, too: --class {listed([c for c in SemanticClass if c.is_number])}."
            )
        section, line = ("columns", of.name), 0
        kept = opened.table.kept
        if kept is None or of.name not in [each.name for each in kept.columns]:
            raise TeachError(
                f"{of.name} is not in {opened.path} yet: the data has got it since. Run `grammax "
                f"new {opened.folder} --from {opened.description.source}` first."
            )
        for key, value in _keys(of, now, unit):
            at = opened.set(section, key, value)
            line = line or at
        opened.remove(section, "doubt")
        if not now.is_number:
            opened.remove(section, "unit")
        opened.write()
        shown = f"{now}{f' in {unit}' if unit else ''}"
        return opened.lesson(section, line, f"{of.name} is {shown}.")


def _keys(of: ColumnDescription, now: SemanticClass, unit: str | None) -> list[tuple[str, object]]:
    """What is written for a class and a unit, the class first."""
    found: list[tuple[str, object]] = []
    if now is not of.semantic:
        aggregate = default_aggregate(now)
        coded = now is SemanticClass.CODE and of.facts.type.is_number  # numbers are not names
        listable = of.facts.complete and now is not SemanticClass.BOOLEAN and not coded
        found += [
            ("class", now), ("role", default_role(now)), ("aggregate", aggregate),
            ("additive", aggregate is Aggregate.SUM and now.is_number),
            ("better", default_better(now)),
            ("enumerated", now.is_enumerated and listable),
        ]  # fmt: skip
    if unit is not None:
        found.append(("unit", unit))
    return [*found, ("state", State.EDITED)]


def _class(of: ColumnDescription, given: str) -> SemanticClass:
    permitted = [each for each in SemanticClass if permits(each, of.facts)]
    wanted = given.strip().lower()
    if wanted in permitted:
        return SemanticClass(wanted)
    if wanted not in [*SemanticClass]:
        close = did_you_mean(nearest(given, list(SemanticClass)), sentence=True)
        raise TeachError(
            f"{given!r} is no class. {close}".rstrip()
            + f" Permitted for {of.name}: {', '.join(permitted)}."
        )
    raise TeachError(
        f"{of.name} cannot be of the class {wanted}: it has {of.facts.shown()}. Permitted: "
        f"{', '.join(permitted)}."
    )


def _word(given: str) -> str:
    """A name as it is written to the file."""
    word = " ".join(given.split())
    if not any(letter.isalnum() for letter in word) or len(word) > _LONGEST:
        raise TeachError(
            f"{given[:_LONGEST]!r} is no name: give 1 to {_LONGEST} characters, with a letter or a "
            f"digit among them."
        )
    return word.lower()


def _stored(opened: TaughtFolder, of: ColumnDescription, given: str) -> str:
    """A value as the data has it."""
    if not has_values(of):
        raise TeachError(
            f"the values of {of.name} have no names: it is of the class {of.semantic}, with "
            f"{of.facts.shown()}. Teach a phrase: --phrase WORD --means '{of.label} > ...'."
        )
    wanted = _folded(given)
    taught = opened.description.taught
    for stored in stored_values(of):
        names = (stored, *value_names(of, stored), *taught.names_of_value(of.name, stored))
        if wanted in map(_folded, names):
            return stored
    close = did_you_mean(nearest(given, stored_values(of)), sentence=True)
    raise TeachError(
        f"{of.name} has no value {given!r}. {close}".rstrip()
        + f" Its values: {listed(stored_values(of))}."
    )


def _names(opened: TaughtFolder, column: ColumnDescription) -> tuple[str, ...]:
    return (*column.names, *opened.description.taught.names_of(column.name))


def _require_free(
    opened: TaughtFolder, word: str, but: ColumnDescription | str | None = None
) -> str:
    """What a word means that gives way to another meaning, or nothing.

    Raises `TeachError` if it has a meaning that must be forgotten first.
    """
    folded, taught = _folded(word), opened.description.taught
    for name, meant in taught.columns.items():
        if _folded(name) == folded:
            raise _taken(opened, name, f"the column {meant}")
    if _folded(word) in map(_folded, taught.rows):
        raise _taken(opened, word, f"{opened.description.entity.singular}")
    if but != word:
        _require_no_phrase(opened, word)
    before = ""
    for column in opened.description.used:
        if column is but:
            continue
        if folded == _folded(column.label) or folded == _folded(column.name):
            raise TeachError(
                f"{word!r} is what the column {column.name} is called. Change its label in "
                f"{opened.path} first, or choose another name."
            )
        if folded in map(_folded, column.names):
            if column.state is State.EDITED:
                raise TeachError(
                    f"{word!r} is a name of the column {column.name}. Remove it from its names in "
                    f"{opened.path} first, or choose another name."
                )
            before = column.name
        if isinstance(but, str) and has_values(column):
            stored = next((v for v in stored_values(column) if _folded(v) == folded), None)
            before = before or (f"{stored!r} of {column.name}" if stored else "")
    return before


def _require_no_phrase(opened: TaughtFolder, word: str) -> None:
    for phrase, means in opened.description.taught.phrases.items():
        if _folded(phrase) == _folded(word):
            raise _taken(opened, phrase, f'"{means}"')


def _taken(opened: TaughtFolder, word: str, meaning: str) -> TeachError:
    return TeachError(
        f"{word!r} was taught to mean {meaning}. Forget that first: grammax teach "
        f"{opened.folder} --forget {word!r}."
    )


def _folded(word: str) -> str:
    return " ".join(fold_text(word).split())
