"""The encoder: a Bi-LSTM over the words of a query."""

from __future__ import annotations

from typing import NamedTuple, final

import torch
from torch import Tensor, nn


class Masks(NamedTuple):
    """The masks of dropout in a batch, (n, 1, d) each: every step drops the same dimensions.

    Recurrent networks learn better with it, and it is cheaper: drawing one mask per step took a
    tenth of the time of a training step. They are given, not drawn, where they are used, so that
    what a network computes depends on its arguments alone.
    """

    words: Tensor  # of the embeddings of words
    encoded: Tensor  # of the encoder's outputs
    inputs: Tensor  # of the decoder's inputs
    states: Tensor  # of the decoder's outputs
    hidden: Tensor  # of the learnt part of the hidden vectors


class Encoded(NamedTuple):
    """A batch of queries, as encoded for the decoder."""

    words: Tensor  # (n, length, 2e): each word in its sentence
    spelling: Tensor  # (n, length, s): the hash embedding of each word
    begins: Tensor  # (n, length, k): 1 for the kinds of the names that begin at the word
    mask: Tensor  # (n, length): false where a shorter query is padded
    summary: Tensor  # (n, 2e): the last state of both directions

    def select(self, members: Tensor) -> Encoded:
        """Some queries of the batch, by index."""
        return Encoded(*(part.index_select(0, members) for part in self))


@final
class Encoder(nn.Module):
    """A Bi-LSTM; (n, length, d) → `Encoded`.

    The second direction reads each query reversed within its own length, so that sequences need not
    be packed: on a CPU PyTorch's fused LSTM does not accept packed sequences, and it is twice as
    fast as the one that does.
    """

    def __init__(self, words: int, size: int) -> None:
        super().__init__()
        self.forwards = nn.LSTM(words, size, batch_first=True)
        self.backwards = nn.LSTM(words, size, batch_first=True)

    def forward(
        self,
        words: Tensor,
        spelling: Tensor,
        begins: Tensor,
        lengths: Tensor,
        masks: Masks | None = None,
    ) -> Encoded:
        index = torch.arange(words.shape[1], device=words.device)  # (length)
        mask = index < lengths[:, None]
        mirror = torch.where(mask, lengths[:, None] - 1 - index, index)[..., None]  # (n, length, 1)
        if masks is not None:
            words = words * masks.words
        left = self.forwards(words)[0]  # (n, length, e)
        right = self.backwards(_taken(words, mirror))[0]
        last = (lengths - 1)[:, None, None]
        summary = torch.cat([_taken(left, last), _taken(right, last)], -1).squeeze(1)
        both = torch.cat([left, _taken(right, mirror)], -1)
        if masks is not None:
            both = both * masks.encoded
        return Encoded(both, spelling, begins, mask, summary)

    def one(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """(length, d) → words (length, 2e) and summary (2e) of one query, without dropout."""
        left = self.forwards(words[None])[0][0]
        right = self.backwards(words.flip(0)[None])[0][0]
        return torch.cat([left, right.flip(0)], 1), torch.cat([left[-1], right[-1]])


def _taken(values: Tensor, indices: Tensor) -> Tensor:
    """(n, length, d) and (n, k, 1) → (n, k, d)."""
    return values.gather(1, indices.expand(-1, -1, values.shape[-1]))
