"""`training_steps`: the steps of a target that are choices, for a loss under a grammar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from grammax.automaton.protocol import Automaton
from grammax.errors import GrammaxError, TokenNotPermitted, UnknownToken
from grammax.head.protocol import Options
from grammax.search.result import NotCompiled
from grammax.search.state import AnyGrammar

if TYPE_CHECKING:
    from grammax.subwords.protocol import Constraint


_NO_SENTENCE: Final = "the target is no sentence of the grammar"
_SHOWN: Final = 8  # permitted tokens in an error


class TrainingStep(NamedTuple):
    """A step of a target at which there is a choice: `target` is to be chosen among `options`.

    `position` is the number of tokens before it, so the hidden vector of the step is the one after
    `tokens[:position]`.
    """

    position: int
    options: Options
    target: int


class UngrammaticalTarget(GrammaxError):
    """A target that is no sentence of the grammar; it fails at `tokens[position]`.

    >>> import grammax
    >>> automaton = grammax.lr(grammax.Grammar.read('film: "genre" "is" ("drama" | "comedy")'))
    >>> try:
    ...     grammax.training_steps(automaton, ["genre", "drama"])
    ... except grammax.search.UngrammaticalTarget as error:
    ...     print(error.position, str(error).splitlines()[0])
    1 the target is no sentence of the grammar: drama cannot follow "genre" (token 2).
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def training_steps(
    grammar: AnyGrammar, tokens: Iterable[int | str], end: int | None = None
) -> list[TrainingStep]:
    """The steps of a target sentence at which there is a choice.

    `grammar` is an automaton or a constraint over sub-words. `tokens` are the target, as tokens or
    ids; for a constraint they are ids, and the last one is the id of the end.

    Where one token is permitted, the loss is zero, so there is no step. Where the sentence may end
    or go on after the last token, there is one more step, whose target is the row `end`, by default
    the one after the vocabulary's. `UngrammaticalTarget` is raised if the target is not a sentence.

    The loss of the steps is `grammax.head.row_scores.negative_log_likelihood(head, hidden, options,
    targets)`, which multiplies only the permitted rows if the head is `Spans`.

    >>> import grammax
    >>> automaton = grammax.lr(grammax.Grammar.read('film: "genre" "is" ("drama" | "comedy")'))
    >>> target = ["genre", "is", "comedy"]
    >>> for step in grammax.training_steps(automaton, target):
    ...     print(step.position, step.options.permitted, automaton.vocabulary.tokens[step.target])
    2 Permitted(2 tokens in 1 spans: "drama", "comedy") comedy
    """
    if hasattr(grammar, "next_tokens"):
        automaton = cast("Automaton[Any]", grammar)
        return list(_steps(automaton, tokens, len(automaton.vocabulary) if end is None else end))
    if not hasattr(grammar, "advance"):
        raise NotCompiled(grammar)
    return list(_constrained_steps(grammar, map(int, tokens)))


def _steps(
    automaton: Automaton[Any], tokens: Iterable[int | str], end: int
) -> Iterator[TrainingStep]:
    vocabulary, state = automaton.vocabulary, automaton.start
    read: list[str] = []
    for position, token in enumerate(tokens):
        permitted = automaton.next_tokens(state)
        may_end = bool(read) and automaton.accepts(state)  # a sentence is not empty
        try:
            after = automaton.pass_token(state, token)
            target = vocabulary.id(token) if isinstance(token, str) else token
        except TokenNotPermitted as error:
            where = replace(error.explanation, prefix=tuple(read))
            raise UngrammaticalTarget(f"{_NO_SENTENCE}: {where}", position) from None
        except UnknownToken as error:
            raise UngrammaticalTarget(
                f"{_NO_SENTENCE}: token {position + 1}: {error}", position
            ) from None
        if target not in permitted:  # of a grammar that is narrowed to what a query names
            raise UngrammaticalTarget(
                f"{_NO_SENTENCE}: token {position + 1}, {vocabulary.tokens[target]}, is not "
                f"available there. Available: {_some(permitted.tokens, permitted.size)}.",
                position,
            )
        if may_end or permitted.forced is None:
            yield TrainingStep(position, Options(permitted, may_end), target)
        read.append(vocabulary.tokens[target])
        state = after
    permitted = automaton.next_tokens(state)
    if not (read and automaton.accepts(state)):
        raise UngrammaticalTarget(
            f'{_NO_SENTENCE}: it ends after "{" ".join(read[-_SHOWN:])}" ({len(read)} tokens), and '
            f"is not complete there. Permitted: {_some(permitted.tokens, permitted.size)}.",
            len(read),
        )
    if permitted.size:
        yield TrainingStep(len(read), Options(permitted, may_end=True), end)


def _constrained_steps(
    constraint: Constraint[Any], tokens: Iterable[int]
) -> Iterator[TrainingStep]:
    state, length = constraint.start(), 0
    for position, token in enumerate(tokens):
        if constraint.is_done(state):
            raise UngrammaticalTarget(
                f"{_NO_SENTENCE}: the end was read before id {token} at position {position}",
                position,
            )
        rows = constraint.rows(state)
        if token not in rows:
            raise UngrammaticalTarget(
                f"{_NO_SENTENCE}: id {token} at position {position} is not permitted there. "
                f"Permitted: {_some(map(str, rows), rows.size)}.",
                position,
            )
        if rows.size > 1:
            yield TrainingStep(position, Options(rows), token)
        state, length = constraint.advance(state, token), position + 1
    if not constraint.is_done(state):
        rows = constraint.rows(state)
        raise UngrammaticalTarget(
            f"{_NO_SENTENCE}: it has {length:,} ids, and the end is not among them. Permitted "
            f"after them: {_some(map(str, rows), rows.size)}.",
            length,
        )


def _some(names: Iterable[str], count: int) -> str:
    """The first few of some names."""
    shown = ", ".join(islice(names, _SHOWN))
    return f"{shown}, ... ({count:,} in all)" if count > _SHOWN else shown
