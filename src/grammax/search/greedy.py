"""Greedy decoding: the best token at each step, under a grammar and a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grammax.automaton.protocol import Automaton
from grammax.head.protocol import Head
from grammax.search.place import choose, opening
from grammax.search.protocol import BatchDecoder, D, Decoder, Query, Vector
from grammax.search.result import Decoded
from grammax.search.sentence import Sentence


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

    Forced tokens are not scored, and the decoder is told of a token only when a later one has to
    be chosen. With `decisions_only` it makes a step a choice: it reads what was chosen and the
    forced tokens after that at once, and those before the first choice not at all.
    """
    end, sentence = head.end, Sentence(opening(automaton, head, budget), decisions_only)
    state = decoder.start(query)
    while not sentence.ending:
        while sentence.unread:
            state = decoder.step(state, sentence.unread.popleft())
        scores = head.scores(decoder.hidden(state), sentence.place.options(end))
        sentence.take(choose(sentence.place, scores, end, 1)[0], scores.size)
    return sentence.decoded()


def greedy_many(
    decoder: BatchDecoder[Query, D, Vector],
    head: Head[Vector],
    automata: Automaton[Any] | Sequence[Automaton[Any]],
    queries: Sequence[Query],
    *,
    budget: int,
    decisions_only: bool = False,
) -> list[Decoded]:
    """A sentence for each query, side by side; one automaton for all, or one each.

    Each round the sentences that have a choice take it, those with one permitted set together;
    then all that are under way read a run.
    """
    if not queries:
        return []
    each = automata if isinstance(automata, Sequence) else [automata] * len(queries)
    places = [opening(automaton, head, budget) for automaton in each]
    sentences = [Sentence(place, decisions_only) for place, _ in zip(places, queries, strict=True)]
    states = decoder.start(queries)
    live = list(enumerate(sentences))
    while live:
        ready = [pair for pair in live if not pair[1].unread and not pair[1].ending]
        if ready:
            hidden = decoder.hidden(states, [member for member, _ in ready])
            _choose(head, hidden, [sentence for _, sentence in ready])
        live = [pair for pair in live if not pair[1].ending]
        if live:
            runs = [sentence.unread.popleft() for _, sentence in live]
            states = decoder.step(states, [member for member, _ in live], runs)
            live = list(enumerate(sentence for _, sentence in live))
    return [sentence.decoded() for sentence in sentences]


def _choose(head: Head[Vector], hidden: Vector, ready: Sequence[Sentence]) -> None:
    """Each sentence takes its best token, (n, d) hidden vectors for n sentences."""
    end = head.end
    for group in head.scores_of(hidden, [sentence.place.options(end) for sentence in ready]):
        for row, (member, listed) in enumerate(zip(group.members, group.best(1), strict=True)):
            sentence, scores = ready[member], group.member(row)
            sentence.take(choose(sentence.place, scores, end, 1, listed)[0], scores.size)
