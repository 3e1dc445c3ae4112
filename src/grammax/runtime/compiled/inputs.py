"""The inputs of the network: those of words and names for the encoder, of tokens for the decoder.

The input of a word is a sum over the word, the names that it is part of, and the kinds of these. A
product for each of them is computed in Python when it first occurs and stored; compiled code adds
the stored products.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from grammax.reading.reader import Query
from grammax.runtime.compiled.arithmetic import add_to, copy
from grammax.runtime.compiled.compile import compiled
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.lstm import Array
from grammax.runtime.threads import single_threaded
from grammax.runtime.weights import Weights
from grammax.vocabulary import Ids

_WORDS: Final = 8_192  # words and names that are stored, 5 kB each
_TOKENS: Final = 4_096  # tokens that are stored, 5 kB each
_Key = str | tuple[int, ...]  # a word, or the tokens of a name


class WordArrays(NamedTuple):
    """The parts of a word's input, (8e + s): inputs of the gates, and hash embedding."""

    table: Array  # (m, 8e + s): of words, and of signatures of names
    inside: Array  # (kinds, 8e): of words that are part of a name of a kind
    begins: Array  # (kinds, 8e): of words that begin one
    uncovered: Array  # (kinds, learnt): contribution of such a name to the hidden vector


class TokenArrays(NamedTuple):
    """The decoder's inputs of tokens, without the bias."""

    table: Array  # (m, 8e); the first is that of the beginning
    row_of: NDArray[np.int32]  # (V + 1): the row of each token, or -1


class NameArrays(NamedTuple):
    """The names in a batch of queries; words count from the beginning of the query."""

    words: Ids  # (names, 2): first word and the word after the last
    first: Ids  # (queries + 1): the first name of each query
    ids: Ids  # the tokens that each name may mean
    ids_first: Ids  # (names + 1)


@compiled
def sum_inputs(
    given: WordArrays,
    slots: Ids,
    first: Ids,
    names: NameArrays,
    kind_of: NDArray[np.int32],
    table: Array,
    uncovered: Array,
) -> None:
    """Fill the inputs of all words, (n, 8e + s), and add contributions of names, (n, learnt).

    `slots` has the rows of `given.table` of all words, then of all names.
    """
    kinds = len(given.inside)
    for word in range(len(table)):
        copy(table[word], given.table[slots[word]])
    part = np.zeros((len(table), kinds), np.int8)  # 1: part of a name of this kind; 2: begins one
    for query in range(len(first) - 1):
        for name in range(names.first[query], names.first[query + 1]):
            start, stop = first[query] + names.words[name, 0], first[query] + names.words[name, 1]
            signature = given.table[slots[len(table) + name]]
            for word in range(start, stop):
                add_to(table[word], signature)
                for index in range(names.ids_first[name], names.ids_first[name + 1]):
                    kind = kind_of[names.ids[index]]
                    part[word, kind] = max(part[word, kind], 2 if word == start else 1)
    for word in range(len(table)):
        for kind in range(kinds):
            if part[word, kind]:
                add_to(table[word], given.inside[kind])
            if part[word, kind] == 2:
                add_to(table[word], given.begins[kind])
                add_to(uncovered[word], given.uncovered[kind])


@final
class WordInputs:
    """Stores the parts of the inputs of words and names. Threads may share it."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._lock = Lock()
        size, w = weights.config.spelt, weights
        kinds = len(w.uncovered)
        flags = w.features[size:] @ w.encoder_inputs if kinds else w.features
        # The vectors are those of classes; the arrays have one per kind.
        class_of = list(w.reader.names.vocabulary.class_of) if w.reader.names else []
        self._kinds = flags[:kinds][class_of], flags[kinds:][class_of], w.uncovered[class_of]
        self._clear()

    def find(self, queries: Sequence[Query]) -> tuple[WordArrays, list[int]]:
        """The arrays, and the rows of all words and then of all names of some queries."""
        keys: list[_Key] = [word for query in queries for word in query.words]
        keys += [match.ids for query in queries for match in query.names]
        arrays, slots = self._stored
        try:
            return arrays, [slots[key] for key in keys]
        except KeyError:
            return self._added(keys)

    def _added(self, keys: Sequence[_Key]) -> tuple[WordArrays, list[int]]:
        with self._lock, single_threaded:
            arrays, slots = self._stored
            fresh = [key for key in dict.fromkeys(keys) if key not in slots]
            if len(slots) + len(fresh) > len(arrays.table):
                # New arrays, since a search in another thread may still read the old ones.
                arrays, slots = self._clear(room=len(keys))
                fresh = list(dict.fromkeys(keys))
            for key in fresh:
                arrays.table[len(slots)] = self._part(key)
                slots[key] = len(slots)
            return arrays, [slots[key] for key in keys]

    def _clear(self, room: int = 0) -> tuple[WordArrays, dict[_Key, int]]:
        width = len(self._weights.encoder_bias) + self._weights.config.spelt
        table = np.empty((max(room, _WORDS), width), np.float32)
        stored: tuple[WordArrays, dict[_Key, int]] = WordArrays(table, *self._kinds), {}
        self._stored = stored
        return stored

    def _part(self, key: _Key) -> Array:
        """The part of a word, or of a name, given as tokens."""
        w, names = self._weights, self._weights.reader.names
        if not isinstance(key, str):
            assert names is not None, "only a model with names finds some"
            half = np.float32(0.5) * names.signature(key)
            return np.concatenate([half @ w.features[: len(half)] @ w.encoder_inputs, half])
        (number,) = w.reader.words.ids([key])
        vector, spelt = w.words[number], np.zeros(0, np.float32)
        if names is not None:
            (row,) = names.describe([key], ())
            vector, spelt = vector + row @ w.features, row[: w.config.spelt]
        return np.concatenate([vector @ w.encoder_inputs + w.encoder_bias, spelt])


@final
class TokenInputs:
    """Stores the decoder's inputs of tokens. Threads may share it."""

    def __init__(self, decoder: RuntimeDecoder) -> None:
        self._decoder = decoder
        self._lock = Lock()
        self.arrays = self._empty()

    def add(self, token: int) -> None:
        """Store the inputs of a token; if there is no room, all others are forgotten."""
        with self._lock, single_threaded:
            if self._count == _TOKENS:
                # New arrays, since a search in another thread may still read the old ones.
                self.arrays = self._empty()
            self._write(self.arrays, token)

    def _empty(self) -> TokenArrays:
        weights = self._decoder.weights
        table = np.empty((_TOKENS, len(weights.decoder_bias)), np.float32)
        arrays = TokenArrays(table, np.full(len(weights.kind_of), -1, np.int32))
        self._count = 0
        self._write(arrays, self._decoder.beginning)
        return arrays

    def _write(self, arrays: TokenArrays, token: int) -> None:
        vector = self._decoder.vector(token)
        arrays.table[self._count] = self._decoder.weights.decoder_inputs @ vector
        arrays.row_of[token] = self._count
        self._count += 1
