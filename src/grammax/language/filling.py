"""Kinds that the query fills: numbers, counts, times and texts that can only be taken from it.

A *mention* is a piece of a query that stands for such tokens. A vocabulary has some *slots* of each
kind that queries fill; the slot of a kind with the number of a mention stands for the mention. A
decoder chooses slots, and `Domain.written` replaces them by what was mentioned, so that nothing can
be predicted that the query does not contain. `Grounding` states the same for names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, final

from grammax.language.answer import Tokens

SLOTS: Final = 16
"""The number of mentions of a query that can be used; further ones are ignored."""


class Mention(NamedTuple):
    """A piece of a query's text, and the tokens that it stands for, by kind.

    `start` and `stop` count characters of the text as typed. "2023" may be a time, a number or a
    count: then it has several readings, the likeliest first. A number is read as `one_word`; the
    words of a text stay what they are, and texts may overlap. They come after all numbers.

    `last` is given for a range, whose readings are its first number or time: "the 80s" end in 1989.
    `unit` is what was said beside a number, "hours". `hints` are tokens, such as fields, that the
    mention refers to although it does not name them.
    """

    start: int
    stop: int
    readings: tuple[tuple[str, Tokens], ...]
    one_word: bool = True
    last: Tokens = ()
    unit: str = ""
    hints: Tokens = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that the mention fills."""
        return tuple(kind for kind, _ in self.readings)


class FilledText(NamedTuple):
    """A text of a query that fills a kind, by its characters, and the token that it is."""

    start: int
    stop: int
    kind: str
    token: str


@final
@dataclass(frozen=True, slots=True)
class Grounding:
    """The tokens that a query makes available.

    Tokens of `kinds` are permitted only if the query names or mentions them. With a token of a kind
    in `implied`, the tokens listed there are available, too; those of `always` are in every query.
    Names of tokens of `unused` kinds, which the grammar with slots does not have, are not searched.

    The names of `values` are searched with care, see `grammax.reading.support`: any word may be a
    name of an `open` kind, short codes are names of `coded` kinds, and `places` follow "in".
    `neutral` words say nothing, like the nouns for rows. Each of `turns` has words and, for some
    tokens, others: where one of the words is in a query, the name of a token may also mean those
    others, its growth for example.
    """

    kinds: frozenset[str]
    implied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    always: tuple[str, ...] = ()
    unused: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    open: frozenset[str] = frozenset()
    coded: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    neutral: frozenset[str] = frozenset()
    turns: tuple[tuple[frozenset[str], Mapping[str, tuple[str, ...]]], ...] = ()
    named: frozenset[str] = frozenset()
    """Kinds whose tokens any name in the query makes available, be it part of another one.

    Where a query names none of such a kind, all its tokens are available unless it is in `kinds`.
    """
    reduces: bool = False
    """Whether the grammar is compiled without the kinds of which a query has nothing."""


def slot(kind: str, number: int) -> str:
    """The token that stands for a mention.

    >>> slot("TIME", 2)
    'TIME#2'
    """
    return f"{kind}#{number}"


def slots(kind: str, count: int = SLOTS) -> tuple[str, ...]:
    """All slots of a kind."""
    return tuple(slot(kind, number) for number in range(count))
