"""Save and resume trainings: a checkpoint to continue from, and the finished model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Final

from torch import Tensor, from_numpy

from grammax.errors import FileFormatError
from grammax.language.domain import Domain, Pair
from grammax.model.checkpoint import Tensors, load_tensors, read_network, save_network
from grammax.model.header import OPTIMIZER, Epoch, Header
from grammax.model.precision import rounded_weights
from grammax.training.learner import Learner
from grammax.training.trainer import Trainer

CHECKPOINT: Final = "checkpoint.safetensors"  # in the folder of a training


def save_checkpoint(
    path: Path, trainer: Trainer, epochs: Sequence[Epoch], *, final: bool = False
) -> None:
    """Write the state of a training; with `final` only its model, which cannot be continued."""
    header = model_header(trainer, epochs)
    if final:
        save_network(path, header, model_tensors(trainer))
        return
    network = trainer.network
    tensors = dict(network.state_dict())
    names: dict[Tensor, str] = {p: name for name, p in network.named_parameters()}
    for parameter, state in trainer.optimizer.state.items():
        for key, value in state.items():
            tensors[f"{OPTIMIZER}{key}.{names[parameter]}"] = value
    save_network(path, header, tensors)


def model_header(trainer: Trainer, epochs: Sequence[Epoch]) -> Header:
    """The header of a network after some epochs, not calibrated."""
    network, domain = trainer.network, trainer.domain
    name, version = domain.trained_as
    return Header(
        domain=name,
        version=version,
        model=network.config,
        training=trainer.config,
        words=network.reader.words.known,
        seen=tuple(domain.vocabulary.tokens[token] for token in network.seen),
        epochs=tuple(epochs),
        grammar=domain.grammar_version or "",
    )


def model_tensors(learner: Learner) -> Tensors:
    """The weights of the finished model, rounded: see `grammax.model.precision`.

    The matrices that decoding multiplies have eight bits, the others half precision. That halves
    the file; the choices nearly always stay the same (`tests/model` compares them).
    """
    state = learner.network.state_dict()
    arrays = {name: tensor.detach().cpu().float().numpy() for name, tensor in state.items()}
    return {name: from_numpy(array).half() for name, array in rounded_weights(arrays).items()}


def resume_training(
    path: Path,
    domain: Domain,
    device: str = "cpu",
    more: Sequence[Pair] = (),
    agreed: Callable[[Header], Sequence[Pair]] = lambda _: (),
    without: Collection[Pair] | None = None,
) -> tuple[Trainer, list[Epoch]]:
    """The training of a checkpoint, and its epochs so far; for the rest see `Trainer`."""
    header, tensors = read_network(path, domain)
    model, config, pairs = header.model, header.training, agreed(header)
    trainer = Trainer(domain, model, config, device, more, without, agreed=pairs)
    network = trainer.network
    seen = tuple(domain.vocabulary.tokens[token] for token in network.seen)
    if (header.words, header.seen) != (network.reader.words.known, seen):
        raise FileFormatError(
            f"{path} was trained on other pairs than {domain.name} has now. Continue with the "
            f"pairs that it was trained on, or start a new training."
        )
    load_tensors(network, tensors, path)
    names = dict(network.named_parameters())
    for name, tensor in tensors.items():
        if name.startswith(OPTIMIZER):
            key, _, parameter = name.removeprefix(OPTIMIZER).partition(".")
            weight = names.get(parameter)
            if weight is None or (tensor.dim() and tensor.shape != weight.shape):
                raise FileFormatError(f"{path}: {name} does not fit the network's weights")
            trainer.optimizer.state[weight][key] = tensor.to(device)
    if not trainer.optimizer.state:
        raise FileFormatError(f"{path} is a finished model: its training cannot be continued.")
    trainer.epochs_done = len(header.epochs)
    return trainer, list(header.epochs)
