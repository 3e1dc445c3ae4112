"""Numbers that occur in a query and, digit by digit, in its logical form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from grammax.language.domain import Tokens
from grammax.reading.name_index import Match
from grammax.reading.words import CONTINUED

_POINT = "."


class Number(NamedTuple):
    """Words `start` to `stop` of a query are a number."""

    start: int
    stop: int
    text: str


def numbers_in(words: Sequence[str], names: Sequence[Match]) -> list[Number]:
    """The numbers in a query, but not those within names.

    >>> numbers_in(["top", "1", "#0", "#0", "grade", "0", ".", "7", "#5"], [])
    [Number(start=1, stop=4, text='100'), Number(start=5, stop=9, text='0.75')]
    """
    named = {index for match in names for index in range(match.start, match.stop)}
    found: list[Number] = []
    for index, word in enumerate(words):
        if not word.removeprefix(CONTINUED).isdecimal() or index in named:
            continue
        digit, last = word.removeprefix(CONTINUED), found[-1] if found else None
        if last and last.stop == index and word.startswith(CONTINUED):
            found[-1] = Number(last.start, index + 1, last.text + digit)
        elif last and last.stop == index - 1 and words[index - 1] == _POINT != last.text[-1]:
            found[-1] = Number(last.start, index + 1, f"{last.text}{_POINT}{digit}")
        else:
            found.append(Number(index, index + 1, digit))
    return found


def numbers_of(tokens: Tokens) -> list[str]:
    """The numbers of a logical form.

    >>> numbers_of(("GR", "2", ".", "5", "BILLION", "LAST", "1", "0"))
    ['2.5', '10']
    """
    return ["".join(run) for numeric, run in groupby(tokens, _numeric) if numeric]


def renumbered(
    words: Sequence[str], names: Sequence[Match], tokens: Tokens, random: np.random.Generator
) -> tuple[list[str], Tokens]:
    """A pair with some numbers replaced by others, in the query and in the logical form."""
    numbers = numbers_in(words, names)
    there = set(numbers_of(tokens))
    chosen = {number.text for number in numbers if number.text in there and random.random() < 0.7}
    others = {text: _other(text, random) for text in sorted(chosen)}
    found: list[str] = []
    done = 0
    for number in numbers:
        if number.text in others:
            found += [*words[done : number.start], *_spelt(others[number.text])]
            done = number.stop
    return [*found, *words[done:]], _replaced(tokens, others)


def _replaced(tokens: Tokens, others: Mapping[str, str]) -> Tokens:
    found: list[str] = []
    for numeric, run in groupby(tokens, _numeric):
        given = list(run)
        text = "".join(given)
        found += others[text] if numeric and text in others else given
    return tuple(found)


def _numeric(token: str) -> bool:
    return token.isdecimal() or token == _POINT


def _other(text: str, random: np.random.Generator) -> str:
    """A similar number: a year for a year, as many decimals, or as round a number."""
    if len(text) == 4 and text[:2] in ("19", "20"):
        return str(random.integers(2000, 2030))
    if _POINT in text:
        digits = [str(random.integers(0, 10)) if c != _POINT else c for c in text[1:]]
        return (text[0] if text[0] == "0" else str(random.integers(1, 10))) + "".join(digits)
    size = len(text)
    if random.random() < 0.4:
        size = min(max(size + int(random.choice([-1, 1])), 1), 6)
    exact = int(random.integers(0, 2))  # digits after the first one that may not be zero
    digits = [str(random.integers(0, 10)) if i < exact else "0" for i in range(size - 1)]
    return str(random.integers(1, 10)) + "".join(digits)


def _spelt(text: str) -> list[str]:
    """A number as words."""
    before = " " + text
    return [
        c if c == _POINT or before[i] in (" ", _POINT) else f"{CONTINUED}{c}"
        for i, c in enumerate(text)
    ]
