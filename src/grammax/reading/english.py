"""Ordinary English words, as data: what is probably not meant as a name.

`ordinary_words.txt` has the common words and abbreviations of queries, `function_words.txt` those
among them that say nothing of what a query is about: articles, prepositions, numerals, verbs of
asking, words of order and size. Both have one word per line, in lower case, sorted.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from grammax.reading.normal import plain_word

_ENDINGS: Final = ("ing", "ed", "er", "or", "est", "ly", "ness", "ful", "less", "able", "y")
_SHORTEST_STEM: Final = 3


@cache
def ordinary_words() -> frozenset[str]:
    """The common English words, function words included.

    >>> "only" in ordinary_words(), "target" in ordinary_words(), "amelie" in ordinary_words()
    (True, True, False)
    """
    return _words("ordinary_words.txt")


@cache
def function_words() -> frozenset[str]:
    """The words that say nothing of what a query is about.

    >>> "only" in function_words(), "best" in function_words(), "target" in function_words()
    (True, True, False)
    """
    return _words("function_words.txt")


def is_ordinary(word: str) -> bool:
    """Whether a word, or its singular, is an ordinary one.

    >>> is_ordinary("targets"), is_ordinary("amelie")
    (True, False)
    """
    return word in ordinary_words() or plain_word(word) in ordinary_words()


def is_english(word: str) -> bool:
    """Whether a word is an ordinary one, or made of one by a common ending.

    >>> is_english("invented"), is_english("strikers"), is_english("amelie")
    (True, True, False)
    """
    plain = plain_word(word)
    if is_ordinary(word):
        return True
    for ending in _ENDINGS:
        stem = plain.removesuffix(ending)
        if stem != plain and len(stem) >= _SHORTEST_STEM:
            doubled = stem[-1] == stem[-2]
            stems = (stem, stem + "e", stem[:-1] if doubled else stem, stem[:-1] + "y")
            if not ordinary_words().isdisjoint(stems):
                return True
    return False


def _words(file: str) -> frozenset[str]:
    return frozenset((Path(__file__).parent / file).read_text(encoding="utf-8").split())
