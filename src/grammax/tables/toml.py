"""TOML as people keep it: values written in its notation, and files edited in place.

The standard library reads TOML and does not write it. `with_entry` and `without_entry` change one
line of a text and leave the rest as it is: order, comments, blank lines.

>>> text = '[colours]\\nsky = "blue"  # by day\\n'
>>> print(with_entry(text, ("colours",), "sky", "black").text, end="")
[colours]
sky = "black"  # by day
>>> with_entry(text, ("colours",), "deep sea", "green").line
3
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from grammax.errors import GrammaxError

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
Path = tuple[str, ...]
"""The names of a section: `[columns.price]` is ("columns", "price")."""


class NotEditable(GrammaxError):
    """A TOML text whose layout cannot be changed line by line."""


class Edited(NamedTuple):
    """A text after a change, and the number of the line that was written, counted from 1."""

    text: str
    line: int


class _Statement(NamedTuple):
    """The lines of a section's header, or of a key with its value; `stop` is exclusive."""

    section: Path
    key: str | None  # None for a header
    start: int
    stop: int


def toml_value(value: object) -> str:
    """A text, a truth value or a tuple of them in TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    text = str(value).encode("utf-8", "replace").decode()  # half a surrogate pair is no text
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(name: str) -> str:
    """A name as a key of TOML, in quotes where it needs them.

    >>> toml_key("price"), toml_key("running time")
    ('price', '"running time"')
    """
    return name if _BARE.fullmatch(name) else toml_value(name)


def with_entry(text: str, section: Path, key: str, value: object, above: str = "") -> Edited:
    """A text with a key of a section set to a value.

    A new section is put above the line `above`, if the text has it, else at the end. Raises
    `NotEditable` if the text sets the key in a way that is not a line of its own.
    """
    lines, there = _lines(text), list(_statements(text))
    entry = f"{toml_key(key)} = {toml_value(value)}"
    old = next((each for each in there if each[:2] == (section, key)), None)
    own = [each for each in there if each.section == section]
    if old is not None:
        lines[old.start : old.stop] = [entry + _comment(lines[old.start : old.stop])]
        at = old.start
    elif own:
        at = own[-1].stop
        lines.insert(at, entry)
    else:
        at = lines.index(above) if above in lines else len(lines)
        before = [] if at == 0 or not lines[at - 1].strip() else [""]
        after = [""] if at < len(lines) else []
        lines[at:at] = [*before, f"[{'.'.join(map(toml_key, section))}]", entry, *after]
        at += len(before) + 1
    made = _joined(lines, text)
    plain = list(value) if isinstance(value, tuple) else value
    _require(made, _with(tomllib.loads(text), section, key, plain), section)
    return Edited(made, at + 1)


def without_entry(text: str, section: Path, key: str) -> str:
    """A text without a key of a section, nor the section, if nothing else is in it.

    The text is returned as it is if it does not have the key.
    """
    lines, there = _lines(text), list(_statements(text))
    old = next((each for each in there if each[:2] == (section, key)), None)
    if old is None:
        return text
    own = [each for each in there if each.section == section]
    start, stop = old.start, old.stop
    if len(own) == 2 and own[0].key is None and own[0].stop == old.start:
        start = own[0].start
        if start and not lines[start - 1].strip():
            start -= 1  # the blank line above the section
    del lines[start:stop]
    made = _joined(lines, text)
    expected = tomllib.loads(text)
    _section(expected, section).pop(key, None)
    _require(made, expected, section)
    return made


def line_of(text: str, section: Path, key: str) -> int | None:
    """The number of the line that sets a key of a section, counted from 1."""
    found = (each.start + 1 for each in _statements(text) if each[:2] == (section, key))
    return next(found, None)


def _statements(text: str) -> Iterator[_Statement]:
    """The headers and keys of a text, which is valid TOML."""
    lines, at = _lines(text), 0
    section: Path = ()
    while at < len(lines):
        start, line = at, lines[at].lstrip("\ufeff").strip()
        at += 1
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section = _names(tomllib.loads(line))
            yield _Statement(section, None, start, at)
            continue
        while (read := _read(lines[start:at])) is None and at < len(lines):
            at += 1  # a value of several lines
        yield _Statement(section, next(iter(read or {}), ""), start, at)


def _lines(text: str) -> list[str]:
    """The lines; a text may have other separators, such as U+2028, within a value."""
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _read(lines: Sequence[str]) -> dict[str, Any] | None:
    try:
        return tomllib.loads("\n".join(lines).lstrip("\ufeff"))
    except tomllib.TOMLDecodeError:
        return None


def _names(header: Any) -> Path:
    """The names of a header that was read by itself."""
    found: list[str] = []
    while header:
        if isinstance(header, list):
            header = header[0]
            continue
        name, header = next(iter(header.items()))
        found.append(name)
    return tuple(found)


def _comment(lines: Sequence[str]) -> str:
    """The comment behind a value of one line, with the space before it."""
    if len(lines) != 1:
        return ""
    line = lines[0]
    whole = _read(lines)
    for sign in (found.start() for found in re.finditer("#", line)):
        if _read([line[:sign]]) == whole:
            return line[len(line[:sign].rstrip()) :]
    return ""


def _joined(lines: Sequence[str], before: str) -> str:
    """Lines with the line endings that the text had."""
    end = "\r\n" if "\r\n" in before else "\n"
    return end.join(lines) + end


def _with(given: dict[str, Any], section: Path, key: str, value: Any) -> Mapping[str, Any]:
    _section(given, section)[key] = value
    return given


def _section(given: dict[str, Any], section: Path) -> dict[str, Any]:
    found: Any = given
    for name in section:
        found = found.setdefault(name, {})
        if not isinstance(found, dict):
            raise _not_editable(section)
    return cast("dict[str, Any]", found)


def _require(made: str, expected: Mapping[str, Any], section: Path) -> None:
    """Raise unless the text says what is expected; a section that is missing may be empty."""
    try:
        found = tomllib.loads(made.lstrip("\ufeff"))
    except tomllib.TOMLDecodeError:
        found = None
    if found is None or _without_empty(found) != _without_empty(expected):
        raise _not_editable(section)


def _not_editable(section: Path) -> NotEditable:
    return NotEditable(
        f"the section [{'.'.join(map(toml_key, section))}] is written in a way that cannot be "
        f"changed line by line, so nothing was changed. Write each of its keys on a line of its "
        f"own below the section's header, or edit it by hand."
    )


def _without_empty(given: Mapping[str, Any]) -> dict[str, Any]:
    inside = {
        name: _without_empty(each) if isinstance(each, dict) else each
        for name, each in given.items()
    }
    return {name: each for name, each in inside.items() if each != {}}
