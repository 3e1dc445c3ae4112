"""The catalogue's file: gzipped text with sections of lines.

    grammax-catalogue 1
    GENRE <tab> GEN_ <tab> no <tab> genre                       types: name, prefix, ordered, label

    GEN_LIGHT <tab> GEN_COMEDY|GEN_MUSICAL|...                  groups and their members

    GENRE <tab> GEN_FARCE <tab> Farce <tab> farcical <tab> GEN_COMEDY <tab> rank
    FIELD <tab> token <tab> name <tab> aliases <tab> type <tab> unit <tab> base <tab> variant <tab> description

Entries are in order of commonness, each after the entries it depends on, so that any prefix of the
file is a catalogue. `scripts/build_catalogue.py` writes the file; `zcat` shows it.
"""  # noqa: E501

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final, final

from grammax.errors import FileFormatError
from grammax.tables.catalogue.entries import Field, Value
from grammax.tables.schema import EnumType

_FORMAT: Final = "grammax-catalogue"
_VERSION: Final = 1
FIELD: Final = "FIELD"  # the first column of a field's line


@final
@dataclass(frozen=True, slots=True)
class Contents:
    """The sections of a file; entries are lines, most of which are never decoded."""

    types: tuple[EnumType, ...]
    groups: dict[str, tuple[str, ...]]
    entries: list[str]
    digest: bytes


def read_contents(path: Path) -> Contents:
    """The sections of a catalogue file; FileFormatError if it is damaged, foreign or newer."""
    try:
        text = gzip.decompress(path.read_bytes())
    except FileNotFoundError:
        raise _unusable(path, "does not exist") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _unusable(path, f"is truncated or damaged ({error})") from error
    first = text[:100].split(b"\n", 1)[0].decode(errors="replace").split(" ")
    if first[0] != _FORMAT:
        raise _unusable(path, "is not a catalogue")
    if first[1:] != [str(_VERSION)]:
        newer = f"has format {' '.join(first[1:])}; this release reads format {_VERSION}"
        raise _unusable(path, newer)
    try:
        head, groups, entries = text.decode().split("\n\n")
        return Contents(
            tuple(_value_type(line) for line in head.splitlines()[1:]),
            dict(_group(line) for line in groups.splitlines()),
            entries.splitlines(),
            blake2b(text, digest_size=16).digest(),
        )
    except ValueError as error:
        raise _unusable(path, f"has sections that cannot be read ({error})") from error


def decode_value(line: str) -> Value:
    """The value that a line of the file describes."""
    type_, token, name, aliases, parent, rank = (*line.split("\t"), "", "", "")[:6]
    return Value(
        *(token, type_, name, tuple(aliases.split("|")) if aliases else ()),
        parent or None,
        int(rank) if rank else None,
    )


def decode_field(line: str) -> Field:
    """The field that a line of the file describes."""
    _, token, name, aliases, type_, unit, base, variant, description = line.split("\t")
    words = tuple(aliases.split("|")) if aliases else ()
    return Field(token, type_, name, words, description, unit, base or None, variant or None)


def encode_value(value: Value) -> str:
    """The line of a value."""
    columns = (value.type, value.token, value.name, "|".join(value.aliases), value.parent or "")
    rank = "" if value.rank is None else str(value.rank)
    return "\t".join((*columns, rank)).rstrip("\t")


def encode_field(field: Field) -> str:
    """The line of a field."""
    names = (field.token, field.name, "|".join(field.aliases))
    computed = (field.base or "", field.variant or "", field.description)
    return "\t".join((FIELD, *names, field.type, field.unit, *computed))


def _value_type(line: str) -> EnumType:
    name, prefix, ordered, label = line.split("\t")
    return EnumType(name, prefix, label, ordered=ordered == "yes")


def _group(line: str) -> tuple[str, tuple[str, ...]]:
    group, members = line.split("\t")
    return group, tuple(members.split("|"))


def _unusable(path: Path, reason: str) -> FileFormatError:
    return FileFormatError(
        f"the catalogue {path} {reason}.\n"
        "Install grammax again, or rebuild the file: python scripts/build_catalogue.py"
    )
