"""The network as `grammax.search` sees it: `QueryDecoder` for one query, `ManyDecoder` for many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, final

import torch
from torch import Tensor

from grammax.model.encoder import Encoded
from grammax.model.network import Network
from grammax.model.reader import Query


class DecoderState(NamedTuple):
    """What was read so far, of one query or of several."""

    encoded: Encoded
    output: Tensor  # (n, 1, 2e): the decoder's last state
    carried: tuple[Tensor, Tensor]  # (1, n, 2e) each


@final
class QueryDecoder:
    """`Decoder` for one query at a time; the network is asked in evaluation mode."""

    def __init__(self, network: Network) -> None:
        self._many = ManyDecoder(network)
        self._device = network.device

    def start(self, query: Query) -> DecoderState:
        """The state before the first token."""
        return self._many.start([query])

    def step(self, state: DecoderState, token: int) -> DecoderState:
        """The state after one token more."""
        tokens = torch.tensor([[token]], device=self._device)
        return self._many.read(state.encoded, tokens, state.carried)

    @torch.inference_mode()
    def hidden(self, state: DecoderState) -> Tensor:
        """What the head multiplies, (d)."""
        return self._many.network.attend(state.output, state.encoded).hidden[0, 0]


@final
class ManyDecoder:
    """`BatchDecoder`: queries, or beams, side by side."""

    def __init__(self, network: Network) -> None:
        self.network = network.eval()

    @torch.inference_mode()
    def start(self, queries: Sequence[Query]) -> DecoderState:
        """The states before the first tokens."""
        network = self.network
        encoded = network.encode(network.batch(queries))
        first = torch.full((len(queries), 1), network.beginning, device=network.device)
        return self.read(encoded, first, network.start(encoded))

    @torch.inference_mode()
    def step(
        self, states: DecoderState, members: Sequence[int], tokens: Sequence[int]
    ) -> DecoderState:
        """A new batch: what `members` become by their tokens."""
        device = self.network.device
        rows = torch.tensor(members, device=device)
        given = torch.tensor(tokens, device=device)[:, None]
        h, c = (part.index_select(1, rows) for part in states.carried)
        encoded = states.encoded if _all(members, states) else states.encoded.rows(rows)
        return self.read(encoded, given, (h, c))

    @torch.inference_mode()
    def hidden(self, states: DecoderState, members: Sequence[int]) -> Tensor:
        """What the head multiplies for some of the members, (n, d)."""
        if _all(members, states):
            return self.network.attend(states.output, states.encoded).hidden[:, 0]
        rows = torch.tensor(members, device=self.network.device)
        output = states.output.index_select(0, rows)
        return self.network.attend(output, states.encoded.rows(rows)).hidden[:, 0]

    @torch.inference_mode()
    def read(
        self, encoded: Encoded, tokens: Tensor, carried: tuple[Tensor, Tensor]
    ) -> DecoderState:
        """Read one token of each member, (n, 1)."""
        output, after = self.network.read(tokens, carried)
        return DecoderState(encoded, output, after)


def _all(members: Sequence[int], states: DecoderState) -> bool:
    """Whether the members are the whole batch in its order, so that nothing has to be copied."""
    return len(members) == states.output.shape[0] and list(members) == list(range(len(members)))
