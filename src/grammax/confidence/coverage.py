"""The words of a query that its logical form covers.

Names aside, the language of queries has few words: comparisons, order, numbers, and phrases without
meaning ("show me all of those"). `Usage` learns to distinguish them from the attention of a trained
network on training queries that it parses correctly.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple, Self, final

import numpy as np
from numpy.typing import NDArray

from grammax.reading.english import function_words
from grammax.reading.mentioned import is_mention
from grammax.reading.reader import Query
from grammax.reading.words import is_continued, is_punctuation
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
    need not be covered. A word that is neither was seen only inside names, or never.
    """

    attended: frozenset[str]
    plain: frozenset[str]

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
        return Usage(self.attended, self.plain.union(words) - self.attended)

    def __contains__(self, word: str) -> bool:
        return word in self.plain or word in self.attended

    def to_json(self) -> dict[str, Any]:
        """The words for JSON; "heeded" is the name of the attended ones in model files."""
        return {"heeded": sorted(self.attended), "plain": sorted(self.plain)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`."""
        return cls(frozenset(map(str, values["heeded"])), frozenset(map(str, values["plain"])))


class WordCoverage(NamedTuple):
    """Positions of words by coverage. All other words are `Usage.plain` and need no coverage."""

    named: tuple[int, ...]  # in covered names, as typed
    attended: tuple[int, ...]  # attended in training and here
    ignored: tuple[int, ...]  # attended in training, but not here
    unknown: tuple[int, ...]  # never seen outside names, and similar to no token
    odd: tuple[int, ...] = ()  # function words that were never seen
    unused: tuple[int, ...] = ()  # numbers and times that are not used, or could not be read

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
    for position, word in enumerate(query.words):
        if position in named:
            continue
        if is_mention(word):
            unused.append(position)
        elif word in plain or word in rows:
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
    return WordCoverage(
        tuple(sorted(named - corrected)),
        tuple(attended),
        tuple(ignored),
        _unlike_tokens(left, query, decoded) if left else (),
        tuple(odd),
        tuple(unused),
    )


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
    tokens = set(decoded.ids)
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
