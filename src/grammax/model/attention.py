"""Luong's attention: weighs the words of the query for a state of the decoder."""

from __future__ import annotations

from math import inf
from typing import NamedTuple, final

import torch
from torch import Tensor, nn
from torch.nn import functional

from grammax.model.encoder import Encoded, Masks


class Attended(NamedTuple):
    """The hidden vectors for the output layer, and the attention weight of each word."""

    hidden: Tensor  # (n, steps, d)
    weights: Tensor  # (n, steps, length)


@final
class Attention(nn.Module):
    """The "general" form, with coverage and, for composed rows, the hash embeddings of words.

    The hidden vector is tanh(W [state; context; uncovered]) followed by the attended mean of the
    words' hash embeddings, times a learnt factor. The latter matches the fixed part of composed
    rows, so that a token that was never seen is chosen by its name.

    `covered` masks the words of covered names, (n, steps, length), see `reading.coverage`. Covered
    words get a learnt bias in the scores; `uncovered` counts, by kind, the uncovered names.
    """

    def __init__(self, decoder: int, hidden: int, spelt: int, kinds: int) -> None:
        super().__init__()
        self.general = nn.Linear(decoder, decoder, bias=False)
        self.combined = nn.Linear(2 * decoder + kinds, hidden - spelt)
        self.coverage: nn.Linear | None = None
        self.strength: nn.Linear | None = None
        if spelt:
            self.coverage = nn.Linear(decoder, 1)
            self.strength = nn.Linear(decoder, 1)
            nn.init.zeros_(self.strength.weight)
            nn.init.constant_(self.strength.bias, _STRENGTH)

    def forward(
        self, states: Tensor, encoded: Encoded, covered: Tensor, masks: Masks | None = None
    ) -> Attended:
        if masks is not None:
            states = states * masks.states  # (n, steps, 2e)
        scores = self.general(states) @ encoded.words.transpose(1, 2)
        if self.coverage is not None:
            scores = scores + self.coverage(states) * covered
        weights = scores.masked_fill(~encoded.mask[:, None], -inf).softmax(-1)
        uncovered = (1 - covered) @ encoded.begins
        context = torch.cat([states, weights @ encoded.words, uncovered], -1)
        hidden = torch.tanh(self.combined(context))
        if masks is not None:
            hidden = hidden * masks.hidden
        if self.strength is not None:
            strength = functional.softplus(self.strength(states))
            hidden = torch.cat([hidden, weights @ encoded.spelling * strength], -1)
        return Attended(hidden, weights)


_STRENGTH = 8.0  # initially: a name whose words have all the attention is e⁸ times more likely
