"""Networks in files: safetensors, with all else as JSON in its header. Never a pickle.

A file is written beside its place and then renamed, so a killed process or a full disk leaves
either the old file or the new one.

| key of the JSON | holds |
|---|---|
| `format` | `FORMAT`, raised when an older release could not read it |
| `domain`, `version` | the domain's name, and its version when the network was trained |
| `model`, `training` | the configurations |
| `words`, `seen` | the words and the tokens that were learnt |
| `epochs` | what each epoch did |

Tensors are named as in the network; those of the optimizer, which only a training that goes on
needs, begin with "optimizer.".
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, final

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from grammax.domain import Domain
from grammax.errors import FileFormatError, GrammaxError, UnknownToken
from grammax.model.config import ConfigError, ModelConfig, TrainingConfig, from_json, to_json
from grammax.model.names import Names
from grammax.model.network import Network
from grammax.model.reader import Reader
from grammax.model.spelling import Spelling
from grammax.model.training import Epoch, Trainer
from grammax.model.words import Words

FORMAT: Final = 1
_KEY: Final = "grammax"
_OPTIMIZER: Final = "optimizer."


class OtherVersion(GrammaxError):
    """A network that was trained for another domain, or another version of it."""


@final
@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a file holds."""

    domain: str
    version: str
    model: ModelConfig
    training: TrainingConfig
    words: tuple[str, ...]
    seen: tuple[str, ...]
    epochs: tuple[Epoch, ...]
    tensors: Mapping[str, Tensor]


def save_checkpoint(
    path: Path, trainer: Trainer, epochs: Sequence[Epoch], *, final: bool = False
) -> None:
    """Write a training as it stands; a `final` one is half as exact, and cannot go on.

    Half precision halves the file; the choices stay the same (`tests/model` compares them).
    """
    network = trainer.network
    tensors = dict(network.state_dict())
    if final:
        tensors = {name: tensor.half() for name, tensor in tensors.items()}
    else:
        names: dict[Tensor, str] = {p: name for name, p in network.named_parameters()}
        for parameter, state in trainer.optimizer.state.items():
            for key, value in state.items():
                tensors[f"{_OPTIMIZER}{key}.{names[parameter]}"] = value
    domain = trainer.domain
    header = {
        "format": FORMAT,
        "domain": domain.name,
        "version": domain.version,
        "model": to_json(network.config),
        "training": to_json(trainer.config),
        "words": network.reader.words.known,
        "seen": [domain.vocabulary.tokens[token] for token in network.seen],
        "epochs": [asdict(epoch) for epoch in epochs],
    }
    packed = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_whole(path, save(packed, {_KEY: json.dumps(header, ensure_ascii=False)}))


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        kept = " The one that was there is kept." if path.exists() else ""
        raise OSError(
            error.errno, f"{error.strerror}; the checkpoint could not be written.{kept}", str(path)
        ) from error
    finally:
        with suppress(OSError):
            beside.unlink()


def read_checkpoint(path: Path, device: str = "cpu") -> Checkpoint:
    """What a file holds; `FileFormatError` tells a truncated, foreign or newer one."""
    if not path.is_file():
        raise FileNotFoundError(2, "there is no such checkpoint", str(path))
    try:
        with safe_open(path, "pt", device=device) as file:
            header = _header(path, file.metadata())
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, ValueError, RecursionError) as error:
        raise FileFormatError(
            f"{path} is no checkpoint of grammax: {error}. It may be cut off, or of another "
            f"program. Train again, or copy it again from where it came."
        ) from error
    try:
        return Checkpoint(
            domain=str(header["domain"]),
            version=str(header["version"]),
            model=from_json(ModelConfig, header["model"]),
            training=from_json(TrainingConfig, header["training"]),
            words=tuple(map(str, header["words"])),
            seen=tuple(map(str, header["seen"])),
            epochs=tuple(Epoch(**epoch) for epoch in header["epochs"]),
            tensors=tensors,
        )
    except (KeyError, TypeError, AttributeError, ConfigError) as error:
        raise FileFormatError(f"{path}: the checkpoint's header is damaged ({error})") from error


