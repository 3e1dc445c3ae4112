"""Networks in files: safetensors, with all else as JSON in its header. Never a pickle.

A file is written beside its place and then renamed, so a killed process or a full disk leaves
either the old file or the new one. Tensors are named as in the network; those of the optimizer,
which only a training that goes on needs, begin with "optimizer.". `header` tells the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor

from grammax.errors import FileFormatError
from grammax.files import write_atomic
from grammax.language.domain import Domain, Pair
from grammax.model.header import OPTIMIZER, Epoch, Header, read_file
from grammax.model.network import Network
from grammax.training.trainer import Trainer


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
                tensors[f"{OPTIMIZER}{key}.{names[parameter]}"] = value
    domain = trainer.domain
    header = Header(
        domain=domain.name,
        version=domain.version,
        model=network.config,
        training=trainer.config,
        words=network.reader.words.known,
        seen=tuple(domain.vocabulary.tokens[token] for token in network.seen),
        epochs=tuple(epochs),
    )
    packed = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_atomic(path, save(packed, header.metadata()))


def load_network(path: Path, domain: Domain, device: str = "cpu") -> Network:
    """A trained network, ready to decode; `OtherVersion` if it was trained for another domain."""
    header, tensors = read_file(path, "pt", _tensors)
    header.require(domain, path)
    seen = header.seen_ids(domain, path)
    network = Network(header.model, domain.vocabulary, header.reader(domain), seen)
    _load(network, tensors, path)
    return network.to(device).eval()


def resume(
    path: Path, domain: Domain, device: str = "cpu", more: Sequence[Pair] = ()
) -> tuple[Trainer, list[Epoch]]:
    """A training as it stood when the file was written."""
    header, tensors = read_file(path, "pt", _tensors)
    header.require(domain, path)
    trainer = Trainer(domain, header.model, header.training, device, more)
    network = trainer.network
    seen = tuple(domain.vocabulary.tokens[token] for token in network.seen)
    if (header.words, header.seen) != (network.reader.words.known, seen):
        raise FileFormatError(
            f"{path} was trained on other pairs than {domain.name} has now. Go on with those, or "
            f"train anew."
        )
    _load(network, tensors, path)
    names = dict(network.named_parameters())
    for name, tensor in tensors.items():
        if name.startswith(OPTIMIZER):
            key, _, parameter = name.removeprefix(OPTIMIZER).partition(".")
            weight = names.get(parameter)
            if weight is None or (tensor.dim() and tensor.shape != weight.shape):
                raise FileFormatError(f"{path}: {name} does not fit the network's weights")
            # How many steps were taken stays on the processor, as RMSprop has it.
            trainer.optimizer.state[weight][key] = tensor.to(device) if tensor.dim() else tensor
    if not trainer.optimizer.state:
        raise FileFormatError(f"{path} is a finished model, and cannot be trained on from there.")
    trainer.epochs_done = len(header.epochs)
    return trainer, list(header.epochs)


def _tensors(file: Any) -> dict[str, Tensor]:
    return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def _load(network: Network, tensors: Mapping[str, Tensor], path: Path) -> None:
    weights = {
        name: tensor.float() for name, tensor in tensors.items() if not name.startswith(OPTIMIZER)
    }
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        lines = str(error).splitlines()
        raise FileFormatError(f"{path} does not fit its own header: {lines[-1].strip()}") from error
    broken = [name for name, tensor in weights.items() if not torch.isfinite(tensor).all()]
    if broken:
        raise FileFormatError(f"{path}: the weights {broken[0]} have numbers that are none.")
