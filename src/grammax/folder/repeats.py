"""Queries that occur in several pairs: copies, contradictions, and leaks into a test.

Goes in: the pairs of every split. Comes out: one warning for each such query, with file and line.
All of them are warnings: a query may have two meanings, and a set may have been published so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from grammax.errors import Location, Problem
from grammax.folder.data import Line
from grammax.folder.domain import FolderDomain
from grammax.language.domain import Pair, Tokens
from grammax.text import fold_text

SHOWN: Final = 60  # characters of a query in a message
_LINES: Final = 4  # line numbers in a message
_AGAINST: Final = (
    "A parser can learn only one of them: correct the wrong one, or say in the queries what tells "
    "them apart."
)
_LEAK: Final = "A test on a query of the training pairs shows nothing: leave one out."


class _Seen(NamedTuple):
    """A pair with a query, and where it is."""

    split: str
    line: int
    pair: Pair


def contradictions(domain: FolderDomain, lines: Mapping[str, Sequence[Line]]) -> list[Problem]:
    """A warning for each further logical form of a query, in one split or in two."""
    paths = {name: str(domain.settings.path(name)) for name in lines}
    found = _by_query(lines)
    return [problem for seen in found for problem in _contradictions(seen, domain.same, paths)]


def copies(domain: FolderDomain, lines: Mapping[str, Sequence[Line]]) -> list[Problem]:
    """A warning for each pair that occurs twice in a split, and for each query in two splits."""
    paths = {name: str(domain.settings.path(name)) for name in lines}
    found = _by_query(lines)
    return [
        *(problem for seen in found for problem in _copies(seen, domain.same, paths)),
        *(problem for seen in found for problem in _leaks(seen, paths)),
    ]


def _by_query(lines: Mapping[str, Sequence[Line]]) -> list[list[_Seen]]:
    """The pairs of each query that has several."""
    found: dict[str, list[_Seen]] = {}
    for name, some in lines.items():
        for number, pair in some:
            found.setdefault(fold_text(pair.query), []).append(_Seen(name, number, pair))
    return [seen for seen in found.values() if len(seen) > 1]


def _contradictions(
    seen: Sequence[_Seen], same: Callable[[Tokens, Tokens], bool], paths: Mapping[str, str]
) -> Iterator[Problem]:
    """A warning for each further meaning of a query, where it occurs first."""
    meanings = [seen[0]]
    for each in seen[1:]:
        if any(same(each.pair.tokens, other.pair.tokens) for other in meanings):
            continue
        first = meanings[0]
        where = f"line {first.line}" + (f" of {first.split}" if first.split != each.split else "")
        message = (
            f"{_shown(each)} has another logical form in {where}: "
            f"{difference(each.pair.tokens, first.pair.tokens)}"
        )
        place = Location(paths[each.split], each.line, 1)
        yield Problem("contradiction", message, _AGAINST, place, "warning")
        meanings.append(each)


def _copies(
    seen: Sequence[_Seen], same: Callable[[Tokens, Tokens], bool], paths: Mapping[str, str]
) -> Iterator[Problem]:
    """A warning for the equal pairs of each split, at the second of them."""
    for split in paths:
        mine = [each for each in seen if each.split == split]
        equal = [each for each in mine[1:] if same(each.pair.tokens, mine[0].pair.tokens)]
        if not equal:
            continue
        others = [str(each.line) for each in (mine[0], *equal[1:])]
        shown = ", ".join(others[:_LINES])
        more = f" and {len(others) - _LINES:,} more" if len(others) > _LINES else ""
        lines = f"line{'s' if len(others) > 1 else ''} {shown}{more}"
        where = Location(paths[split], equal[0].line, 1)
        yield Problem("twice", f"{_shown(equal[0])} is also in {lines}", "", where, "warning")


def _leaks(seen: Sequence[_Seen], paths: Mapping[str, str]) -> Iterator[Problem]:
    """A warning for each split after the first that has the query."""
    told = {seen[0].split}
    for each in seen:
        if each.split not in told:
            told.add(each.split)
            found = f"{_shown(each)} is also in line {seen[0].line} of {seen[0].split}"
            place = Location(paths[each.split], each.line, 1)
            yield Problem("leak", found, _LEAK, place, "warning")


def difference(here: Tokens, there: Tokens) -> str:
    """The first tokens that differ, in words.

    >>> difference(("(", "state", ")"), ("(", "city", ")"))
    'token 2 is state here and city there'
    """
    pairs = enumerate(zip_longest(here, there), 1)
    number, (one, other) = next((n, each) for n, each in pairs if each[0] != each[1])
    shown = [token if token is not None else "the end" for token in (one, other)]
    return f"token {number} is {shown[0]} here and {shown[1]} there"


def _shown(seen: _Seen) -> str:
    return repr(seen.pair.query[:SHOWN])
