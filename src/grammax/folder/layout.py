"""Rules and kinds as text of lark's notation, in lines that can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

_WIDTH: Final = 100
_BARS: Final = re.compile(r'(?<=") \| (?=")')  # between tokens, not in them


def definition(name: str, options: Iterable[str]) -> list[str]:
    """A rule or a kind: in one line, if it fits, else in several that begin with a bar.

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
    lines = []
    for first, option in zip((f"{name}: ", *[f"{indent}| "] * len(given)), given, strict=False):
        lines += _filled(first, _BARS.split(option), f"{indent}    ")
    return lines


def _filled(first: str, options: Sequence[str], indent: str) -> list[str]:
    """Options in lines of the width, as far as they can be parted."""
    lines = [first + options[0]]
    for option in options[1:]:
        if len(lines[-1]) + 3 + len(option) <= _WIDTH:
            lines[-1] += f" | {option}"
        else:
            lines.append(f"{indent}| {option}")
    return lines


def one_of(options: Sequence[str]) -> str:
    """A choice within a rule; the only option where there is no choice."""
    return options[0] if len(options) == 1 else f"({' | '.join(options)})"
