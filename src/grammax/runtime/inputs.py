"""`QueryInputs`: the inputs of the encoder, summed over the words and names of a query.

The contribution of a word to the gates depends on the word alone, that of a name on the tokens that
it names. Both are cached: most words of a query have occurred before, and then a sum replaces three
products.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple, final

import numpy as np

from grammax.reading.name_index import Match
from grammax.reading.names import NameMatcher
from grammax.reading.reader import Query
from grammax.runtime.lstm import Array
from grammax.runtime.weights import Weights

_REMEMBERED: Final = 4_096  # words, and as many names, 5 kB each


class Inputs(NamedTuple):
    """The inputs of a query of n words."""

    table: Array  # (n, 8e + s): inputs of the encoder's gates, and hash embeddings of the words
    uncovered: Array  # (n, learnt): contribution of a name that begins here, while uncovered


class _Name(NamedTuple):
    """The contributions of a name to the inputs of its words."""

    inside: Array  # (8e + s): to each word
    begins: Array  # (8e): to the first word
    uncovered: Array  # (learnt): to the first word


@final
class QueryInputs:
    """Computes the inputs of queries; threads may share it, because cached values never change."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._gates = weights.encoder_inputs.shape[1]
        self._words: dict[str, Array] = {}
        self._names: dict[tuple[int, ...], _Name] = {}

    def read(self, query: Query) -> Inputs:
        """The inputs of a query."""
        names = self._weights.reader.names
        if names is None or any(a.stop > b.start for a, b in pairwise(query.names)):
            return self._computed(query)  # contributions of overlapping names are not summed
        pairs = zip(query.words, query.ids, strict=True)
        parts = [self._word(names, word, number) for word, number in pairs]
        table = np.concatenate(parts).reshape(len(parts), -1)
        uncovered = np.zeros((len(table), self._weights.learnt), np.float32)
        for start, stop, ids in query.names:
            inside, begins, uncovered[start] = self._name(names, ids)
            table[start:stop] += inside
            table[start, : self._gates] += begins
        return Inputs(table, uncovered)

    def _computed(self, query: Query) -> Inputs:
        w, features = self._weights, query.features
        words = w.words[list(query.ids)]
        if features.shape[1]:
            words += features @ w.features
        begins = features[:, features.shape[1] - len(w.uncovered) :]
        gates = words @ w.encoder_inputs + w.encoder_bias
        table = np.concatenate([gates, features[:, : w.config.spelt]], 1)
        return Inputs(table, begins @ w.uncovered)

    def _word(self, names: NameMatcher, word: str, number: int) -> Array:
        found = self._words.get(word)
        if found is None:
            w, (row,) = self._weights, names.describe([word], ())
            gates = (w.words[number] + row @ w.features) @ w.encoder_inputs + w.encoder_bias
            found = np.concatenate([gates, row[: w.config.spelt]])
            if len(self._words) < _REMEMBERED:
                self._words[word] = found
        return found

    def _name(self, names: NameMatcher, ids: tuple[int, ...]) -> _Name:
        found = self._names.get(ids)
        if found is None:
            w = self._weights
            alone, begun, within = names.describe(["", "", ""], [Match(1, 3, ids)])
            inside, begins = within - alone, begun - within
            gates = inside @ w.features @ w.encoder_inputs
            found = _Name(
                np.concatenate([gates, inside[: w.config.spelt]]),
                begins @ w.features @ w.encoder_inputs,
                begins[len(begins) - len(w.uncovered) :] @ w.uncovered,
            )
            if len(self._names) < _REMEMBERED:
                self._names[ids] = found
        return found
