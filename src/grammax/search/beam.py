"""Beam search: the best sentences of each query, several queries and grammars in one batch.

In each round every live hypothesis takes one token: the best choices of all hypotheses of a query,
and the hypotheses that are reading forced tokens, compete for the `width` slots of its beam.
Log-probabilities only fall, so a query is done when its `width` best finished sentences beat all
live hypotheses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from operator import attrgetter
from typing import NamedTuple

from grammax.head.protocol import Head
from grammax.search.protocol import BatchDecoder, D, Query, Run, Vector
from grammax.search.result import (
    BudgetTooShort,
    Decoded,
    Ending,
    SearchError,
    all_found,
    found_or_errors,
)
from grammax.search.state import AnyGrammar, Choice, SearchState, choose, initial_state

_score = attrgetter("log_probability")


def beam(
    decoder: BatchDecoder[Query, D, Vector],
    head: Head[Vector],
    automaton: AnyGrammar,
    query: Query,
    *,
    width: int,
    budget: int,
    decisions_only: bool = False,
) -> list[Decoded]:
    """The best sentences of one query, at least one and at most `width`, best first."""
    (found,) = found_or_errors(
        lambda: beam_batch(
            decoder,
            head,
            automaton,
            [query],
            width=width,
            budget=budget,
            decisions_only=decisions_only,
        ),
        1,
    )
    if isinstance(found, SearchError):
        raise found
    return found


def beam_batch(
    decoder: BatchDecoder[Query, D, Vector],
    head: Head[Vector],
    automata: AnyGrammar | Sequence[AnyGrammar],
    queries: Sequence[Query],
    *,
    width: int,
    budget: int,
    decisions_only: bool = False,
) -> list[list[Decoded]]:
    """The best sentences of each query; one automaton for all queries, or one for each.

    Forced tokens are not scored; for `decisions_only`, and for queries that fail, see `greedy`.
    """
    if width < 1:
        raise ValueError(f"a beam has a width of 1 or more, not {width}")
    if not queries:
        return []
    each = automata if isinstance(automata, Sequence) else [automata] * len(queries)
    hypotheses = [
        Hypothesis(query, query, initial_state(automaton, head, budget)).run_ahead(decisions_only)
        for query, automaton in zip(range(len(queries)), each, strict=True)
    ]
    beams = _Beams(len(queries), width)
    states = decoder.start(queries)
    live = beams.prune(hypotheses)
    errors: dict[int, SearchError] = {}  # of queries that failed
    spent: dict[int, SearchError] = {}  # of hypotheses that found no end in time
    while live:
        ready = [one for one in live if not one.unread]
        waiting = [one for one in live if one.unread]
        if ready:
            hidden = decoder.hidden(states, [one.member for one in ready])
            waiting += _extended(head, hidden, ready, width, decisions_only, errors, spent)
        live = beams.prune(one for one in waiting if one.query not in errors)
        if live:
            members = [one.member for one in live]
            states = decoder.step(states, members, [one.unread[0] for one in live])
            live = [
                replace(one, member=member, unread=one.unread[1:])
                for member, one in enumerate(live)
            ]
    return all_found(
        [
            errors.get(query) or [one.decoded() for one in finished] or spent[query]
            for query, finished in enumerate(beams.finished)
        ]
    )


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The tokens taken so far, up to the next choice. An immutable value.

    `unread` are the runs that the decoder has not read yet, and `member` is the index of the
    hypothesis in the decoder's batch.
    """

    query: int
    member: int
    state: SearchState
    ids: tuple[int, ...] = ()
    log_probability: float = 0.0
    permitted: tuple[int, ...] = ()
    scored: tuple[int, ...] = ()
    unread: tuple[Run, ...] = ()
    ending: Ending | None = None

    def take(self, choice: Choice, scored: int, decisions_only: bool) -> Hypothesis:
        """The hypothesis after a choice and the forced tokens that follow it."""
        ends = choice.token is None or choice.state is None
        token = () if choice.token is None else (choice.token,)
        taken = Hypothesis(
            self.query,
            self.member,
            choice.state or self.state,
            self.ids + token,
            self.log_probability + choice.log_probability,
            (*self.permitted, self.state.size),
            (*self.scored, scored),
            self.unread if ends else (token,),
            choice.ending,
        )
        return taken if ends else taken.run_ahead(decisions_only)

    def run_ahead(self, decisions_only: bool) -> Hypothesis:
        """The hypothesis after all tokens that are forced from here."""
        forced, state = self.state.run_ahead()
        if decisions_only:
            unread = tuple((*chosen, *forced) for chosen in self.unread)
        else:
            unread = (*self.unread, *((token,) for token in forced))
        return replace(
            self,
            state=state,
            ids=(*self.ids, *forced),
            permitted=self.permitted + (1,) * len(forced),
            scored=self.scored + (0,) * len(forced),
            unread=unread,
            ending=(self.ending or "forced") if state.complete else None,
        )

    def decoded(self) -> Decoded:
        """The finished sentence."""
        assert self.ending is not None
        return Decoded(
            self.ids,
            self.state.texts(self.ids),
            self.log_probability,
            self.permitted,
            self.scored,
            self.ending,
        )


class _Beams:
    """The finished hypotheses of each query, at most `width`, best first. Mutable."""

    def __init__(self, queries: int, width: int) -> None:
        self.width = width
        self.finished: list[list[Hypothesis]] = [[] for _ in range(queries)]

    def prune(self, hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
        """The best live hypotheses of each query; those that ended are added to `finished`."""
        by_query: list[list[Hypothesis]] = [[] for _ in self.finished]
        for one in hypotheses:
            by_query[one.query].append(one)
        live: list[Hypothesis] = []
        for query, rivals in enumerate(by_query):
            best = nlargest(self.width, rivals, key=_score)
            ended = [one for one in best if one.ending]
            finished = nlargest(self.width, self.finished[query] + ended, key=_score)
            self.finished[query] = finished
            worst = finished[-1].log_probability if len(finished) == self.width else None
            live += [
                one
                for one in best
                if not one.ending and (worst is None or one.log_probability > worst)
            ]
        return live


class _Extension(NamedTuple):
    """A hypothesis and a choice that it could take."""

    log_probability: float
    hypothesis: Hypothesis
    choice: Choice
    scored: int


def _extended(
    head: Head[Vector],
    hidden: Vector,
    ready: Sequence[Hypothesis],
    width: int,
    decisions_only: bool,
    errors: dict[int, SearchError],
    spent: dict[int, SearchError],
) -> list[Hypothesis]:
    """The best `width` extensions per query of n hypotheses; `hidden` is (n, d).

    Queries without a score are added to `errors`, and hypotheses that find no end in time, which
    happens where the grammar cannot say how long completions are, to `spent`.
    """
    by_query: dict[int, list[_Extension]] = {}
    for group in head.scores_of(hidden, [one.state.options() for one in ready]):
        for row, (member, listed) in enumerate(zip(group.members, group.best(width), strict=True)):
            one, scores = ready[member], group.member(row)
            try:
                choices = choose(one.state, scores, width, listed)
            except BudgetTooShort as error:
                spent[one.query] = error
                continue
            except SearchError as error:  # that of this query alone
                errors[one.query] = error
                continue
            by_query.setdefault(one.query, []).extend(
                _Extension(one.log_probability + choice.log_probability, one, choice, scores.size)
                for choice in choices
            )
    return [  # hypotheses are built only for the extensions that survive
        extension.hypothesis.take(extension.choice, extension.scored, decisions_only)
        for rivals in by_query.values()
        for extension in nlargest(width, rivals, key=_score)
    ]
