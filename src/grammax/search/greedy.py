"""Greedy search: the best token at each step, under a grammar and a budget."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, final

from grammax.automaton.protocol import Automaton
from grammax.head.protocol import Head
from grammax.search.protocol import BatchDecoder, D, Decoder, Query, Run, Vector
from grammax.search.result import Decoded, Ending, SearchError, all_found
from grammax.search.state import Choice, DecodingState, choose, initial_state


def greedy(
    decoder: Decoder[Query, D, Vector],
    head: Head[Vector],
    automaton: Automaton[Any],
    query: Query,
    *,
    budget: int,
    decisions_only: bool = False,
) -> Decoded:
    """A sentence of at most `budget` tokens.

    Forced tokens are not scored, and the decoder reads a token only when a later one has to be
    chosen. With `decisions_only` it takes one step per choice: it reads the chosen token together
    with the forced ones after it, and never reads those before the first choice.
    """
    end = head.end
    sentence = PartialSentence(initial_state(automaton, head, budget), decisions_only)
    state = decoder.start(query)
    while not sentence.ending:
        while sentence.unread:
            state = decoder.step(state, sentence.unread.popleft())
        scores = head.scores(decoder.hidden(state), sentence.state.options(end))
        sentence.take(choose(sentence.state, scores, end, 1)[0], scores.size)
    return sentence.decoded()


def greedy_batch(
    decoder: BatchDecoder[Query, D, Vector],
    head: Head[Vector],
    automata: Automaton[Any] | Sequence[Automaton[Any]],
    queries: Sequence[Query],
    *,
    budget: int,
    decisions_only: bool = False,
) -> list[Decoded]:
    """One sentence per query, side by side; one automaton for all queries, or one for each.

    In each round, the sentences at a choice take it, those with the same permitted set together;
    then every unfinished sentence reads one run. A query that fails, because its scores are NaN, is
    left out from there on; when the others are done, `QueriesFailed` has their sentences.
    """
    if not queries:
        return []
    each = automata if isinstance(automata, Sequence) else [automata] * len(queries)
    sentences = [
        PartialSentence(initial_state(automaton, head, budget), decisions_only)
        for automaton, _ in zip(each, queries, strict=True)
    ]
    states = decoder.start(queries)
    live = list(enumerate(sentences))
    while live:
        ready = [pair for pair in live if not pair[1].unread and not pair[1].is_done]
        if ready:
            hidden = decoder.hidden(states, [member for member, _ in ready])
            _choose(head, hidden, [sentence for _, sentence in ready])
        live = [pair for pair in live if not pair[1].is_done]
        if live:
            runs = [sentence.unread.popleft() for _, sentence in live]
            states = decoder.step(states, [member for member, _ in live], runs)
            live = list(enumerate(sentence for _, sentence in live))
    return all_found([sentence.error or sentence.decoded() for sentence in sentences])


@final
class PartialSentence:
    """A sentence that grows, always up to its next choice.

    Mutable. `unread` are the runs that the decoder has not read yet; `error` is why the sentence
    cannot be finished, if so.
    """

    __slots__ = (
        "decisions_only",
        "ending",
        "error",
        "ids",
        "log_probability",
        "permitted",
        "scored",
        "state",
        "unread",
    )

    def __init__(self, state: DecodingState[Any], decisions_only: bool) -> None:
        self.state = state
        self.decisions_only = decisions_only
        self.ending: Ending | None = None
        self.error: SearchError | None = None
        self.ids: list[int] = []
        self.log_probability = 0.0
        self.permitted: list[int] = []
        self.scored: list[int] = []
        self.unread: deque[Run] = deque()
        self._run_ahead(())

    @property
    def is_done(self) -> bool:
        """Whether nothing is to be chosen any more."""
        return self.ending is not None or self.error is not None

    def take(self, choice: Choice, scored: int) -> None:
        """Take a choice for which `scored` rows were multiplied, and the forced tokens after it."""
        self.permitted.append(self.state.permitted.size)
        self.scored.append(scored)
        self.log_probability += choice.log_probability
        if choice.token is None or choice.state is None:
            self.ending = choice.ending or "chosen"
            return
        self.ids.append(choice.token)
        self.state = choice.state
        self._run_ahead((choice.token,))

    def decoded(self) -> Decoded:
        """The finished sentence."""
        assert self.ending is not None
        names = self.state.automaton.vocabulary.tokens
        return Decoded(
            tuple(self.ids),
            tuple([names[token] for token in self.ids]),
            self.log_probability,
            tuple(self.permitted),
            tuple(self.scored),
            self.ending,
        )

    def _run_ahead(self, chosen: Run) -> None:
        """Take the tokens that are forced after `chosen`."""
        forced, self.state = self.state.run_ahead()
        self.ids += forced
        self.permitted += [1] * len(forced)
        self.scored += [0] * len(forced)
        if self.state.complete:
            self.ending = "forced"
        elif not self.decisions_only:
            self.unread.extend((token,) for token in (*chosen, *forced))
        elif chosen:
            self.unread.append((*chosen, *forced))


def _choose(head: Head[Vector], hidden: Vector, ready: Sequence[PartialSentence]) -> None:
    """Each of n sentences takes its best token; `hidden` is (n, d)."""
    end = head.end
    for group in head.scores_of(hidden, [sentence.state.options(end) for sentence in ready]):
        for row, (member, listed) in enumerate(zip(group.members, group.best(1), strict=True)):
            sentence, scores = ready[member], group.member(row)
            try:
                (choice,) = choose(sentence.state, scores, end, 1, listed)
            except SearchError as error:  # that of this query alone
                sentence.error = error
            else:
                sentence.take(choice, scores.size)
