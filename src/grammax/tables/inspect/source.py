"""Opening data: a path or URL → an Ibis connection, its tables, and a runner; read-only.

| given | opened as |
|---|---|
| a CSV, TSV or Parquet file, a folder of them | DuckDB in memory; CSV files are loaded and typed |
| a DuckDB or SQLite file, whatever its suffix | the database |
| `postgres://…`, any URL of Ibis | the database, by `sql.run.connect` |

A password in a URL is used for connecting and nowhere else: `shown` has none, and messages are
searched for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar, final
from urllib.parse import unquote

import ibis
from ibis.backends.sql.datatypes import DuckDBType

from grammax.errors import GrammaxError
from grammax.tables.data_files import (
    CSV,
    IN_FOLDERS,
    PARQUET,
    without_password,
    written_secrets,
)
from grammax.tables.inspect.csv_files import load_csv
from grammax.tables.inspect.description import InspectError
from grammax.tables.query.source import Runner
from grammax.tables.sql.run import connect, runner_for
from grammax.tables.sql.stores.duck import open_duckdb, seal
from grammax.tables.sql.stores.postgres import renew
from grammax.tables.sql.stores.sqlite import SqliteRunner, open_sqlite
from grammax.text import did_you_mean, nearest

SECONDS: Final = 120.0  # for one query of the inspection
_MOST_TABLES_TOLD: Final = 12
_FAILED: Final = "The store could not answer: "
T = TypeVar("T")


@final
@dataclass(frozen=True, slots=True)
class DataSource:
    """Opened data. `shown` names it without a password; `notes` tell how files were read."""

    shown: str
    connection: Any
    runner: Runner
    tables: tuple[str, ...]
    notes: tuple[str, ...] = ()
    doubts: Mapping[tuple[str, str], str] = field(default_factory=dict)  # by table and column
    units: Mapping[tuple[str, str], str] = field(default_factory=dict)  # said with the values
    of_files: bool = False
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def is_duckdb(self) -> bool:
        return bool(self.connection.name == "duckdb")

    def table(self, name: str) -> Any:
        """A table as an Ibis expression."""
        if name not in self.tables:
            raise NoSuchTable(self.shown, name, self.tables)
        database, _, table = name.rpartition(".") if self._schemas() else ("", "", name)
        described = _described if self.is_duckdb else _bound
        return self._guarded(
            lambda: described(self.connection, table, database), f"The table {name}"
        )

    def rows(self, expression: Any, seconds: float = SECONDS) -> list[Sequence[Any]]:
        """The rows of an expression, run read-only and within a time limit."""
        return self._guarded(
            lambda: [*self.runner.run(self.runner.compile(expression), seconds)], self.shown
        )

    @property
    def streams(self) -> bool:
        """Whether `batches` is quicker than having the store aggregate."""
        return isinstance(self.runner, SqliteRunner)

    def batches(self, expression: Any, seconds: float = SECONDS) -> Iterator[list[Sequence[Any]]]:
        """The rows of an expression as they come, some thousands at a time."""
        if not isinstance(self.runner, SqliteRunner):
            yield self.rows(expression, seconds)
            return
        compiled = self._guarded(lambda: self.runner.compile(expression), self.shown)
        batches = self.runner.batches(compiled, seconds)
        while batch := self._guarded(lambda: next(batches, None), self.shown):
            yield batch

    def run(self, fixed: str, seconds: float = SECONDS) -> list[Sequence[Any]]:
        """The rows of a fixed query on the store's own lists, with nothing from outside in it."""
        return self._guarded(lambda: [*self.runner.run(fixed, seconds)], self.shown)

    def close(self) -> None:
        self.runner.close()

    def __enter__(self) -> DataSource:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _schemas(self) -> bool:
        """Whether a table may be in a schema; names of files may have dots."""
        return self.connection.name != "sqlite" and not self.of_files

    def _guarded(self, work: Callable[[], T], what: str) -> T:
        return _guarded(work, what, self.secrets)


