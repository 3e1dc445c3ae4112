"""Beam search: the best sentences of each query, many queries and grammars in one batch.

Each round every path under way takes a token: the best choices of all paths of a query, and the
paths that are reading forced tokens, compete for the `width` places of its beam. Log-probabilities
only fall, so a query is done when its `width` best finished sentences beat all that is under way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from heapq import nlargest
from operator import attrgetter
from typing import Any, NamedTuple

from grammax.automaton.protocol import Automaton
from grammax.head.protocol import Head
from grammax.search.full import with_full_log_probabilities
from grammax.search.path import Path
from grammax.search.place import Choice, choose, opening
from grammax.search.protocol import BatchDecoder, D, Query, Vector
from grammax.search.result import Decoded

_score = attrgetter("log_probability")


def beam(
    decoder: BatchDecoder[Query, D, Vector],
    head: Head[Vector],
    automaton: Automaton[Any],
    query: Query,
    *,
    width: int,
    budget: int,
    decisions_only: bool = False,
    every_row: Head[Vector] | None = None,
) -> list[Decoded]:
    """The best sentences of one query, at least one and at most `width`, best first."""
    return beam_many(
        decoder,
        head,
        automaton,
        [query],
        width=width,
        budget=budget,
        decisions_only=decisions_only,
        every_row=every_row,
    )[0]


def beam_many(
    decoder: BatchDecoder[Query, D, Vector],
    head: Head[Vector],
    automata: Automaton[Any] | Sequence[Automaton[Any]],
    queries: Sequence[Query],
    *,
    width: int,
    budget: int,
    decisions_only: bool = False,
    every_row: Head[Vector] | None = None,
) -> list[list[Decoded]]:
    """The best sentences of each query; one automaton for all, or one each.

    Given the head `every_row`, results also carry the full softmax's log-probability. Forced tokens
    are not scored; for `decisions_only` see `greedy`.
    """
    if width < 1:
        raise ValueError(f"a beam has a width of 1 or more, not {width}")
    if not queries:
        return []
    each = automata if isinstance(automata, Sequence) else [automata] * len(queries)
    paths = [
        Path(query, query, opening(automaton, head, budget)).run_ahead(decisions_only)
        for query, automaton in zip(range(len(queries)), each, strict=True)
    ]
    beams = _Beams(len(queries), width)
    states = decoder.start(queries)
    live = beams.keep(paths)
    while live:
        ready = [path for path in live if not path.unread]
        waiting = [path for path in live if path.unread]
        if ready:
            hidden = decoder.hidden(states, [path.member for path in ready])
            waiting += _extended(head, hidden, ready, width, decisions_only)
        live = beams.keep(waiting)
        if live:
            members = [path.member for path in live]
            states = decoder.step(states, members, [path.unread[0] for path in live])
            live = [
                replace(path, member=member, unread=path.unread[1:])
                for member, path in enumerate(live)
            ]
    found = [[path.decoded() for path in finished] for finished in beams.finished]
    if every_row is None:
        return found
    vocabulary = each[0].vocabulary
    return with_full_log_probabilities(
        decoder, every_row, vocabulary, queries, found, decisions_only
    )


class _Beams:
    """The finished paths of each query, at most `width`, best first. Grows as a search goes on."""

    def __init__(self, queries: int, width: int) -> None:
        self.width = width
        self.finished: list[list[Path]] = [[] for _ in range(queries)]

    def keep(self, paths: Iterable[Path]) -> list[Path]:
        """Of each query the best paths: those that ended are put aside, the others returned."""
        by_query: list[list[Path]] = [[] for _ in self.finished]
        for path in paths:
            by_query[path.query].append(path)
        live: list[Path] = []
        for query, rivals in enumerate(by_query):
            kept = nlargest(self.width, rivals, key=_score)
            ended = [path for path in kept if path.ending]
            best = nlargest(self.width, self.finished[query] + ended, key=_score)
            self.finished[query] = best
            worst = best[-1].log_probability if len(best) == self.width else None
            live += [
                path
                for path in kept
                if not path.ending and (worst is None or path.log_probability > worst)
            ]
        return live


def _extended(
    head: Head[Vector], hidden: Vector, ready: Sequence[Path], width: int, decisions_only: bool
) -> list[Path]:
    """The best `width` ways on of the paths of each query, (n, d) hidden vectors for n paths."""
    end = head.end
    ways: dict[int, list[_Way]] = {}  # by query; a path is made only of those that are kept
    for group in head.scores_of(hidden, [path.place.options(end) for path in ready]):
        for row, (member, listed) in enumerate(zip(group.members, group.best(width), strict=True)):
            path, scores = ready[member], group.member(row)
            choices = choose(path.place, scores, end, width, listed)
            ways.setdefault(path.query, []).extend(
                _Way(path.log_probability + choice.log_probability, path, choice, scores.size)
                for choice in choices
            )
    return [
        way.path.chosen(way.choice, way.scored, decisions_only)
        for rivals in ways.values()
        for way in nlargest(width, rivals, key=_score)
    ]


class _Way(NamedTuple):
    """A way on of a path."""

    log_probability: float
    path: Path
    choice: Choice
    scored: int
