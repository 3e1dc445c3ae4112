"""Luong's attention: which words of the query a decoder's state is about."""

from __future__ import annotations

from math import inf
from typing import NamedTuple, final

import torch
from torch import Tensor, nn
from torch.nn import functional

from grammax.model.encoder import Encoded, StepwiseDropout


class Attended(NamedTuple):
    """What the output layer multiplies, and where it came from."""

    hidden: Tensor  # (n, steps, d)
    weights: Tensor  # (n, steps, length)


@final
class Attention(nn.Module):
    """The "general" form, and what the attended words spell if the output layer asks for it.

    The hidden vector is tanh(W [state; context; unsaid]), then, times a learnt strength, the mean
    of the attended words' spellings: so a name that was never seen can still be told by its words.

    `said` is 1 for the words of names whose token is in the logical form already, (n, steps,
    length). What is left is counted by kind, so that nothing is forgotten or said twice.
    """

    def __init__(self, decoder: int, hidden: int, spelt: int, kinds: int, dropout: float) -> None:
        super().__init__()
        self.general = nn.Linear(decoder, decoder, bias=False)
        self.combined = nn.Linear(2 * decoder + kinds, hidden - spelt)
        self.weight_of_said: nn.Linear | None = None
        self.strength: nn.Linear | None = None
        if spelt:
            self.weight_of_said = nn.Linear(decoder, 1)
            self.strength = nn.Linear(decoder, 1)
            nn.init.zeros_(self.strength.weight)
            nn.init.constant_(self.strength.bias, _STRENGTH)
        self.dropout = StepwiseDropout(dropout)

    def forward(self, states: Tensor, encoded: Encoded, said: Tensor) -> Attended:
        states = self.dropout(states)  # (n, steps, 2e)
        scores = self.general(states) @ encoded.words.transpose(1, 2)
        if self.weight_of_said is not None:
            scores = scores + self.weight_of_said(states) * said
        weights = scores.masked_fill(~encoded.mask[:, None], -inf).softmax(-1)
        unsaid = (1 - said) @ encoded.begins
        context = torch.cat([states, weights @ encoded.words, unsaid], -1)
        hidden = self.dropout(torch.tanh(self.combined(context)))
        if self.strength is not None:
            strength = functional.softplus(self.strength(states))
            hidden = torch.cat([hidden, weights @ encoded.spelling * strength], -1)
        return Attended(hidden, weights)


_STRENGTH = 8.0  # at the start: a name whose words are all attended to is e⁸ times more likely
