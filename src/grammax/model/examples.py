"""Pairs as a model is trained on them, in seeded batches of similar length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from grammax.automaton.protocol import Automaton
from grammax.domain import Pair
from grammax.errors import GrammaxError
from grammax.head.protocol import Options
from grammax.model.reader import Query, Reader

_BUCKETS = 32  # batches whose pairs are sorted together: less padding, still shuffled


class UntrainablePair(GrammaxError):
    """A pair that the grammar does not accept."""


class Example(NamedTuple):
    """A query, the tokens to be read and predicted, and what competes with each.

    `options` is None where the token is forced, and nothing is learnt there. The end of the
    sentence, where it has to be predicted, is the id after the last token.
    """

    query: Query
    targets: tuple[int, ...]
    options: tuple[Options | None, ...]


def examples(
    pairs: Iterable[Pair],
    reader: Reader,
    automaton: Automaton[Any],
    decisions_only: bool,
) -> list[Example]:
    """The pairs under a grammar, as `grammax.search` will walk them."""
    end = len(automaton.vocabulary)
    found = []
    for pair in pairs:
        query = reader.read(pair.query)
        steps = [
            (token, options)
            for token, options in _walk(pair, automaton, end)
            if options is not None or not decisions_only
        ]
        targets, options = zip(*steps, strict=True) if steps else ((), ())
        found.append(Example(query, targets, options))
    return found


def _walk(pair: Pair, automaton: Automaton[Any], end: int) -> Iterable[tuple[int, Options | None]]:
    state = automaton.start
    may_end = False  # never before the first token
    try:
        for token in automaton.vocabulary.ids(pair.tokens):
            permitted = automaton.next_tokens(state)
            forced = permitted.size == 1 and not may_end
            yield token, None if forced else Options(permitted, may_end)
            state = automaton.pass_token(state, token)
            may_end = automaton.accepts(state)
    except GrammaxError as error:
        raise UntrainablePair(
            f"the pair {pair.query!r} does not fit the grammar: {error}"
        ) from error
    permitted = automaton.next_tokens(state)
    if not may_end:
        raise UntrainablePair(
            f"the logical form of {pair.query!r} is not complete: {' '.join(pair.tokens)}"
        )
    if permitted.size:
        yield end, Options(permitted, may_end=True)


def batches(
    given: Sequence[Example], size: int, random: np.random.Generator
) -> list[list[Example]]:
    """All examples once, shuffled; a batch has targets and queries of similar lengths."""
    order = random.permutation(len(given)).tolist()
    found: list[list[Example]] = []
    for bucket in _parts(order, size * _BUCKETS):
        bucket.sort(key=lambda i: len(given[i].targets))
        stripe = size * round((len(bucket) / size) ** 0.5) or size
        for alike in _parts(bucket, stripe):
            alike.sort(key=lambda i: len(given[i].query.ids))
            found += [[given[i] for i in batch] for batch in _parts(alike, size)]
    return [found[place] for place in random.permutation(len(found))]


def _parts(numbers: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]
