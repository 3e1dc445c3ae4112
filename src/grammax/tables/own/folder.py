"""A folder with a `schema.toml`: which data it is about, and what a person changed in it.

`write_folder` makes one, for `grammax new DIR --from DATA`; `open_named` opens one, or data itself.
A password is never written: it is given again when the data is opened.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Final

from grammax.files import locked
from grammax.tables.data_files import SCHEMA, DataNotice, is_schema_folder, is_url
from grammax.tables.inspect.description import InspectError, TableDescription
from grammax.tables.inspect.schema_file import merge, read_schema, write_schema
from grammax.tables.own.domain import BASE_MODEL, OwnTable, open_table

PASSWORD: Final = "PGPASSWORD"
_MODEL: Final = ("run", "model.safetensors")


def open_named(name: str, table: str | None = None) -> OwnTable:
    """Open data by its path or URL, or by the folder of its schema.

    A `DataNotice` tells what of it was not read as it stands, was sampled, or has vanished.
    """
    opened = _open_named(name, table)
    for notice in opened.notices:
        warnings.warn(notice, DataNotice, stacklevel=2)
    return opened


def _open_named(name: str, table: str | None) -> OwnTable:
    folder = Path(name).expanduser()
    if is_url(name) or not is_schema_folder(folder):
        return open_table(name, table)
    kept = read_schema(folder / SCHEMA)
    if table not in (None, kept.table):
        raise InspectError(
            f"{folder / SCHEMA} is about the table {kept.table!r}, not {table!r}. Omit --table, or "
            f"run `grammax new` for the other table, with another folder."
        )
    try:
        opened = open_table(_source(folder, kept.source), kept.table)
    except InspectError as error:
        raise InspectError(f"{error}\n{folder / SCHEMA} is about this data.") from None
    return with_schema(replace(opened, folder=folder, inspected=opened.description), kept)


def with_schema(opened: OwnTable, kept: TableDescription) -> OwnTable:
    """The same data as a schema describes it, with the model that was trained in its folder."""
    assert opened.folder is not None
    assert opened.inspected is not None
    before = opened.kept or kept
    if (kept.table, kept.source) != (before.table, before.source):
        raise InspectError(
            f"{opened.folder / SCHEMA} names other data now: {kept.table} of {kept.source} in "
            f"place of {before.table} of {before.source}. Start again to open it."
        )
    model = trained_file(opened.folder)
    there = {column.name for column in opened.inspected.columns}
    return replace(
        opened,
        description=merge(opened.inspected, kept),
        model=model if model.is_file() else BASE_MODEL,
        gone=tuple(each.name for each in kept.used if each.name not in there),
        kept=kept,
        files=(opened.folder / SCHEMA, model),
        reload=_reloaded,
    )


def _reloaded(table: OwnTable) -> OwnTable:
    assert table.folder is not None
    return with_schema(table, read_schema(table.folder / SCHEMA))


def trained_file(folder: Path) -> Path:
    """The model that `grammax train DIR` writes."""
    return folder.joinpath(*_MODEL)


def write_folder(folder: Path, source: str, table: str | None = None) -> OwnTable:
    """Write the schema of data to a folder, and return the opened data.

    A schema that is there already is brought up to date: what a person changed in it stays.
    """
    if folder.exists() and not folder.is_dir():
        raise InspectError(f"{folder} is a file. Choose the name of a folder.")
    if (folder / "domain.toml").exists():
        raise InspectError(
            f"{folder} has a domain.toml: it is a domain with a grammar of its own. Choose another "
            f"folder."
        )
    path = folder / SCHEMA
    kept = read_schema(path) if path.is_file() else None
    opened = open_table(source, table)
    try:
        described = replace(
            opened.description, source=_written(folder, source, opened.description.source)
        )
        if kept is not None and (kept.source, kept.table) != (described.source, described.table):
            raise InspectError(
                f"{path} is about {kept.table} of {kept.source}, and nothing was written. Choose "
                f"another folder, or remove the file."
            )
        with locked(path):  # `grammax teach` may be writing
            if kept is not None:
                described = merge(described, read_schema(path))
            write_schema(path, described)
    except BaseException:
        opened.close()
        raise
    return replace(opened, description=replace(described, source=opened.description.source))


def _written(folder: Path, given: str, shown: str) -> str:
    """The source as it is written: a relative path is relative to the folder of the schema."""
    if is_url(given) or Path(given).expanduser().is_absolute():
        return shown
    return Path(os.path.relpath(given, folder)).as_posix()


def _source(folder: Path, written: str) -> str:
    if is_url(written):
        return written
    return str(folder / Path(written).expanduser())
