"""`Batch`: examples side by side, padded, as arrays that a network computes with.

In: `Example`s. Out: all that the loss needs, prepared once, without PyTorch, so that worker
processes can do it; and the same as tensors on a device, copied in one piece per type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from grammax.model.choices import Choices, arrays, choices, with_tensors
from grammax.reading.coverage import coverage_before
from grammax.reading.words import PADDING, UNKNOWN
from grammax.training.examples import Example

if TYPE_CHECKING:
    import torch
    from torch import Tensor

A = TypeVar("A")  # arrays, or tensors
Array = NDArray[Any]


class Batch(NamedTuple, Generic[A]):
    """n examples of at most `length` words, `steps` runs and k choices; m choices in all."""

    pairs: int  # n
    words: A  # (n, length)
    lengths: A  # (n)
    spelling: A  # (n, length, s): the hash embeddings among the features of words
    flags: A  # (n, length, f - s): the other features, 0 or 1
    tokens: A  # (t): the tokens of all runs, end to end
    starts: A  # (n, steps): where each run begins
    steps: A  # (n, k): the steps at which there is a choice, padded with 0
    real: A  # (m): the places in (n, k) that are not padding
    covered: A  # (n, k, length): the words of covered names, 0 or 1
    choices: Choices[A]


def collated(
    examples: Sequence[Example],
    spelt: int,
    beginning: int,
    p_unknown: float,
    random: np.random.Generator,
) -> Batch[Array]:
    """Examples as one batch; words become unknown to the encoder with a probability.

    `spelt` is the number of features that are hash embeddings, `beginning` the id that the decoder
    reads before the first token, and as a row that of the end.
    """
    lengths = np.array([len(example.query.ids) for example in examples])
    inside = np.arange(lengths.max()) < lengths[:, None]
    words: Array = np.full(inside.shape, PADDING, np.int64)
    words[inside] = np.concatenate([example.query.ids for example in examples])
    if p_unknown:
        hidden = random.random(words.shape) < p_unknown
        words[hidden & (words > UNKNOWN)] = UNKNOWN
    features = np.concatenate([example.query.features for example in examples])
    spelling = np.zeros((*words.shape, spelt), np.float32)
    spelling[inside] = features[:, :spelt]
    flags = np.zeros((*words.shape, features.shape[1] - spelt), np.uint8)
    flags[inside] = features[:, spelt:]
    tokens, starts = _runs(examples, beginning)
    chosen = [[s for s, o in enumerate(e.options) if o is not None] for e in examples]
    counts = np.array([len(steps) for steps in chosen])
    here = np.arange(counts.max()) < counts[:, None]
    steps: Array = np.zeros(here.shape, np.int64)
    steps[here] = [step for each in chosen for step in each]
    options = [choice for example in examples for choice in example.options if choice is not None]
    targets = [e.targets[step] for e, each in zip(examples, chosen, strict=True) for step in each]
    return Batch(
        len(examples),
        words,
        lengths,
        spelling,
        flags,
        tokens,
        starts,
        steps,
        np.flatnonzero(here),
        _coverage(examples, steps, words.shape[1]),
        choices(options, targets, beginning),
    )


def on_device(batch: Batch[Array], device: torch.device) -> Batch[Tensor]:
    """A batch as tensors, which on a CPU share its memory; copies do not wait for the device."""
    import torch

    if device.type == "cpu":
        found: Batch[Tensor] = with_tensors(batch, map(torch.from_numpy, arrays(batch)))
        return found
    every = list(arrays(batch))
    by_type: dict[np.dtype[Any], list[int]] = {}
    for place, array in enumerate(every):
        by_type.setdefault(array.dtype, []).append(place)
    tensors: list[Tensor] = [torch.empty(0)] * len(every)
    for places in by_type.values():
        flat = np.concatenate([every[place].ravel() for place in places])
        copied = torch.from_numpy(flat).pin_memory().to(device, non_blocking=True)
        parts = torch.split(copied, [every[place].size for place in places])
        for place, part in zip(places, parts, strict=True):
            tensors[place] = part.view(every[place].shape)
    moved: Batch[Tensor] = with_tensors(batch, iter(tensors))
    return moved


def _runs(examples: Sequence[Example], beginning: int) -> tuple[Array, Array]:
    """The runs that decoders read, end to end, and where they begin; padding has empty runs."""
    longest = max(len(example.runs) for example in examples)
    tokens: list[int] = []
    starts = []
    for example in examples:
        starts.append(len(tokens))
        tokens.append(beginning)  # the first run has nothing else
        for run in example.runs[1:]:
            starts.append(len(tokens))
            tokens += run
        starts += [len(tokens)] * (longest - len(example.runs))
    return np.array(tokens, np.int64), np.array(starts, np.int64).reshape(-1, longest)


def _coverage(examples: Sequence[Example], steps: Array, length: int) -> NDArray[np.uint8]:
    """The coverage masks at some steps, (n, k) → (n, k, length)."""
    masks = np.zeros((*steps.shape, length), np.uint8)
    for row, example in enumerate(examples):
        if example.query.names:
            masks[row] = coverage_before(example.query.names, example.runs, length)[steps[row]]
    return masks
