"""`NamedOnly`: an automaton for one query that permits some tokens only if the query names them.

A domain lists the kinds in `must_be_named`: the cells of a table, for example. Of these kinds, only
the tokens that the query names compete (vocabulary selection).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Generic, NamedTuple, TypeVar, final

from grammax.automaton.protocol import Automaton
from grammax.vocabulary import Permitted, Vocabulary

S = TypeVar("S")


class NamedTokens(NamedTuple):
    """The tokens that a query names, of the kinds that must be named."""

    ids: Collection[int]
    kinds: Collection[int]


@final
class NamedOnly(Generic[S]):
    """An automaton that permits tokens of some kinds only if the query names them.

    Where the query names none of the permitted tokens, all are permitted, so every prefix can
    still be completed.
    """

    def __init__(self, automaton: Automaton[S], named: NamedTokens) -> None:
        self._automaton = automaton
        self._named = named
        self._narrowed: dict[Permitted, Permitted] = {}

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the grammar."""
        return self._automaton.vocabulary

    @property
    def start(self) -> S:
        """The state before the first token."""
        return self._automaton.start

    def next_tokens(self, state: S) -> Permitted:
        """What may come next; of the kinds that must be named, only tokens in the query."""
        permitted = self._automaton.next_tokens(state)
        found = self._narrowed.get(permitted)
        if found is None:
            found = self._narrowed[permitted] = self._narrow(permitted)
        return found

    def pass_token(self, state: S, token: int | str) -> S:
        """The state after any token that the grammar permits, named or not."""
        return self._automaton.pass_token(state, token)

    def accepts(self, state: S) -> bool:
        """Whether what was read so far is a complete sentence."""
        return self._automaton.accepts(state)

    def tokens_to_accept(self, state: S) -> int:
        """The fewest tokens that complete the sentence."""
        return self._automaton.tokens_to_accept(state)

    def _narrow(self, permitted: Permitted) -> Permitted:
        ids, kinds = self._named
        kind_of = self.vocabulary.kinds_by_id
        named = [(row, row + 1) for row in ids if kind_of[row] in permitted.kind_numbers]
        if not named or permitted.size == 1:
            return permitted
        others = permitted.among([k for k in permitted.kind_numbers if k not in kinds])
        return permitted.narrowed([*named, *others])
