"""Networks of the tiny domain, small enough to be trained in a test; needs PyTorch."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import torch
from model.tiny import TINY, TinyDomain
from torch import Tensor

from grammax.model.config import ModelConfig, TrainingConfig
from grammax.model.network import Network
from grammax.training.trainer import Trainer

torch.set_num_threads(1)

SMALL = ModelConfig(words=12, encoder=12, tokens=12, hidden=48, spelling=32, budget=40)
SHORT = TrainingConfig(epochs=3, batch=16, learning_rate=0.01, dropout=0.1, held_out=0.1)
# Nothing is left to chance.
QUIET = replace(SHORT, dropout=0.0, p_unknown=0.0, p_swap=0.0, p_recombine=0.0, p_renumber=0.0)


def a_trainer(
    domain: TinyDomain = TINY, model: ModelConfig = SMALL, config: TrainingConfig = SHORT
) -> Trainer:
    """A training that has not begun."""
    return Trainer(domain, model, config)


def few(count: int, domain: TinyDomain = TINY) -> TinyDomain:
    """The domain with its first pairs only, for epochs of a blink."""
    return replace(domain, train=domain.train[:count])


def an_untrained(
    domain: TinyDomain = TINY, model: ModelConfig = SMALL, config: TrainingConfig = SHORT
) -> Network:
    """A network with its first weights, ready to decode."""
    return a_trainer(domain, model, config).network.eval()


@cache
def trained() -> Trainer:
    """One that has learnt the tiny domain; not to be trained any further."""
    trainer = a_trainer(config=replace(SHORT, epochs=30))
    for _ in range(30):
        trainer.run()
    return trainer


def weights(network: Network) -> dict[str, Tensor]:
    """Copies of all weights by name."""
    return {name: tensor.clone() for name, tensor in network.state_dict().items()}


def same_weights(one: Network, other: Network) -> bool:
    """Whether all weights are the same bit for bit."""
    mine, theirs = one.state_dict(), other.state_dict()
    return mine.keys() == theirs.keys() and all(torch.equal(mine[k], theirs[k]) for k in mine)
