"""`domain.toml`: what a folder says of itself."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, cast, final, get_args

from grammax.errors import FileFormatError
from grammax.model.config import ConfigError, TrainingConfig, from_json
from grammax.text import nearest

SETTINGS: Final = "domain.toml"
DATA_VARIABLE: Final = "GRAMMAX_DATA"
Notation = Literal["spaces", "brackets", "calls"]

_KEYS: Final = (
    "name", "grammar", "start", "notation", "data", "splits", "tables", "mentioned", "any_order",
    "answers", "training",
)  # fmt: skip
_NOTATIONS: Final = get_args(Notation)
_VARIABLE: Final = f"${DATA_VARIABLE}"
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """A folder's settings, all paths made whole."""

    folder: Path
    name: str
    grammar: Path
    start: str | None  # the grammar's rule for a whole logical form, if it is not its first
    notation: Notation  # tokens stand between spaces; brackets, or commas as well, part them too
    data: str  # where the pairs are, as it says
    root: Path | None  # the same made whole; None where that needs a folder that nobody gave
    splits: Mapping[str, str]  # files in it, "train" first
    tables: tuple[Path, ...]  # of tokens, their kinds and aliases
    mentioned: frozenset[str]  # kinds of which a query has to name what is chosen
    any_order: frozenset[str]  # heads whose children come in any order
    training: Mapping[str, Any]  # where it is not as usual
    answers: str | None  # what answers, by the name under which it was installed

    def path(self, split: str) -> Path:
        """The file of a split; `FileFormatError` where nobody gave the folder of data."""
        if self.root is None:
            raise FileFormatError(
                f"{self.folder / SETTINGS}: data is {self.data!r}, and {_VARIABLE} is not set. Set "
                f"it to the folder that has {_below(self.data) or 'the data'}, or give that with "
                f"--data."
            )
        return self.root / self.splits[split]


def read_settings(folder: Path, data: Path | None = None) -> Settings:
    """The settings of a folder; `data` is what `$GRAMMAX_DATA` stands for in them."""
    path = folder / SETTINGS
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise FileFormatError(
            f"{folder} is not a domain: {SETTINGS} is missing. `grammax new {folder}` writes one, "
            f"and leaves the files that are there as they are."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFormatError(f"{path} is no TOML: {error}") from None
    reader = _Reader(path, given)
    where = reader.text("data", ".")
    if data is not None and not where.startswith(_VARIABLE):
        raise reader.wrong(
            "data", f"is {where!r}, which is not in {_VARIABLE}, so --data says nothing: omit it"
        )
    splits = reader.texts_by_name("splits", {"train": "train.tsv", "test": "test.tsv"})
    if "train" not in splits:
        raise reader.wrong("splits", "has no train; there is nothing to learn from without it")
    notation = reader.text("notation", "spaces")
    if notation not in _NOTATIONS:
        raise reader.wrong("notation", f"is {notation!r}; it is one of {', '.join(_NOTATIONS)}")
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
        frozenset(reader.texts("mentioned")),
        frozenset(reader.texts("any_order")),
        reader.training(),
        reader.text("answers", "") or None,
    )


def _training_first(split: tuple[str, str]) -> bool:
    return split[0] != "train"


def _root(folder: Path, where: str, data: Path | None) -> Path | None:
    """Where pairs lie; `$GRAMMAX_DATA` at the beginning is the user's folder of data."""
    if not where.startswith(_VARIABLE):
        return folder / where
    given = data or os.environ.get(DATA_VARIABLE)
    return Path(given).expanduser() / _below(where) if given else None


def _below(where: str) -> str:
    return where.removeprefix(_VARIABLE).strip("/")


class _Reader:
    """Values of the file, of the types that they should have."""

    def __init__(self, path: Path, given: Mapping[str, Any]) -> None:
        self._path = path
        self._given = given
        for key in given:
            if key not in _KEYS:
                close = nearest(key, _KEYS)
                hint = f" Did you mean {' or '.join(close)}?" if close else ""
                raise self.wrong(key, f"is unknown; there is {', '.join(_KEYS)}.{hint}")

    def wrong(self, key: str, message: str) -> FileFormatError:
        return FileFormatError(f"{self._path}: {key} {message}")

    def name(self) -> str:
        name = self.text("name", self._path.parent.resolve().name)
        if not _NAME.fullmatch(name):
            raise self.wrong("name", f"is {name!r}; it has small letters, digits, - and _ only")
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

    def texts_by_name(self, key: str, default: Mapping[str, str]) -> Mapping[str, str]:
        value = self._given.get(key, default)
        if not isinstance(value, Mapping) or not all(isinstance(v, str) for v in value.values()):
            raise self.wrong(key, f"is {value!r}; it must be a table of names and files")
        return value
