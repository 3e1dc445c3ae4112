"""The file in which the changes of a domain are kept: written whole, or not at all.

    {"format": "grammax-changes 1", "domain": "eqs", "base": "5d8e..."}
    {"remove": "COU_FRANCE"}
    {"add": {"name": "Wakanda", "kind": "COUNTRY_VALUE", "aliases": ["wakandan"], "token": ...}}

`base` is the version that the changes were made to. The file is the user's, and no cache.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from grammax.errors import FileFormatError
from grammax.language.changes import Changes, NewValue

HOME_VARIABLE: Final = "GRAMMAX_HOME"
_FORMAT: Final = "grammax-changes 1"


def changes_path(domain: str) -> Path:
    """Where changes are kept by default: in `$GRAMMAX_HOME`, else with the user's data."""
    given = os.environ.get(HOME_VARIABLE)
    folder = Path(given).expanduser() if given else _user_data() / "grammax"
    return folder / f"{domain}-changes.jsonl"


def read_changes(path: Path, domain: str) -> Changes:
    """The changes that a file keeps; `FileFormatError` if it is damaged, or another domain's."""
    lines = path.read_bytes().splitlines()
    added: list[NewValue] = []
    removed: list[str] = []
    for number, line in enumerate(lines or [b""], 1):
        try:
            row = json.loads(line)
            if number == 1:
                _require_format(path, row, domain)
            elif "add" in row:
                added.append(_value(row["add"]))
            else:
                removed.append(str(row["remove"]))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FileFormatError(
                f"{path}, line {number}: this is no change that grammax has kept ({error}). Remove "
                f"the file to begin anew, or take the line out."
            ) from error
    return Changes(tuple(added), tuple(removed))


def write_changes(path: Path, domain: str, base: str, changes: Changes) -> None:
    """Keep changes, instead of those that were kept there; they are on the disk when it returns."""
    head = {"format": _FORMAT, "domain": domain, "base": base}
    rows: list[dict[str, Any]] = [head, *({"remove": token} for token in changes.removed)]
    rows += [{"add": asdict(value)} for value in changes.added]
    path.parent.mkdir(parents=True, exist_ok=True)
    number, scratch = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(number, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
            file.flush()
            os.fsync(file.fileno())
        Path(scratch).chmod(0o644)
        Path(scratch).replace(path)
    finally:
        Path(scratch).unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time may read changes and write others; the lock goes with the process."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f"{path.name}.lock").open("a") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _require_format(path: Path, head: Any, domain: str) -> None:
    if head["format"] != _FORMAT:
        raise ValueError(f"its format is {head['format']!r}, and this release reads {_FORMAT!r}")
    if head["domain"] != domain:
        raise FileFormatError(
            f"{path} keeps changes of the domain {head['domain']!r}, not of {domain!r}. Give "
            f"another file."
        )


def _value(row: dict[str, Any]) -> NewValue:
    texts = [row[key] for key in ("name", "kind", "token")]
    aliases = tuple(row["aliases"])
    if not all(isinstance(text, str) for text in (*texts, *aliases)):
        raise TypeError("name, kind, token and aliases are texts")
    name, kind, token = texts
    return NewValue(name, kind, aliases, token)


def _user_data() -> Path:
    if os.environ.get("XDG_DATA_HOME"):
        return Path(os.environ["XDG_DATA_HOME"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local")).expanduser()
    try:
        return Path.home() / ".local" / "share"
    except RuntimeError:  # a user without a home directory
        return Path(tempfile.gettempdir())
