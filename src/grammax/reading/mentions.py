"""`Mention`: a piece of a query that is a number, a count or a time, with what it may stand for."""

from __future__ import annotations

from typing import NamedTuple

from grammax.language.answer import Tokens


class Mention(NamedTuple):
    """Characters `start` to `stop` of a text, and their readings by kind, the best first.

    A reading is the tokens that a logical form has for it, one per digit.

    >>> Mention(4, 6, (("NUMBER", ("1", "0")), ("INTEGER", ("1", "0")))).kinds
    ('NUMBER', 'INTEGER')
    """

    start: int
    stop: int
    readings: tuple[tuple[str, Tokens], ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that the mention fills."""
        return tuple(kind for kind, _ in self.readings)
