"""Run a sequence of tokens through an automaton, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from grammax.automaton.protocol import Automaton
from grammax.errors import TokenNotPermitted, UnknownToken
from grammax.vocabulary import Permitted

S = TypeVar("S")


class Step(NamedTuple, Generic[S]):
    """A state, what it permits, and the token that comes next; None after the last token."""

    state: S
    permitted: Permitted
    token: int | str | None


def walk(automaton: Automaton[S], tokens: Iterable[int | str]) -> Iterator[Step[S]]:
    """One step per token, and one more for the state after the last.

    `TokenNotPermitted` is raised after the step whose token the grammar refuses.

    >>> from grammax import Grammar, lr
    >>> automaton = lr(Grammar.read('film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"'))
    >>> [(step.permitted.size, step.token) for step in walk(automaton, ["genre", "is", "drama"])]
    [(1, 'genre'), (1, 'is'), (2, 'drama'), (0, None)]
    """
    state = automaton.start
    for token in tokens:
        yield Step(state, automaton.next_tokens(state), token)
        state = automaton.pass_token(state, token)
    yield Step(state, automaton.next_tokens(state), None)


def accepts_tokens(automaton: Automaton[S], tokens: Iterable[int | str]) -> bool:
    """Whether the tokens are a complete sentence of the grammar.

    >>> from grammax import Grammar, lr
    >>> automaton = lr(Grammar.read('film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"'))
    >>> accepts_tokens(automaton, ["genre", "is", "drama"]), accepts_tokens(automaton, ["genre"])
    (True, False)
    """
    state = automaton.start
    try:
        for token in tokens:
            state = automaton.pass_token(state, token)
    except (TokenNotPermitted, UnknownToken):
        return False
    return automaton.accepts(state)
