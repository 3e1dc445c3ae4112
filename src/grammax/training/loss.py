"""The loss of a batch: its queries encoded, its logical forms read, its choices scored."""

from __future__ import annotations

import torch
from torch import Tensor

from grammax.model.encoder import Masks
from grammax.model.network import Network, QueryBatch
from grammax.training.batch import Batch


def batch_loss(network: Network, batch: Batch[Tensor], masks: Masks | None) -> Tensor:
    """The sum over the pairs of a batch of the losses of their tokens."""
    return network.rows.losses(batch_hidden(network, batch, masks), batch.choices).sum()


def batch_hidden(network: Network, batch: Batch[Tensor], masks: Masks | None) -> Tensor:
    """The hidden vectors of a batch at its choices, those of a pair after each other."""
    spelling = batch.spelling
    features = torch.cat([spelling, batch.flags.to(spelling.dtype)], -1)
    encoded = network.encode(QueryBatch(batch.words, features, batch.lengths), masks)
    states = network.read_whole(batch.tokens, batch.starts, encoded, masks)
    # As in decoding, no attention and no rows are computed where the token is forced.
    if not network.config.decisions_only:
        states = states.gather(1, batch.steps[..., None].expand(-1, -1, states.shape[-1]))
    covered = batch.covered.to(spelling.dtype)
    hidden = network.attend(states, encoded, covered, masks).hidden
    return hidden.flatten(0, 1).index_select(0, batch.real)
