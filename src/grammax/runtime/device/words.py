"""`WordTable`: the encoder's inputs of words, computed when they first occur, kept on the device.

The input of a word depends on the word and on the names that it is part of, so a word with its
names is one entry of the table: most words of a batch have occurred before, and the device only
gathers rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np
import torch
from torch import Tensor

from grammax.reading.name_index import Match
from grammax.reading.reader import Query
from grammax.runtime.lstm import Array
from grammax.runtime.weights import Weights
from grammax.vocabulary import Ids

_ENTRIES: Final = 1 << 16  # 2 kB each; then all are forgotten
_FIRST: Final = 1 << 12

# A word, its number, and for each name that it is part of whether it begins there, and its ids.
Key = tuple[Any, ...]


@final
class WordTable:
    """Rows (w + s + learnt): the word's vector, its hash embedding, its name's contribution."""

    def __init__(self, weights: Weights, device: torch.device) -> None:
        self._weights = weights
        self.width = weights.words.shape[1] + weights.config.spelt + weights.learnt
        self._slots: dict[Key, int] = {}
        self.rows = torch.zeros(_FIRST, self.width, device=device)

    def find(self, keys: Sequence[Key]) -> Ids:
        """The row of each word; new ones are computed and sent to the device."""
        slots = self._slots
        try:
            return np.array([slots[key] for key in keys], np.int64)
        except KeyError:
            self._add(list(dict.fromkeys(key for key in keys if key not in slots)), keys)
            return np.array([self._slots[key] for key in keys], np.int64)

    def _add(self, fresh: list[Key], keys: Sequence[Key]) -> None:
        if len(self._slots) + len(fresh) > _ENTRIES:
            self._slots, fresh = {}, list(dict.fromkeys(keys))
        first = len(self._slots)
        last = first + len(fresh)
        if last > len(self.rows):
            room = 1 << (last - 1).bit_length()
            grown = torch.zeros(room, self.width, device=self.rows.device)
            grown[:first] = self.rows[:first]
            self.rows = grown
        found = np.stack([self._row(key) for key in fresh])
        self.rows[first:last] = torch.from_numpy(found).to(self.rows.device)
        self._slots.update(zip(fresh, range(first, last), strict=True))

    def _row(self, key: Key) -> Array:
        """The input of a word, as `QueryInputs` computes it."""
        w, names = self._weights, self._weights.reader.names
        word, number, *inside = key
        vector, contribution = w.words[number], np.zeros(w.learnt, np.float32)
        spelt = np.zeros(w.config.spelt, np.float32)
        if names is not None:
            # A name that does not begin at the word begins at the one before it.
            pairs = zip(inside[::2], inside[1::2], strict=True)
            matches = [Match(1 if begins else 0, 2, ids) for begins, ids in pairs]
            features = names.describe(["", word], matches)[1]
            vector, spelt = vector + features @ w.features, features[: len(spelt)]
            contribution = features[len(features) - len(w.uncovered) :] @ w.uncovered
        return np.concatenate([vector, spelt, contribution])

    def split(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The three parts of some rows, (..., w), (..., s) and (..., learnt)."""
        first = self._weights.words.shape[1]
        second = first + self._weights.config.spelt
        return rows[..., :first], rows[..., first:second], rows[..., second:]


def word_keys(query: Query) -> list[Key]:
    """The entries of a query's words."""
    keys: list[Key] = list(zip(query.words, query.ids, strict=True))
    for start, stop, ids in query.names:
        keys[start] = (*keys[start], True, ids)
        for at in range(start + 1, stop):
            keys[at] = (*keys[at], False, ids)
    return keys
