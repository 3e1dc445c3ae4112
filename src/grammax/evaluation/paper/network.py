"""The network that all rows of the table share: trained once a domain, and kept.

It is trained under the tightest grammar, and in the last epochs with all rows: what NSP, with no
grammar to lean on, has to tell apart is learnt only there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from grammax.errors import FileFormatError
from grammax.files import cache_folder
from grammax.language.domain import Domain
from grammax.model.checkpoint import load_network
from grammax.model.config import ModelConfig, TrainingConfig, from_json
from grammax.model.header import Epoch, read_header
from grammax.model.network import Network
from grammax.training.checkpoint import save_checkpoint
from grammax.training.trainer import Progress, Trainer

_FULL: Final = 0.12  # of the epochs, with all rows


def kept_path(domain: Domain, folder: Path | None = None) -> Path:
    """Where the network of a domain is kept: in a folder of its own, or in the cache."""
    if folder is None:
        return cache_folder() / f"bench-{domain.name}-{domain.version}.safetensors"
    return folder / f"bench-{domain.version}.safetensors"


def new_trainer(domain: Domain, device: str = "cpu") -> Trainer:
    """The training of a network for the table: as the domain says, but for its last epochs."""
    usual = from_json(TrainingConfig, domain.training)
    config = replace(
        usual,
        softmax="grammar",
        grammar=domain.grammars[-1],
        full_epochs=max(1, round(_FULL * usual.epochs)),
    )
    return Trainer(domain, ModelConfig(decisions_only=False), config, device)


def train(
    trainer: Trainer,
    path: Path,
    progress: Progress = lambda *_: None,
    finished: Callable[[Epoch], None] = lambda _: None,
) -> None:
    """All epochs, then the file; `finished` is told of each epoch."""
    epochs = []
    while trainer.epochs_done < trainer.config.epochs:
        epochs.append(trainer.run(progress))
        finished(epochs[-1])
    save_checkpoint(path, trainer, epochs, final=True)


def kept_network(path: Path, domain: Domain) -> Network:
    """The network that was kept; of one that cannot be read it is said how to make it anew."""
    try:
        return load_network(path, domain)
    except FileFormatError as error:
        raise FileFormatError(f"{error} `grammax bench --retrain` makes it anew.") from error


def saw_all_rows(path: Path) -> bool:
    """Whether the last epoch of a training had no grammar, so that NSP has learnt what it needs."""
    header = read_header(path)
    return header.training.sees_all_rows(len(header.epochs) - 1)
