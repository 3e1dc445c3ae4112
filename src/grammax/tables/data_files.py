"""Which names are those of data, and what of them may be shown. It needs neither Ibis nor DuckDB.

| named | is |
|---|---|
| `films.csv`, `sales.parquet`, `shop.duckdb`, any file | data |
| `postgres://reader@db/films`, any URL | data |
| a folder with a `schema.toml`, or with CSV or Parquet files | data |
| a folder with a `domain.toml` | a domain, whatever else it holds |
| a folder with pairs of queries and logical forms, and no other table | a domain to be |
"""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path
from typing import Final

from grammax.files import data_folder
from grammax.language.pair_files import is_language

SCHEMA: Final = "schema.toml"
CSV: Final = (".csv", ".tsv", ".tab", ".txt", ".csv.gz", ".tsv.gz")
PARQUET: Final = (".parquet", ".pq", ".parq")
IN_FOLDERS: Final = (*(ending for ending in CSV if ending != ".txt"), *PARQUET)
"""Endings of the tables in a folder, in which a text is seldom a table."""
_SETTINGS: Final = "domain.toml"
_USERINFO: Final = re.compile(r"(?<=://)([^/?#@:]*):(.*)@", re.DOTALL)
_SECRET: Final = re.compile(r"(?i)([?&][^=&]*(?:pass|pwd|secret|token|key)[^=&]*=)([^&#]*)")
_FILE: Final = re.compile(r"(?i)\S+\.([a-z][a-z0-9]{1,3}|parquet|duckdb|sqlite3?)")
_PLAIN: Final = re.compile(r"[^a-z0-9]+")


class DataNotice(UserWarning):
    """What a person should know about data that was opened: how it was read, what is missing."""


def names_data(name: str) -> bool:
    """Whether a name is that of data: of a file, a folder of files, or a database.

    The file may be missing, so that a message can say so.

    >>> names_data("postgres://reader@db/films"), names_data("no-such.csv"), names_data("films")
    (True, True, False)
    """
    if is_url(name):
        return True
    if not name or "\0" in name:
        return False
    path = Path(name).expanduser()
    try:
        if path.is_dir():
            return not (path / _SETTINGS).exists() and (is_schema_folder(path) or _has_data(path))
        return path.exists() or _FILE.fullmatch(path.name) is not None
    except PermissionError:
        return True  # opening it tells what is not permitted
    except OSError:  # a name that is too long for a path
        return False


def is_url(name: str) -> bool:
    """Whether a name is a URL."""
    return "://" in name


def is_schema_folder(path: Path) -> bool:
    """Whether a folder was made by `grammax new --from`."""
    return (path / SCHEMA).is_file() and not (path / _SETTINGS).exists()


def user_file(name: str, what: str) -> Path:
    """Where the changes or corrections of a domain or of data are stored.

    They are in the folder of a domain or of a schema, else with the user's data: never beside the
    data itself.
    """
    path = Path(name).expanduser()
    if not names_data(name):
        return path / f"{what}.jsonl" if path.is_dir() else data_folder() / f"{name}-{what}.jsonl"
    if not is_url(name) and is_schema_folder(path):
        return path / f"{what}.jsonl"
    shown = without_password(name) if is_url(name) else str(path.absolute())
    digest = blake2b(shown.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return data_folder() / f"{short_name(name)}-{digest}-{what}.jsonl"


def short_name(name: str) -> str:
    """A short lower-case name, of ASCII letters and digits, for a domain or a file.

    >>> short_name("/data/Best Films.csv.gz"), short_name("postgres://me:pw@db/shop?x=1")
    ('best-films', 'shop')
    """
    last = without_password(name).partition("?")[0].rstrip("/").rpartition("/")[2]
    stem = last.partition(".")[0] or last
    return _PLAIN.sub("-", stem.lower()).strip("-")[:40] or "table"


def without_password(url: str) -> str:
    """A URL without its password, and without secrets among its parameters.

    >>> without_password("postgres://reader:s3cret@db/films?sslkey=abc&x=1")
    'postgres://reader@db/films?sslkey=***&x=1'
    """
    return _SECRET.sub(r"\1***", _USERINFO.sub(r"\1@", url))


def written_secrets(url: str) -> list[str]:
    """The password and other secrets of a URL, as they are written there."""
    return [m[2] for pattern in (_USERINFO, _SECRET) for m in pattern.finditer(url)]


def _has_data(folder: Path) -> bool:
    """Whether a folder has tables, and not only the pairs of a language."""
    some = any(
        path.name.lower().endswith(IN_FOLDERS) and not path.name.startswith(".")
        for path in folder.iterdir()
    )
    return some and not is_language(folder)
