"""The network as `grammax.search` sees it for many queries, or beams, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from operator import eq
from typing import NamedTuple, final

import numpy as np
import torch
from torch import Tensor

from grammax.model.encoder import Encoded
from grammax.model.network import Network
from grammax.reading.name_index import Match, said_after
from grammax.reading.reader import Query
from grammax.search.protocol import Run


class DecoderState(NamedTuple):
    """What was read so far, of one query or of several."""

    queries: tuple[Query, ...]
    said: tuple[frozenset[Match], ...]  # of each query the names whose token has come
    encoded: Encoded
    output: Tensor  # (n, 1, 2e): the decoder's last state
    carried: tuple[Tensor, Tensor]  # (1, n, 2e) each


@final
class ManyDecoder:
    """`BatchDecoder`: queries, or beams, side by side; the network is set to evaluation."""

    def __init__(self, network: Network) -> None:
        self.network = network.eval()

    @torch.inference_mode()
    def start(self, queries: Sequence[Query]) -> DecoderState:
        """The states before the first tokens."""
        network = self.network
        encoded = network.encode(network.batch(queries))
        first = torch.full((len(queries), 1, 1), network.beginning, device=network.device)
        output, carried = network.read(first, network.start(encoded))
        nothing = (frozenset[Match](),) * len(queries)
        return DecoderState(tuple(queries), nothing, encoded, output, carried)

    @torch.inference_mode()
    def step(
        self, states: DecoderState, members: Sequence[int], runs: Sequence[Run]
    ) -> DecoderState:
        """A new batch: what `members` become by their runs."""
        kept = self._kept(states, members)
        given = torch.from_numpy(self.network.runs(runs)).to(self.network.device)[:, None]
        output, carried = self.network.read(given, kept.carried)
        names = (query.names for query in kept.queries)
        said = map(said_after, names, runs, kept.said)
        return kept._replace(said=tuple(said), output=output, carried=carried)

    @torch.inference_mode()
    def hidden(self, states: DecoderState, members: Sequence[int]) -> Tensor:
        """What the head multiplies for some of the members, (n, d)."""
        kept = self._kept(states, members)
        said = np.zeros((len(members), 1, kept.encoded.mask.shape[1]), np.float32)
        for row, matches in enumerate(kept.said):
            for match in matches:
                said[row, 0, match.start : match.stop] = 1
        words = torch.from_numpy(said).to(self.network.device)
        return self.network.attend(kept.output, kept.encoded, words).hidden[:, 0]

    def _kept(self, states: DecoderState, members: Sequence[int]) -> DecoderState:
        """Some members of a batch; all of them in their order are the batch itself, no copy."""
        if len(members) == len(states.queries) and all(map(eq, members, count())):
            return states
        rows = torch.tensor(members, device=self.network.device)
        return DecoderState(
            tuple(states.queries[member] for member in members),
            tuple(states.said[member] for member in members),
            states.encoded.rows(rows),
            states.output.index_select(0, rows),
            (states.carried[0].index_select(1, rows), states.carried[1].index_select(1, rows)),
        )
