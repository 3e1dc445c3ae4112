"""Normalised keys of names: all spellings of a name have the same key.

Case, accents, spaces, punctuation and the words "and", "the", "of" are ignored: "Sci-Fi", "sci fi"
and "SciFi" have one key. Signs that carry meaning remain: "$", "€", and the plus or minus at the
end of a grade.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grammax.text import fold_letters, one_edit_away

_DROPPED: Final = str.maketrans("", "", " \t\n!\"#%&'()*+,-./:;<=>?@[\\]^_`{|}~·’‘“”–—")
_GRADE: Final = re.compile(r"\b([a-d]{1,3}|[a-z]\d)([+-])(?=\s|$)")
_SIGNS: Final = {"+": " plussign ", "-": " minussign "}
_SHORTEST_TYPO: Final = 4


def key(text: str) -> str:
    """The key of a text; empty if every character is ignored.

    >>> key("Sci & Fi"), key("Amélie Poulain"), key("the U.S."), key("B-"), key("mid-size")
    ('scifi', 'ameliepoulain', 'us', 'bminussign', 'midsize')
    """
    text = fold_letters(text)
    if "+" in text or "-" in text:
        text = _GRADE.sub(lambda match: match[1] + _SIGNS[match[2]], text)
    padded = f" {text} ".replace(" and ", " ").replace(" the ", " ").replace(" of ", " ")
    return padded.translate(_DROPPED)


def singular(text: str) -> str:
    """The text with each word in the singular, judged by its spelling.

    >>> singular("film makers"), singular("comedies"), singular("gas business"), singular("DVS")
    ('film maker', 'comedy', 'gas business', 'DVS')
    """
    return " ".join(_singular(word) for word in text.split())


def _singular(word: str) -> str:
    low = word.lower()
    if len(low) < 4 or not low.endswith("s") or low.endswith(("ss", "us", "is", "gas")):
        return word
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + "y"
    if low.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1].rstrip("'’")


def typos(text: str) -> Iterator[str]:
    """The keys one typo away: a letter too few, too many, wrong, or two swapped.

    Only words of four letters or more are corrected, and none with a digit in it.

    >>> "germany" in set(typos("gremany")), "se7en" in set(typos("se8en"))
    (True, False)
    """
    words = [key(word) for word in text.replace("-", " ").replace("/", " ").split()]
    for number, word in enumerate(words):
        if len(word) >= _SHORTEST_TYPO and word.isalpha():
            before, after = "".join(words[:number]), "".join(words[number + 1 :])
            yield from (before + edited + after for edited in one_edit_away(word))
