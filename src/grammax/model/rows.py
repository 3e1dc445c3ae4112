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
from torch.nn import functional

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

    _fixed: Tensor  # (V + 1, s + kinds + 1): how a token is spelt, and which kind it is of
    _seen: Tensor  # ids, ascending

    def __init__(
        self, vocabulary: Vocabulary, seen: Collection[int], hidden: int, spelt: Tensor
    ) -> None:
        super().__init__()
        kinds = torch.tensor([*vocabulary.kinds_by_id, len(vocabulary.kinds)])  # the end's is last
        learnt = hidden - spelt.shape[1]
        self.kinds = nn.Parameter(torch.empty(len(vocabulary.kinds) + 1, learnt + 1))
        self.own = nn.Parameter(torch.zeros(len(seen), learnt + 1))  # the last column is a bias
        nn.init.normal_(self.kinds, std=_SPREAD)
        fixed = torch.cat([spelt, functional.one_hot(kinds, len(self.kinds)).float()], 1)
        self.register_buffer("_fixed", fixed, persistent=False)
        self.register_buffer(
            "_seen", torch.tensor(sorted(seen), dtype=torch.long), persistent=False
        )
        self._tokens = len(vocabulary)
        self._size = spelt.shape[1]
        self._only_kind = {vocabulary.span(kind): kind for kind in range(len(vocabulary.kinds))}
        self._found: dict[tuple[Span, ...], tuple[Tensor, Tensor]] = {}

    @property
    def spelt(self) -> Tensor:
        """What each token is called, and the end nothing, (V + 1, s)."""
        return self._fixed[:, : self._size]

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> Sequence[RowGroup]:
        """(n, d) → scores of what is permitted, a group for each permitted set.

        The learnt parts are few, so they are multiplied once for all groups, and never as rows.
        """
        groups = grouped(options)
        order = [member for members in groups.values() for member in members]
        sizes = [len(members) for members in groups.values()]
        hidden = hidden.index_select(0, torch.tensor(order, device=hidden.device))
        size = self.kinds.shape[1] - 1
        learnt = torch.cat([hidden[:, :size], hidden.new_ones(len(order), 1)], 1)
        given = torch.cat([hidden[:, size:], learnt @ self.kinds.T], 1)
        each = zip(
            groups.items(),
            torch.split(given, sizes),
            torch.split(learnt @ self.own.T, sizes),
            strict=True,
        )
        found = []
        for (choice, members), common, own in each:
            spans = choice.spans(self._tokens)
            found.append(RowGroup(members, self._scores(common, own, spans), spans))
        return found

    def layer(self) -> OutputLayer:
        """The matrix that the parts make, (V + 1, d)."""
        kinds = self._fixed[:, self._size :].argmax(1)
        rows = self.kinds.index_select(0, kinds).index_add(0, self._seen, self.own)
        return OutputLayer(torch.cat([rows[:, :-1], self.spelt], 1), rows[:, -1], self._tokens)

    def _scores(self, common: Tensor, own: Tensor, spans: tuple[Span, ...]) -> Tensor:
        """What is spelt and the scores of kinds, (g, ·), and those of own parts → (g, k)."""
        parts = [self._common(common, span) for span in spans]
        scores = parts[0] if len(parts) == 1 else torch.cat(parts, 1)
        numbers, columns = self._own_of(spans)
        if not len(numbers):
            return scores
        return scores.index_add(1, columns, own.index_select(1, numbers))

    def _common(self, common: Tensor, span: Span) -> Tensor:
        """What all tokens have, (g, rows of the span)."""
        kind = self._only_kind.get(span)
        if kind is None:
            return common @ self._fixed[slice(*span)].T
        # Of one kind, such as 40,000 companies: its score is added, not multiplied by ones.
        names = common[:, : self._size] @ self._fixed[slice(*span), : self._size].T
        return names + common[:, self._size + kind, None]

    def _own_of(self, spans: tuple[Span, ...]) -> tuple[Tensor, Tensor]:
        """Which tokens of some spans have a part of their own, and in which columns."""
        found = self._found.get(spans)
        if found is None:
            # They may be found first while decoding, and are kept for training.
            with torch.inference_mode(False):
                found = self._found[spans] = self._find_own(spans)
        return found

    def _find_own(self, spans: tuple[Span, ...]) -> tuple[Tensor, Tensor]:
        seen = self._seen
        numbers, columns, offset = [], [], 0
        for start, stop in spans:
            inside = ((seen >= start) & (seen < stop)).nonzero()[:, 0]
            numbers.append(inside)
            columns.append(seen[inside] - start + offset)
            offset += stop - start
        return torch.cat(numbers), torch.cat(columns)


_SPREAD = 0.05
