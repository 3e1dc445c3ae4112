"""`in_place_of_head`: a module in the place of a model's output layer, for a while."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn

from grammax.transformers.errors import ModelInUse
from grammax.transformers.output_layer import OutputLayer

_used: dict[int, object] = {}  # models whose heads are exchanged, by identity
_lock = threading.Lock()


class HeadPlace(nn.Module):
    """What stands in the place of an output layer; models ask it for its weight's type."""

    def __init__(self, layer: OutputLayer) -> None:
        super().__init__()
        self.__dict__["layer"] = layer  # not a part of the module, whose state would have it twice

    @property
    def weight(self) -> Tensor:
        """The weight of the layer that it stands for."""
        layer: OutputLayer = self.__dict__["layer"]
        return layer.weight

    @property
    def bias(self) -> Tensor | None:
        """The bias of the layer that it stands for."""
        layer: OutputLayer = self.__dict__["layer"]
        return layer.bias


def refuse_if_used(model: Any) -> None:
    """Raise `ModelInUse` if something is in the place of the model's head."""
    if id(model) in _used:
        raise ModelInUse(model)


@contextmanager
def in_place_of_head(model: Any, module: HeadPlace) -> Iterator[None]:
    """Put a module in the place of a model's head; it is put back at the end, come what may.

    `ModelInUse` if another one is in its place already, or if another thread is about to do it.
    """
    with _lock:
        refuse_if_used(model)
        _used[id(model)] = model
    head = module.__dict__["layer"].module
    try:
        model.set_output_embeddings(module)
        yield
    finally:
        model.set_output_embeddings(head)
        with _lock:
            del _used[id(model)]


@contextmanager
def instead_of_method(model: Any, name: str, method: Any) -> Iterator[None]:
    """Have a method of one object replaced, until the end."""
    own = model.__dict__.get(name)
    setattr(model, name, method)
    try:
        yield
    finally:
        if own is None:
            delattr(model, name)
        else:
            setattr(model, name, own)
