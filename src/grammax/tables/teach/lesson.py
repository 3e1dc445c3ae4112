"""`TaughtFolder`: the folder of a table while something is taught; `Lesson`: what was written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, final

from grammax.errors import GrammaxError
from grammax.files import locked, write_atomic
from grammax.tables.data_files import (
    SCHEMA,
    is_schema_folder,
    is_url,
    names_data,
    short_name,
    without_password,
)
from grammax.tables.inspect.description import ColumnDescription, TableDescription
from grammax.tables.inspect.schema_file import FOOTER, parse_schema, schema_file_text
from grammax.tables.own.domain import OwnTable
from grammax.tables.own.folder import open_named, with_schema
from grammax.tables.toml import Path as Section
from grammax.tables.toml import line_of, toml_key, with_entry, without_entry
from grammax.text import did_you_mean, fold_text, nearest

_FEW = 12


class TeachError(GrammaxError):
    """Something that cannot be taught; nothing was written."""


@final
@dataclass(frozen=True, slots=True)
class Lesson:
    """What was taught: where it was written, and what changes by it."""

    file: str
    section: str  # of the file; empty in a file of pairs
    line: int  # counted from 1; 0 if none was written
    change: str  # a sentence
    needs_training: bool = False

    def record(self) -> dict[str, Any]:
        """The lesson for programs."""
        return asdict(self)


@final
class TaughtFolder:
    """An opened folder, whose schema file is changed in place. `taught_folder` makes it."""

    def __init__(self, folder: Path, table: OwnTable, text: str) -> None:
        self.folder, self.table = folder, table
        self.path = folder / SCHEMA
        self._text = text

    @property
    def description(self) -> TableDescription:
        return self.table.description

    def column(self, given: str) -> ColumnDescription:
        """A column by its name, its label or another of its names."""
        wanted, used, taught = _plain(given), self.description.used, self.description.taught
        by_name: dict[str, ColumnDescription] = {}
        for column in used:
            for name in (*column.names, *taught.names_of(column.name)):
                by_name.setdefault(_plain(name), column)
        by_name |= {_plain(column.label): column for column in reversed(used)}
        by_name |= {_plain(name): column for column in used for name in (column.token, column.name)}
        if wanted in by_name:
            return by_name[wanted]
        known = [each.name for each in used]
        close = did_you_mean(nearest(given, known), sentence=True)
        raise TeachError(
            f"{self.folder} has no column {given!r}. {close}".rstrip()
            + f" Its columns: {listed(known)}."
        )

    def set(self, section: Section, key: str, value: object) -> int:
        """Set a key of the schema file; returns its line."""
        self._text, line = with_entry(self._text, section, key, value, FOOTER)
        return line

    def remove(self, section: Section, key: str) -> None:
        """Remove a key of the schema file, if it is there."""
        self._text = without_entry(self._text, section, key)

    def write(self) -> TableDescription:
        """Write the schema file, if it can be used as it is now."""
        made = with_schema(self.table, parse_schema(self._text, self.path))
        try:
            made.domain()
        except GrammaxError as error:  # a phrase that does not fit any more
            raise TeachError(f"{error} Nothing was changed.") from error
        write_atomic(self.path, self._text.encode())
        return made.description

    def known(self, section: Section, key: str, what: str) -> Lesson:
        """Nothing was written, because it is known already."""
        line = line_of(self._text, section, key) or 0
        return self.lesson(section, line, f"{what} already; nothing was changed.")

    def lesson(self, section: Section, line: int, change: str) -> Lesson:
        """What was written to the schema file."""
        name = ".".join(map(toml_key, section))
        return Lesson(str(self.path), name, line, change)


@contextmanager
def taught_folder(folder: Path | str) -> Iterator[TaughtFolder]:
    """A folder to teach; one process and one thread at a time has it."""
    path = require_folder(folder)
    with locked_folder(path), open_named(str(path)) as table:
        yield TaughtFolder(path, table, schema_file_text(path / SCHEMA))


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Admit one writer at a time; `TeachError` if the folder cannot be written to."""
    try:
        with locked(folder / SCHEMA):
            yield
    except OSError as error:
        raise TeachError(
            f"{folder} cannot be written to: {error.strerror or error}. Nothing was taught."
        ) from error


def require_folder(given: Path | str) -> Path:
    """The folder of a schema; `TeachError` says how to make one of anything else."""
    name, folder = str(given), Path(given).expanduser()
    if not is_url(name) and is_schema_folder(folder):
        return folder
    shown = without_password(name)
    if (folder / "domain.toml").exists():
        raise TeachError(
            f"{shown} has a domain.toml: it is a language of its own, and its names are in its "
            f"tables of tokens. Edit those, then run `grammax check {shown}`."
        )
    made = short_name(name)
    if names_data(name) and (is_url(name) or folder.exists()):
        how = f"Make one with `grammax new {made} --from {shown}`, and teach {made}."
        if is_schema_folder(Path(made)):
            how = f"Teach {made}, if it is the folder of this data."
        raise TeachError(
            f"{shown} is data, which is never changed: what is taught is kept in a folder of its "
            f"own. {how}"
        )
    raise TeachError(
        f"{shown} is no folder with a {SCHEMA}. Make one with `grammax new {made} --from DATA`."
    )


def listed(names: Sequence[str]) -> str:
    """Some names; of many the first."""
    more = f" and {len(names) - _FEW:,} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more


def _plain(name: str) -> str:
    return " ".join(fold_text(name).replace("_", " ").split())
