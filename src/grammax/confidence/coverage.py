"""The words of a query that its logical form covers.

Names aside, the language of queries has few words: comparisons, order, numbers, and phrases without
meaning ("show me all of those"). `Usage` learns to distinguish them from the attention of a trained
network on training queries that it parses correctly.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Any, Final, NamedTuple, Self, final

import numpy as np
from numpy.typing import NDArray

from grammax.confidence.substitution import unnamed_tokens
from grammax.reading.english import function_words
from grammax.reading.mentioned import is_mention
from grammax.reading.reader import Query
from grammax.reading.words import UNKNOWN, is_continued, is_punctuation
from grammax.search import Decoded

Attention = Sequence[NDArray[np.float32]] | NDArray[np.float32]
"""The attention of each choice, (words), which sums to 1; also as one matrix."""

Watched = tuple[Query, Decoded, Attention]

_ATTENDED: Final = 0.2  # a word with this share of a choice's attention counts as attended
_SELDOM: Final = 0.1  # share of its occurrences in which an attended word may be ignored
_LETTERS: Final = re.compile(r"[^\W\d_]{3,}")
_SIMILAR: Final = 0.4  # Dice coefficient of trigrams: "swedish" is similar to SWEDEN


@final
@dataclass(frozen=True, slots=True)
class Usage:
    """The words of training queries outside covered names.

    Some choice nearly always attends to each of the `attended` words; the other words, `plain`,
    need not be covered. A word that is neither was seen only inside names, or never. Queries name
    the tokens of the kinds `named`, if their form has any; then `plain` has whole numbers, too, and
    others of several digits must be covered.
    """

    attended: frozenset[str]
    plain: frozenset[str]
    named: frozenset[str] = frozenset()

    @classmethod
    def from_watched(cls, watched: Iterable[Watched]) -> Self:
        """The usage of words in queries that were parsed correctly."""
        count: Counter[str] = Counter()
        ignored: Counter[str] = Counter()
        for query, decoded, attention in watched:
            named, attended = named_positions(query, decoded), attended_positions(attention)
            for position, word in enumerate(query.words):
                if position not in named:
                    count[word] += 1
                    ignored[word] += position not in attended
        # Laplace smoothing: a word counts as attended only after several occurrences.
        words = {word for word in count if ignored[word] + 1 <= _SELDOM * (count[word] + 2)}
        return cls(frozenset(words), frozenset(count.keys() - words))

    def with_plain(self, words: Iterable[str]) -> Usage:
        """The usage with these words, plain unless they are attended."""
        return replace(self, plain=self.plain.union(words) - self.attended)

    def with_named(self, kinds: Iterable[str]) -> Usage:
        """The usage with the kinds whose tokens queries name."""
        return replace(self, named=frozenset(kinds))

    def __contains__(self, word: str) -> bool:
        return word in self.plain or word in self.attended

    def to_json(self) -> dict[str, Any]:
        """The words for JSON; "heeded" is the name of the attended ones in model files."""
        named = {"named": sorted(self.named)} if self.named else {}
        return {"heeded": sorted(self.attended), "plain": sorted(self.plain), **named}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`."""
        words = [frozenset(map(str, values.get(key, ()))) for key in ("heeded", "plain", "named")]
        return cls(*words)


class WordCoverage(NamedTuple):
    """Positions of words by coverage. All other words are `Usage.plain` and need no coverage."""

    named: tuple[int, ...]  # in covered names, as typed
    attended: tuple[int, ...]  # attended in training and here
    ignored: tuple[int, ...]  # attended in training, but not here
    unknown: tuple[int, ...]  # never seen outside names, and similar to no token
    odd: tuple[int, ...] = ()  # function words that were never seen
    unused: tuple[int, ...] = ()  # numbers and times that are not used, or could not be read
    substituted: int = 0  # tokens of the form that seem to stand in for words that are not covered

    @property
    def uncovered(self) -> tuple[int, ...]:
        """The words that the logical form does not cover, in order."""
        return tuple(sorted(self.unknown + self.ignored + self.unused))


