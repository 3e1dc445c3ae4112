"""Recombination: new structures from parts of pairs, with their words.

A part replaces another of its role, is added to the others, or is dropped. The result is used only
if the grammar accepts it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, final

import numpy as np

from grammax.language.domain import Domain, Part, Tokens
from grammax.training.augment.alignment import Segment

Words = tuple[str, ...]
Accepts = Callable[[Tokens], bool]

_MOST: Final = 7  # parts of a pair
_TRIES: Final = 4
_SWAP, _ADD, _DROP = 0.4, 0.4, 0.2  # probabilities of the three changes
_OTHER_STYLE: Final = 0.2  # probability that sentences and telegraphic queries exchange parts
_WHERE_IT_WAS: Final = 0.7  # probability that a part stays first or last as in its query
_SENTENCE: Final = 2  # words of glue that distinguish a sentence from a telegraphic query
_STOPS: Final = ("?", ".", "!")


class Recombined(NamedTuple):
    """A new pair."""

    words: Words
    tokens: Tokens


class _Donor(NamedTuple):
    """A part of a pair with its words."""

    part: Part
    words: tuple[Words, ...]  # adjacent or, where it frames the others, in two pieces
    glue: Words  # the words before it that express no part
    first: bool
    last: bool
    sentence: bool


@final
class Recombination:
    """Draws pairs from the segments of queries; a query without segments is not used."""

    def __init__(
        self, domain: Domain, accepts: Accepts, pairs: Sequence[Sequence[Segment]]
    ) -> None:
        self._joined = domain.joined
        self._accepts = accepts
        self._pairs = pairs
        self._donors = [donor for pair in pairs for donor in _donors(pair)]
        self._by_role: dict[str, list[_Donor]] = {}
        for donor in self._donors:
            self._by_role.setdefault(donor.part.role, []).append(donor)

    def draw(self, number: int, random: np.random.Generator) -> Recombined | None:
        """The pair at an index after one to three changes; None if no valid change was found."""
        found, tokens = self._pairs[number], None
        sentence = _is_sentence(found)
        for _ in range(1 + int(random.integers(0, 2)) + int(random.random() < 0.25)):
            for _ in range(_TRIES):
                after = self._changed(found, sentence, random)
                made = None if after is None else self._tokens(after)
                if after is not None and made is not None:
                    found, tokens = after, made
                    break
        if tokens is None:
            return None
        return Recombined(tuple(word for segment in found for word in segment.words), tokens)

    def _tokens(self, pair: Sequence[Segment]) -> Tokens | None:
        parts = _parts(pair)
        tokens = self._joined(parts) if len(parts) <= _MOST else None
        return tokens if tokens is not None and self._accepts(tokens) else None

    def _changed(
        self, pair: Sequence[Segment], sentence: bool, random: np.random.Generator
    ) -> Sequence[Segment] | None:
        owned = [index for index, segment in enumerate(pair) if segment.part]
        if not owned:
            return None
        index = owned[random.integers(len(owned))]
        part = pair[index].part
        assert part is not None
        way = random.random()
        if way < _SWAP:
            donor = self._donor(self._by_role.get(part.role, []), sentence, random)
            whole = sum(segment.part == part for segment in pair) == 1
            if donor is None or not whole or len(donor.words) > 1:
                return None
            return [*pair[:index], Segment(donor.part, donor.words[0]), *pair[index + 1 :]]
        if way < _SWAP + _ADD:
            donor = self._donor(self._donors, sentence, random)
            return None if donor is None else _with(pair, donor, index, random)
        return [segment for segment in pair if segment.part != part]

    def _donor(
        self, donors: Sequence[_Donor], sentence: bool, random: np.random.Generator
    ) -> _Donor | None:
        for _ in range(_TRIES if donors else 0):
            donor = donors[int(random.integers(len(donors)))]
            if donor.sentence == sentence or random.random() < _OTHER_STYLE:
                return donor
        return None


def _with(
    pair: Sequence[Segment], donor: _Donor, index: int, random: np.random.Generator
) -> Sequence[Segment]:
    """Add a part: at its position in its own query, after one of its role, or elsewhere."""
    front = int(pair[0].part is None)
    ends = pair[-1].part is None and pair[-1].words[-1] in _STOPS
    back = len(pair) - int(ends and len(pair) > 1)
    if len(donor.words) > 1:
        first, last = (Segment(donor.part, words) for words in donor.words)
        return [*pair[:front], first, *pair[front:back], last, *pair[back:]]
    alike = [n for n, s in enumerate(pair, 1) if s.part and s.part.role == donor.part.role]
    where = alike[random.integers(len(alike))] if alike else index + 1
    if random.random() < _WHERE_IT_WAS and (donor.first or donor.last):
        where = front if donor.first else back
    glue = [Segment(None, donor.glue)] if donor.glue and where > front else []
    return [*pair[:where], *glue, Segment(donor.part, donor.words[0]), *pair[where:]]


def _donors(pair: Sequence[Segment]) -> list[_Donor]:
    """The parts that can be taken out."""
    if not pair:
        return []
    front = int(pair[0].part is None)
    back = len(pair) - 1 - int(pair[-1].part is None)
    sentence = _is_sentence(pair)
    found = []
    for part in _parts(pair):
        indices = [index for index, segment in enumerate(pair) if segment.part == part]
        if len(indices) > 1 and indices != [front, back]:
            continue  # its words are scattered
        before = pair[indices[0] - 1] if indices[0] > front else None
        found.append(
            _Donor(
                part,
                tuple(pair[index].words for index in indices),
                before.words if before is not None and before.part is None else (),
                indices[0] == front,
                indices[-1] == back,
                sentence,
            )
        )
    return found


def _parts(pair: Sequence[Segment]) -> list[Part]:
    """The parts in order of mention."""
    return list(dict.fromkeys(segment.part for segment in pair if segment.part))


def _is_sentence(pair: Sequence[Segment]) -> bool:
    return sum(len(segment.words) for segment in pair if segment.part is None) >= _SENTENCE
