"""`Path`: a sentence under way, as a value, for searches that follow several at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from grammax.search.place import Choice, Place
from grammax.search.protocol import Run
from grammax.search.result import Decoded, Ending


@dataclass(frozen=True, slots=True)
class Path:
    """The tokens taken so far, forced ones to the next choice included.

    `unread` are the runs of them that the decoder has not been told yet, and `member` is the place
    of the path in its batch.
    """

    query: int
    member: int
    place: Place[Any]
    ids: tuple[int, ...] = ()
    log_probability: float = 0.0
    permitted: tuple[int, ...] = ()
    scored: tuple[int, ...] = ()
    unread: tuple[Run, ...] = ()
    ending: Ending | None = None

    def chosen(self, choice: Choice, scored: int, decisions_only: bool) -> Path:
        """The path with a choice taken, and with the forced tokens that follow it."""
        ends = choice.token is None or choice.place is None
        token = () if choice.token is None else (choice.token,)
        taken = Path(
            self.query,
            self.member,
            choice.place or self.place,
            self.ids + token,
            self.log_probability + choice.log_probability,
            (*self.permitted, self.place.permitted.size),
            (*self.scored, scored),
            self.unread if ends else (token,),
            choice.ending,
        )
        return taken if ends else taken.run_ahead(decisions_only)

    def run_ahead(self, decisions_only: bool) -> Path:
        """The path with all tokens that are forced from here taken."""
        run, place = self.place.run_ahead()
        if decisions_only:
            unread = tuple((*chosen, *run) for chosen in self.unread)
        else:
            unread = (*self.unread, *((token,) for token in run))
        return replace(
            self,
            place=place,
            ids=(*self.ids, *run),
            permitted=self.permitted + (1,) * len(run),
            scored=self.scored + (0,) * len(run),
            unread=unread,
            ending="forced" if place.complete else None,
        )

    def decoded(self) -> Decoded:
        """The sentence, once it has ended."""
        assert self.ending is not None
        tokens = self.place.automaton.vocabulary.tokens
        return Decoded(
            self.ids,
            tuple(tokens[token] for token in self.ids),
            self.log_probability,
            self.permitted,
            self.scored,
            self.ending,
        )
