"""More pairs of those that are there: names swapped for others of their kind.

Tokens of one kind are those that the grammar never tells apart, so a logical form in which one is
put for another is as grammatical and well typed as before, and what competes at each step is the
same. In the query the words that name the one become words that name the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

import numpy as np

from grammax.reading.name_index import Match
from grammax.reading.names import Names
from grammax.reading.reader import Reader
from grammax.training.examples import Example

_CHANCE: Final = 0.7  # of a name in a pair that is swapped at all


@final
class Swaps:
    """Draws pairs; a pair without names stays as it is."""

    def __init__(self, reader: Reader, names: Names) -> None:
        self._reader = reader
        self._names = names

    def of(
        self, given: Sequence[Example], share: float, random: np.random.Generator
    ) -> list[Example]:
        """The pairs, a share of them swapped."""
        chosen = random.random(len(given)) < share
        return [
            self._swapped(example, random) if swap else example
            for example, swap in zip(given, chosen, strict=True)
        ]

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
            if other is not None and random.random() < _CHANCE:
                others[token] = other
                names = self._names.of(other)
                words |= dict.fromkeys(matches, names[random.integers(len(names))])
        if not others:
            return example
        runs = tuple(tuple(others.get(token, token) for token in run) for run in example.runs)
        swapped = tuple(others.get(token, token) for token in targets)
        reread = self._reader.of(replaced(query.words, words))
        return Example(reread, runs, swapped, example.options)

    def _other(self, token: int, random: np.random.Generator) -> int | None:
        """Another token of the same kind that has a name; None if there is none."""
        vocabulary = self._names.vocabulary
        start, stop = vocabulary.span(vocabulary.kinds_by_id[token])
        other = int(random.integers(start, stop))
        return other if other != token and self._names.of(other) else None


def replaced(words: Sequence[str], others: dict[Match, tuple[str, ...]]) -> list[str]:
    """The words of a query with those of some names replaced."""
    found: list[str] = []
    place = 0
    for match in sorted(others):
        if match.start >= place:  # names may overlap: the first is replaced
            found += [*words[place : match.start], *others[match]]
            place = match.stop
    return [*found, *words[place:]]
