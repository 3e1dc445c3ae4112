"""What is quoted in a query, and its words, by their characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_WORD: Final = re.compile(r"\w+|[^\w\s]")


def words(text: str) -> Iterator[tuple[int, int]]:
    """The words of a text, and its signs, each by its first character and the one after it.

    >>> [text[start:stop] for text in ["St. Mary's"] for start, stop in words(text)]
    ['St', '.', 'Mary', "'", 's']
    """
    for found in _WORD.finditer(text):
        yield found.span()


def quoted(text: str) -> Iterator[tuple[int, int]]:
    """What stands between quotation marks, without them and spaces beside them.

    >>> text = "the 'blue moon' of «O'Neil»"
    >>> [text[start:stop] for start, stop in quoted(text)]
    ['blue moon', "O'Neil"]
    """
    from grammax.tables.mentions.texts import QUOTED  # most folders have no kinds of texts

    for found in QUOTED.finditer(text):
        start, stop = found.span(found.lastindex or 0)
        inside = text[start:stop]
        start, stop = start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip())
        if start < stop:
            yield start, stop
