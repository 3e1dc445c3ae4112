"""A parse → which of its words the logical form accounts for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from grammax.confidence.usage import Attention, Usage, rested_places, said_places
from grammax.reading.reader import Query
from grammax.search import Decoded

_LETTERS: Final = re.compile(r"[^\W\d_]{3,}")
_ALIKE: Final = 0.4  # of their trigrams: "swedish" is like SWEDEN


class Account(NamedTuple):
    """Places of words. Those that are in none of these say nothing, as training has it."""

    named: tuple[int, ...]  # in names that were said, letter for letter
    heeded: tuple[int, ...]  # in no such name, but some choice rests on them
    neglected: tuple[int, ...]  # nearly always heeded in training, and no choice rests on them
    strange: tuple[int, ...]  # in no such name, and never met outside one

    @property
    def unaccounted(self) -> tuple[int, ...]:
        """The words that nothing in the logical form accounts for, in their order."""
        return tuple(sorted(self.strange + self.neglected))


def account(query: Query, decoded: Decoded, attention: Attention | None, usage: Usage) -> Account:
    """What becomes of each word; without attention none is taken to be neglected."""
    named = said_places(query, decoded)
    guessed = {place for place, _ in query.typos}
    rested = None if attention is None else rested_places(attention)
    heeded, neglected, left = [], [], []
    for place, word in enumerate(query.words):
        if place in named or word in usage.plain:
            continue
        if word not in usage.heeded:
            left.append(place)
        elif rested is None or place in rested:
            heeded.append(place)
        else:
            neglected.append(place)
    strange = _unlike(left, query, decoded) if left else ()
    return Account(tuple(sorted(named - guessed)), tuple(heeded), tuple(neglected), strange)


def unaccounted(
    query: Query, decoded: Decoded, attention: Attention | None, usage: Usage
) -> tuple[int, ...]:
    """The places of words that nothing in the logical form accounts for."""
    return account(query, decoded, attention, usage).unaccounted


def _unlike(places: Sequence[int], query: Query, decoded: Decoded) -> tuple[int, ...]:
    """The words that no token's text has, nor nearly: half a name is enough to say it."""
    text = " ".join(decoded.tokens).replace("_", " ").lower()
    parts = [_trigrams(part) for part in set(_LETTERS.findall(text))]
    words = query.words
    return tuple(place for place in places if not _is_like_any(_trigrams(words[place]), parts))


def _is_like_any(word: set[str], others: Sequence[set[str]]) -> bool:
    """Whether the trigrams of a word are nearly those of another."""
    return any(
        2 * len(word & other) >= _ALIKE * (len(word) + len(other))
        for other in others
        if not word.isdisjoint(other)
    )


def _trigrams(word: str) -> set[str]:
    """Three letters in a row, the ends of the word marked.

    >>> sorted(_trigrams("aal"))
    ['^aa', 'aal', 'al$']
    """
    marked = f"^{word}$"
    return {marked[place : place + 3] for place in range(len(word))}
