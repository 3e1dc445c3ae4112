"""`SubwordConstraint`: a grammar of grammax over the tokens of a language model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar, final

from grammax.automaton.protocol import Automaton
from grammax.errors import ForeignState
from grammax.subwords.choices import NO_ROWS, Choices
from grammax.subwords.completion import Completions
from grammax.subwords.errors import SubwordNotPermitted
from grammax.subwords.reading import Reader, Readings
from grammax.subwords.spelling import NotCanonical, Spelling
from grammax.subwords.tokenizer import Subwords, shown
from grammax.vocabulary.rows import Rows

S = TypeVar("S")


@final
class SubwordState:
    """Where a text has got to. An immutable value: what can be assigned are caches."""

    __slots__ = ("done", "ending", "forced", "needed", "next", "owner", "readings", "rows")

    def __init__(self, owner: object, readings: Readings, ending: bool, done: bool = False) -> None:
        self.owner: Final = owner
        self.readings: Final = readings
        self.ending: Final = ending
        """Whether the text may end here."""
        self.done: Final = done
        self.rows: Rows | None = NO_ROWS if done else None
        self.forced: tuple[int, ...] | None = None
        self.needed: int | None = 0 if done else -1
        self.next: tuple[int, SubwordState] | None = None

    def __repr__(self) -> str:
        if self.done:
            return "SubwordState(done)"
        depths = [node.depth for _, node, _ in self.readings]
        return f"SubwordState(symbols of the next name: {depths}, ending: {self.ending})"


@final
class SubwordConstraint(Generic[S]):
    """A grammar over the tokens of a language model. `grammax.subwords.constraint` makes one.

    A step is two look-ups: (node, kinds permitted) → rows, (node, token) → node. Nothing is
    compiled per state or per request; constraints of other automata over the same vocabulary, and
    of the vocabulary with other values, share the trie (`renewed`).
    """

    def __init__(
        self,
        reader: Reader[S],
        subwords: Subwords,
        spelled: Spelling,
        choices: Choices,
        reason: str = "",
        otherwise: Callable[[Automaton[Any], str], SubwordConstraint[Any]] | None = None,
    ) -> None:
        self.size: Final = subwords.size
        self.eos: Final = subwords.eos
        self.reason: Final = reason
        """Why names are spelled in bytes; empty where they are not, or where that was asked for."""
        self._reader = reader
        self._subwords = subwords
        self._spelled = spelled
        self._symbols = spelled.symbols
        self._choices = choices
        self._otherwise = otherwise
        self._completions = Completions(reader)
        self._done = SubwordState(self, (), False, done=True)
        ends = reader.automaton.accepts(reader.automaton.start)
        self._start = SubwordState(self, reader.start(), ends)

    @property
    def automaton(self) -> Automaton[S]:
        """The grammar, in tokens of its own vocabulary."""
        return self._reader.automaton

    @property
    def spelling(self) -> str:
        """How names are spelled: `canonical` or `bytes`."""
        return self._spelled.name

    def start(self) -> SubwordState:
        """The state before the first token."""
        return self._start

    def rows(self, state: SubwordState) -> Rows:
        """The tokens that may come next; none after the end."""
        rows = state.rows
        if rows is None or state.owner is not self:
            self._check_owner(state)
            rows = state.rows = self._choices.rows(self._reader, state.readings, state.ending)
        return rows

    def advance(self, state: SubwordState, token: int) -> SubwordState:
        """The state after a token; `SubwordNotPermitted` if it may not come."""
        if state.owner is not self:
            self._check_owner(state)
        known = state.next
        if known is not None and known[0] == token:
            return known[1]
        if token == self.eos and state.ending:
            return self._done
        readings, ending = state.readings, False
        if 0 <= token < self.size:
            for symbol in self._symbols(token) or (-1,):
                readings, ending = self._reader.step(readings, symbol)
        else:
            readings = ()
        if not readings and not ending:
            raise SubwordNotPermitted(token, shown(self._subwords, token), self.rows(state))
        made = SubwordState(self, readings, ending)
        state.next = (token, made)
        return made

    def forced(self, state: SubwordState) -> tuple[int, ...]:
        """The tokens that must come next, as far as nothing else is permitted, the end included."""
        found = state.forced
        if found is None:
            run = []
            at = state
            while (rows := self.rows(at)).size == 1:
                (token,) = rows
                run.append(token)
                at = self.advance(at, token)
            found = state.forced = tuple(run)
        return found

    def is_done(self, state: SubwordState) -> bool:
        """Whether the end was read."""
        return state.done

    def needed(self, state: SubwordState) -> int | None:
        """How many tokens complete the text, the end included; 0 after the end.

        They are counted along one completion, which is short but not always the shortest. None if
        it cannot be told, as where an automaton for one query has no token that it counts on.
        """
        if state.needed == -1:
            self._check_owner(state)
            state.needed = 1 if state.ending else self._measured(state.readings)
        return state.needed

    def renewed(self, automaton: Automaton[Any]) -> SubwordConstraint[Any]:
        """The same for another automaton: of one query, or over values that were added or removed.

        What is the same is shared, so that a value is added in less than a millisecond. This
        constraint and its states stay as they are. Where new names cannot be spelled canonically,
        bytes are used if the spelling was `auto`, and else it is an error, as in `constraint`.
        """
        try:
            reader = self._reader.renewed(automaton)
            self._spelled.check(reader.names.lead, reader.names.added)
        except NotCanonical as error:
            if self._otherwise is None:
                raise
            return self._otherwise(automaton, str(error))
        parts = self._subwords, self._spelled, self._choices
        return SubwordConstraint(reader, *parts, self.reason, self._otherwise)

    def _measured(self, readings: Readings) -> int | None:
        found = [self._completions.of(reading) for reading in readings]
        return min(
            (1 + self._spelled.length(one) for one in found if one is not None), default=None
        )

    def _check_owner(self, state: SubwordState) -> None:
        if getattr(state, "owner", None) is not self:
            raise ForeignState(
                f"{state!r} is not a state of this constraint. Begin with its `start()` and go on "
                f"with what its `advance` returns."
            )

    def __repr__(self) -> str:
        vocabulary = self.automaton.vocabulary
        return f"SubwordConstraint({self.spelling}, {vocabulary!r}, {self.size:,} tokens)"
