"""What the tokens that a query makes available leave of the grammar, for a batch on the device.

The rules are those of `grammax.automaton.grounded`, as products of matrices of zeros and ones,
which single precision computes exactly.
"""

from __future__ import annotations

from typing import NamedTuple, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grammax.runtime.grounding import GroundingArrays


class Restricted(NamedTuple):
    """For each of n queries what is left of the grammar."""

    kinds: Tensor  # (n, kinds): whether the kind can occur in a sentence
    alive: Tensor  # (n, LR states): whether a rule in progress there can be completed


@final
class DeviceGrounding:
    """The rules of a grammar, and the rules in progress in each state of its LR table."""

    def __init__(self, arrays: GroundingArrays, device: torch.device) -> None:
        symbols, rules = len(arrays.rules), len(arrays.left)
        self.must = torch.from_numpy(arrays.must).to(device)
        uses = np.zeros((symbols, rules), np.float32)
        users = np.repeat(np.arange(symbols), np.diff(arrays.uses_first))
        uses[users, arrays.uses] = 1
        left = np.zeros((rules, symbols), np.float32)
        left[np.arange(rules), arrays.left] = 1
        self._derived = torch.from_numpy(arrays.rules > 0).to(device)  # (symbols)
        self._uses, self._left = (torch.from_numpy(each).to(device) for each in (uses, left))
        self._rounds = _longest_chain((uses @ left > 0)[:, arrays.rules > 0][arrays.rules > 0])
        self._rests = _Segments(arrays.rests, arrays.rests_first, device)
        items = len(arrays.rests_first) - 1
        self._items = _Segments(np.arange(items), arrays.items_first, device)

    def restrict(self, there: Tensor) -> Restricted:
        """`there`, (n, kinds): the kinds of which a token is available."""
        kinds = there.shape[1]
        dead = self._derived.float().repeat(len(there), 1)
        dead[:, :kinds] = (self.must & ~there).float()
        for _ in range(self._rounds):
            kept = (dead @ self._uses).lt_(0.5)  # (n, rules)
            dead = torch.where(self._derived, (kept @ self._left).lt_(0.5), dead)
        complete = self._rests.sums(dead) == 0  # (n, items)
        return Restricted(dead[:, :kinds] == 0, self._items.sums(complete.float()) > 0)


@final
class _Segments:
    """Sums of some columns of a matrix, those of a segment side by side."""

    def __init__(
        self, columns: NDArray[np.integer], first: NDArray[np.integer], device: torch.device
    ) -> None:
        self._columns = torch.from_numpy(columns.astype(np.int64)).to(device)
        self._first = torch.from_numpy(first.astype(np.int64)).to(device)

    def sums(self, values: Tensor) -> Tensor:
        """(n, columns) → (n, segments)."""
        chosen = values.index_select(1, self._columns)
        total = torch.nn.functional.pad(chosen.cumsum(1), (1, 0))
        ends = total.index_select(1, self._first)
        return ends[:, 1:] - ends[:, :-1]


def _longest_chain(follows: NDArray[np.bool_]) -> int:
    """At most so many symbols come alive in turn; `follows[a, b]` if b may because a did.

    Symbols that depend on each other, directly or not, are a group; a chain has each of them once.
    """
    count = len(follows)
    reach = follows | np.eye(count, dtype=np.bool_)
    for via in range(count):
        reach |= reach[:, via, None] & reach[via]
    group = reach & reach.T
    longest = np.zeros(count, np.int64)
    for symbol in np.argsort(reach.sum(1)).tolist():  # those that fewer depend on come first
        later = reach[symbol] & ~group[symbol]
        longest[symbol] = group[symbol].sum() + longest[later].max(initial=0)
    return int(longest.max(initial=0))
