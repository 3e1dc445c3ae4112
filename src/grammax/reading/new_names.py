"""Names that people give to new tokens: what can be one, and the words of its spelling.

Goes in: a text as typed. Comes out: a name with single spaces, or why it cannot be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from grammax.reading.words import split
from grammax.text import fold_letters

LONGEST: Final = 200  # characters of a name
_APOSTROPHES: Final = str.maketrans("", "", "'’`")
_INITIALS: Final = re.compile(r"\b(\w)\.(?=\w\b)")
_JOINED: Final = re.compile(r"\b(\w+)&(?=\w\b)")
_WORDS: Final = re.compile(r"[^\W_]+")


class Unfit(Exception):
    """Why a value cannot be added or removed: a sentence."""


def cleaned(text: object, what: str) -> str:
    """The text with single spaces. Raises `Unfit` if it cannot be a name."""
    if not isinstance(text, str):
        raise Unfit(f"the {what} is {text!r:.60}, not a text.")
    clean = " ".join(text.split())
    if not clean:
        raise Unfit(f"the {what} is empty. Give the name that people use.")
    if not any(map(str.isalpha, clean)) and _names_nothing(split(clean)):
        raise Unfit(
            f"the {what} {clean[:20]!r} has no letter or sign in it, and names nothing in a query."
        )
    if "|" in clean or not clean.isprintable():
        raise Unfit(
            f"the {what} {clean[:40]!r} has a bar or a character that cannot be printed in it. "
            f"Write it without."
        )
    if len(clean) > LONGEST:
        raise Unfit(
            f"the {what} {clean[:40]!r}... has {len(clean):,} characters; {LONGEST} at most."
        )
    return clean


def cleaned_aliases(aliases: object, name: str) -> tuple[str, ...]:
    """The aliases of a name, each once and without the name. Raises `Unfit` if one is wrong."""
    if not isinstance(aliases, list | tuple) or not all(isinstance(a, str) for a in aliases):
        raise Unfit(f"the aliases of {name!r} are {aliases!r:.60}, not a list of texts")
    found = dict.fromkeys(cleaned(alias, "alias") for alias in aliases if alias.strip())
    found.pop(name, None)
    return tuple(found)


def token_words(name: str) -> list[str]:
    """The words of a name that make a token: letters of all scripts stay, punctuation goes.

    >>> token_words("R&B/Soul 2"), token_words("Zürich, Inc."), token_words("U.S. Girls")
    (['rb', 'soul', '2'], ['zurich', 'inc'], ['us', 'girls'])
    >>> token_words("L'Avventura"), token_words("東京"), token_words("🚀")
    (['lavventura'], ['東京'], ['u1f680'])
    """
    text = fold_letters(name).translate(_APOSTROPHES)
    text = _JOINED.sub(r"\1", _INITIALS.sub(r"\1", text))
    return _WORDS.findall(text) or [f"u{ord(each):x}" for each in name if not each.isspace()]


def numbered(token: str) -> Iterator[str]:
    """A token, then the same with a number: what to take if it is there already."""
    yield token
    number = 2
    while True:
        yield f"{token}_{number}"
        number += 1


def _names_nothing(words: Sequence[str]) -> bool:
    return not words or (len(words) == 1 and words[0].isdecimal())
