"""The rows of the output layer: learnt one by one, as in the paper, or composed.

A composed row has two parts. The learnt part is a vector of the class of the token's kind, plus one
of its own if the token was seen in training. The other part is fixed: a hash embedding of the
token's name. Thus a token that was never seen is scored by its kind and its name. After training,
both sorts of rows become one matrix (`layer`), and decoding does not distinguish them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, Protocol, final

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

from grammax.head.layer import OutputLayer, product
from grammax.model.choices import Choices, FewRows, ManyRows
from grammax.vocabulary import Span, Vocabulary

OwnPart = tuple[slice, Tensor]  # seen tokens, by number, and the columns of their scores
Sets = Sequence[tuple[tuple[Span, ...], int]]  # permitted rows, and how many members have them

_SPREAD: Final = 0.05
_FEW: Final = 12  # for fewer hidden vectors, a long matrix is multiplied from the right
_LONG: Final = 400  # rows


class TrainableRows(Protocol):
    """The output layer in training: the losses of a batch, and one matrix afterwards."""

    def losses(self, hidden: Tensor, choices: Choices[Tensor]) -> Tensor:
        """-log p(target | options) of each member, (n, d) → (n)."""

    def layer(self) -> OutputLayer:
        """All rows, (V + 1, d), the last one for the end. It has a gradient."""


@final
class LearntRows(nn.Module):
    """The paper's output layer: a matrix and a bias."""

    def __init__(self, vocabulary: Vocabulary, hidden: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden, len(vocabulary) + 1)
        self._tokens = len(vocabulary)

    def losses(self, hidden: Tensor, choices: Choices[Tensor]) -> Tensor:
        """-log p(target | options) of each member, (n, d) → (n)."""
        return _losses(hidden, choices, self._few, self._many)

    def _few(self, hidden: Tensor, few: FewRows[Tensor]) -> Tensor:
        weight = self.linear.weight.index_select(0, few.rows)
        bias = self.linear.bias.index_select(0, few.rows)
        return _chosen(torch.addmm(bias, hidden, weight.T), few)

    def _many(self, hidden: Tensor, many: ManyRows[Tensor]) -> Tensor:
        layer, found, first = self.layer(), [], 0
        for spans, count in many.sets:
            members = slice(first, first + count)
            first += count
            spanned = [slice(*span) for span in spans]
            parts = [product(hidden[members], layer.weight[s], layer.bias[s]) for s in spanned]
            scores = torch.cat(parts, 1)
            losses = functional.cross_entropy(scores, many.wanted[members], reduction="none")
            found.append(losses)
        return torch.cat(found)

    def layer(self) -> OutputLayer:
        """All rows, (V + 1, d), the last one for the end. It has a gradient."""
        return OutputLayer.from_linear(self.linear, self._tokens)


