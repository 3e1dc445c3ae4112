"""The rows of the output layer: learnt one by one, as in the paper, or composed.

A composed row has two parts. The learnt part is that of the token's kind, plus one of its own if
the token was seen in training; the spelt part is fixed, and says what the token is called. So a
token that was never seen is an ordinary one of its kind with a name. Once trained, the rows of
either are one matrix (`layer`), and decoding does not know how they came to be.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, final

import torch
from torch import Tensor, nn

from grammax.head.layer import OutputLayer
from grammax.head.loss import negative_log_likelihood
from grammax.head.protocol import Options
from grammax.head.rows import grouped
from grammax.head.spans import Spans
from grammax.model.fixed_rows import FixedRows
from grammax.model.group_costs import group_costs
from grammax.vocabulary import Vocabulary


class Rows(Protocol):
    """The output layer as it is trained: what a batch pays, and a matrix afterwards."""

    def costs(self, hidden: Tensor, options: Sequence[Options], targets: Tensor) -> Tensor:
        """-log p(target | options) of each member, (n, d) and (n) → (n)."""

    def layer(self) -> OutputLayer:
        """All rows, (V + 1, d), the last being the end's. It has a gradient."""


@final
class LearntRows(nn.Module):
    """The paper's: a matrix and a bias."""

    def __init__(self, vocabulary: Vocabulary, hidden: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden, len(vocabulary) + 1)
        self._tokens = len(vocabulary)

    def costs(self, hidden: Tensor, options: Sequence[Options], targets: Tensor) -> Tensor:
        """-log p(target | options) of each member, (n, d) and (n) → (n)."""
        return negative_log_likelihood(Spans(self.layer()), hidden, options, targets)

    def layer(self) -> OutputLayer:
        """The matrix itself."""
        return OutputLayer.of(self.linear, self._tokens)


@final
class ComposedRows(nn.Module):
    """Kinds, tokens that were seen, and how all tokens are spelt.

    `spelt` is (V + 1, s). Nothing of size V is learnt, so a step of training costs little, and a
    checkpoint is small.
    """

    def __init__(
        self, vocabulary: Vocabulary, seen: Collection[int], hidden: int, spelt: Tensor
    ) -> None:
        super().__init__()
        self.fixed = FixedRows(vocabulary, seen, spelt)
        learnt = hidden - spelt.shape[1]
        self.kinds = nn.Parameter(torch.empty(len(vocabulary.kinds) + 1, learnt + 1))
        self.own = nn.Parameter(torch.zeros(len(seen), learnt + 1))  # the last column is a bias
        nn.init.normal_(self.kinds, std=_SPREAD)
        self._tokens = len(vocabulary)

    @property
    def spelt(self) -> Tensor:
        """What each token is called, and the end nothing, (V + 1, s)."""
        return self.fixed.spelt

    def costs(self, hidden: Tensor, options: Sequence[Options], targets: Tensor) -> Tensor:
        """-log p(target | options) of each member, (n, d) and (n) → (n).

        The parts that are learnt are few, and are multiplied as they are, never as rows.
        """
        groups = grouped(options)
        order = torch.tensor([m for members in groups.values() for m in members])
        order = order.to(hidden.device)
        hidden = hidden.index_select(0, order)
        size = self.kinds.shape[1] - 1
        learnt = torch.cat([hidden[:, :size], hidden.new_ones(len(order), 1)], 1)
        shared = torch.cat([hidden[:, size:], learnt @ self.kinds.T], 1)
        sets = [(choice.spans(self._tokens), len(members)) for choice, members in groups.items()]
        costs = group_costs(self.fixed, shared, learnt, self.own, sets, targets[order])
        return costs.new_zeros(len(order)).index_copy(0, order, costs)

    def layer(self) -> OutputLayer:
        """The matrix that the parts make, (V + 1, d)."""
        fixed = self.fixed
        rows = self.kinds.index_select(0, fixed.kinds).index_add(0, fixed.seen, self.own)
        return OutputLayer(torch.cat([rows[:, :-1], fixed.spelt], 1), rows[:, -1], self._tokens)


_SPREAD = 0.05
