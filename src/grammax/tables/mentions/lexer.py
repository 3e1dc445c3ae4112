"""A text → its numerals, words and signs, with their positions in the text as typed."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, final

_TOKEN: Final = re.compile(r"\d+(?:[.,'_]+\d+)*|[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅛⅜⅝⅞⅒]+|\S")
_ZEROS: Final = re.compile(r",0\d|[^\d,]")  # "1,000,00" is no list of numbers
_PIECE: Final = re.compile(r"\d+|[.,']+")
_SIGNS: Final = str.maketrans(
    {"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
     "\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u066a": "%", "\u066b": ".", "\u066c": ",",
     "\u2044": "/", "\u2215": "/"}
)  # fmt: skip
_END: Final = 4  # empty tokens after the last one, so that looking ahead needs no test


@final
class Lexed:
    """The tokens of a text; `words`, `starts` and `stops` are parallel.

    >>> lexed = Lexed("Over €1,000 or 2½ %")
    >>> lexed.words[: lexed.count]
    ['over', '€', '1,000', 'or', '2', '½', '%']
    >>> lexed.glued(2), lexed.glued(3)
    (True, False)
    """

    __slots__ = ("count", "lower", "starts", "stops", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lower = lower = text.lower() if text.isascii() else fold_each(text)
        self.words: list[str] = []
        self.starts: list[int] = []
        self.stops: list[int] = []
        for match in _TOKEN.finditer(lower):
            start, stop = match.span()
            word = lower[start:stop]
            if "," in word and not is_grouped(word) and not _ZEROS.search(word):
                self._add_apart(word, start)
                continue
            self.words.append(word)
            self.starts.append(start)
            self.stops.append(stop)
        self.count = len(self.words)
        beyond = len(text) + 2
        self.words += [""] * _END
        self.starts += [beyond] * _END
        self.stops += [beyond + 1] * _END

    def glued(self, index: int) -> bool:
        """Whether a token follows the one before it without a space."""
        return index > 0 and self.starts[index] == self.stops[index - 1]

    def near(self, index: int) -> bool:
        """Whether at most three spaces are between a token and the one before it."""
        return index > 0 and self.starts[index] - self.stops[index - 1] <= 3

    def before(self, index: int) -> str:
        """The token before another; empty at the beginning."""
        return self.words[index - 1] if index > 0 else ""

    def index_after(self, index: int, stop: int) -> int:
        """The first token from `index` on that begins at or after a position."""
        while index < self.count and self.starts[index] < stop:
            index += 1
        return index

    def _add_apart(self, numeral: str, start: int) -> None:
        """Add the numbers of "10,20,30" as separate tokens."""
        for match in _PIECE.finditer(numeral):
            self.words.append(match[0])
            self.starts.append(start + match.start())
            self.stops.append(start + match.end())


_GROUPED: Final = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"  # 1,000,000.50
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?"  # 1,00,000
    r"|\d{1,3}(?:\.\d{3})+,\d+"  # 1.000.000,50
    r"|\d+,\d\d?|0,\d+"  # 1,5
)


def is_grouped(numeral: str) -> bool:
    """Whether a numeral with commas is one number."""
    return _GROUPED.fullmatch(numeral) is not None


def fold_each(text: str) -> str:
    """The text in lower case and without accents, of the same length: one character for each.

    >>> fold_each("Ⅻ ３٣ Bolívar −5")
    'ⅻ 33 bolivar -5'
    """
    return "".join([c.lower() if c.isascii() else _fold(c) for c in text])


@lru_cache(maxsize=4096)
def _fold(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    folded = character.translate(_SIGNS)
    plain = unicodedata.normalize("NFKC", folded)
    if len(plain) == 1 and not plain.isdigit():  # a superscript is not a digit of the number
        folded = plain
    base = unicodedata.normalize("NFD", folded)[:1]
    folded = base if base.isalpha() else folded
    lower = folded.lower()
    return lower if len(lower) == 1 else folded
