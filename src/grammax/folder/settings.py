"""`Settings`: the contents of a folder's `domain.toml`."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, cast, final, get_args

from grammax.errors import FileFormatError
from grammax.folder.open_kinds import FilledKind, NotAFill
from grammax.folder.without_settings import what_to_do
from grammax.language.domain import Tokens
from grammax.model.config import ConfigError, TrainingConfig, from_json
from grammax.text import did_you_mean, nearest

SETTINGS: Final = "domain.toml"
DATA_VARIABLE: Final = "GRAMMAX_DATA"
Notation = Literal["spaces", "brackets", "calls", "sql"]

_KEYS: Final = (
    "name", "grammar", "start", "notation", "data", "splits", "tables", "must_be_named",
    "any_order", "nested_any_order", "joined_by", "answers", "out_of_domain", "filled", "schema",
    "database", "training",
)  # fmt: skip
_RENAMED: Final = {"mentioned": "must_be_named"}
_NOTATIONS: Final = get_args(Notation)
_VARIABLE: Final = f"${DATA_VARIABLE}"
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """A folder's settings, with complete paths."""

    folder: Path
    name: str
    grammar: Path
    start: str | None  # the grammar's rule for a whole logical form; None for its first rule
    notation: Notation  # how tokens are separated: by spaces, by brackets too, by commas too; SQL
    data: str  # the folder of the pairs, as written
    root: Path | None  # the same as a path; None if it needs a data folder that is not set
    splits: Mapping[str, str]  # the files of pairs in it, "train" first
    tables: tuple[Path, ...]  # tables of tokens, with their kinds and aliases
    must_be_named: frozenset[str]  # kinds whose tokens are permitted only if the query names them
    any_order: frozenset[str]  # heads whose children may come in any order
    nested_any_order: frozenset[Tokens]  # beginnings of groups that may be nested in any order
    joined_by: str | None  # the separator of conditions that are in the order of the query
    training: Mapping[str, Any]  # settings of `TrainingConfig` that differ from the defaults
    answers: str | None  # the entry point that answers
    out_of_domain: Path | None  # texts that a parser should abstain on, one per line
    filled: tuple[FilledKind, ...] = ()  # kinds whose tokens are taken from the query
    schema: Path | None = None  # CREATE TABLE statements or a SQLite file, where pairs are SQL
    database: Path | None = None  # a SQLite file that answers, where pairs are SQL

    def path(self, split: str) -> Path:
        """The file of a split; `FileFormatError` if the data folder is not set."""
        if self.root is None:
            raise FileFormatError(
                f"{self.folder / SETTINGS}: data is {self.data!r}, and {_VARIABLE} is not set. Set "
                f"it to the folder that has {_below(self.data) or 'the data'}, or give that with "
                f"--data."
            )
        return self.root / self.splits[split]


