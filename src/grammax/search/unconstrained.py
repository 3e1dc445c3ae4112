"""`Unconstrained`: an automaton that permits every token, for the paper's baseline (NSP)."""

from __future__ import annotations

from typing import final

from grammax.automaton.explain import explanation
from grammax.errors import TokenNotPermitted
from grammax.vocabulary import Permitted, Vocabulary

_DONE = -1


@final
class Unconstrained:
    """Any token may follow any other, and a sentence may end anywhere: the end row decides.

    With `brackets` it also ends where the first bracket is closed. With the head `EveryRow`, the
    model alone decides; a sentence whose `ending` is "budget" was cut. A state is the number of
    open brackets.

    >>> v = Vocabulary({"PUNCTUATION": ["(", ")"], "WORD": ["a"]})
    >>> free = Unconstrained(v, brackets=("(", ")"))
    >>> state = free.pass_token(free.pass_token(free.start, v.id("(")), v.id("a"))
    >>> free.next_tokens(state).size, free.next_tokens(free.pass_token(state, v.id(")"))).size
    (3, 0)
    """

    start = 0

    def __init__(self, vocabulary: Vocabulary, brackets: tuple[str, str] | None = None) -> None:
        self.vocabulary = vocabulary
        self._everything = vocabulary.permitted(range(len(vocabulary.kinds)))
        self._nothing = vocabulary.permitted(())
        self._opens = vocabulary.id(brackets[0]) if brackets else None
        self._closes = vocabulary.id(brackets[1]) if brackets else None

    def next_tokens(self, state: int) -> Permitted:
        """Everything, until the first bracket is closed."""
        return self._nothing if state == _DONE else self._everything

    def pass_token(self, state: int, token: int | str) -> int:
        """The number of brackets that are open after `token`."""
        if isinstance(token, str):
            token = self.vocabulary.id(token)
        if state == _DONE:
            raise self._refusal(self.vocabulary.tokens[token])
        if token == self._opens:
            return state + 1
        if token == self._closes:
            return state - 1 if state > 1 else _DONE
        return state

    def accepts(self, state: int) -> bool:  # noqa: ARG002
        """Always: a sentence may end anywhere."""
        return True

    def tokens_to_accept(self, state: int) -> int:  # noqa: ARG002
        """Always 0."""
        return 0

    def _refusal(self, token: str) -> TokenNotPermitted:
        where = ("the first bracket is closed",)
        return TokenNotPermitted(
            token,
            self._nothing,
            lambda: explanation(
                self.vocabulary, self._nothing, token, prefix=None, where=where, complete=True
            ),
        )
