"""`Wording`: whether a text is worded like a query that can be answered.

A naive Bayes classifier over single words and pairs of neighbours. Names of values count as one
word, since "why is titanic so long" cannot be answered whichever film it is about. It sees what the
network cannot: the network finds the best logical form of any text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, repeat
from math import log, sqrt
from typing import Any, Final, Self, final

from grammax.reading.mentioned import is_mention
from grammax.reading.reader import Query

_NAME: Final = "<name>"
_NUMBER: Final = "<number>"
_ENDS: Final = ("^", "$")
_LEAST: Final = 2  # texts that a word must occur in
_MOST: Final = 3.0  # the largest weight
_SMALL: Final = 0.2  # weights below are left out
_SMOOTHING: Final = 0.5
_SUSPECT: Final = -1.0  # weight of a word that is a reason for a doubt
_FOLDS: Final = 5
_LOWEST: Final = -3.0  # scores; what is beyond makes no difference
_HIGHEST: Final = 1.5


@final
@dataclass(frozen=True, slots=True)
class Wording:
    """The logarithm of how much more often a word, or two neighbours, occur in queries."""

    weights: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def learn(cls, queries: Sequence[Query], others: Sequence[Query]) -> Self:
        """The weights from queries that can be answered, and from texts that cannot."""
        if not queries or not others:
            return cls()
        asked, not_asked = (
            Counter(part for query in some for part in _parts(query)) for some in (queries, others)
        )
        found = {}
        for part in asked.keys() | not_asked.keys():
            if asked[part] + not_asked[part] >= _LEAST:
                here = (asked[part] + _SMOOTHING) / (len(queries) + 2 * _SMOOTHING)
                there = (not_asked[part] + _SMOOTHING) / (len(others) + 2 * _SMOOTHING)
                weight = max(-_MOST, min(_MOST, log(here / there)))
                if abs(weight) >= _SMALL:
                    found[part] = round(weight, 2)
        return cls(found)

    def score(self, query: Query) -> float:
        """How much a text is worded like a query; 0 if nothing is known of its words."""
        if not self.weights:
            return 0.0
        parts = _parts(query)
        score = sum(map(self.weights.get, parts, repeat(0.0))) / sqrt(max(1, len(parts)))
        return max(_LOWEST, min(_HIGHEST, score))

    def suspects(self, query: Query) -> tuple[int, ...]:
        """The positions of words that seldom occur in queries that can be answered."""
        weight = self.weights.get
        return tuple(
            [
                at
                for at, word in enumerate(query.words)
                if weight(word, 0.0) <= _SUSPECT and word.isalpha()
            ]
        )

    def to_json(self) -> dict[str, float]:
        """The weights for JSON."""
        return dict(sorted(self.weights.items()))

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`."""
        return cls({str(part): float(weight) for part, weight in values.items()})


def scores_of_others(queries: Sequence[Query], others: Sequence[Query]) -> list[float]:
    """The score of each of the other texts, by a wording that was learnt without it."""
    found = [0.0] * len(others)
    for fold in range(_FOLDS):
        rest = [each for number, each in enumerate(others) if number % _FOLDS != fold]
        wording = Wording.learn(queries, rest)
        for number in range(fold, len(others), _FOLDS):
            found[number] = wording.score(others[number])
    return found


def _parts(query: Query) -> dict[str, None]:
    """The words of a query and the pairs of neighbours, with one word for all names.

    They are in order, so that sums over them do not depend on hashes.
    """
    words = abstracted(query)
    ended = [_ENDS[0], *words, _ENDS[1]]
    return dict.fromkeys([*words, *[f"{one} {other}" for one, other in pairwise(ended)]])


def abstracted(query: Query) -> list[str]:
    """The words of a query, with one word for each name of a value, number or time."""
    inside = _places_of_names(query)
    found: list[str] = []
    for at, word in enumerate(query.words):
        if at not in inside:
            found.append(_NUMBER if is_mention(word) else word)
        elif at - 1 not in inside:
            found.append(_NAME)
    return found


def _places_of_names(query: Query) -> set[int]:
    names = query.reader.names if query.reader else None
    inside: set[int] = set()
    if names is None:
        return inside
    classes = names.grounds and names.grounds.classes
    kind_of = names.vocabulary.kinds_by_id
    for start, stop, ids in query.names:
        if is_mention(query.words[start]):
            continue
        of_value = classes is None or any(classes.is_value(kind_of[token]) for token in ids)
        if of_value and names.is_name(query.words[start:stop], ids):
            inside.update(range(start, stop))
    return inside
