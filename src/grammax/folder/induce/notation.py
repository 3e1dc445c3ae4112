"""Rules, kinds and names as text in lark's notation, in lines of at most 100 characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

_WIDTH: Final = 100
_BARS: Final = re.compile(r'(?<=") \| (?=")')  # between tokens, not in them
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def definition(name: str, options: Iterable[str]) -> list[str]:
    """A rule or a kind: on one line if it fits, else on several that begin with a bar.

    >>> definition("size", ["SMALL", "LARGE"])
    ['size: SMALL | LARGE']
    """
    given = list(options)
    whole = f"{name}: {' | '.join(given)}"
    if len(whole) <= _WIDTH:
        return [whole]
    indent = " " * len(name)
    if not any(" " in option for option in given):
        return _filled(f"{name}: ", given, indent)
    lines: list[str] = []
    plain = False  # whether the last option was a single name
    for first, option in zip((f"{name}: ", *[f"{indent}| "] * len(given)), given, strict=False):
        is_plain = " " not in option
        if plain and is_plain and len(lines[-1]) + 3 + len(option) <= _WIDTH:
            lines[-1] += f" | {option}"
        else:
            lines += _filled(first, _BARS.split(option), f"{indent}    ")
        plain = is_plain
    return lines


def one_of(options: Sequence[str]) -> str:
    """A choice within a rule, or its only option."""
    return options[0] if len(options) == 1 else f"({' | '.join(options)})"


def quoted(token: str) -> str:
    """A token as a string of the notation; the empty text stays empty."""
    if not token:
        return ""
    escaped = token.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", escaped) + '"'


def identifier(text: str) -> str:
    """A text as a name of the notation, or the empty text if no character can be used.

    >>> identifier("en.team."), identifier("9"), identifier("<=")
    ('en_team', 't_9', '')
    """
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_")
    return name if name[:1].isalpha() else f"t_{name}" if name else ""


def fresh(name: str, taken: set[str]) -> str:
    """The name, numbered if it is taken already; it is added to `taken`."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(found)
    return found


def _filled(first: str, options: Sequence[str], indent: str) -> list[str]:
    """Options wrapped to lines of the width, where they can be split."""
    lines = [first + options[0]]
    for option in options[1:]:
        if len(lines[-1]) + 3 + len(option) <= _WIDTH:
            lines[-1] += f" | {option}"
        else:
            lines.append(f"{indent}| {option}")
    return lines
