"""What the builders hand on: values and fields as rows of the file, and tokens made from names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import chain, count

_LETTERS = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "Æ": "AE",
     "œ": "oe", "Œ": "OE", "ı": "i", "þ": "th", "Þ": "Th", "ð": "d", "’": "'", "–": "-"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ValueRow:
    """One value of an enum type; `head` says that the smallest catalogue has it too."""

    type: str
    token: str
    name: str
    aliases: tuple[str, ...] = ()
    parent: str = ""
    rank: int | None = None
    head: bool = False

    def line(self) -> str:
        """The row as the file has it, empty columns at the end left out."""
        rank = "" if self.rank is None else str(self.rank)
        columns = (self.type, self.token, self.name, "|".join(self.aliases), self.parent, rank)
        return "\t".join(columns).rstrip("\t")


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field; `base` and `variant` say how it derives from another, `head` as for values."""

    token: str
    type: str
    name: str
    aliases: tuple[str, ...]
    description: str
    unit: str
    base: str = ""
    variant: str = ""
    head: bool = False

    def line(self) -> str:
        """The row as the file has it."""
        words = "|".join(self.aliases)
        columns = ("FIELD", self.token, self.name, words, self.type, self.unit, self.base)
        return "\t".join((*columns, self.variant, self.description))


def plain(text: str) -> str:
    """The text in ASCII letters: "Børs" is "Bors".

    >>> plain("Düsseldorf Børs")
    'Dusseldorf Bors'
    """
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return folded.encode("ascii", "ignore").decode()


def slug(name: str) -> str:
    """The name as a token writes it.

    >>> slug("S&P/ASX 200"), slug("Amazon.com, Inc."), slug("McDonald's"), slug("U.S. Steel")
    ('SP_ASX_200', 'AMAZON_COM_INC', 'MCDONALDS', 'US_STEEL')
    """
    text = plain(name).replace("'", "").replace("`", "")
    text = re.sub(r"\b(\w)\.(?=\w\b)", r"\1", text)
    text = re.sub(r"\b(\w+)&(?=\w\b)", r"\1", text)
    return "_".join(re.findall(r"[A-Z0-9]+", text.upper()))


def aliases(name: str, *given: Iterable[str]) -> tuple[str, ...]:
    """The given aliases in lower case, in order, each once, without the name itself."""
    found: dict[str, None] = {}
    for group in given:
        for alias in group:
            text = " ".join(alias.replace("|", " ").split()).lower()
            if text and text != name.lower():
                found[text] = None
    return tuple(found)


def unique(
    prefix: str, name: str, taken: Collection[str], endings: Iterable[str]
) -> tuple[str, str]:
    """A token that is not taken, and the name to show: with an ending if others have the name.

    >>> unique("ISS_", "Sun Corp", {"ISS_SUN_CORP"}, ["SNC"])
    ('ISS_SUN_CORP_SNC', 'Sun Corp (SNC)')
    """
    token = f"{prefix}{slug(name)}"
    if token not in taken:
        return token, name
    for ending in chain(endings, map(str, count(2))):
        longer = f"{token}_{slug(ending)}"
        if slug(ending) and longer not in taken:
            return longer, f"{name} ({ending})"
    raise AssertionError("numbers do not end")
