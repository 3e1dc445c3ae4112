"""Pairs as steps under a grammar, in seeded batches of similar length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from grammax.automaton.protocol import Automaton
from grammax.automaton.walk import walk
from grammax.errors import GrammaxError
from grammax.head.protocol import Options
from grammax.language.domain import Domain, Pair, Tokens
from grammax.model.config import TrainingConfig
from grammax.reading.parse import automaton_for
from grammax.reading.reader import Query, QueryReader
from grammax.search.protocol import Run, runs

_DEVELOPMENT: Final = ("dev", "validation", "valid")
BUCKET: Final = 64  # batches that are sorted together: less padding, still shuffled


class UntrainablePair(GrammaxError):
    """A pair that the grammar does not accept."""


class Example(NamedTuple):
    """A query and, for each step, the run to read, the target, and the permitted options.

    The run of the first step is empty: only the beginning is read. `options` is None where the
    token is forced, and such a step adds no loss. Where the end of the sentence has to be
    predicted, the target is the id after the last token.
    """

    query: Query
    runs: tuple[Run, ...]
    targets: tuple[int, ...]
    options: tuple[Options | None, ...]


def examples(
    pairs: Iterable[Pair],
    reader: QueryReader,
    automaton: Automaton[Any],
    decisions_only: bool,
) -> list[Example]:
    """Pairs under a grammar, with the steps that `grammax.search` takes."""

    @cache
    def found(pair: Pair) -> Example:
        return example(reader.read(pair.query), pair.tokens, automaton, decisions_only)

    return [found(pair) for pair in pairs]


def trainable(
    pairs: Iterable[Pair], reader: QueryReader, automaton: Automaton[Any], decisions_only: bool
) -> tuple[list[tuple[Pair, Example]], list[UntrainablePair]]:
    """The pairs whose logical form the query makes available, and the errors of the others.

    Where queries fill numbers and must name tokens, a pair may ask for what its query does not say.
    """
    found: list[tuple[Pair, Example]] = []
    errors: list[UntrainablePair] = []
    for pair in pairs:
        try:
            made = example(reader.read(pair.query), pair.tokens, automaton, decisions_only)
            found.append((pair, made))
        except UntrainablePair as error:
            errors.append(error)
    return found, errors


def example(
    query: Query, tokens: Tokens, automaton: Automaton[Any], decisions_only: bool
) -> Example:
    """One pair under a grammar; `UntrainablePair` if the grammar does not accept it.

    Where queries fill numbers, the grammar is that of the query.
    """
    if query.fills:
        automaton = automaton_for(query, automaton)
    steps = list(_walk(query, tokens, automaton))
    read = runs([(token, choice is not None) for token, choice in steps], decisions_only)
    if decisions_only:
        steps = [(token, choice) for token, choice in steps if choice is not None]
    targets, options = tuple(zip(*steps, strict=True)) or ((), ())
    return Example(query, ((), *read)[: len(targets)], targets, options)


def _walk(
    query: Query, tokens: Tokens, automaton: Automaton[Any]
) -> Iterator[tuple[int, Options | None]]:
    try:
        ids = automaton.vocabulary.ids(query.filled(tokens))
        *steps, last = walk(automaton, ids)
    except GrammaxError as error:
        raise UntrainablePair(
            f"the pair {query.text!r} does not fit the grammar: {error}"
        ) from error
    if not (ids and automaton.accepts(last.state)):
        raise UntrainablePair(
            f"the logical form of {query.text!r} is not complete: {' '.join(tokens)}"
        )
    for number, (step, token) in enumerate(zip(steps, ids, strict=True)):
        may_end = number > 0 and automaton.accepts(step.state)  # never before the first token
        if token not in step.permitted:
            raise UntrainablePair(
                f"the query {query.text!r} does not make {automaton.vocabulary.tokens[token]} "
                f"available, which its logical form has: {' '.join(tokens)}"
            )
        forced = step.permitted.forced is not None and not may_end
        yield token, None if forced else Options(step.permitted, may_end)
    if last.permitted.size:
        yield len(automaton.vocabulary), Options(last.permitted, may_end=True)  # the end


def own_pairs(domain: Domain, config: TrainingConfig) -> Sequence[Pair]:
    """The pairs of a domain to train on: those of the split "train", and of "dev" if it says so."""
    if not config.with_dev:
        return domain.pairs("train")
    return [*domain.pairs("train"), *_development_split(domain)]


def development_pairs(domain: Domain, config: TrainingConfig) -> Sequence[Pair]:
    """The pairs of a split that is neither trained on nor for the final test."""
    return () if config.with_dev else _development_split(domain)


def _development_split(domain: Domain) -> Sequence[Pair]:
    split = next((name for name in domain.splits if name in _DEVELOPMENT), None)
    return () if split is None else domain.pairs(split)


def divided(pairs: Sequence[Pair], share: float, seed: int) -> tuple[list[Pair], list[Pair]]:
    """The pairs to train on, and a share that is held out, drawn with the seed."""
    order = np.random.default_rng((seed, 1)).permutation(len(pairs))
    held_out = set(order[: int(share * len(pairs))].tolist())
    rest = [pair for number, pair in enumerate(pairs) if number not in held_out]
    return rest, [pair for number, pair in enumerate(pairs) if number in held_out]


def batches(
    given: Sequence[Example], size: int, random: np.random.Generator
) -> list[list[Example]]:
    """All examples once, shuffled, in batches of targets and queries of similar length."""
    order = random.permutation(len(given)).tolist()
    found: list[list[Example]] = []
    for bucket in _parts(order, size * BUCKET):
        bucket.sort(key=lambda i: len(given[i].targets))
        stripe = size * round((len(bucket) / size) ** 0.5) or size
        for alike in _parts(bucket, stripe):
            alike.sort(key=lambda i: len(given[i].query.ids))
            found += [[given[i] for i in batch] for batch in _parts(alike, size)]
    return [found[index] for index in random.permutation(len(found))]


def _parts(numbers: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]
