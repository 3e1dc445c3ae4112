"""`Fold`: the pairs that a second training does not see, to calibrate the first with.

Whole phrasing rules are left out, because people use wordings that no training has, and some of the
pairs that people wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from grammax.language.domain import Pair

_RULES: Final = 0.12  # share of the phrasing rules that are left out
_COMMON: Final = 0.03  # share of the pairs from which on a rule is too common to be left out
_UNSEEN: Final = 800  # pairs with rules that were left out
_SEEN: Final = 400  # and other held-out pairs that a calibration is learnt from
_WRITTEN: Final = 0.12  # share of the pairs that people wrote that are held out


class Fold(NamedTuple):
    """Pairs that a second training does not see."""

    unseen: list[Pair]  # worded by rules that it does not see either
    seen: list[Pair]  # worded by rules that it sees
    written: Sequence[Pair] = ()  # by people

    @property
    def pairs(self) -> list[Pair]:
        """All of them."""
        return [*self.unseen, *self.seen, *self.written]

    def sample(self, seed: int) -> tuple[list[Pair], list[float]]:
        """The pairs to calibrate with, and their weights.

        Those that people wrote weigh as much as all others, and both sorts of these the same.
        """
        random = np.random.default_rng((seed, 4))
        parts = [
            (sampled(self.unseen, _UNSEEN, random), 1.0),
            (sampled(self.seen, _SEEN, random), 1.0),
            (self.written, 2.0),
        ]
        pairs = [pair for part, _ in parts for pair in part]
        total = sum(share for part, share in parts if part)
        counts = [len(pairs) * s / total / len(part) for part, s in parts for _ in part]
        return pairs, counts


def rule_fold(
    pairs: Sequence[Pair],
    rules: Sequence[frozenset[str]],
    held_out: Sequence[Pair],
    seed: int,
    written: Sequence[Pair] = (),
) -> Fold:
    """The pairs that use a rule of those that are left out, those that were held out anyway, and
    some of those that people wrote.

    A rule that many pairs use, such as "with a {field} of", is never left out.
    """
    counts = Counter(rule for some in rules for rule in some)
    rare = sorted(rule for rule, count in counts.items() if count <= _COMMON * len(pairs))
    random = np.random.default_rng((seed, 3))
    chosen = random.permutation(len(rare))[: round(_RULES * len(counts))].tolist()
    left_out = {rare[index] for index in chosen}
    unseen = [p for p, some in zip(pairs, rules, strict=True) if not left_out.isdisjoint(some)]
    others = set(unseen)
    some = sampled(written, round(_WRITTEN * len(written)), random)
    return Fold(unseen, [pair for pair in held_out if pair not in others], some)


def sampled(pairs: Sequence[Pair], most: int, random: np.random.Generator) -> list[Pair]:
    """At most so many of the pairs, in their order."""
    order = random.permutation(len(pairs))[:most].tolist()
    return [pairs[index] for index in sorted(order)]
