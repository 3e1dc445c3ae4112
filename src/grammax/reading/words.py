"""A text as words, and the words that a model knows."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, final

from grammax.text import fold_text

PADDING: Final = 0
UNKNOWN: Final = 1
APOSTROPHES: Final = frozenset("'’`")
CONTINUED: Final = "#"  # marks the digits of a number after its first: 250 is 2 #5 #0
_PIECE: Final = re.compile(r"[^\W\d_]+|\d|[^\w\s]|_")
_LONG: Final = 40  # characters of a chunk between spaces that is not remembered
_REMEMBERED: Final = 50_000  # chunks
_IN_THOUSANDS: Final = re.compile(r"(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)")


def split(text: str) -> list[str]:
    """The words of a text, in lower case without accents: runs of letters, digits, signs.

    Invisible characters, such as control characters, separate words.

    >>> split("Top 10 R&B: budget > $2.5m")
    ['top', '1', '#0', 'r', '&', 'b', ':', 'budget', '>', '$', '2', '.', '5', 'm']
    >>> split("Amélie: 1,000")
    ['amelie', ':', '1', '#0', '#0', '#0']
    """
    if text.isascii() and text.replace(" ", "").isalpha():  # as most names
        return text.lower().split()
    found: list[str] = []
    for chunk in text.split():
        found += _remembered(chunk) if len(chunk) <= _LONG else _words(chunk)
    return found


def _words(chunk: str) -> tuple[str, ...]:
    """The words of a text without white space."""
    if chunk.isascii() and chunk.isalpha():
        return (chunk.lower(),)
    found: list[str] = []
    end = -1  # of the current number
    text = fold_text(chunk)
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
    return tuple(found)


_remembered: Final = lru_cache(maxsize=_REMEMBERED)(_words)  # most are one word, seen before


def joined(words: Iterable[str]) -> str:
    """The text that is split into these words.

    >>> joined(split("films of 2020"))
    'films of 2020'
    """
    return " ".join(words).replace(f" {CONTINUED}", "")


def is_continued(word: str) -> bool:
    """Whether a word is a digit of a number, but not its first."""
    return len(word) == 2 and word[0] == CONTINUED


def is_punctuation(word: str) -> bool:
    """Whether a word is a sign of plain text; digits of a number and emoji are not.

    >>> is_punctuation("?"), is_punctuation("#4"), is_punctuation("é")
    (True, False, False)
    """
    return len(word) == 1 and word.isascii() and not word.isalnum()


def whole_words(words: Sequence[str], positions: Iterable[int]) -> list[str]:
    """The words at some positions, each once, with all digits of a number and all of "o'hare".

    >>> whole_words(split("films of 2020 and 1999"), [3, 6, 8])
    ['2020', 'and', '1999']
    >>> whole_words(split("o'hare or levi's"), [2, 4])
    ["o'hare", "levi's"]
    """
    found: dict[int, str] = {}
    for position in positions:
        start = position
        while _goes_on(words, start):
            start -= 1
        end = start + 1
        while end < len(words) and _goes_on(words, end):
            end += 1
        found[start] = "".join(word.removeprefix(CONTINUED) for word in words[start:end])
    return list(found.values())


def _goes_on(words: Sequence[str], at: int) -> bool:
    """Whether a word belongs to the one before it: a digit, or what an apostrophe joins."""
    if at == 0 or is_continued(words[at]):
        return at > 0
    before, after = words[at - 1], words[at + 1 : at + 2]
    if words[at] in APOSTROPHES:
        return before.isalpha() and bool(after) and after[0].isalpha()
    return words[at].isalpha() and before in APOSTROPHES and at > 1 and words[at - 2].isalpha()


@final
class WordVocabulary:
    """The words that a model knows, by id; ids 0 and 1 are padding and the unknown word.

    >>> words = WordVocabulary.from_queries(["swedish drama", "drama"])
    >>> [words.id(word) for word in split("drama, swedish")]
    [2, 1, 3]
    """

    def __init__(self, known: Iterable[str]) -> None:
        self.known: Final = tuple(known)
        self._ids = {word: number for number, word in enumerate(self.known, 2)}

    @classmethod
    def from_queries(cls, queries: Iterable[str]) -> WordVocabulary:
        """All words of some queries, the most frequent first."""
        return cls.from_words(word for query in queries for word in split(query))

    @classmethod
    def from_words(cls, words: Iterable[str]) -> WordVocabulary:
        """All of these words, the most frequent first."""
        counts = Counter(words)
        return cls(sorted(counts, key=lambda word: (-counts[word], word)))

    def __len__(self) -> int:
        """The number of ids."""
        return len(self.known) + 2

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def id(self, word: str) -> int:
        """The id of a word."""
        return self._ids.get(word, UNKNOWN)

    def ids(self, words: Iterable[str]) -> tuple[int, ...]:
        """The ids of some words."""
        known = self._ids
        return tuple([known.get(word, UNKNOWN) for word in words])

    def unknown(self, words: Iterable[str]) -> list[int]:
        """The positions of unknown words."""
        known = self._ids
        return [at for at, word in enumerate(words) if word not in known]
