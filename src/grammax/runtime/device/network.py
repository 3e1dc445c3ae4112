"""`DeviceNetwork`: encoder, decoder, attention and the output layer, for a batch, in PyTorch.

The weights are those of `grammax.runtime.weights`, in single precision. Products in TensorFloat-32
would change choices, so `exact` switches them off.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, final

import numpy as np
import torch
from torch import Tensor
from torch.nn import LSTM
from torch.nn.functional import softplus

from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.lstm import Array
from grammax.runtime.weights import Weights


class Encoded(NamedTuple):
    """An encoded batch of n queries, the longest of l words."""

    keys: Tensor  # (n, l, 2e): multiplied by the decoder's output they give attention scores
    values: Tensor  # (n, l, d): contribution of a word to the hidden vector, learnt and spelt
    cell: Tensor  # (n, 2e): of the decoder, which has read the beginning
    output: Tensor  # (n, 2e)


@contextmanager
def exact() -> Iterator[None]:
    """No gradients, and single precision in all products."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    libraries = torch.backends.cudnn.flags(enabled=True, allow_tf32=False, fp32_precision="ieee")
    try:
        with torch.inference_mode(), libraries:
            yield
    finally:
        torch.set_float32_matmul_precision(before)


@final
class DeviceNetwork:
    """The weights of a model on a device."""

    def __init__(self, decoder: RuntimeDecoder, device: torch.device) -> None:
        w = decoder.weights
        self.learnt, self.size = w.learnt, w.config.encoder
        gates = 4 * w.config.decoder

        def sent(array: Array) -> Tensor:
            return torch.from_numpy(np.array(array, np.float32)).to(device)

        self._sides = [_side(w, side, device) for side in range(2)]
        self.inputs = sent(_pytorch_rows(w.decoder_inputs))
        self.states = sent(_pytorch_rows(w.state[:, :gates].T))
        self.gate_bias = sent(_pytorch_rows(w.decoder_bias))
        self._no_bias = torch.zeros_like(self.gate_bias)
        self.linear, self.linear_bias = sent(w.state[:, gates:]), sent(w.state_bias)
        self.attention, self.context = sent(w.attention), sent(w.context)
        self.rows, self.bias = sent(w.rows.whole), sent(w.rows.bias)
        self.vectors = sent(_vectors(decoder))  # (V + 2, t): the last one is 0
        self.kind_of = torch.from_numpy(np.array(w.kind_of, np.int64)).to(device)
        self.nothing = len(w.kind_of)  # a token that is none: it adds nothing

    def side(self, number: int) -> tuple[Tensor, Tensor, Tensor]:
        """The weights of one direction of the encoder: of words, (4e, w), of states, and a bias."""
        inputs, states, bias, _ = self._sides[number].all_weights[0]
        return inputs, states, bias

    def encode(self, words: Tensor, spelt: Tensor, lengths: Tensor, mirror: Tensor) -> Encoded:
        """Words, (n, l, w), and hash embeddings, (n, l, s); `mirror`, (n, l), reverses queries.

        A side reads what pads a query after its end, so the padding changes nothing.
        """
        every = mirror[:, :, None]
        turned = words.gather(1, every.expand_as(words))
        left, right = (
            side(given.transpose(0, 1))[0].transpose(0, 1)
            for side, given in zip(self._sides, (words, turned), strict=True)
        )
        last = (lengths - 1)[:, None, None].expand(-1, 1, self.size)
        summary = torch.cat([left.gather(1, last), right.gather(1, last)], 2)[:, 0]
        both = torch.cat([left, right.gather(1, every.expand_as(right))], 2)
        values = torch.cat([both @ self.context, spelt], 2)
        start = self.vectors[self.nothing - 1].expand(len(words), -1)
        output, cell = self.read(start, summary, torch.zeros_like(summary))
        return Encoded(both @ self.attention, values, cell, output)

    def read(self, inputs: Tensor, output: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        """Output and cell of the decoder after a step; inputs are sums of `vectors`, (n, t)."""
        after: tuple[Tensor, Tensor] = torch.lstm_cell(
            inputs, (output, cell), self.inputs, self.states, self.gate_bias, self._no_bias
        )
        return after

    def hidden(
        self,
        output: Tensor,
        keys: Tensor,
        values: Tensor,
        contributions: Tensor,
        uncovered: Tensor,
        padding: Tensor,
    ) -> Tensor:
        """The hidden vectors, (n, d).

        `contributions`, (n, l, learnt), are those of names that begin at a word, which count while
        the word is `uncovered`, (n, l): 1, else 0. `padding` is -inf after the end of a query.
        """
        linear = torch.addmm(self.linear_bias, output, self.linear)
        scores = torch.baddbmm(padding[:, :, None], keys, output[:, :, None])[:, :, 0]
        # Covered words have a weight more; that uncovered ones have it less is the same.
        scores = torch.addcmul(scores, linear[:, self.learnt, None], uncovered, value=-1)
        summed = torch.bmm(scores.softmax(1)[:, None], values)[:, 0]
        own = linear[:, None, : self.learnt]
        first = torch.baddbmm(own, uncovered[:, None], contributions)[:, 0]
        first = torch.tanh(first + summed[:, : self.learnt])
        strength = softplus(linear[:, self.learnt + 1, None])
        return torch.cat([first, summed[:, self.learnt :] * strength], 1)


def _side(w: Weights, side: int, device: torch.device) -> LSTM:
    """One direction of the encoder."""
    size, width = w.config.encoder, w.words.shape[1]
    inputs = w.encoder_inputs.T.reshape(4, 2, size, width)[:, side].reshape(4 * size, width)
    bias = w.encoder_bias.reshape(4, 2, size)[:, side].reshape(4 * size)
    states = w.encoder_states[side].T
    arrays = {"weight_ih": inputs, "weight_hh": states, "bias_ih": bias}
    given = {name: np.ascontiguousarray(_pytorch_rows(array)) for name, array in arrays.items()}
    given["bias_hh"] = np.zeros_like(given["bias_ih"])
    with torch.inference_mode(False):  # tensors that are made for inference cannot be moved
        sent = {f"{name}_l0": torch.from_numpy(rows).to(device) for name, rows in given.items()}
        lstm = LSTM(width, size, device="meta").requires_grad_(False)
        lstm.load_state_dict(sent, assign=True)
        lstm.flatten_parameters()
    return lstm


def _pytorch_rows(rows: Array) -> Array:
    """The inverse of `half_scaled`: input, forget, cell, output, none of them scaled."""
    inputs, forgets, outputs, cells = np.split(rows, 4)
    two = np.float32(2)
    return np.concatenate([two * inputs, two * forgets, cells, two * outputs])


def _vectors(decoder: RuntimeDecoder) -> Array:
    """What the decoder reads for each token, for the beginning, and for nothing."""
    w = decoder.weights
    found = w.token_kinds[w.kind_of] + w.tokens[w.own_of]
    if w.called.shape[1]:
        found[:-1] += w.rows.spelt[: len(found) - 1] @ w.called.T
    return np.concatenate([found, np.zeros_like(found[:1])])