class NoSuchTable(InspectError):
    """A table that the data does not have; `tables` are those that it has."""

    def __init__(self, shown: str, name: str, tables: tuple[str, ...]) -> None:
        self.name, self.tables, self.nearest = name, tables, nearest(name, tables)
        some = ", ".join(tables[:_MOST_TABLES_TOLD])
        more = len(tables) - _MOST_TABLES_TOLD
        hint = did_you_mean(self.nearest, sentence=True)
        super().__init__(
            f"{shown} has no table {name!r}. {hint}".rstrip()
            + f"\nIts tables: {some}{f' and {more} more' if more > 0 else ''}."
        )


def open_data(source: str | Path) -> DataSource:
    """Open a file, a folder or a database for reading."""
    given = str(source)
    if "://" not in given:
        return _open_path(Path(given).expanduser())
    scheme, _, rest = given.partition("://")
    if scheme in ("csv", "parquet", "file"):
        return _open_path(Path(rest))
    if scheme in ("duckdb", "sqlite") and rest.partition("?")[0]:
        return _open_path(Path(rest.partition("?")[0]))
    secrets, shown = secrets_of(given), without_password(given)
    connection = _guarded(lambda: connect(given), shown, secrets)
    return _database(connection, shown, secrets)


def secrets_of(url: str) -> tuple[str, ...]:
    """What must not be shown of a URL, as written and decoded."""
    found = written_secrets(url)
    # An "@" or "/" that should have been written as %40 or %2F: drivers then see another password.
    found += [part for text in found for part in re.split(r"[@/?#:]", text)]
    spelt = {form for text in found for form in (text, unquote(text)) if form}
    return tuple(sorted(spelt, key=len, reverse=True))


def _open_path(path: Path) -> DataSource:
    shown = str(path)
    try:
        if path.is_dir():
            return _open_files(path, _files_of(path))
        if not path.exists():
            raise InspectError(_missing(path))
        if not path.is_file():
            raise InspectError(f"{path} is neither a file nor a folder. Copy its data to a file.")
        with path.open("rb") as file:
            head = file.read(64)
    except OSError as error:
        raise InspectError(_unreadable(path, error)) from error
    if not head:
        raise InspectError(f"{path} is empty. Give a file with at least a header.")
    if head.startswith(b"SQLite format 3\0"):
        return _database(_guarded(lambda: open_sqlite(path), shown, ()), shown, ())
    if head[8:12] == b"DUCK":
        return _database(_guarded(lambda: open_duckdb(path), shown, ()), shown, ())
    return _open_files(path, [path])


def _files_of(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.iterdir() if path.name.lower().endswith(IN_FOLDERS))
    files = [path for path in found if path.is_file() and not path.name.startswith(".")]
    if not files:
        raise InspectError(
            f"{folder} has no CSV or Parquet files. Their names end with {', '.join(IN_FOLDERS)}."
        )
    return files


def _missing(path: Path) -> str:
    folder = path.parent
    beside = [other.name for other in folder.iterdir()] if folder.is_dir() else []
    hint = did_you_mean(nearest(path.name, beside), sentence=True)
    where = "" if folder.is_dir() else f" The folder {folder} does not exist either."
    return f"There is no file {path}.{where} {hint}".rstrip()


def _unreadable(path: Path, error: OSError) -> str:
    if isinstance(error, PermissionError):
        return f"There is no permission to read {path}. Check its owner and mode (ls -l)."
    return f"{path} cannot be read: {error.strerror}."


def _open_files(given: Path, files: list[Path]) -> DataSource:
    connection = ibis.duckdb.connect()
    try:
        return _loaded(connection, given, files)
    except BaseException:
        connection.disconnect()
        raise


def _loaded(connection: Any, given: Path, files: list[Path]) -> DataSource:
    notes: list[str] = []
    doubts: dict[tuple[str, str], str] = {}
    units: dict[tuple[str, str], str] = {}
    parquet: list[Path] = []
    names = _table_names(files)
    for file, name in zip(files, names, strict=True):
        try:
            with file.open("rb") as opened:
                is_parquet = opened.read(4) == b"PAR1"
        except OSError as error:
            raise InspectError(_unreadable(file, error)) from error
        if is_parquet or file.name.lower().endswith(PARQUET):
            parquet.append(file.absolute())
            _guarded(partial(_view, connection, file, name), str(file), ())
        else:
            loaded = _guarded(partial(load_csv, connection, file, name), str(file), ())
            notes += loaded.notes
            doubts |= {(name, column): doubt for column, doubt in loaded.doubts.items()}
            units |= {(name, column): unit for column, unit in loaded.units.items()}
    seal(connection, parquet)
    runner = runner_for(connection)
    return DataSource(
        str(given), connection, runner, names, tuple(notes), doubts, units, of_files=True
    )


