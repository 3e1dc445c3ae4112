"""A query as words: what the encoder reads, and what spells a name."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Final, final

from grammax.text import fold

PADDING: Final = 0
UNKNOWN: Final = 1
CONTINUED: Final = "#"  # before a digit that goes on with a number: 250 is 2 #5 #0
_PIECE: Final = re.compile(r"[^\W\d_]+|\d|[^\w\s]|_")
_IN_THOUSANDS: Final = re.compile(r"(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)")


def split(text: str) -> list[str]:
    """The words of a text: runs of letters, single digits, single signs; no capitals or accents.

    What cannot be seen, such as control characters, parts words and is none.

    >>> split("Top 10 S&P: mcap > $2.5bn")
    ['top', '1', '#0', 's', '&', 'p', ':', 'mcap', '>', '$', '2', '.', '5', 'bn']
    >>> split("Société: 1,000")
    ['societe', ':', '1', '#0', '#0', '#0']
    """
    found: list[str] = []
    end = -1  # of the number under way
    text = fold(text)
    if "," in text:
        text = _IN_THOUSANDS.sub(lambda number: number.group().replace(",", ""), text)
    for piece in _PIECE.finditer(text):
        word = piece.group()
        if word.isdecimal():
            digit = str(unicodedata.decimal(word))
            word = CONTINUED + digit if piece.start() == end else digit
            end = piece.end()
        elif not word.isprintable():
            continue
        found.append(word)
    return found


def is_continued(word: str) -> bool:
    """Whether a word is a digit that goes on with a number."""
    return len(word) == 2 and word[0] == CONTINUED


@final
class Words:
    """The words that a model has learnt, by id; ids 0 and 1 are padding and the unknown word.

    >>> words = Words.of(["german steel", "steel"])
    >>> [words.id(word) for word in split("steel, german")]
    [2, 1, 3]
    """

    def __init__(self, known: Iterable[str]) -> None:
        self.known: Final = tuple(known)
        self._ids = {word: number for number, word in enumerate(self.known, 2)}

    @classmethod
    def of(cls, queries: Iterable[str]) -> Words:
        """All words of some queries, the most frequent first."""
        counts = Counter(word for query in queries for word in split(query))
        return cls(sorted(counts, key=lambda word: (-counts[word], word)))

    def __len__(self) -> int:
        """How many ids there are."""
        return len(self.known) + 2

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def id(self, word: str) -> int:
        """The id of a word."""
        return self._ids.get(word, UNKNOWN)
