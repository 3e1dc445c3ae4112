"""`schema.toml`: a `TableDescription` without its facts, as people read and edit it.

Every entry has a `state`. What a person changes stays: an entry that differs from what was written
counts as edited even if its `state` was not, and one that was deleted is not inferred again. The
sections `[taught...]` hold the words that people taught; `[inspected]` at the end is what
differences are told by.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, replace
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar, get_type_hints

from grammax.files import write_atomic
from grammax.tables.inspect.description import (
    ColumnDescription,
    EntityDescription,
    InspectError,
    Join,
    State,
    TableDescription,
    Taught,
)
from grammax.tables.inspect.tokens import distinct_tokens
from grammax.tables.semantics import Role, SemanticClass
from grammax.tables.toml import toml_key, toml_value
from grammax.text import did_you_mean, nearest

_TOP: Final = ("source", "table", "entity", "joins", "columns", "taught", "inspected")
_TAUGHT: Final = ("rows", "columns", "values", "phrases")
_KEYS: Final = {"semantic": "class"}  # attributes whose key is another word
_ALWAYS: Final = frozenset({"token", "label", "semantic", "role", "singular", "plural", "key",
                            "table", "column", "columns", "keys", "state"})  # fmt: skip
_HEADER: Final = """\
# How grammax understands the table {table}. Change what is wrong; it is used at once, and later
# inspections keep it. An entry with state = "removed", or one that is deleted, is not used.
"""
FOOTER: Final = "# What was inferred, so that changes can be told from it. Leave it as it is."
E = TypeVar("E", ColumnDescription, EntityDescription, Join)


class SchemaFileError(InspectError):
    """A schema file that cannot be used; `problems` lists everything wrong with it."""

    def __init__(self, path: Path, problems: list[str]) -> None:
        self.path, self.problems = path, tuple(problems)
        lines = "".join(f"\n    {problem}" for problem in problems)
        super().__init__(f"The schema file {path} cannot be used:{lines}")


def write_schema(path: Path, description: TableDescription) -> None:
    """Write a description; readers see the old file or the new one."""
    write_atomic(path, schema_text(description).encode())


def schema_text(description: TableDescription) -> str:
    """A description as TOML, with what was seen in comments."""
    lines = [
        _HEADER.format(table=_comment(description.table)),
        f"source = {toml_value(description.source)}",
        f"table = {toml_value(description.table)}",
        "",
        "[entity]",
        *_lines(description.entity),
    ]
    for join in description.joins:
        lines += ["", f"[joins.{toml_key(join.name)}]", *_lines(join)]
    for column in description.columns:
        lines += ["", f"[columns.{toml_key(column.name)}]"]
        if column.facts.rows:
            lines.append(f"# {_comment(column.facts.shown())}")
        lines += _lines(column)
    lines += _taught_lines(description.taught)
    lines += ["", FOOTER, "[inspected]"]
    lines += [f"{toml_key(key)} = {toml_value(value)}" for key, value in _prints(description)]
    return "\n".join(lines) + "\n"


def read_schema(path: Path) -> TableDescription:
    """The description that a file holds, without facts; raises `SchemaFileError`."""
    return parse_schema(schema_file_text(path), path)


def schema_file_text(path: Path) -> str:
    """The text of a schema file."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InspectError(f"The schema file {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise SchemaFileError(path, [f"It is not TOML: {error}."]) from error


def parse_schema(text: str, path: Path) -> TableDescription:
    """The description that the text of a file holds; raises `SchemaFileError`."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SchemaFileError(path, [f"It is not TOML: {error}."]) from error
    reader = _Reader()
    found = reader.description(given)
    if reader.problems:
        raise SchemaFileError(path, reader.problems)
    return found


def merge(fresh: TableDescription, kept: TableDescription) -> TableDescription:
    """A new inspection with what a person edited or removed in an earlier one."""
    old = {column.name: column for column in kept.columns}
    columns = [_merged(column, old.get(column.name)) for column in fresh.columns]
    joins = tuple(_merged_join(join, kept) for join in fresh.joins)
    gone = [join.path for join in joins if join.state is State.REMOVED]
    columns = [
        replace(column, state=State.REMOVED)
        if any(column.path[: len(path)] == path for path in gone)
        else column
        for column in columns
    ]
    there = {column.name for column in columns}
    entity = fresh.entity
    if kept.entity.state is State.EDITED:
        key, label, measure = (
            name if name in there else ""
            for name in (kept.entity.key, kept.entity.label, kept.entity.measure)
        )
        entity = replace(kept.entity, key=key, label=label, measure=measure)
    lost = [
        name for name, column in old.items() if column.state is State.EDITED and name not in there
    ]
    notes = tuple(f"{name} is in schema.toml, but no longer in the data." for name in lost)
    return replace(
        fresh,
        entity=entity,
        joins=joins,
        columns=_apart(columns, kept.taught),
        notes=(*fresh.notes, *notes),
        taught=kept.taught,
    )


def _merged(fresh: ColumnDescription, old: ColumnDescription | None) -> ColumnDescription:
    if old is None or old.state is State.INFERRED:
        return fresh
    if old.state is State.REMOVED:
        return replace(fresh, state=State.REMOVED)
    # Where it is stored, and what was counted, is not for a person to say.
    return replace(old, table=fresh.table, column=fresh.column, path=fresh.path, facts=fresh.facts)


def _merged_join(fresh: Join, kept: TableDescription) -> Join:
    old = next((join for join in kept.joins if join.path == fresh.path), None)
    return (
        fresh if old is None or old.state is not State.REMOVED else replace(fresh, state=old.state)
    )


def _apart(columns: list[ColumnDescription], taught: Taught) -> tuple[ColumnDescription, ...]:
    """Inferred columns give way to edited ones that have their token or their names.

    A name that was taught is no longer inferred for any column.
    """
    edited = [column for column in columns if column.state is State.EDITED]
    tokens = {column.token for column in edited}
    names = {name for column in edited for name in (column.label, *column.names)}
    names |= {name.lower() for name in taught.columns}
    found = []
    for column in columns:
        if column.state is not State.EDITED:
            [token] = distinct_tokens("", [column.token], tokens)
            tokens.add(token)
            left = tuple(name for name in column.names if name not in names)
            column = replace(column, token=token, names=left)
        found.append(column)
    return tuple(found)


# Writing


def _lines(entry: ColumnDescription | EntityDescription | Join) -> Iterator[str]:
    for field in _written(type(entry)):
        value = getattr(entry, field.name)
        default = None if field.default is MISSING else field.default
        if field.name in _ALWAYS or value != default:
            yield f"{_KEYS.get(field.name, field.name)} = {toml_value(value)}"


def _taught_lines(taught: Taught) -> Iterator[str]:
    """The sections of what was taught, as `grammax teach` writes them line by line."""
    if taught.rows:
        yield from ("", "[taught]", f"rows = {toml_value(taught.rows)}")
    sections = {"columns": taught.columns}
    sections |= {f"values.{toml_key(column)}": names for column, names in taught.values.items()}
    for name, section in (sections | {"phrases": taught.phrases}).items():
        if section:
            yield from ("", f"[taught.{name}]")
            yield from (
                f"{toml_key(word)} = {toml_value(means)}" for word, means in section.items()
            )


def _written(kind: type) -> list[Field[Any]]:
    """The fields of an entry that are written: not its name, nor what is counted; `state` last."""
    left_out = {ColumnDescription: ("name", "facts"), Join: ("path",), EntityDescription: ()}[kind]
    found = [field for field in fields(kind) if field.name not in left_out]
    return sorted(found, key=lambda field: field.name == "state")


def _prints(description: TableDescription) -> Iterator[tuple[str, str]]:
    """A print of every entry that a person has not changed."""
    yield "entity", _print(description.entity)
    yield from ((f"joins.{join.name}", _print(join)) for join in description.joins)
    yield from ((f"columns.{each.name}", _print(each)) for each in description.columns)


def _print(entry: ColumnDescription | EntityDescription | Join) -> str:
    text = "\n".join(line for line in _lines(entry) if not line.startswith("state = "))
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def _comment(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)


# Reading


class _Reader:
    """Collects problems while it reads."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def description(self, given: Mapping[str, Any]) -> TableDescription:
        self._known("", given, _TOP)
        prints = self._section(given, "inspected")
        entity = self._entry(
            EntityDescription("row", "rows"), "entity", self._section(given, "entity"), prints
        )
        joins = self._entries(given, "joins", prints, lambda name: Join(
            tuple(name.split(".")), "", (), (), declared=False))  # fmt: skip
        columns = self._entries(given, "columns", prints, lambda name: ColumnDescription(
            name, "", name, "", name, SemanticClass.CATEGORY, Role.DIMENSION))  # fmt: skip
        self._tokens(columns)
        return TableDescription(
            self._text(given, "source"), self._text(given, "table"), entity, tuple(columns),
            tuple(joins), taught=self._taught(self._section(given, "taught")),
        )  # fmt: skip

    def _taught(self, given: Mapping[str, Any]) -> Taught:
        self._known("taught", given, _TAUGHT)
        rows = self._value("taught", "rows", given.get("rows", []), tuple)
        values = {
            column: self._words(f"taught.values.{column}", names)
            for column, names in self._section(given, "values", "taught.").items()
        }
        columns, phrases = (
            self._words(f"taught.{name}", given.get(name, {})) for name in ("columns", "phrases")
        )
        return Taught(rows or (), columns, values, phrases)

    def _words(self, where: str, given: Any) -> Mapping[str, str]:
        """A section of words, each with what it means."""
        if not isinstance(given, dict):
            self._add(f"{where} is {given!r}; permitted: a section [{where}].")
            return {}
        found = {word: self._value(where, word, means, str) for word, means in given.items()}
        return {word: means for word, means in found.items() if means is not None}

    def _entries(
        self, given: Mapping[str, Any], section: str, prints: Mapping[str, Any], empty: Any
    ) -> list[Any]:
        found, there = [], self._section(given, section)
        for name, entry in there.items():
            if isinstance(entry, dict):
                found.append(self._entry(empty(name), f"{section}.{name}", entry, prints))
            else:
                self._add(f"[{section}] {name} is {entry!r}; permitted: a section of its own.")
        deleted = [key.partition(".")[2] for key in prints if key.startswith(f"{section}.")]
        found += [
            replace(empty(name), state=State.REMOVED) for name in deleted if name not in there
        ]
        return found

    def _entry(
        self, empty: E, where: str, given: Mapping[str, Any], prints: Mapping[str, Any]
    ) -> E:
        types = get_type_hints(type(empty))
        keys = {_KEYS.get(field.name, field.name): field.name for field in _written(type(empty))}
        self._known(where, given, tuple(keys))
        values = {
            keys[key]: self._value(where, key, value, types[keys[key]])
            for key, value in given.items()
            if key in keys
        }
        found = replace(empty, **{key: value for key, value in values.items() if value is not None})
        if "state" not in given and given:
            return replace(found, state=State.EDITED)
        changed = where in prints and prints[where] != _print(found)
        return replace(found, state=State.EDITED) if (
            changed and found.state is State.INFERRED
        ) else found  # fmt: skip

    def _value(self, where: str, key: str, value: Any, type_: Any) -> Any:
        if isinstance(type_, type) and issubclass(type_, StrEnum):
            if isinstance(value, str) and value in {*type_}:
                return type_(value)
            close = did_you_mean(nearest(str(value), list(type_)), sentence=True)
            permitted = ", ".join(type_)
            self._add(f"[{where}] {key} is {value!r}. {close} Permitted: {permitted}.")
        elif type_ in (str, bool):
            if type(value) is type_:
                return value
            wanted = "a text in quotes" if type_ is str else "true or false"
            self._add(f"[{where}] {key} is {value!r}; permitted: {wanted}.")
        elif isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
        else:
            self._add(f"[{where}] {key} is {value!r}; permitted: a list of texts in quotes.")
        return None

    def _known(self, where: str, given: Mapping[str, Any], keys: tuple[str, ...]) -> None:
        for key in given:
            if key not in keys:
                close = did_you_mean(nearest(key, keys), sentence=True)
                place = f"[{where}] " if where else ""
                self._add(f"{place}{key} is not known. {close} Permitted: {', '.join(keys)}.")

    def _tokens(self, columns: list[ColumnDescription]) -> None:
        owner: dict[str, str] = {}
        for column in columns:
            if column.state is State.REMOVED:
                continue
            if column.token in owner:
                self._add(f"[columns.{column.name}] token is that of {owner[column.token]}, too.")
            owner[column.token] = column.name

    def _section(self, given: Mapping[str, Any], name: str, of: str = "") -> Mapping[str, Any]:
        section = given.get(name, {})
        if not isinstance(section, dict):
            self._add(f"{of}{name} is {section!r}; permitted: a section [{of}{name}].")
            return {}
        return section

    def _text(self, given: Mapping[str, Any], key: str) -> str:
        value = given.get(key)
        if not isinstance(value, str):
            self._add(f"{key} is missing, or not a text in quotes.")
            return ""
        return value

    def _add(self, problem: str) -> None:
        self.problems.append(" ".join(problem.split()))
