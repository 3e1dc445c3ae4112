"""The rows of the output layer: learnt one by one, as in the paper, or composed.

A composed row has two parts. The learnt part is that of the token's kind, plus one of its own if
the token was seen in training; the spelt part is fixed, and says what the token is called. So a
token that was never seen is an ordinary one of its kind with a name. Once trained, the rows of
either are one matrix (`layer`), and decoding does not know how they came to be.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, Protocol, final

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

from grammax.head.layer import OutputLayer
from grammax.head.loss import negative_log_likelihood
from grammax.head.protocol import Options
from grammax.head.row_scores import target_positions
from grammax.head.rows import grouped
from grammax.head.spans import Spans
from grammax.vocabulary import Span, Vocabulary

OwnPart = tuple[slice, Tensor]  # seen tokens, by number, and the columns of their scores
Sets = Sequence[tuple[tuple[Span, ...], int]]  # permitted rows, and how many members have them

_SPREAD: Final = 0.05
_FEW: Final = 12  # hidden vectors: so few times a long matrix are slow from the left
_LONG: Final = 400  # rows


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
        return OutputLayer.from_linear(self.linear, self._tokens)


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


@final
class FixedRows(nn.Module):
    """`spelt` is (V + 1, s), the last row the end's; `seen` are ids."""

    kinds: Tensor  # (V + 1): the end has a kind of its own, the last
    seen: Tensor  # ids, ascending
    spelt: Tensor  # (V + 1, s)
    _with_kinds: Tensor  # (V + 1, s + k): and a one at its kind

    def __init__(self, vocabulary: Vocabulary, seen: Collection[int], spelt: Tensor) -> None:
        super().__init__()
        kinds = torch.tensor([*vocabulary.kinds_by_id, len(vocabulary.kinds)])
        ones = functional.one_hot(kinds, len(vocabulary.kinds) + 1).to(spelt.dtype)
        buffers = {
            "kinds": kinds,
            "seen": torch.tensor(sorted(seen), dtype=torch.long),
            "spelt": spelt,
            "_with_kinds": torch.cat([spelt, ones], 1),
        }
        for name, buffer in buffers.items():
            self.register_buffer(name, buffer, persistent=False)
        self._size = spelt.shape[1]
        self._only_kind = {vocabulary.span(kind): kind for kind in range(len(vocabulary.kinds))}
        self._found: dict[tuple[Span, ...], list[OwnPart]] = {}

    def products(self, given: Tensor, spans: tuple[Span, ...]) -> Tensor:
        """Hidden dimensions that spell, then scores of kinds, (g, s + k) → scores (g, rows)."""
        parts = [self._product(given, span) for span in spans]
        return parts[0] if len(parts) == 1 else torch.cat(parts, 1)

    def gradient(self, scores: Tensor, spans: tuple[Span, ...]) -> Tensor:
        """The gradient of `products`: that of the scores → that of what was given."""
        kind = self._only_kind.get(spans[0]) if len(spans) == 1 else None
        if kind is not None:
            found = scores.new_zeros(len(scores), self._with_kinds.shape[1])
            torch.mm(scores, self.spelt[slice(*spans[0])], out=found[:, : self._size])
            found[:, self._size + kind] = scores.sum(1)
            return found
        parts = torch.split(scores, [stop - start for start, stop in spans], 1)
        found = parts[0] @ self._with_kinds[slice(*spans[0])]
        for part, span in zip(parts[1:], spans[1:], strict=True):
            found.addmm_(part, self._with_kinds[slice(*span)])
        return found

    def own(self, spans: tuple[Span, ...]) -> list[OwnPart]:
        """Which of the seen tokens are in some spans: they lie side by side, for ids ascend."""
        found = self._found.get(spans)
        if found is None:
            found = self._found[spans] = self._find_own(spans)
        return found

    def _product(self, given: Tensor, span: Span) -> Tensor:
        kind = self._only_kind.get(span)
        if kind is None:
            return given @ self._with_kinds[slice(*span)].T
        # Of one kind, such as all companies: its score is added, not multiplied by ones.
        rows, spelling = self.spelt[slice(*span)], given[:, : self._size]
        few = len(given) < _FEW and len(rows) > _LONG
        scores = (rows @ spelling.T).T if few else spelling @ rows.T
        return scores + given[:, self._size + kind, None]

    def _find_own(self, spans: tuple[Span, ...]) -> list[OwnPart]:
        found, offset = [], 0
        for start, stop in spans:
            first, last = torch.searchsorted(
                self.seen, self.seen.new_tensor([start, stop])
            ).tolist()
            if last > first:
                found.append((slice(first, last), self.seen[first:last] - start + offset))
            offset += stop - start
        return found


def group_costs(
    rows: FixedRows, shared: Tensor, learnt: Tensor, own: Tensor, sets: Sets, targets: Tensor
) -> Tensor:
    """-log p(target) of each member, (n), the members of a set side by side.

    `shared` is what `FixedRows.products` takes, (n, s + k). `own` are the parts that seen tokens
    have of their own, (seen, l), to be multiplied by the learnt dimensions, (n, l).
    """
    found: Tensor = _GroupCosts.apply(  # type: ignore[no-untyped-call]
        shared, learnt, own, targets, rows, sets
    )
    return found


class _GroupCosts(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        shared: Tensor,
        learnt: Tensor,
        own: Tensor,
        targets: Tensor,
        rows: FixedRows,
        sets: Sets,
    ) -> Tensor:
        costs = shared.new_empty(len(shared))
        d_shared, d_learnt = torch.empty_like(shared), torch.zeros_like(learnt)
        ctx.d_scores = []  # of own parts: members, seen tokens, gradient
        first = 0
        for spans, count in sets:
            members = slice(first, first + count)
            first += count
            given, parts = learnt[members], rows.own(spans)
            scores = rows.products(shared[members], spans)
            for seen, columns in parts:
                scores.index_add_(1, columns, given @ own[seen].T)
            logs = scores.log_softmax(-1)
            places = target_positions(spans, targets[members])[:, None]
            costs[members] = -logs.gather(1, places).squeeze(1)
            wrong = logs.exp_().scatter_add_(1, places, logs.new_full((count, 1), -1.0))
            d_shared[members] = rows.gradient(wrong, spans)
            for seen, columns in parts:
                d_scores = wrong.index_select(1, columns)
                d_learnt[members].addmm_(d_scores, own[seen])
                ctx.d_scores.append((members, seen, d_scores))
        ctx.save_for_backward(d_shared, learnt, d_learnt, own)
        return costs

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_costs: Tensor) -> tuple[Tensor | None, ...]:
        d_shared, learnt, d_learnt, own = ctx.saved_tensors
        d_costs = d_costs[:, None]
        weighted, d_own = learnt * d_costs, torch.zeros_like(own)
        for members, seen, d_scores in ctx.d_scores:
            d_own[seen].addmm_(d_scores.T, weighted[members])
        return d_shared * d_costs, d_learnt * d_costs, d_own, None, None, None
