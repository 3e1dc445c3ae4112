"""Series: tokens whose spelling shows that they belong together, such as `c0` and `c1`.

Tokens of one series may replace each other, so they become one kind of an induced grammar; a
numbered series may have more tokens than occur in the pairs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Final

_NUMBERED: Final = re.compile(r"(.*?[^\d])(\d+)((?::\w+)?)")
_TYPED: Final = re.compile(r"[^\s:]+(:\w+)")
_DOTTED: Final = re.compile(r"(\w+(?:\.\w+)*\.)\w+")
_DATE: Final = re.compile(r"\d{4}-\d\d(?:-\d\d)?")
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MORE: Final = 2  # tokens beyond those seen: after c0 and c1 there may be c2 and c3
_LARGE: Final = 100  # a number that does not just count
_SPARSE: Final = 3  # numbers up to the largest, for each that was seen: beyond, they do not count
_ENOUGH: Final = 3  # letters that make a series: A alone may be a grade


def series(token: str) -> str:
    """The series of a token; the token itself if its spelling indicates no series, or a date.

    >>> [series(token) for token in ("c0", "boston:c", "$0", "$0:e", "en.team.lakers", "en.team")]
    [':c', ':c', '$', '$:e', 'en.team.', 'en.team']
    """
    if is_date(token):
        return token
    if token.count(".") > 1 and (match := _DOTTED.fullmatch(token)):
        return match[1]
    if match := _NUMBERED.fullmatch(token):
        word, of = match[1], match[3]
        return f":{word}" if word.isalpha() and not of else word + of
    match = _TYPED.fullmatch(token)
    return match[1] if match else token


def is_date(token: str) -> bool:
    """Whether a token is a day or a month, such as 2019-06-05 or 2019-06."""
    return _DATE.fullmatch(token) is not None


def letters(tokens: Iterable[str]) -> frozenset[str]:
    """The single capitals, if there are enough of them to be variables."""
    found = frozenset(tokens) & frozenset(_LETTERS)
    return found if len(found) >= _ENOUGH else frozenset()


def uncounted(tokens: Iterable[str]) -> frozenset[str]:
    """The numbered tokens that are alone, with a number that does not count: x86.

    >>> sorted(uncounted(["x86", "c0", "area_51", "route_66", "route_67"]))
    ['area_51', 'x86']
    """
    found: dict[str, set[str]] = defaultdict(set)
    for token in tokens:
        found[series(token)].add(token)
    alone = (next(iter(some)) for some in found.values() if len(some) == 1)
    matches = ((token, _NUMBERED.fullmatch(token)) for token in alone if not is_date(token))
    return frozenset(token for token, match in matches if match and not _count([int(match[2])]))


def _count(numbers: Collection[int]) -> bool:
    """Whether numbers are those of things that are counted."""
    return max(numbers) < _LARGE and max(numbers) <= _SPARSE * len(set(numbers))


def members(seen: Collection[str]) -> list[str]:
    """The tokens of a series: those seen, and a few more of a numbered one.

    >>> members({"s0", "s1"}), members({"A", "B", "D"})
    (['s0', 's1', 's2', 's3'], ['A', 'B', 'C', 'D', 'E', 'F'])
    """
    if letters(seen) == frozenset(seen):
        return list(_LETTERS[: _LETTERS.index(max(seen)) + 1 + _MORE])
    numbers: dict[tuple[str, str], list[int]] = defaultdict(list)
    for match in (_NUMBERED.fullmatch(token) for token in sorted(seen) if not is_date(token)):
        if match and "." not in match[1]:
            numbers[match[1], match[3]].append(int(match[2]))
    counted = [
        f"{word}{number}{of}"
        for (word, of), some in numbers.items()
        if _count(some)
        for number in range(max(some) + 1 + _MORE)
    ]
    return list(dict.fromkeys([*counted, *sorted(seen)]))


def opposite(head: str) -> str | None:
    """The comparison or superlative in the other direction, if the head is one.

    >>> opposite("argmax"), opposite(">:<i,<i,t>>"), opposite("loc")
    ('argmin', '<:<i,<i,t>>', None)
    """
    word, colon, of = head.partition(":")
    other = _OPPOSITES.get(word)
    return f"{other}{colon}{of}" if other else None


_PAIRS: Final = (("<", ">"), ("<=", ">="), ("min", "max"), ("argmin", "argmax"))
_OPPOSITES: Final = {**dict(_PAIRS), **{more: less for less, more in _PAIRS}}
