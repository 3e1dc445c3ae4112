"""`WordTable`: the encoder's inputs of words, computed when they first occur, kept on the device.

The input of a word depends on the word and on the names that it is part of, its context, so a word
in a context is one entry of the table: most words of a batch have occurred before, and the device
only gathers rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

import numpy as np
import torch
from torch import Tensor

from grammax.reading.name_index import Match
from grammax.runtime.lstm import Array
from grammax.runtime.weights import Weights
from grammax.vocabulary import Ids

_ENTRIES: Final = 1 << 16  # 2 kB each; then all are forgotten
_FIRST: Final = 1 << 12
_WORD: Final = 1 << 32  # in a key, above the context

# For each name that a word is part of, whether it begins there, and the tokens that it may mean.
Context = tuple[tuple[bool, tuple[int, ...]], ...]


@final
class WordTable:
    """Rows (w + s + learnt): the word's vector, its hash embedding, its name's contribution."""

    def __init__(self, weights: Weights, device: torch.device) -> None:
        self._weights = weights
        self.width = weights.words.shape[1] + weights.config.spelt + weights.learnt
        self.rows = torch.zeros(_FIRST, self.width, device=device)
        self._forget()

    def _forget(self) -> None:
        self._slots: dict[int, int] = {}
        self._words: dict[str, int] = {}
        self._contexts: dict[Context, int] = {(): 0}
        self._listed: list[Context] = [()]
        self._names: dict[tuple[int, ...], int] = {}

    def begin(self) -> None:
        """Begin a batch: numbers of contexts stay valid until the next one."""
        if len(self._slots) > _ENTRIES:
            self._forget()

    def context(self, context: Context) -> int:
        """The number of a context of several names; 0 is that of a word that is part of none."""
        number = self._contexts.setdefault(context, len(self._listed))
        if number == len(self._listed):
            self._listed.append(context)
        return number

    def name_contexts(self, names: Sequence[tuple[int, ...]]) -> Ids:
        """For each name the number of the context where it alone begins; inside it, the next."""
        known = self._names
        for ids in names:
            if ids not in known:
                known[ids] = len(self._listed)
                self._listed += [((True, ids),), ((False, ids),)]
        return np.array([known[ids] for ids in names], np.int64)

    def find(self, words: Sequence[str], contexts: Ids) -> Ids:
        """The row of each word in its context; new ones are computed and sent to the device."""
        known, slots = self._words, self._slots
        try:
            numbers = np.array([known[word] for word in words], np.int64)
        except KeyError:
            for word in words:
                known.setdefault(word, len(known))
            numbers = np.array([known[word] for word in words], np.int64)
        keys = (numbers * _WORD + contexts).tolist()
        try:
            return np.array([slots[key] for key in keys], np.int64)
        except KeyError:
            self._add(
                {key: word for key, word in zip(keys, words, strict=True) if key not in slots}
            )
            return np.array([slots[key] for key in keys], np.int64)

    def _add(self, fresh: dict[int, str]) -> None:
        first = len(self._slots)
        last = first + len(fresh)
        if last > len(self.rows):
            grown = torch.zeros(1 << (last - 1).bit_length(), self.width, device=self.rows.device)
            grown[:first] = self.rows[:first]
            self.rows = grown
        found = [self._row(word, self._listed[key % _WORD]) for key, word in fresh.items()]
        self.rows[first:last] = torch.from_numpy(np.stack(found)).to(self.rows.device)
        self._slots.update(zip(fresh, range(first, last), strict=True))

    def _row(self, word: str, context: Context) -> Array:
        """The input of a word, as `QueryInputs` computes it."""
        w, names = self._weights, self._weights.reader.names
        vector, contribution = w.words[w.reader.words.id(word)], np.zeros(w.learnt, np.float32)
        spelt = np.zeros(w.config.spelt, np.float32)
        if names is not None:
            # A name that does not begin at the word begins at the one before it.
            matches = [Match(1 if begins else 0, 2, ids) for begins, ids in context]
            features = names.describe(["", word], matches)[1]
            vector, spelt = vector + features @ w.features, features[: len(spelt)]
            contribution = features[len(features) - len(w.uncovered) :] @ w.uncovered
        return np.concatenate([vector, spelt, contribution])

    def split(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The three parts of some rows, (..., w), (..., s) and (..., learnt)."""
        first = self._weights.words.shape[1]
        second = first + self._weights.config.spelt
        return rows[..., :first], rows[..., first:second], rows[..., second:]
