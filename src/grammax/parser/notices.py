"""What a parser says of a query in plain English: why it abstains, and what it did not use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from grammax.confidence import Abstention

_WHY: Final[Mapping[str, str]] = {
    "out of domain": "This does not look like a query that can be answered here.",
    "cut": "The query is too long: its end was not read.",
}
_NOT_CLEAR: Final = "It is not clear what is meant."
_MOST: Final = 5  # words that are named


class Doubts(Protocol):
    """A parse, with the words that are in doubt."""

    @property
    def why(self) -> Abstention | None:
        """The reason for abstaining."""

    @property
    def lacks(self) -> str:
        """What is said before words that no logical form accounts for."""

    @property
    def contradictory(self) -> bool:
        """Whether conditions of the logical form exclude one another."""

    @property
    def misfits(self) -> tuple[str, ...]:
        """Numbers with a unit that their field cannot have."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Kinds that the logical form needs and the query does not mention."""

    @property
    def unread(self) -> tuple[str, ...]:
        """Numbers and times that could not be read, as typed."""

    def typed(self, positions: Sequence[int]) -> tuple[str, ...]:
        """Words as they were typed."""

    @property
    def uncovered(self) -> tuple[int, ...]:
        """Positions of words that the logical form does not cover."""

    @property
    def unused(self) -> tuple[int, ...]:
        """Positions of numbers and times that were read and not used."""

    @property
    def concerned(self) -> tuple[int, ...]:
        """Positions of the words that are the reason for a doubt."""


def notices(parsed: Doubts) -> tuple[str, ...]:
    """Sentences for a person, the reason for abstaining first; empty if there is no doubt."""
    left = [at for at in parsed.uncovered if at not in parsed.unused]
    words = _without(parsed.typed(parsed.concerned if parsed.why else left), parsed.unread)
    unused = _without(parsed.typed(parsed.unused), parsed.unread)
    more = []
    if parsed.contradictory:
        more.append("The conditions exclude one another.")
    if parsed.misfits:
        more.append(f"{_listed(parsed.misfits, 'and')} cannot be compared with this column.")
    if parsed.missing:
        more.append(f"The query does not mention {_listed(parsed.missing, 'or')}.")
    if unused:
        more.append(f"{_listed(unused, 'and')} {'was' if len(unused) == 1 else 'were'} not used.")
    if parsed.unread:
        texts = _listed([f'"{text}"' for text in parsed.unread], "and")
        more.append(f"{texts} could not be read as a number or a time.")
    first = _first(parsed.why, words, parsed.lacks)
    if first and not (more and first == _NOT_CLEAR):
        more.insert(0, first)
    return tuple(more)


def _without(words: Sequence[str], unread: Sequence[str]) -> list[str]:
    """The words that are in no number that could not be read."""
    return [word for word in words if not any(word in number for number in unread)]


def _first(why: Abstention | None, words: Sequence[str], lacks: str) -> str:
    if why is not None and why in _WHY:
        return _WHY[why]
    if not words:
        return _NOT_CLEAR if why else ""
    named = _listed([f'"{word}"' for word in words], "or")
    begin = lacks if why == "inexpressible" else "I am not sure about"
    return f"{begin} {named}."


def _listed(words: Sequence[str], conjunction: str) -> str:
    """Words as a list, at most five of them.

    >>> _listed(["2023"], "and"), _listed(["a", "b", "c"], "or")
    ('2023', 'a, b or c')
    """
    shown = list(words[:_MOST])
    if len(words) > _MOST:
        shown[-1] = f"{len(words) - _MOST + 1} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {conjunction} {shown[-1]}"