def load_network(path: Path, domain: Domain, device: str = "cpu") -> Network:
    """A trained network, ready to decode; `OtherVersion` if it was trained for another domain."""
    checkpoint = read_checkpoint(path, device)
    _require(checkpoint, domain, path)
    model = checkpoint.model
    names = None
    if model.spelt:
        names = Names(domain.vocabulary, domain.wordings, Spelling(model.spelling))
    reader = Reader(Words(checkpoint.words), names, model.longest_query)
    try:
        seen = domain.vocabulary.ids(checkpoint.seen)
    except UnknownToken as error:
        raise FileFormatError(f"{path}: the checkpoint's header is damaged ({error})") from error
    network = Network(model, domain.vocabulary, reader, seen)
    _load(network, checkpoint, path)
    return network.to(device).eval()


def resume(path: Path, domain: Domain, device: str = "cpu") -> tuple[Trainer, list[Epoch]]:
    """A training as it stood when the file was written."""
    checkpoint = read_checkpoint(path, device)
    _require(checkpoint, domain, path)
    trainer = Trainer(domain, checkpoint.model, checkpoint.training, device)
    network = trainer.network
    seen = tuple(domain.vocabulary.tokens[token] for token in network.seen)
    if (checkpoint.words, checkpoint.seen) != (network.reader.words.known, seen):
        raise FileFormatError(
            f"{path} was trained on other pairs than {domain.name} has now. Go on with those, or "
            f"train anew."
        )
    _load(network, checkpoint, path)
    names = dict(network.named_parameters())
    for name, tensor in checkpoint.tensors.items():
        if name.startswith(_OPTIMIZER):
            key, _, parameter = name.removeprefix(_OPTIMIZER).partition(".")
            weight = names.get(parameter)
            if weight is None or (tensor.dim() and tensor.shape != weight.shape):
                raise FileFormatError(f"{path}: {name} does not fit the network's weights")
            trainer.optimizer.state[weight][key] = tensor
    if not trainer.optimizer.state:
        raise FileFormatError(f"{path} is a finished model, and cannot be trained on from there.")
    trainer.epochs_done = len(checkpoint.epochs)
    return trainer, list(checkpoint.epochs)


def _header(path: Path, metadata: Mapping[str, str] | None) -> dict[str, Any]:
    if not metadata or _KEY not in metadata:
        raise FileFormatError(
            f"{path} is a safetensors file, but not of grammax: its header has no {_KEY!r}."
        )
    header = json.loads(metadata[_KEY])
    found = header.get("format") if isinstance(header, dict) else None
    if found != FORMAT:
        raise FileFormatError(
            f"{path} has the format {found}, and this release of grammax reads {FORMAT}. "
            f"Install the release that wrote it, or train again."
        )
    return dict(header)


def _require(checkpoint: Checkpoint, domain: Domain, path: Path) -> None:
    if checkpoint.domain != domain.name:
        raise OtherVersion(
            f"{path} was trained for the domain {checkpoint.domain!r}, not {domain.name!r}."
        )
    if checkpoint.version != domain.version:
        raise OtherVersion(
            f"{path} was trained for version {checkpoint.version} of {domain.name}'s vocabulary, "
            f"and this is version {domain.version}: its rows mean other tokens. Train again, or "
            f"use the vocabulary that it was trained with."
        )


def _load(network: Network, checkpoint: Checkpoint, path: Path) -> None:
    weights = {
        name: tensor.float()
        for name, tensor in checkpoint.tensors.items()
        if not name.startswith(_OPTIMIZER)
    }
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        lines = str(error).splitlines()
        raise FileFormatError(f"{path} does not fit its own header: {lines[-1].strip()}") from error
    broken = [name for name, tensor in weights.items() if not torch.isfinite(tensor).all()]
    if broken:
        raise FileFormatError(f"{path}: the weights {broken[0]} have numbers that are none.")
