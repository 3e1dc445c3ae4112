"""What of the rows is never learnt: how tokens are spelt, of which kind they are, which were seen.

The rows of many permitted sets are multiplied in every batch, most of them small, one of 40,000
companies: products and their gradients are written out, for whichever order is fast.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, final

import torch
from torch import Tensor, nn
from torch.nn import functional

from grammax.vocabulary import Span, Vocabulary

_FEW: Final = 12  # hidden vectors: so many times a long matrix are slow from the left
_LONG: Final = 400  # rows

OwnPart = tuple[slice, Tensor]  # seen tokens, by number, and the columns of their scores


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