@final
class ComposedRows(nn.Module):
    """Vectors of kinds and of seen tokens, beside the fixed embeddings of all names.

    `spelt` are these embeddings, (V + 1, s). No parameter has the size of the vocabulary, so a
    training step is cheap and a checkpoint small.
    """

    def __init__(
        self, vocabulary: Vocabulary, seen: Collection[int], hidden: int, spelt: Tensor
    ) -> None:
        super().__init__()
        self.fixed = FixedRows(vocabulary, seen, spelt)
        learnt = hidden - spelt.shape[1]
        self.kinds = nn.Parameter(torch.empty(len(vocabulary.classes) + 1, learnt + 1))
        self.own = nn.Parameter(torch.zeros(len(seen), learnt + 1))  # the last column is a bias
        nn.init.normal_(self.kinds, std=_SPREAD)
        self._tokens = len(vocabulary)

    @property
    def spelt(self) -> Tensor:
        """The fixed embedding of each token's name, and zeros for the end, (V + 1, s)."""
        return self.fixed.spelt

    def losses(self, hidden: Tensor, choices: Choices[Tensor]) -> Tensor:
        """-log p(target | options) of each member, (n, d) → (n)."""
        return _losses(hidden, choices, self._few, self._many)

    def _few(self, hidden: Tensor, few: FewRows[Tensor]) -> Tensor:
        """Small sets share most of their rows: each row of the batch is composed once.

        Their product with all members is less work than its parts one by one, and one call.
        """
        fixed, rows = self.fixed, few.rows
        # The gradients of `embedding` are summed in a fixed order, also on a GPU.
        own = functional.embedding(fixed.own_of[rows], functional.pad(self.own, (0, 0, 1, 0)))
        learnt = functional.embedding(fixed.kinds[rows], self.kinds) + own
        weight = torch.cat([learnt[:, :-1], fixed.spelt[rows]], 1)
        return _chosen(torch.addmm(learnt[:, -1], hidden, weight.T), few)

    def _many(self, hidden: Tensor, many: ManyRows[Tensor]) -> Tensor:
        """Large sets: the learnt vectors are multiplied without expanding them to rows."""
        size = self.kinds.shape[1] - 1
        learnt = torch.cat([hidden[:, :size], hidden.new_ones(len(hidden), 1)], 1)
        shared = torch.cat([hidden[:, size:], learnt @ self.kinds.T], 1)
        return group_losses(self.fixed, shared, learnt, self.own, many.sets, many.wanted)

    def layer(self) -> OutputLayer:
        """All rows as one matrix, (V + 1, d)."""
        fixed = self.fixed
        rows = self.kinds.index_select(0, fixed.kinds).index_add(0, fixed.seen, self.own)
        return OutputLayer(torch.cat([rows[:, :-1], fixed.spelt], 1), rows[:, -1], self._tokens)


@final
class FixedRows(nn.Module):
    """The fixed parts: the embeddings of names, the kinds of tokens, and which were seen.

    Many permitted sets are multiplied in every batch, most of them small and some of 40,000 rows.
    Products and their gradients are therefore implemented here, each in the fastest order.
    """

    kinds: Tensor  # (V + 1): classes of kinds; the end has one of its own, the last
    seen: Tensor  # ids, ascending
    own_of: Tensor  # (V + 1): the number of a seen token, from 1; 0 for others
    spelt: Tensor  # (V + 1, s): the last row is that of the end
    _with_kinds: Tensor  # (V + 1, s + k): followed by its kind, one-hot

    def __init__(self, vocabulary: Vocabulary, seen: Collection[int], spelt: Tensor) -> None:
        super().__init__()
        class_of, classes = vocabulary.class_of, len(vocabulary.classes)
        kinds = torch.tensor([*map(class_of.__getitem__, vocabulary.kinds_by_id), classes])
        ones = functional.one_hot(kinds, classes + 1).to(spelt.dtype)
        own_of = torch.zeros(len(kinds), dtype=torch.long)
        own_of[sorted(seen)] = torch.arange(1, len(seen) + 1)
        buffers = {
            "kinds": kinds,
            "seen": torch.tensor(sorted(seen), dtype=torch.long),
            "own_of": own_of,
            "spelt": spelt,
            "_with_kinds": torch.cat([spelt, ones], 1),
        }
        for name, buffer in buffers.items():
            self.register_buffer(name, buffer, persistent=False)
        self._size = spelt.shape[1]
        self._only_kind = {
            vocabulary.span(kind): class_of[kind] for kind in range(len(vocabulary.kinds))
        }
        self._found: dict[tuple[Span, ...], list[OwnPart]] = {}

    def products(self, given: Tensor, spans: tuple[Span, ...]) -> Tensor:
        """Hidden dimensions of names, then scores of kinds, (g, s + k) → scores (g, rows)."""
        parts = [self._product(given, span) for span in spans]
        return parts[0] if len(parts) == 1 else torch.cat(parts, 1)

    def gradient(self, scores: Tensor, spans: tuple[Span, ...]) -> Tensor:
        """The gradient of `products`: (g, rows) → (g, s + k)."""
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
        """The seen tokens in some spans; their ids ascend, so those of a span are a slice."""
        found = self._found.get(spans)
        if found is None:
            found = self._found[spans] = self._find_own(spans)
        return found

    def _product(self, given: Tensor, span: Span) -> Tensor:
        kind = self._only_kind.get(span)
        if kind is None:
            return given @ self._with_kinds[slice(*span)].T
        # All rows are of one kind: its score is added instead of multiplied by a one-hot matrix.
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


