"""Greedy decoding: the best token at each step, under a grammar and a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grammax.automaton.protocol import Automaton
from grammax.head.protocol import Head
from grammax.search.beam import beam_many
from grammax.search.place import choose, opening
from grammax.search.protocol import BatchDecoder, D, Decoder, Query, Run, Vector
from grammax.search.result import Decoded, Ending


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
    end, place, state = head.end, opening(automaton, head, budget), decoder.start(query)
    log_probability = 0.0
    ending: Ending = "forced"
    ids: list[int] = []
    permitted: list[int] = []
    scored: list[int] = []
    unread: list[Run] = []
    while not place.complete:
        token = place.forced
        permitted.append(place.permitted.size)
        if token is not None:
            scored.append(0)
            place = place.after_forced(token)
        else:
            for run in unread:
                state = decoder.step(state, run)
            unread.clear()
            scores = head.scores(decoder.hidden(state), place.options(end))
            choice = choose(place, scores, end, 1)[0]
            scored.append(scores.size)
            log_probability += choice.log_probability
            if choice.token is None or choice.place is None:
                ending = choice.ending or "chosen"
                break
            token, place = choice.token, choice.place
        ids.append(token)
        if scored[-1] or not decisions_only:
            unread.append((token,))
        elif unread:
            unread[-1] += (token,)
    tokens = tuple(automaton.vocabulary.tokens[token] for token in ids)
    return Decoded(tuple(ids), tokens, log_probability, tuple(permitted), tuple(scored), ending)


def greedy_many(
    decoder: BatchDecoder[Query, D, Vector],
    head: Head[Vector],
    automata: Automaton[Any] | Sequence[Automaton[Any]],
    queries: Sequence[Query],
    *,
    budget: int,
    decisions_only: bool = False,
) -> list[Decoded]:
    """A sentence for each query, side by side; one automaton for all, or one each."""
    found = beam_many(
        decoder, head, automata, queries, width=1, budget=budget, decisions_only=decisions_only
    )
    return [sentences[0] for sentences in found]
