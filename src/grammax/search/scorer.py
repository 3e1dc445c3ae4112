"""`Scorer`: the interface of any model that predicts token by token, and `WithHead`.

A search works on a decoder and a head, which an LSTM has apart. A scorer that is one piece becomes
such a pair here: what its decoder gives as the hidden vector is the state itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast, final

from grammax.head.protocol import Candidate, Head, Options, Scores
from grammax.search.protocol import BatchDecoder, D, Decoder, OneByOne, Run, Vector
from grammax.search.result import SearchError

Source = TypeVar("Source")
Source_contra = TypeVar("Source_contra", contravariant=True)
M = TypeVar("M")


class Scorer(Protocol[Source_contra, M]):
    """A model that predicts the next token. States are immutable values: beams and samples branch.

    The end of a sentence is the row after the vocabulary's tokens. Where a model has it elsewhere,
    the scorer says so in an attribute `end`; where it has none, `end` is None.

    >>> import grammax
    >>> from grammax.search import ListedScores
    >>> class Longest:
    ...     "Prefers long tokens."
    ...     def start(self, source):
    ...         return source
    ...     def scores(self, state, options):
    ...         return ListedScores(options.ids(None), [len(t) for t in options.permitted.tokens])
    ...     def advance(self, state, token):
    ...         return state
    >>> automaton = grammax.lr(grammax.Grammar.read('film: "genre" ("drama" | "documentary")'))
    >>> str(grammax.decode(Longest(), automaton, "any source")[0])
    'genre documentary'
    """

    def start(self, source: Source_contra) -> M:
        """The state before the first token."""

    def scores(self, state: M, options: Options) -> Scores:
        """The scores of the next token, one for each row of `options.ids(end)`.

        These are the permitted tokens and, if the sentence may stop here, the end. Other rows need
        not be computed. Return `head.scores(hidden, options)`, or `ListedScores(rows, scores)`.
        """

    def advance(self, state: M, token: int) -> M:
        """The state after one more token."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class WithHead(Generic[Source, D, Vector]):
    """A decoder and a head as one `Scorer`.

    `batch` is the same decoder for many sources at once, if there is one: an object with the
    methods of `grammax.search.BatchDecoder`, whose states hold all of them. With `decisions_only`
    the decoder reads a chosen token together with the forced ones after it; see `greedy`.
    """

    decoder: Decoder[Source, D, Vector]
    head: Head[Vector]
    batch: BatchDecoder[Source, Any, Vector] | None = None
    decisions_only: bool = False

    @property
    def end(self) -> int | None:
        """The row of the end."""
        return self.head.end

    def start(self, source: Source) -> D:
        """The state before the first token."""
        return self.decoder.start(source)

    def scores(self, state: D, options: Options) -> Scores:
        """The scores of the next token."""
        return self.head.scores(self.decoder.hidden(state), options)

    def advance(self, state: D, token: int) -> D:
        """The state after one more token."""
        return self.decoder.step(state, (token,))


class Pair(NamedTuple):
    """What a search works on: a decoder, alone and for a batch, and a head for both."""

    one: Decoder[Any, Any, Any]
    batch: BatchDecoder[Any, Any, Any]
    head: Head[Any]
    decisions_only: bool


def as_pair(scorer: Scorer[Any, Any], rows: int) -> Pair:
    """A scorer over a vocabulary of so many rows as a decoder and a head."""
    if not isinstance(scorer, WithHead):
        steps = _Steps(scorer)
        end = cast("int | None", getattr(scorer, "end", rows))
        alone = _EachAlone(_checked(scorer.scores), rows, end)
        return Pair(steps, OneByOne(steps, list), alone, False)
    one, head = scorer.decoder, scorer.head
    if scorer.batch is not None:
        return Pair(one, scorer.batch, head, scorer.decisions_only)
    alone = _EachAlone(head.scores, head.tokens, head.end)
    return Pair(one, OneByOne(one, list), alone, scorer.decisions_only)


def _checked(score: Callable[[M, Options], Scores]) -> Callable[[M, Options], Scores]:
    """The method `scores` of a scorer, with an error for one that returns an array."""

    def scores(state: M, options: Options) -> Scores:
        found = score(state, options)
        if not hasattr(found, "best"):
            raise SearchError(
                f"`scores` of the scorer returned {type(found).__name__}. Return what a head "
                f"gives, `head.scores(hidden, options)`, or `ListedScores(rows, scores)` with a "
                f"score for each of `options.ids(end)`."
            )
        return found

    return scores


class _Steps(Generic[Source, M]):
    """A scorer as a `Decoder` whose hidden vector is its state."""

    def __init__(self, scorer: Scorer[Source, M]) -> None:
        self._scorer = scorer

    def start(self, source: Source) -> M:
        return self._scorer.start(source)

    def step(self, state: M, run: Run) -> M:
        for token in run:
            state = self._scorer.advance(state, token)
        return state

    def hidden(self, state: M) -> M:
        return state


class _EachAlone(Generic[Vector]):
    """A head that scores hidden vectors one by one, so it works with any array library."""

    memory_bytes = 0

    def __init__(
        self, score: Callable[[Vector, Options], Scores], tokens: int, end: int | None
    ) -> None:
        self.scores = score
        self.tokens = tokens
        self.end = end

    def scores_of(self, hidden: list[Vector], options: Sequence[Options]) -> list[_Single]:
        pairs = enumerate(zip(hidden, options, strict=True))
        return [_Single((member,), self.scores(*pair)) for member, pair in pairs]


class _Single(NamedTuple):
    """The scores of one member of a batch, as a `Group`."""

    members: tuple[int]
    scores: Scores

    def best(self, count: int) -> list[list[Candidate]]:
        return [self.scores.best(count)]

    def member(self, row: int) -> Scores:  # noqa: ARG002
        return self.scores
