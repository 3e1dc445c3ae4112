"""A word that nobody knows → the one known word that is a slip of the finger away."""

from __future__ import annotations

from collections.abc import Container
from string import ascii_lowercase
from typing import Final

_SHORTEST: Final = 5  # letters: of shorter words too many are one slip apart
_LONGEST: Final = 24


def corrected(word: str, known: Container[str]) -> str | None:
    """The known word that differs in one letter: left out, doubled, wrong, or two in wrong order.

    None if the word is short or no plain letters, or if there are several.

    >>> corrected("germnay", {"germany", "norway"})
    'germany'
    >>> corrected("stell", {"steel", "stella"}) is None
    True
    """
    if not (_SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return None
    found = {other for other in _one_slip_away(word) if other in known}
    return found.pop() if len(found) == 1 else None


def _one_slip_away(word: str) -> set[str]:
    """All words that `word` may have been meant to be."""
    halves = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    found = {head + tail[1:] for head, tail in halves if tail}
    found |= {head + tail[1] + tail[0] + tail[2:] for head, tail in halves if len(tail) > 1}
    for letter in ascii_lowercase:
        found |= {head + letter + tail for head, tail in halves}
        found |= {head + letter + tail[1:] for head, tail in halves if tail}
    return found - {word}