def read_settings(folder: Path, data: Path | None = None) -> Settings:
    """The settings of a folder; `data` overrides `$GRAMMAX_DATA`."""
    path = folder / SETTINGS
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        raise FileFormatError(what_to_do(folder)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFormatError(f"{path} is not valid TOML: {error}") from None
    reader = _Reader(path, given)
    where = reader.text("data", ".")
    if data is not None and not where.startswith(_VARIABLE):
        raise reader.wrong(
            "data", f"is {where!r}, which is not in {_VARIABLE}, so --data has no effect: omit it"
        )
    splits = reader.texts_by_name("splits", {"train": "train.tsv", "test": "test.tsv"})
    if "train" not in splits:
        raise reader.wrong("splits", "has no train, the pairs to learn from")
    notation = reader.text("notation", "spaces")
    if notation not in _NOTATIONS:
        raise reader.wrong(
            "notation", f"is {notation!r}; it must be one of {', '.join(_NOTATIONS)}"
        )
    return Settings(
        folder,
        reader.name(),
        folder / reader.text("grammar", "grammar.lark"),
        reader.text("start", "") or None,
        cast("Notation", notation),
        where,
        _root(folder, where, data),
        dict(sorted(splits.items(), key=_training_first)),
        tuple(folder / file for file in reader.texts("tables")),
        frozenset(reader.texts("must_be_named")),
        frozenset(reader.texts("any_order")),
        frozenset(tuple(text.split()) for text in reader.texts("nested_any_order")),
        reader.text("joined_by", "") or None,
        reader.training(),
        reader.text("answers", "") or None,
        folder / others if (others := reader.text("out_of_domain", "")) else None,
        reader.filled(),
        *reader.of_sql(folder, notation),
    )


def _training_first(split: tuple[str, str]) -> bool:
    return split[0] != "train"


def _root(folder: Path, where: str, data: Path | None) -> Path | None:
    """The folder of the pairs; `$GRAMMAX_DATA` at the beginning is the user's data folder."""
    if not where.startswith(_VARIABLE):
        return folder / where
    given = data or os.environ.get(DATA_VARIABLE)
    return Path(given).expanduser() / _below(where) if given else None


def _below(where: str) -> str:
    return where.removeprefix(_VARIABLE).strip("/")


class _Reader:
    """Reads the values of the file, and checks their types."""

    def __init__(self, path: Path, given: Mapping[str, Any]) -> None:
        self._path = path
        self._given = given
        for key in given:
            if key in _RENAMED:
                raise self.wrong(key, f"is called {_RENAMED[key]} now: rename it")
            if key not in _KEYS:
                hint = did_you_mean(nearest(key, _KEYS), sentence=True)
                message = f"is unknown; the keys are {', '.join(_KEYS)}. {hint}"
                raise self.wrong(key, message.rstrip())

    def wrong(self, key: str, message: str) -> FileFormatError:
        return FileFormatError(f"{self._path}: {key} {message}")

    def name(self) -> str:
        name = self.text("name", self._path.parent.resolve().name)
        if not _NAME.fullmatch(name):
            raise self.wrong(
                "name", f"is {name!r}; it must consist of lower-case letters, digits, - and _"
            )
        return name

    def text(self, key: str, default: str) -> str:
        value = self._given.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, f"is {value!r}; it must be a text")
        return value

    def texts(self, key: str) -> list[str]:
        value = self._given.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.wrong(key, f"is {value!r}; it must be a list of texts")
        return value

    def training(self) -> Mapping[str, Any]:
        value = self._given.get("training", {})
        if not isinstance(value, Mapping):
            raise self.wrong("training", f"is {value!r}; it must be a table of names and values")
        try:
            from_json(TrainingConfig, value)
        except ConfigError as error:
            raise self.wrong("training", f"is not right: {error}") from None
        return value

    def filled(self) -> tuple[FilledKind, ...]:
        value = self._given.get("filled", {})
        if not isinstance(value, Mapping):
            raise self.wrong("filled", f"is {value!r}; it must be a table of kinds")
        found = []
        for kind, setting in value.items():
            try:
                found.append(FilledKind.from_setting(kind, setting))
            except NotAFill as error:
                raise self.wrong(f"filled: {kind}", str(error)) from None
        return tuple(found)

    def of_sql(self, folder: Path, notation: str) -> tuple[Path | None, Path | None]:
        schema, database = self.text("schema", ""), self.text("database", "")
        if notation != "sql":
            for key, value in (("schema", schema), ("database", database)):
                if value:
                    raise self.wrong(key, f'is {value!r}; it goes with notation = "sql"')
        elif not schema:
            raise self.wrong("notation", "is 'sql', and schema is missing: name the file of it")
        return folder / schema if schema else None, folder / database if database else None

    def texts_by_name(self, key: str, default: Mapping[str, str]) -> Mapping[str, str]:
        value = self._given.get(key, default)
        if not isinstance(value, Mapping) or not all(isinstance(v, str) for v in value.values()):
            raise self.wrong(key, f"is {value!r}; it must be a table of names and files")
        return value
