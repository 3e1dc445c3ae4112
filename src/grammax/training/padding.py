"""Batches of few shapes: the same losses and gradients, with padding that adds nothing to them.

In: a `Batch`. Out: one whose arrays have a `StepShape`, so that a GPU can record a step of this
shape once and repeat it. What is added to a batch has no loss: pairs without choices, and choices
with a single option.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammax.model.choices import Choices, FewRows
from grammax.training.batch import Array, Batch

_WORDS: Final = 16  # lengths are multiples of it
_STEPS: Final = 8
_ROWS: Final = 256  # at least; then powers of two
_OPTIONS: Final = 64


class StepShape(NamedTuple):
    """The sizes of a batch, rounded up."""

    pairs: int
    length: int  # words of a query
    steps: int  # runs, and also choices, of a pair; the last one is padding
    tokens: int  # of the runs of a pair
    rows: int  # different rows of all choices
    options: int  # rows of a choice


def step_shape(batch: Batch[Array], pairs: int) -> StepShape | None:
    """The shape for a batch of at most so many pairs; None if it has large sets of rows."""
    few = batch.choices.few
    if few is None or batch.choices.many is not None:
        return None
    steps = _multiple(batch.starts.shape[1] + 1, _STEPS)
    return StepShape(
        max(pairs, batch.pairs),
        _multiple(batch.words.shape[1], _WORDS),
        steps,
        _multiple(int(_token_counts(batch).max()), steps),
        _power(len(few.rows), _ROWS),
        _power(few.columns.shape[1], _OPTIONS),
    )


def padded(batch: Batch[Array], shape: StepShape) -> Batch[Array]:
    """The batch in a shape that `step_shape` found for it; its `pairs` are the real ones."""
    few = batch.choices.few
    assert few is not None
    n, length, steps, _, rows, options = shape
    tokens, starts = _runs(batch, shape)
    pair, step = np.divmod(batch.real, batch.steps.shape[1])
    members = n * steps
    columns = _grown(few.columns, (members, options), -1)
    columns[len(few.columns) :, 0] = 0  # the only option
    return Batch(
        batch.pairs,
        _grown(batch.words, (n, length)),
        _grown(batch.lengths, (n,), 1),
        _grown(batch.spelling, (n, length, batch.spelling.shape[2])),
        _grown(batch.flags, (n, length, batch.flags.shape[2])),
        tokens,
        starts,
        _grown(batch.steps, (n, steps)),
        _grown(pair * steps + step, (members,)),
        _grown(batch.covered, (n, steps, length)),
        Choices(
            members,
            FewRows(
                np.arange(members),
                _grown(few.rows, (rows,)),
                columns,
                _grown(few.wanted, (members,)),
            ),
            None,
        ),
    )


def _runs(batch: Batch[Array], shape: StepShape) -> tuple[Array, Array]:
    """Tokens, as many for each pair, and starts; the last runs of a pair share those added to it.

    One run with all that is added would be summed by one thread, while the others wait.
    """
    n, _, steps, room, _, _ = shape
    counts, first = _token_counts(batch), batch.starts[:, :1]
    tokens: Array = np.zeros((n, room), np.int64)
    tokens[: batch.pairs][np.arange(room) < counts[:, None]] = batch.tokens
    known = batch.starts.shape[1]
    used = np.zeros(n, np.int64)
    used[: batch.pairs] = counts
    share = np.arange(steps - known) / (steps - known)
    starts: Array = np.empty((n, steps), np.int64)
    starts[:, known:] = used[:, None] + ((room - used)[:, None] * share).astype(np.int64)
    starts[: batch.pairs, :known] = batch.starts - first
    starts[batch.pairs :, :known] = 0
    return tokens.ravel(), starts + room * np.arange(n)[:, None]


def _token_counts(batch: Batch[Array]) -> NDArray[np.int64]:
    """The number of tokens of each pair."""
    counts: NDArray[np.int64] = np.diff(batch.starts[:, 0], append=len(batch.tokens))
    return counts


def _grown(array: Array, shape: tuple[int, ...], value: int = 0) -> Array:
    """An array in the corner of a larger one."""
    found: NDArray[Any] = np.full(shape, value, array.dtype)
    found[tuple(slice(size) for size in array.shape)] = array
    return found


def _multiple(number: int, of: int) -> int:
    return -(-number // of) * of


def _power(number: int, least: int) -> int:
    return max(least, 1 << (number - 1).bit_length())
