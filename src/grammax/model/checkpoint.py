"""Save and load networks: safetensors files with a JSON header, no pickle.

Files are written atomically. Tensors are named as in the network; those of an optimizer, which are
needed only to continue a training, begin with "optimizer.". `header` describes the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor

from grammax.errors import FileFormatError
from grammax.files import write_atomic
from grammax.language.domain import Domain
from grammax.model.header import OPTIMIZER, Header, current_name, in_row_order, read_file
from grammax.model.network import Network

Tensors = Mapping[str, Tensor]


def save_network(path: Path, header: Header, tensors: Tensors) -> None:
    """Write a network to a file, atomically."""
    packed = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_atomic(path, save(packed, header.metadata()))


def load_network(path: Path, domain: Domain, device: str = "cpu") -> Network:
    """A trained network, ready to decode; `OtherVersion` if it was trained for another domain."""
    header, tensors = read_network(path, domain)
    header.require_seen(domain, path)
    tensors, seen = in_row_order(tensors, header.seen, domain.vocabulary)
    network = Network(header.model, domain.vocabulary, header.reader(domain), seen)
    load_tensors(network, tensors, path)
    return network.to(device).eval()


def read_network(path: Path, domain: Domain) -> tuple[Header, dict[str, Tensor]]:
    """The header and the tensors of a file; `OtherVersion` if it is of another domain."""
    header, tensors = read_file(path, "pt", stored_tensors)
    header.require(domain, path)
    return header, tensors


def load_tensors(network: Network, tensors: Tensors, path: Path) -> None:
    """Put the weights of a file into a network that its header describes."""
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
        raise FileFormatError(f"{path}: the weights {broken[0]} are not all finite numbers.")


def stored_tensors(file: Any) -> dict[str, Tensor]:
    """All tensors of an open file, by their current names."""
    return {current_name(name): file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
