"""`BoundAutomaton`: an engine, which knows kinds, and a vocabulary, which knows tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, final

from grammax.automaton.explain import Explanation, explanation
from grammax.automaton.protocol import AnyState, Engine
from grammax.errors import ForeignState, TokenNotPermitted, UnknownToken, VocabularyError
from grammax.vocabulary import Permitted, Vocabulary
from grammax.vocabulary.layout import bits


@final
class BoundAutomaton(Generic[AnyState]):
    """`next_tokens` and `pass_token` over the tokens of a vocabulary.

    A step is two look-ups: token → kind, (state, kind) → state. Tokens are ids; text works too, a
    little slower. The same engine can be bound to another vocabulary with the same kinds, and the
    states of one then serve the other.
    """

    __slots__ = ("_kinds_by_id", "_permitted", "engine", "vocabulary")

    def __init__(self, engine: Engine[AnyState], vocabulary: Vocabulary) -> None:
        self.engine = engine
        self.vocabulary = vocabulary
        self._kinds_by_id = vocabulary.kinds_by_id
        self._permitted: dict[int | None, Permitted] = {}

    @property
    def name(self) -> str:
        """The construction: lr, superset, ..."""
        return self.engine.name

    @property
    def start(self) -> AnyState:
        """The state before the first token."""
        return self.engine.start

    def next_tokens(self, state: AnyState) -> Permitted:
        """What may come next; empty only where the sentence is complete."""
        try:
            if state.owner is self.engine:
                return self._permitted[state.kind_set]
        except (KeyError, AttributeError):
            pass
        return self._find_permitted(state)

    def pass_token(self, state: AnyState, token: int | str) -> AnyState:
        """The state after `token`; `TokenNotPermitted` if it may not come next."""
        try:
            if state.owner is self.engine and token >= 0:  # type: ignore[operator]
                return state.moves[self._kinds_by_id[token]]  # type: ignore[index, return-value]
        except (KeyError, IndexError, TypeError, AttributeError):
            pass
        return self._find_move(state, token)

    def accepts(self, state: AnyState) -> bool:
        """Whether what was read so far is a complete sentence."""
        self._check_owner(state)
        return self.engine.accepts(state)

    def tokens_to_accept(self, state: AnyState) -> int:
        """The fewest tokens that complete the sentence: 0 where it is complete."""
        self._check_owner(state)
        return self.engine.tokens_to_accept(state)

    def read(self, tokens: Iterable[int | str]) -> AnyState:
        """The state after a prefix; `TokenNotPermitted` names the token that does not fit."""
        state = self.start
        passed: list[int | str] = []
        for token in tokens:
            try:
                state = self.pass_token(state, token)
            except TokenNotPermitted:
                raise self._refusal(state, token, self._texts(passed)) from None
            passed.append(token)
        return state

    def explain(self, prefix: Sequence[int | str], token: int | str) -> Explanation:
        """What is permitted after the prefix, and why `token` is or is not."""
        return self._explain(self.read(prefix), self._text(token), self._texts(prefix))

    def with_vocabulary(self, vocabulary: Vocabulary) -> BoundAutomaton[AnyState]:
        """The same automaton over a vocabulary whose kinds gained or lost tokens."""
        if vocabulary.kinds != self.vocabulary.kinds:
            raise VocabularyError(
                "the vocabulary has other kinds than the automaton was built for; only the tokens "
                "of kinds can change under an automaton. Compile the grammar again."
            )
        return BoundAutomaton(self.engine, vocabulary)

    def __repr__(self) -> str:
        return f"BoundAutomaton({self.name}, {self.vocabulary!r})"

    def _find_permitted(self, state: AnyState) -> Permitted:
        self._check_owner(state)
        number = self.engine.permitted(state)
        found = self._permitted.get(number)
        if found is None:
            found = self.vocabulary.permitted(bits(self.engine.kind_sets.bits(number)))
            self._permitted[number] = found
        return found

    def _find_move(self, state: AnyState, token: int | str) -> AnyState:
        self._check_owner(state)
        kind = self.vocabulary.kind_of(token)
        found = None if kind is None else self.engine.move(state, kind)
        if found is None:
            raise self._refusal(state, token, None)
        return found

    def _refusal(
        self, state: AnyState, token: int | str, prefix: Sequence[str] | None
    ) -> TokenNotPermitted:
        text = self._text(token)
        permitted = self.next_tokens(state)
        return TokenNotPermitted(text, permitted, lambda: self._explain(state, text, prefix))

    def _explain(self, state: AnyState, token: str, prefix: Sequence[str] | None) -> Explanation:
        return explanation(
            self.vocabulary,
            self.next_tokens(state),
            token,
            prefix=prefix,
            where=self.engine.where(state),
            complete=self.engine.accepts(state),
        )

    def _text(self, token: int | str) -> str:
        if isinstance(token, str):
            return token
        if self.vocabulary.kind_of(token) is None:
            raise UnknownToken(
                token, f"there is no token {token}: ids are 0 to {len(self.vocabulary) - 1}"
            )
        return self.vocabulary.tokens[token]

    def _texts(self, tokens: Iterable[int | str]) -> list[str]:
        return [self._text(token) for token in tokens]

    def _check_owner(self, state: AnyState) -> None:
        if getattr(state, "owner", None) is not self.engine:
            raise ForeignState(
                f"{state!r} is not a state of this {self.name} automaton. Begin with its `start` "
                f"and go on with what its `pass_token` returns."
            )
