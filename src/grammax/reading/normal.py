"""Normal forms: one spelling for the variants of a name.

| variants | normal form |
|---|---|
| "science-fiction", "science fiction" | science fiction |
| "5-year", "5 year" | 5 year |
| "film makers", "film maker", "film maker's" | film maker |
| "l'avventura", "lavventura" | lavventura |
| "u.s.", "p/e" | us, pe |
| "rock and roll", "rock & roll" | rock & roll |
| "colours", "color"; "theatre", "theater" | color; theater |

Normal forms are keys of an index, not text to show: "series" may be "serie" on both sides. Words of
three letters keep their s ("gas", "pes").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from grammax.reading.words import APOSTROPHES

Span = tuple[int, int]  # the first word, and the word after the last

_SHORTEST_PLURAL: Final = 5  # letters: "films"; "mars" is no plural
_SHORT_PLURALS: Final = frozenset(
    ("acts", "arts", "bars", "bids", "boys", "cans", "caps", "cars", "cats", "cups", "days", "dogs",
     "eggs", "fees", "guns", "hits", "jobs", "kids", "laws", "maps", "oils", "ores", "pets", "pubs",
     "spas", "teas", "tins", "toys", "vans", "wars", "wins", "zoos")
)  # fmt: skip
_ENDS_LIKE_PLURAL: Final = ("ss", "us", "is")
_PLURALS_IN_ES: Final = ("sses", "shes", "ches", "xes", "zzes")
_LONGEST_PREFIX: Final = 2  # letters before an apostrophe that belong to the next word: "l'", "o'"
_DROPPED: Final = frozenset("-./'’`")  # after a word
_JOINING: Final = frozenset("./'’`")
_AMERICAN: Final[dict[str, str]] = {
    "aeroplane": "airplane", "aluminium": "aluminum", "armour": "armor", "behaviour": "behavior",
    "calibre": "caliber", "catalogue": "catalog", "centre": "center", "cheque": "check",
    "colour": "color", "cosy": "cozy", "defence": "defense", "dialogue": "dialog",
    "favour": "favor", "favourite": "favorite", "fibre": "fiber", "flavour": "flavor",
    "grey": "gray", "harbour": "harbor", "honour": "honor", "humour": "humor",
    "jewellery": "jewelry", "jeweller": "jeweler", "kilometre": "kilometer", "labour": "labor",
    "licence": "license", "litre": "liter", "metre": "meter", "mould": "mold",
    "neighbour": "neighbor", "neighbourhood": "neighborhood", "offence": "offense",
    "paediatric": "pediatric", "plough": "plow", "programme": "program", "rumour": "rumor",
    "sulphur": "sulfur", "theatre": "theater", "traveller": "traveler", "travelling": "traveling",
    "tyre": "tire", "vapour": "vapor", "woollen": "woolen",
}  # fmt: skip
_AND: Final = ("&",)
_LONGEST_VARIANT: Final = 4  # words of a name that has other forms
_IZE: Final = re.compile(r"(?<=....)is(e|ed|ing|er|ation)$")


@lru_cache(maxsize=100_000)
def plain_word(word: str) -> str:
    """The singular of a word in American spelling, as a key.

    >>> [plain_word(word) for word in ("makers", "theatres", "utilities", "gas", "pes", "us")]
    ['maker', 'theater', 'utility', 'gas', 'pes', 'us']
    """
    if word == "and":
        return "&"
    if not (len(word) > 3 and word.isascii() and word.isalpha()):
        return word
    single = _singular(word)
    if single in _AMERICAN:
        return _AMERICAN[single]
    return _IZE.sub(r"iz\1", single) if "is" in single else single


def is_normal(word: str) -> bool:
    """Whether a word is its own normal form wherever it stands, and has no part in variants.

    >>> [is_normal(word) for word in ("maker", "makers", "-", "and", "&")]
    [True, False, False, False, False]
    """
    return plain_word(word) == word and word not in _DROPPED and word not in _AND


def normal_words(words: Sequence[str]) -> tuple[list[str], Sequence[Span]]:
    """The normal forms of the words that `split` gives, and the words that each stands for.

    >>> normal_words(["u", ".", "s", ".", "-", "based", "makers"])
    (['us', 'based', 'maker'], [(0, 3), (5, 6), (6, 7)])
    >>> normal_words(["o", "'", "hara", "'", "s", "films"])
    (['ohara', 'film'], [(0, 5), (5, 6)])
    >>> normal_words(["5", "-", "year", "average"])[0]
    ['5', 'year', 'average']
    """
    if _DROPPED.isdisjoint(words):
        return list(map(plain_word, words)), _apart(len(words))
    texts: list[str] = []
    places: list[Span] = []
    at, end = 0, len(words)
    while at < end:
        start, word = at, words[at]
        at += 1
        if word in _DROPPED and texts and texts[-1][-1].isalpha():
            continue
        if word == "-" and texts and texts[-1][-1].isdigit() and at < end and words[at] == "year":
            continue  # "5-year"
        if word.isalpha():
            word, at = _whole(words, start)
        texts.append(plain_word(word))
        places.append((start, at))
    return texts, places


def normal_phrase(words: Sequence[str]) -> tuple[str, ...]:
    """The normal form of a name.

    >>> normal_phrase(["p", "/", "e", "ratios"])
    ('pe', 'ratio')
    """
    if _DROPPED.isdisjoint(words):
        return tuple(map(plain_word, words))
    return tuple(normal_words(words)[0])


def variants(
    names: Sequence[tuple[str, ...]], regular: frozenset[str] = frozenset()
) -> Iterator[tuple[str, ...]]:
    """Other forms of a token's names: normal ones, and "rock & roll" for "rock roll".

    Lists of names often have a short name without the "&" of the full one. It is put back. Names of
    `regular` words alone, of which each `is_normal`, have no variants.
    """
    for words in names:
        if regular.issuperset(words):
            continue
        normal = normal_phrase(words)
        if normal != words and 0 < len(normal) <= _LONGEST_VARIANT and normal != _AND:
            yield normal
        if "&" in normal:
            bare = tuple(word for word in normal if word != "&")
            for other in names:
                if len(other) > 1 and bare[: len(other)] == other:
                    stop = [at for at, word in enumerate(normal) if word != "&"][len(other) - 1]
                    if "&" in normal[: stop + 1]:
                        yield normal[: stop + 1]


@lru_cache(maxsize=256)
def _apart(count: int) -> Sequence[Span]:
    """The places of words of which each stands for itself."""
    return tuple((at, at + 1) for at in range(count))


def _whole(words: Sequence[str], start: int) -> tuple[str, int]:
    """The word that starts at a position, with all that signs join to it, and where it stops."""
    word, at = words[start], start + 1
    while at + 1 < len(words) and words[at] in _JOINING and words[at + 1].isalpha():
        sign, after = words[at : at + 2]
        if sign in APOSTROPHES and after == "s":
            return word, at + 2  # a possessive
        if not _is_joined(words[start], sign, after):
            break
        word += after
        at += 2
    return word, at


def _is_joined(first: str, sign: str, after: str) -> bool:
    """Whether a sign joins letters to one word: "l'avventura", "u.s", "p/e"."""
    if sign in APOSTROPHES:
        return len(first) <= _LONGEST_PREFIX
    return len(first) == len(after) == 1


def _singular(word: str) -> str:
    if not word.endswith("s") or word.endswith(_ENDS_LIKE_PLURAL):
        return word
    if len(word) < _SHORTEST_PLURAL:
        return word[:-1] if word in _SHORT_PLURALS else word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_PLURALS_IN_ES) else word[:-1]
