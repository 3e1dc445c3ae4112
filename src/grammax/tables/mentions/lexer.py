"""A text → its numerals, words and signs, with their positions in the text as typed."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, final

_NUMERAL: Final = r"\d+(?:[.,'_]+\d+)*"
_TOKEN: Final = re.compile(rf"{_NUMERAL}|[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅛⅜⅝⅞⅒]+|\S")
_ASCII_TOKEN: Final = re.compile(rf"[a-z]+|{_NUMERAL}|\S")  # the same for plain text, faster
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
        plain = text.isascii()
        self.lower = lower = text.lower() if plain else fold_each(text)
        found = (_ASCII_TOKEN if plain else _TOKEN).finditer(lower)
        spans = [match.span() for match in found]
        if "," in lower:
            spans = [span for each in spans for span in _apart(lower, each)]
        self.count = len(spans)
        beyond = len(text) + 2
        spans += [(beyond, beyond + 1)] * _END
        self.words = [lower[start:stop] for start, stop in spans]
        self.starts: tuple[int, ...]
        self.stops: tuple[int, ...]
        self.starts, self.stops = zip(*spans, strict=True)

    def glued(self, index: int) -> bool:
        """Whether a token follows the one before it without a space."""
        return index > 0 and self.starts[index] == self.stops[index - 1]

    def near(self, index: int) -> bool:
        """Whether at most three spaces are between a token and the one before it."""
        return index > 0 and self.starts[index] - self.stops[index - 1] <= 3

    def before(self, index: int) -> str:
        """The token before another; empty at the beginning."""
        return self.words[index - 1] if index > 0 else ""


def _apart(text: str, span: tuple[int, int]) -> list[tuple[int, int]]:
    """A token, or the numbers of "10,20,30" as separate tokens."""
    word = text[slice(*span)]
    if "," not in word or is_grouped(word) or _ZEROS.search(word):
        return [span]
    return [match.span() for match in _PIECE.finditer(text, *span)]


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
