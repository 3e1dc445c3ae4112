"""The file that stores the changes of a domain; it is written atomically.

    {"format": "grammax-changes 1", "domain": "eqs", "base": "5d8e..."}
    {"remove": "GEN_WESTERN"}
    {"add": {"name": "Film noir", "kind": "GENRE_VALUE", "aliases": ["noir"], "token": ...}}

`base` is the version of the domain that the changes apply to. The file is user data, not a cache.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from grammax.errors import FileFormatError
from grammax.files import write_atomic
from grammax.language.changes import Changes, NewValue

_FORMAT: Final = "grammax-changes 1"


def read_changes(path: Path, domain: str) -> Changes:
    """The changes in a file; `FileFormatError` if it is damaged or of another domain."""
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
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise FileFormatError(
                f"{path}, line {number}: not a change that grammax has stored ({error}). Remove "
                f"the line, or the whole file to start again."
            ) from error
    return Changes(tuple(added), tuple(removed))


def write_changes(path: Path, domain: str, base: str, changes: Changes) -> None:
    """Replace the stored changes; on return they are on the disk."""
    head = {"format": _FORMAT, "domain": domain, "base": base}
    rows: list[dict[str, Any]] = [head, *({"remove": token} for token in changes.removed)]
    rows += [{"add": asdict(value)} for value in changes.added]
    write_atomic(path, "".join(json.dumps(row) + "\n" for row in rows).encode())


def _require_format(path: Path, head: Any, domain: str) -> None:
    if head["format"] != _FORMAT:
        raise ValueError(f"its format is {head['format']!r}, and this release reads {_FORMAT!r}")
    if head["domain"] != domain:
        raise FileFormatError(
            f"{path} has changes of the domain {head['domain']!r}, not of {domain!r}. Give "
            f"another file."
        )


def _value(row: dict[str, Any]) -> NewValue:
    texts = [row[key] for key in ("name", "kind", "token")]
    aliases = tuple(row["aliases"])
    if not all(isinstance(text, str) for text in (*texts, *aliases)):
        raise TypeError("name, kind, token and aliases are texts")
    name, kind, token = texts
    return NewValue(name, kind, aliases, token)
