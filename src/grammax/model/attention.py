"""Luong's attention: which words of the query a decoder's state is about."""

from __future__ import annotations

from math import inf
from typing import NamedTuple, final

import torch
from torch import Tensor, nn
from torch.nn import functional

from grammax.model.dropout import StepwiseDropout
from grammax.model.encoder import Encoded


class Attended(NamedTuple):
    """What the output layer multiplies, and where it came from."""

    hidden: Tensor  # (n, steps, d)
    weights: Tensor  # (n, steps, length)


@final
class Attention(nn.Module):
    """The "general" form, and what the attended words spell if the output layer asks for it.

    The hidden vector is tanh(W [state; context]), then, times a learnt strength, the mean of the
    attended words' spellings: so a name that was never seen can still be told by its words.
    """

    def __init__(self, decoder: int, hidden: int, spelt: int, dropout: float) -> None:
        super().__init__()
        self.general = nn.Linear(decoder, decoder, bias=False)
        self.combined = nn.Linear(2 * decoder, hidden - spelt)
        self.strength = nn.Linear(decoder, 1) if spelt else None
        if self.strength is not None:
            nn.init.zeros_(self.strength.weight)
            nn.init.constant_(self.strength.bias, _STRENGTH)
        self.dropout = StepwiseDropout(dropout)

    def forward(self, states: Tensor, encoded: Encoded) -> Attended:
        states = self.dropout(states)  # (n, steps, 2e)
        scores = self.general(states) @ encoded.words.transpose(1, 2)
        weights = scores.masked_fill(~encoded.mask[:, None], -inf).softmax(-1)
        context = torch.cat([states, weights @ encoded.words], -1)
        hidden = self.dropout(torch.tanh(self.combined(context)))
        if self.strength is not None:
            strength = functional.softplus(self.strength(states))
            hidden = torch.cat([hidden, weights @ encoded.spelling * strength], -1)
        return Attended(hidden, weights)


_STRENGTH = 8.0  # at the start: a name whose words are all attended to is e⁸ times more likely
