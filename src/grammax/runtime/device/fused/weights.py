"""`FusedWeights`: the weights of a network, laid side by side for as few products as possible."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from grammax.runtime.device.network import DeviceNetwork


class FusedWeights(NamedTuple):
    """Dimensions: w of a word, e of an encoder's side, d = 2 e of the decoder, t of its input."""

    words: Tensor  # (w, 2 * 4e): words to the gates of both sides
    sides: Tensor  # (2, e, 4e): outputs to the gates of each
    side_bias: Tensor  # (2, 4e)
    encoded: Tensor  # (d, d + learnt): the encoder's outputs to keys and contributions
    gates: Tensor  # (t + d, 4d): input and output to the gates of the decoder
    gate_bias: Tensor  # (4d)
    linear: Tensor  # (d, learnt + 2)
    linear_bias: Tensor  # (learnt + 2)

    @classmethod
    def of(cls, net: DeviceNetwork) -> FusedWeights:
        """Those of a network on a device."""
        inputs, states, bias = zip(*(net.side(number) for number in range(2)), strict=True)
        return cls(
            torch.cat(inputs).T.contiguous(),
            torch.stack([each.T for each in states]).contiguous(),
            torch.stack(bias),
            torch.cat([net.attention, net.context], 1),
            torch.cat([net.inputs, net.states], 1).T.contiguous(),
            net.gate_bias,
            net.linear,
            net.linear_bias,
        )