def word_coverage(
    query: Query, decoded: Decoded, attention: Attention | None, usage: Usage
) -> WordCoverage:
    """How each word of a query is covered; without attention no word counts as ignored."""
    named = named_positions(query, decoded)
    corrected = {position for position, _ in query.typos}
    here = None if attention is None else attended_positions(attention)
    attended, ignored, unused = [], [], []
    left: list[int] = []
    odd: list[int] = []
    plain, fills, rows = usage.plain, query.fills, row_nouns(query)
    foreign = _foreign_numbers(query, usage) if usage.named else frozenset[int]()
    for position, word in enumerate(query.words):
        if position in named:
            continue
        if is_mention(word) or position in foreign:
            unused.append(position)
        elif word in plain or word in rows or (usage.named and is_continued(word)):
            continue
        elif fills and word[-1].isdecimal() and word not in usage.attended:
            if not is_continued(word):  # a number that could not be read
                unused.append(position)
        elif word not in usage.attended:
            if not is_punctuation(word):
                (odd if word in function_words() else left).append(position)
        elif here is None or position in here:
            attended.append(position)
        else:
            ignored.append(position)
    unknown = _unlike_tokens(left, query, decoded) if left else ()
    substituted = unnamed_tokens(query, decoded, usage.named) if unknown or unused else 0
    return WordCoverage(
        tuple(sorted(named - corrected)),
        tuple(attended),
        tuple(ignored),
        unknown,
        tuple(odd),
        tuple(unused),
        substituted,
    )


def unknown_words(query: Query, decoded: Decoded) -> tuple[int, ...]:
    """The words that no training query has, and mentions, that a form does not account for.

    This is what can be said without a calibration.
    """
    named = named_positions(query, decoded)
    left = [at for at, word in enumerate(query.words) if at not in named and not is_mention(word)]
    unknown = [
        at for at in left if query.ids[at] == UNKNOWN and not is_punctuation(query.words[at])
    ]
    mentioned = [at for at, word in enumerate(query.words) if at not in named and is_mention(word)]
    return tuple(sorted((*_unlike_tokens(unknown, query, decoded), *mentioned)))


def _foreign_numbers(query: Query, usage: Usage) -> frozenset[int]:
    """The first digits of the numbers of several digits that no training query had apart."""
    if query.fills:  # then they are mentions
        return frozenset()
    return frozenset(at for at, number in whole_numbers(query.words) if number not in usage.plain)


def whole_numbers(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The numbers of several digits among some words, each by the position of its first digit.

    >>> list(whole_numbers(["top", "2", "#5", "of", "7"]))
    [(1, '25')]
    """
    for at, (word, after) in enumerate(pairwise((*words, ""))):
        if is_continued(after) and word.isdecimal():
            digits = takewhile(is_continued, words[at + 1 :])
            yield at, word + "".join(each[1:] for each in digits)


def row_nouns(query: Query) -> frozenset[str]:
    """The words that rows of the domain are called by: they say nothing, in any question."""
    names = query.reader.names if query.reader else None
    if names is None or names.grounds is None:
        return frozenset()
    return _words_of(names.grounds.classes.neutral)


@lru_cache(maxsize=64)
def _words_of(phrases: frozenset[str]) -> frozenset[str]:
    return frozenset(word for phrase in phrases for word in phrase.lower().split())


def named_positions(query: Query, decoded: Decoded) -> set[int]:
    """The positions of words in names of tokens that the logical form has."""
    named: set[int] = set()
    tokens = query.used(decoded.ids)
    for start, stop, ids in query.names:
        if not tokens.isdisjoint(ids):
            named.update(range(start, stop))
    return named


def attended_positions(attention: Attention) -> set[int]:
    """The positions of words that some choice attends to."""
    if not len(attention):
        return set()
    most = np.maximum.reduce(attention).tolist()
    return {position for position, share in enumerate(most) if share >= _ATTENDED}


def _unlike_tokens(positions: Sequence[int], query: Query, decoded: Decoded) -> tuple[int, ...]:
    """The words that are similar to no word in the text of a token."""
    text = " ".join(decoded.tokens).replace("_", " ").lower()
    parts = [_trigrams(part) for part in set(_LETTERS.findall(text))]
    words = query.words
    return tuple(at for at in positions if not _is_similar(_trigrams(words[at]), parts))


def _is_similar(word: set[str], others: Sequence[set[str]]) -> bool:
    """Whether a word shares enough trigrams with one of the others."""
    return any(
        2 * len(word & other) >= _SIMILAR * (len(word) + len(other))
        for other in others
        if not word.isdisjoint(other)
    )


def _trigrams(word: str) -> set[str]:
    """Three letters in a row, with the ends of the word marked.

    >>> sorted(_trigrams("aal"))
    ['^aa', 'aal', 'al$']
    """
    marked = f"^{word}$"
    return {marked[start : start + 3] for start in range(len(word))}
