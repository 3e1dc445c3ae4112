"""A sentence as greedy search writes it: it has always run ahead to its next choice."""

from __future__ import annotations

from collections import deque
from typing import Any, final

from grammax.search.place import Choice, Place
from grammax.search.protocol import Run
from grammax.search.result import Decoded, Ending


@final
class Sentence:
    """A sentence under way. It grows; `unread` are the runs that the decoder was not told yet."""

    __slots__ = (
        "decisions_only",
        "ending",
        "ids",
        "log_probability",
        "permitted",
        "place",
        "scored",
        "unread",
    )

    def __init__(self, place: Place[Any], decisions_only: bool) -> None:
        self.place = place
        self.decisions_only = decisions_only
        self.ending: Ending | None = None
        self.ids: list[int] = []
        self.log_probability = 0.0
        self.permitted: list[int] = []
        self.scored: list[int] = []
        self.unread: deque[Run] = deque()
        self._run_ahead(())

    def take(self, choice: Choice, scored: int) -> None:
        """Go on with a choice among `scored` rows."""
        self.permitted.append(self.place.permitted.size)
        self.scored.append(scored)
        self.log_probability += choice.log_probability
        if choice.token is None or choice.place is None:
            self.ending = choice.ending or "chosen"
            return
        self.ids.append(choice.token)
        self.place = choice.place
        self._run_ahead((choice.token,))

    def decoded(self) -> Decoded:
        """The sentence, once it has ended."""
        assert self.ending is not None
        names = self.place.automaton.vocabulary.tokens
        return Decoded(
            tuple(self.ids),
            tuple([names[token] for token in self.ids]),
            self.log_probability,
            tuple(self.permitted),
            tuple(self.scored),
            self.ending,
        )

    def _run_ahead(self, chosen: Run) -> None:
        """Take what is forced from here on; `chosen` came just before."""
        forced, self.place = self.place.run_ahead()
        self.ids += forced
        self.permitted += [1] * len(forced)
        self.scored += [0] * len(forced)
        if self.place.complete:
            self.ending = "forced"
        elif not self.decisions_only:
            self.unread.extend((token,) for token in (*chosen, *forced))
        elif chosen:
            self.unread.append((*chosen, *forced))
