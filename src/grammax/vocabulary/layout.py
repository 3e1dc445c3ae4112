"""The order of kinds, chosen so that the sets permitted together have few spans.

In a given order, a set of kinds has one span for each step from a kind outside it to one inside.
Summed over all sets, that is half the length of a path through the kinds, where the distance of two
kinds is the number of sets that hold exactly one of them. This is a travelling salesman problem;
nearest neighbours and 2-opt solve it well enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

_WIDE = 1000  # bits
_FEW = 50  # of them
_LARGEST_TOUR = 1500  # stops
_MOST_SETS = 2000  # so many of the most frequent sets decide, where a grammar has more


def arrange(kinds: int, sets: Iterable[int]) -> tuple[int, ...]:
    """An order of the kind numbers that gives each of the sets, passed as bit masks, few spans.

    >>> arrange(4, [0b1001, 0b0110])
    (0, 3, 1, 2)
    """
    counted = Counter(group for group in sets if group & (group - 1))
    together = dict(counted.most_common(_MOST_SETS))
    members = {group: tuple(bits(group)) for group in together}
    # Kinds that belong to the same sets form one stop of the tour, as most kinds do.
    within: list[list[int]] = [[] for _ in range(kinds)]
    for number, group in enumerate(together):
        for kind in members[group]:
            within[kind].append(number)
    stops: dict[tuple[int, ...], list[int]] = {}
    for kind in range(kinds):
        stops.setdefault(tuple(within[kind]), []).append(kind)
    signatures = list(stops)
    if len(signatures) > _LARGEST_TOUR:
        tour = sorted(range(len(signatures)), key=lambda stop: signatures[stop])
    else:
        tour = _tour(_distances(signatures, np.sqrt(list(together.values()))))
    return tuple(kind for stop in tour for kind in stops[signatures[stop]])


def bits(mask: int) -> Iterator[int]:
    """The positions of the bits that are set, ascending.

    >>> list(bits(0b10010))
    [1, 4]
    """
    if mask.bit_length() > _WIDE:  # a loop would copy the rest of the mask for each bit
        octets = np.frombuffer(mask.to_bytes(-(-mask.bit_length() // 8), "little"), np.uint8)
        yield from np.unpackbits(octets, bitorder="little").nonzero()[0].tolist()
        return
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def bits_of(numbers: Iterable[int]) -> int:
    """The mask with these bits.

    >>> bin(bits_of([1, 4]))
    '0b10010'
    """
    given = tuple(numbers)
    if len(given) <= _FEW:
        return reduce(or_, (1 << number for number in given), 0)
    # Through a string of digits: joining n powers of two of n bits each would be quadratic.
    digits = bytearray(b"0" * (max(given) + 1))
    for number in given:
        digits[-1 - number] = 49
    return int(digits, 2)


def _distances(
    signatures: list[tuple[int, ...]], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    held = np.zeros((len(signatures), len(weights)))
    for stop, groups in enumerate(signatures):
        held[stop, list(groups)] = 1
    sizes = held @ weights
    return sizes[:, None] + sizes[None, :] - 2 * (held * weights) @ held.T


def _tour(distance: NDArray[np.float64]) -> list[int]:
    count = len(distance)
    if not count:
        return []
    left = np.ones(count, bool)
    tour = [0]
    left[0] = False
    for _ in range(count - 1):
        row = np.where(left, distance[tour[-1]], np.inf)
        nearest = int(row.argmin())
        tour.append(nearest)
        left[nearest] = False
    return _two_opt(np.array(tour), distance)


def _two_opt(tour: NDArray[np.int64], distance: NDArray[np.float64]) -> list[int]:
    """Reverse segments of the path as long as that shortens it."""
    count = len(tour)
    for _ in range(50):
        improved = False
        for i in range(count - 1):
            before = distance[tour[i - 1]] if i else np.zeros(count)
            ends = tour[i + 1 :]
            beyond = np.append(tour[i + 2 :], -1)
            old = before[tour[i]] + np.where(beyond >= 0, distance[ends, beyond], 0)
            new = before[ends] + np.where(beyond >= 0, distance[tour[i], beyond], 0)
            gain = old - new
            best = int(gain.argmax())
            if gain[best] > 1e-9:
                j = i + 1 + best
                tour[i : j + 1] = tour[i : j + 1][::-1]
                improved = True
        if not improved:
            break
    return [int(stop) for stop in tour]
