"""What a grammar permits and a query mentions: vocabulary selection, an automaton for a query."""

from __future__ import annotations

from collections.abc import Collection
from typing import Generic, NamedTuple, TypeVar, final

from grammax.automaton.protocol import Automaton
from grammax.vocabulary import Permitted, Vocabulary

S = TypeVar("S")


class Mentioned(NamedTuple):
    """Tokens that a query names, of kinds that have to be."""

    ids: Collection[int]
    kinds: Collection[int]


@final
class MentionedOnly(Generic[S]):
    """An automaton of which tokens of some kinds may come only where the query names them.

    Where it names none that may come, all may: no sentence is cut off, and none is added.
    """

    def __init__(self, automaton: Automaton[S], mentioned: Mentioned) -> None:
        self._automaton = automaton
        self._mentioned = mentioned
        self._narrowed: dict[Permitted, Permitted] = {}

    @property
    def vocabulary(self) -> Vocabulary:
        """That of the grammar."""
        return self._automaton.vocabulary

    @property
    def start(self) -> S:
        """The state before the first token."""
        return self._automaton.start

    def next_tokens(self, state: S) -> Permitted:
        """What may come next, of some kinds only what the query names."""
        permitted = self._automaton.next_tokens(state)
        found = self._narrowed.get(permitted)
        if found is None:
            found = self._narrowed[permitted] = self._narrow(permitted)
        return found

    def pass_token(self, state: S, token: int) -> S:
        """The state after a token; whatever the grammar permits may be passed."""
        return self._automaton.pass_token(state, token)

    def accepts(self, state: S) -> bool:
        """Whether what was read so far is a complete sentence."""
        return self._automaton.accepts(state)

    def tokens_to_accept(self, state: S) -> int:
        """The fewest tokens that complete the sentence."""
        return self._automaton.tokens_to_accept(state)

    def _narrow(self, permitted: Permitted) -> Permitted:
        ids, kinds = self._mentioned
        of = self.vocabulary.kinds_by_id
        named = [(row, row + 1) for row in ids if of[row] in permitted.kind_numbers]
        if not named or permitted.size == 1:
            return permitted
        others = permitted.among([k for k in permitted.kind_numbers if k not in kinds])
        return permitted.narrowed([*named, *others])
