"""`output_layer`: the weight and bias of a model's output layer, or why rows cannot be read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from grammax.subwords.protocol import Constraint
from grammax.transformers.errors import UnsupportedModel


class OutputLayer(NamedTuple):
    """The output layer of a model: a module, its weight (V, d) and its bias (V)."""

    module: nn.Module
    weight: Tensor
    bias: Tensor | None


def output_layer(model: Any) -> OutputLayer:
    """The output layer of a model; `UnsupportedModel` if its rows cannot be read one by one."""
    find = getattr(model, "get_output_embeddings", None)
    module = None if find is None else find()
    name = type(model).__name__
    if module is None:
        raise UnsupportedModel(
            f"{name} has no output layer that can be exchanged: get_output_embeddings() gives "
            f"none. Give a model with a head, such as AutoModelForCausalLM makes."
        )
    reason = _reason(module)
    if reason is not None:
        raise UnsupportedModel(f"the output layer of {name} is {reason}")
    return OutputLayer(module, module.weight, module.bias)


def check_size(layer: OutputLayer, constraints: Iterable[Constraint[Any]]) -> None:
    """Raise `UnsupportedModel` if a constraint has ids that the output layer has no row for."""
    rows = layer.weight.shape[0]
    for constraint in constraints:
        if constraint.size > rows:
            raise UnsupportedModel(
                f"the constraint has {constraint.size:,} ids, and the output layer {rows:,} rows. "
                f"Make the constraint with the tokenizer of this model."
            )


def _reason(module: nn.Module) -> str | None:
    """Why the rows of an output layer cannot be read, or None."""
    kind = type(module).__name__
    if not isinstance(module, nn.Linear) or type(module).forward is not nn.Linear.forward:
        return (
            f"a {kind}, which computes something else than a torch.nn.Linear. If it is quantised, "
            f"leave the head out of the quantisation (for bitsandbytes "
            f'llm_int8_skip_modules=["lm_head"]) or call model.dequantize(); if it is an adapter, '
            f"merge it (merge_and_unload)."
        )
    if "forward" in module.__dict__ or module._forward_hooks or module._forward_pre_hooks:
        return (
            f"a {kind} with hooks, as accelerate adds them to move weights about. Load the model "
            f"with its head on one device."
        )
    weight = module.weight
    if type(weight) not in (Tensor, nn.Parameter) or not weight.is_floating_point():
        return (
            f"a {kind} with weights of type {type(weight).__name__} and {weight.dtype}. Only "
            f"plain floating point weights are read by rows: leave the head out of the "
            f"quantisation, or call model.dequantize()."
        )
    if weight.is_meta or weight.layout != torch.strided:
        return f"a {kind} whose weights are not in memory. Load them first."
    return None
