"""Coverage: the names of a query that the logical form already contains.

A name is covered once its token was emitted. Decoders mask the words of covered names, so that no
name is skipped or repeated. The rule is the same in training, in PyTorch and in the runtime.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from grammax.reading.name_index import Match

Covered = frozenset[Match]


def covered_after(names: Sequence[Match], run: Iterable[int], covered: Covered) -> Covered:
    """The covered names after a run of tokens: each token covers its first uncovered name.

    If nothing changes, the result is `covered` itself.

    >>> drama = Match(0, 1, (7,))
    >>> covered_after([drama], [3, 7], frozenset()) == {drama}
    True
    """
    for token in run:
        for match in names:
            if token in match.ids and match not in covered:
                covered |= {match}
                break
    return covered


def coverage_mask(covered: Iterable[Match], length: int) -> NDArray[np.float32]:
    """1 for the words of covered names and 0 for all others, (length).

    >>> coverage_mask([Match(1, 3, (7,))], 4)
    array([0., 1., 1., 0.], dtype=float32)
    """
    mask = np.zeros(length, np.float32)
    for start, stop, _ in covered:
        mask[start:stop] = 1
    return mask


def coverage_before(
    names: Sequence[Match], runs: Sequence[Iterable[int]], length: int
) -> NDArray[np.float32]:
    """The mask at each step of a whole sentence, after the run of the step, (steps, length)."""
    masks = np.zeros((len(runs), length), np.float32)
    covered: Covered = frozenset()
    for step, run in enumerate(runs) if names else ():
        after = covered_after(names, run, covered)
        for start, stop, _ in after - covered:
            masks[step:, start:stop] = 1
        covered = after
    return masks
