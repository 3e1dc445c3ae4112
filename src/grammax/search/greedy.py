"""Greedy search: the best token at each step, under a grammar and a budget.

A sample is found in the same way: its `redraw` turns the scores of each step into scores whose best
token is a draw (`grammax.search.sampling`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeAlias, final

from grammax.head.protocol import Head, Scores
from grammax.search.protocol import BatchDecoder, D, Decoder, Query, Run, Vector
from grammax.search.result import Decoded, Ending, SearchError, all_found
from grammax.search.state import AnyGrammar, Choice, SearchState, choose, initial_state

Redraw: TypeAlias = Callable[[Scores], Scores]


def greedy(
    decoder: Decoder[Query, D, Vector],
    head: Head[Vector],
    automaton: AnyGrammar,
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
    sentence = PartialSentence(initial_state(automaton, head, budget), decisions_only)
    state = decoder.start(query)
    while not sentence.ending:
        while sentence.unread:
            state = decoder.step(state, sentence.unread.popleft())
        scores = head.scores(decoder.hidden(state), sentence.state.options())
        sentence.take(choose(sentence.state, scores, 1)[0], scores.size)
    return sentence.decoded()


def greedy_batch(
    decoder: BatchDecoder[Query, D, Vector],
    head: Head[Vector],
    automata: AnyGrammar | Sequence[AnyGrammar],
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
    each = automata if isinstance(automata, Sequence) else [automata] * len(queries)
    sentences = [
        PartialSentence(initial_state(automaton, head, budget), decisions_only)
        for automaton, _ in zip(each, queries, strict=True)
    ]
    finish(decoder, head, queries, list(enumerate(sentences)))
    return all_found([sentence.error or sentence.decoded() for sentence in sentences])


def finish(
    decoder: BatchDecoder[Query, D, Vector],
    head: Head[Vector],
    queries: Sequence[Query],
    sentences: Sequence[tuple[int, PartialSentence]],
) -> None:
    """Finish sentences side by side; each is given with the number of its query."""
    if not sentences:
        return
    states = decoder.start(queries)
    live = list(sentences)
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
        "redraw",
        "scored",
        "state",
        "unread",
    )

    def __init__(
        self, state: SearchState, decisions_only: bool, redraw: Redraw | None = None
    ) -> None:
        self.state = state
        self.redraw = redraw
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
        self.permitted.append(self.state.size)
        self.scored.append(scored)
        self.log_probability += choice.log_probability
        if choice.token is None or choice.state is None:
            self.ending = choice.ending or "chosen"
            return
        self.ids.append(choice.token)
        self.state = choice.state
        self._run_ahead((choice.token,), choice.ending)

    def decoded(self) -> Decoded:
        """The finished sentence."""
        assert self.ending is not None
        return Decoded(
            tuple(self.ids),
            self.state.texts(self.ids),
            self.log_probability,
            tuple(self.permitted),
            tuple(self.scored),
            self.ending,
        )

    def _run_ahead(self, chosen: Run, ending: Ending | None = None) -> None:
        """Take the tokens that are forced after `chosen`."""
        forced, self.state = self.state.run_ahead()
        self.ids += forced
        self.permitted += [1] * len(forced)
        self.scored += [0] * len(forced)
        if self.state.complete:
            self.ending = ending or "forced"
        elif not self.decisions_only:
            self.unread.extend((token,) for token in (*chosen, *forced))
        elif chosen:
            self.unread.append((*chosen, *forced))


def _choose(head: Head[Vector], hidden: Vector, ready: Sequence[PartialSentence]) -> None:
    """Each of n sentences takes its best token, or draws one; `hidden` is (n, d)."""
    drawing = any(sentence.redraw for sentence in ready)
    for group in head.scores_of(hidden, [sentence.state.options() for sentence in ready]):
        bests = [None] * len(group.members) if drawing else group.best(1)
        for row, (member, listed) in enumerate(zip(group.members, bests, strict=True)):
            sentence, scores = ready[member], group.member(row)
            if sentence.redraw is not None:
                scores = sentence.redraw(scores)
            try:
                (choice,) = choose(sentence.state, scores, 1, listed)
            except SearchError as error:  # that of this query alone
                sentence.error = error
            else:
                sentence.take(choice, scores.size)
