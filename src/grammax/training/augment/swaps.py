"""Swaps: names replaced by others of their kind.

The grammar never distinguishes tokens of one kind, so a logical form in which one replaces another
is as grammatical and well typed as before, with the same options at each step. In the query, the
words of the old name are replaced by those of the new name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, final

import numpy as np

from grammax.language.domain import Pair, Tokens
from grammax.reading.name_index import Match, Phrase
from grammax.reading.names import NameMatcher
from grammax.reading.reader import Query, QueryReader
from grammax.reading.words import joined
from grammax.training.examples import Example
from grammax.vocabulary import Vocabulary

_P_NAME: Final = 0.7  # probability that a name is swapped, in a pair that was chosen


@final
class Swaps:
    """Swaps names in examples; an example without names is unchanged."""

    def __init__(self, reader: QueryReader, names: NameMatcher) -> None:
        self._reader = reader
        self._names = names
        self._phrases = cache(lambda token: names.phrases(names.vocabulary.tokens[token]))
        self._is_clear = cache(lambda token, phrase: _is_clear(token, phrase, names))

    def draw(
        self, given: Sequence[Example], share: float, random: np.random.Generator
    ) -> list[Example]:
        """The examples, a share of them with other names."""
        chosen = random.random(len(given)) < share
        return [
            self._swapped(example, random) if swap else example
            for example, swap in zip(given, chosen, strict=True)
        ]

    def swapped(
        self, query: Query, tokens: Tokens, random: np.random.Generator
    ) -> tuple[Query, Tokens] | None:
        """A pair with other names, read again; None if none of its names can be swapped."""
        vocabulary = self._names.vocabulary
        emitted = {vocabulary.id(token) for token in tokens if token in vocabulary}
        others: dict[str, str] = {}
        words: dict[Match, Phrase] = {}
        for token, matches in _named(query.names, emitted).items():
            if random.random() > _P_NAME or not self._are_names(token, matches, query):
                continue
            other = self._drawn(token, random)
            if other is not None:
                others[vocabulary.tokens[token]] = vocabulary.tokens[other[0]]
                words |= dict.fromkeys(matches, other[1])
        if not others:
            return None
        reread = self._reader.read(joined(replaced(query.typed, words)))
        return reread, tuple(others.get(token, token) for token in tokens)

    def swapped_pair(self, pair: Pair, random: np.random.Generator) -> Pair | None:
        """A pair with all of its names replaced that can be; None if there are none."""
        query, vocabulary = self._reader.read(pair.query), self._names.vocabulary
        emitted = {vocabulary.id(token) for token in pair.tokens if token in vocabulary}
        tokens: dict[str, str] = {}
        words: dict[Match, Phrase] = {}
        for token, matches in _named(query.names, emitted).items():
            other = self._drawn(token, random)
            if other is not None:
                tokens[vocabulary.tokens[token]] = vocabulary.tokens[other[0]]
                words |= dict.fromkeys(matches, other[1])
        if not tokens:
            return None
        text = joined(replaced(query.typed, words))
        return Pair(text, tuple(tokens.get(token, token) for token in pair.tokens))

    def _drawn(self, token: int, random: np.random.Generator) -> tuple[int, Phrase] | None:
        return _other(token, self._names.vocabulary, self._phrases, self._is_clear, random)

    def _are_names(self, token: int, matches: Sequence[Match], query: Query) -> bool:
        """Whether the words are names of the token, not cues."""
        names = self._phrases(token)
        return all(query.words[match.start : match.stop] in names for match in matches)

    def _swapped(self, example: Example, random: np.random.Generator) -> Example:
        query, targets = example.query, example.targets
        named: dict[int, list[Match]] = {}
        for match in query.names:
            meant = set(match.ids) & set(targets)
            if len(meant) == 1:
                named.setdefault(meant.pop(), []).append(match)
        others: dict[int, int] = {}
        words: dict[Match, tuple[str, ...]] = {}
        for token, matches in named.items():
            other = self._other(token, random)
            if other is not None and random.random() < _P_NAME:
                others[token] = other
                names = self._names.names_of(other)
                words |= dict.fromkeys(matches, names[random.integers(len(names))])
        if not others:
            return example
        runs = tuple(tuple(others.get(token, token) for token in run) for run in example.runs)
        swapped = tuple(others.get(token, token) for token in targets)
        reread = self._reader.from_words(replaced(query.words, words))
        return Example(reread, runs, swapped, example.options)

    def _other(self, token: int, random: np.random.Generator) -> int | None:
        """Another token of the same kind that has a name; None if there is none."""
        vocabulary = self._names.vocabulary
        start, stop = vocabulary.span(vocabulary.kinds_by_id[token])
        other = int(random.integers(start, stop))
        return other if other != token and self._names.names_of(other) else None


def replaced(words: Sequence[str], others: dict[Match, tuple[str, ...]]) -> list[str]:
    """The words of a query with those of some names replaced."""
    found: list[str] = []
    done = 0
    for match in sorted(others):
        if match.start >= done:  # of names that overlap the first is replaced
            found += [*words[done : match.start], *others[match]]
            done = match.stop
    return [*found, *words[done:]]


def swapped_pairs(
    pairs: Sequence[Pair], reader: QueryReader, random: np.random.Generator, times: int
) -> list[Pair]:
    """Each pair `times` times, every time with other names; pairs without names are left out.

    This turns a few held-out pairs into many tests with known logical forms.
    """
    names = reader.names
    if names is None:
        return []
    swaps = Swaps(reader, names)
    found = (swaps.swapped_pair(pair, random) for pair in pairs for _ in range(times))
    return [pair for pair in found if pair is not None]


def _named(names: Sequence[Match], emitted: set[int]) -> dict[int, list[Match]]:
    """The named tokens of a logical form with their names; of overlapping names the first."""
    found: dict[int, list[Match]] = {}
    reached = 0
    for match in names:
        meant = set(match.ids) & emitted
        if len(meant) == 1 and match.start >= reached:
            found.setdefault(meant.pop(), []).append(match)
            reached = match.stop
    return found


def _other(
    token: int,
    vocabulary: Vocabulary,
    phrases: Callable[[int], Sequence[Phrase]],
    is_clear: Callable[[int, Phrase], bool],
    random: np.random.Generator,
) -> tuple[int, Phrase] | None:
    """Another token of the kind with an unambiguous name; None if the one drawn has none.

    Its names are tried in random order, so that few of them have to be looked up.
    """
    other = int(random.integers(*vocabulary.spans(vocabulary.kinds_by_id[token])[0]))
    if other == token:
        return None
    called = phrases(other)
    for place in random.permutation(len(called)).tolist():
        if is_clear(other, called[place]):
            return other, called[place]
    return None


def _is_clear(token: int, phrase: Phrase, names: NameMatcher) -> bool:
    """Whether a phrase is a name of this token alone."""
    return [match.ids for match in names.find(phrase)] == [(token,)]