def _view(connection: Any, file: Path, name: str) -> None:
    connection.con.read_parquet(str(file.absolute())).create_view(name)


def _table_names(files: list[Path]) -> tuple[str, ...]:
    """Files by their names without suffix; with it, where two would be the same."""
    stems = [_stem(file) for file in files]
    folded = [stem.casefold() for stem in stems]
    return tuple(
        stem if folded.count(stem.casefold()) == 1 else file.name
        for file, stem in zip(files, stems, strict=True)
    )


def _stem(file: Path) -> str:
    name = file.name
    for ending in (*CSV[::-1], *PARQUET):
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return file.stem or name


def _database(connection: Any, shown: str, secrets: tuple[str, ...]) -> DataSource:
    try:
        tables = _guarded(lambda: _tables(connection), shown, secrets)
        if not tables:
            raise InspectError(f"{shown} has no tables, or none that this user may read.")
        return DataSource(shown, connection, runner_for(connection), tables, secrets=secrets)
    except BaseException:
        connection.disconnect()
        raise


def _tables(connection: Any) -> tuple[str, ...]:
    if connection.name != "duckdb":
        return tuple(sorted(connection.list_tables()))
    found = connection.con.execute(
        "SELECT table_schema, table_name FROM information_schema.tables "
        "WHERE table_catalog = current_database() ORDER BY ALL"
    ).fetchall()
    return tuple(name if schema == "main" else f"{schema}.{name}" for schema, name in found)


def _bound(connection: Any, table: str, database: str) -> Any:
    try:
        return connection.table(table, database=database or None)
    except Exception:
        if not renew(connection):
            raise
        return connection.table(table, database=database or None)


def _described(connection: Any, table: str, database: str) -> Any:
    """A table of DuckDB, which Ibis asks for its columns by a function that DuckDB gives up."""
    columns = connection.con.execute(
        "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = $1 "
        "AND schema_name = $2 AND database_name = current_database() ORDER BY column_index",
        [table, database or "main"],
    ).fetchall()
    types = {name: DuckDBType.from_string(type_) for name, type_ in columns}
    return ibis.table(types, name=table, database=database or None)


def _guarded(work: Callable[[], T], what: str, secrets: tuple[str, ...]) -> T:
    """What `work` returns; errors of drivers become `InspectError`, without secrets.

    The driver's error is not chained, because it may show the URL.
    """
    try:
        return work()
    except InspectError:
        raise
    except Exception as error:
        reason = str(error) if isinstance(error, GrammaxError) else str(error).partition("\n")[0]
        for secret in secrets:
            reason = reason.replace(secret, "***")
        reason = reason.removeprefix(_FAILED).strip() or type(error).__name__
        message, low = f"{what} cannot be read: {reason}", reason.lower()
        hint = next((hint for words, hint in _HINTS if any(word in low for word in words)), "")
        if hint and "\n" in message:  # another hint, which is less precise
            message = message.partition("\n")[0]
        message += f"\n{hint}" if hint else ""
    raise InspectError(message)


_HINTS: Final = (
    (("permission denied", "not authorized"),
     "Ask for the right to read it (SELECT), or name another table."),
    (("password",),
     "Give the password in the URL, or in the environment variable PGPASSWORD."),
    (("connection refused", "server closed", "terminating connection", "is closed",
      "could not connect", "connection failed", "lost synchronization", "connection is bad",
      "connection is lost", "connection timeout", "could not translate host name"),
     "The database is not there, or went away. Check that it runs; try again."),
    (("was stopped after",),
     "It is too large to be looked through in this time. Name a view or a sample of it."),
    (("database is locked", "conflicting lock"),
     "Another program is writing to it. Try again when it has finished."),
    (("malformed", "not a database", "disk i/o error", "could not read enough", "magic bytes",
      "footer length", "too small to be a parquet", "decompression", "corrupt", "end-of-stream",
      "serialization error"),
     "The file is damaged or incomplete. Copy or export it again."),
)  # fmt: skip
"""Words of drivers, in lower case, and what to do next."""
