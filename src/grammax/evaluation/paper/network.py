"""The network that all rows of the table share.

It is trained under the exact grammar, and in the last epochs over all rows, because NSP has no
grammar and needs scores of all rows. The package includes the network of its own domains; for
other domains it is trained once and cached.
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
from grammax.training.trainer import EpochProgress, Trainer

_FULL: Final = 0.12  # share of the epochs that are over all rows


def cached_path(domain: Domain, folder: Path | None = None) -> Path:
    """The path of a domain's trained network: in its folder, or in the cache."""
    if folder is None:
        return cache_folder() / f"bench-{domain.name}-{domain.version}.safetensors"
    return folder / f"bench-{domain.version}.safetensors"


def stored_path(
    domain: Domain, folder: Path | None = None, shipped: Path | None = None
) -> Path | None:
    """The network of a domain: one that was trained here, else one of the package that fits."""
    cached = cached_path(domain, folder)
    if cached.exists():
        return cached
    if shipped is not None and shipped.exists():
        header = read_header(shipped)
        if (header.domain, header.version) == (domain.name, domain.version):
            return shipped
    return None


def table_config(domain: Domain) -> TrainingConfig:
    """The training of a network for the table: the domain's settings except for the last epochs."""
    usual = from_json(TrainingConfig, domain.training)
    full_epochs = max(1, round(_FULL * usual.epochs))
    return replace(usual, softmax="grammar", grammar=domain.exact, full_epochs=full_epochs)


def new_trainer(domain: Domain, device: str = "cpu") -> Trainer:
    """A new training of a network for the table."""
    return Trainer(domain, ModelConfig(decisions_only=False), table_config(domain), device)


def train(
    trainer: Trainer,
    path: Path,
    progress: EpochProgress = lambda *_: None,
    finished: Callable[[Epoch], None] = lambda _: None,
) -> None:
    """Run all epochs, then write the file; `finished` is called after each epoch."""
    epochs = []
    while trainer.epochs_done < trainer.config.epochs:
        epochs.append(trainer.run(progress))
        finished(epochs[-1])
    save_checkpoint(path, trainer, epochs, final=True)


def stored_network(path: Path, domain: Domain) -> Network:
    """The network of a file; if it cannot be read, the error says how to train it again."""
    try:
        return load_network(path, domain)
    except FileFormatError as error:
        raise FileFormatError(f"{error} `grammax bench --train` trains it again.") from error


def saw_all_rows(path: Path) -> bool:
    """Whether the last epoch of a training was over all rows, as NSP needs."""
    header = read_header(path)
    return header.training.sees_all_rows(len(header.epochs) - 1)