def _losses(
    hidden: Tensor,
    choices: Choices[Tensor],
    few: Callable[[Tensor, FewRows[Tensor]], Tensor],
    many: Callable[[Tensor, ManyRows[Tensor]], Tensor],
) -> Tensor:
    """The losses of both parts in the order of the members, (n, d) → (n)."""
    if choices.many is None and choices.few is not None:
        return few(hidden, choices.few)
    found, members = [], []
    if choices.few is not None:
        members.append(choices.few.members)
        found.append(few(hidden.index_select(0, members[-1]), choices.few))
    if choices.many is not None:
        members.append(choices.many.members)
        found.append(many(hidden.index_select(0, members[-1]), choices.many))
    if not found:
        return hidden.new_zeros(0)
    return hidden.new_zeros(choices.members).index_copy(0, torch.cat(members), torch.cat(found))


def _chosen(scores: Tensor, few: FewRows[Tensor]) -> Tensor:
    """-log p of the targets, given the scores of all rows of a batch, (m, u) → (m)."""
    columns = few.columns
    competing = scores.gather(1, columns.clamp(min=0)).masked_fill(columns < 0, -torch.inf)
    return functional.cross_entropy(competing, few.wanted, reduction="none")


def group_losses(
    rows: FixedRows, shared: Tensor, learnt: Tensor, own: Tensor, sets: Sets, wanted: Tensor
) -> Tensor:
    """-log p(target) of each member, (n); members with the same permitted set are adjacent.

    `wanted` are the places of the targets among the rows of their sets.

    `shared` is the argument of `FixedRows.products`, (n, s + k). `own` are the vectors of seen
    tokens, (seen, l), which multiply the learnt dimensions, (n, l).

    The gradient of the loss follows from the softmax: the probabilities, less one at the target. So
    each permitted set is multiplied forwards and backwards while it is in the processor's cache,
    and autograd sees one function in place of ten per set.
    """
    found: Tensor = _GroupLosses.apply(  # type: ignore[no-untyped-call]
        shared, learnt, own, wanted, rows, sets
    )
    return found


class _GroupLosses(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        shared: Tensor,
        learnt: Tensor,
        own: Tensor,
        wanted: Tensor,
        rows: FixedRows,
        sets: Sets,
    ) -> Tensor:
        losses = shared.new_empty(len(shared))
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
            places = wanted[members, None]
            losses[members] = -logs.gather(1, places).squeeze(1)
            wrong = logs.exp_().scatter_add_(1, places, logs.new_full((count, 1), -1.0))
            d_shared[members] = rows.gradient(wrong, spans)
            for seen, columns in parts:
                d_scores = wrong.index_select(1, columns)
                d_learnt[members].addmm_(d_scores, own[seen])
                ctx.d_scores.append((members, seen, d_scores))
        ctx.save_for_backward(d_shared, learnt, d_learnt, own)
        return losses

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_losses: Tensor) -> tuple[Tensor | None, ...]:
        d_shared, learnt, d_learnt, own = ctx.saved_tensors
        d_losses = d_losses[:, None]
        weighted, d_own = learnt * d_losses, torch.zeros_like(own)
        for members, seen, d_scores in ctx.d_scores:
            d_own[seen].addmm_(d_scores.T, weighted[members])
        return d_shared * d_losses, d_learnt * d_losses, d_own, None, None, None
