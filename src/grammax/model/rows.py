"""The rows of the output layer: learnt one by one, as in the paper, or composed.

A composed row has two parts. The learnt part is that of the token's kind, plus one of its own if
the token was seen in training; the spelt part is fixed, and says what the token is called. So a
token that was never seen is an ordinary one of its kind with a name. Once trained, the rows of
either are one matrix (`layer`), and decoding does not know how they came to be.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol, final

import numpy as np
import torch
from torch import Tensor, nn

from grammax.head.layer import OutputLayer
from grammax.head.protocol import Options
from grammax.head.row_scores import RowGroup
from grammax.head.rows import grouped
from grammax.head.spans import Spans
from grammax.vocabulary import Span, Vocabulary


class Rows(Protocol):
    """The output layer as it is trained: a head for batches, and a matrix afterwards."""

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> Sequence[RowGroup]:
        """(n, d) → scores of what is permitted, a group for each permitted set."""

    def layer(self) -> OutputLayer:
        """All rows, (V + 1, d), the last being the end's. It has a gradient."""


@final
class LearntRows(nn.Module):
    """The paper's: a matrix and a bias."""

    def __init__(self, vocabulary: Vocabulary, hidden: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden, len(vocabulary) + 1)
        self._tokens = len(vocabulary)

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> Sequence[RowGroup]:
        """(n, d) → scores of what is permitted, a group for each permitted set."""
        return Spans(self.layer()).scores_of(hidden, options)

    def layer(self) -> OutputLayer:
        """The matrix itself."""
        return OutputLayer.of(self.linear, self._tokens)


@final
class ComposedRows(nn.Module):
    """Kinds, tokens that were seen, and how all tokens are spelt.

    `spelt` is (V + 1, s). Nothing of size V is learnt, so a step of training costs little, and a
    checkpoint is small.
    """

    spelt: Tensor

    def __init__(
        self, vocabulary: Vocabulary, seen: Collection[int], hidden: int, spelt: Tensor
    ) -> None:
        super().__init__()
        kinds = len(vocabulary.kinds)
        learnt = hidden - spelt.shape[1]
        self.kinds = nn.Parameter(torch.empty(kinds + 1, learnt + 1))  # the last column is a bias
        self.own = nn.Parameter(torch.zeros(len(seen), learnt + 1))
        nn.init.normal_(self.kinds, std=_SPREAD)
        self.register_buffer("spelt", spelt, persistent=False)
        self._tokens = len(vocabulary)
        self._seen = np.array(sorted(seen), np.int64)
        self._spans = [vocabulary.span(kind) for kind in range(kinds)]
        self._spans.append((self._tokens, self._tokens + 1))  # the end is a kind of its own
        self._in_order = sorted(range(kinds + 1), key=lambda kind: self._spans[kind])
        self._found: dict[tuple[Span, ...], _Parts] = {}

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> Sequence[RowGroup]:
        """(n, d) → scores of what is permitted, a group for each permitted set.

        The learnt parts are few, so they are multiplied once for all groups, and never as rows.
        """
        groups = grouped(options)
        order = [member for members in groups.values() for member in members]
        sizes = [len(members) for members in groups.values()]
        size = self.kinds.shape[1] - 1
        hidden = hidden.index_select(0, torch.tensor(order, device=hidden.device))
        learnt = torch.cat([hidden[:, :size], hidden.new_ones(len(order), 1)], 1)
        each = zip(
            groups.items(),
            torch.split(learnt @ self.kinds.T, sizes),
            torch.split(learnt @ self.own.T, sizes),
            torch.split(hidden[:, size:], sizes),
            strict=True,
        )
        found = []
        for (choice, members), kinds, own, spelt in each:
            spans = choice.spans(self._tokens)
            found.append(RowGroup(members, self._scores(kinds, own, spelt, spans), spans))
        return found

    def layer(self) -> OutputLayer:
        """The matrix that the parts make, (V + 1, d)."""
        parts = self._parts(((0, self._tokens + 1),))
        rows = self.kinds.index_select(0, parts.kinds).index_add(0, parts.columns, self.own)
        weight = torch.cat([rows[:, :-1], self.spelt], 1)
        return OutputLayer(weight, rows[:, -1], self._tokens)

    def _scores(self, kinds: Tensor, own: Tensor, spelt: Tensor, spans: tuple[Span, ...]) -> Tensor:
        """Scores of all kinds and own parts, (g, ·), and what is spelt, (g, s) → (g, k)."""
        parts = self._parts(spans)
        named = [spelt @ self.spelt[start:stop].T for start, stop in spans]
        scores = kinds.index_select(1, parts.kinds)
        scores = scores + (named[0] if len(named) == 1 else torch.cat(named, 1))
        if not len(parts.columns):
            return scores
        return scores.index_add(1, parts.columns, own.index_select(1, parts.own))

    def _parts(self, spans: tuple[Span, ...]) -> _Parts:
        found = self._found.get(spans)
        if found is None:
            found = self._found[spans] = self._find_parts(spans)
        return found

    def _find_parts(self, spans: tuple[Span, ...]) -> _Parts:
        kinds: list[int] = []
        own: list[int] = []
        columns: list[int] = []
        offset = 0
        for start, stop in spans:
            for kind in self._in_order:
                a, b = self._spans[kind]
                if start <= a and b <= stop:
                    kinds += [kind] * (b - a)
            first, last = np.searchsorted(self._seen, [start, stop])
            own += range(first, last)
            columns += (self._seen[first:last] - start + offset).tolist()
            offset += stop - start
        device = self.kinds.device
        numbers = (kinds, own, columns)
        # They may be found first while decoding, and are kept for training.
        with torch.inference_mode(False):
            return _Parts(*(torch.tensor(n, dtype=torch.long, device=device) for n in numbers))


class _Parts(NamedTuple):
    """What some rows are made of: of each its kind, and own parts for some columns of them."""

    kinds: Tensor
    own: Tensor
    columns: Tensor


_SPREAD = 0.05
