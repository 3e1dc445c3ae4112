"""Pairs that alone make one type of two that look different.

Goes in: the types of `types`, with the pairs in which each argument has each filler. Comes out: a
warning for each such pair, with its line. An argument and its fillers are a graph, whose connected
parts are the types; where a filler occurs in very few pairs, and the type falls into two well
attested parts without it, these pairs are probably wrong, or use one head in two ways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from grammax.errors import Location, Problem
from grammax.folder.data import Line
from grammax.folder.induce.types import DECLARED, LETTER, WHOLE, Member, Observed

_RARE: Final = 2  # pairs that may be mistakes
_ATTESTED: Final = 5  # occurrences of what each of the two parts has
_MOST: Final = 10  # warnings
_NAMED: Final = 3  # members of a part in a message
_HINT: Final = (
    "If that is a mistake, correct it, and the grammar gets stricter; a head with two meanings is "
    "better two heads."
)
_Edge = tuple[Hashable, Member]
_Graph = Mapping[Hashable, Sequence[Hashable]]


class _Part(NamedTuple):
    """Some arguments and fillers of a type."""

    weight: int  # occurrences
    members: str


def merges(observed: Observed, lines: Sequence[Line], path: Path) -> list[Problem]:
    """A warning for each pair that merges two types, the largest first."""
    neighbours: dict[Hashable, list[Hashable]] = defaultdict(list)
    for slot, member in observed.fillers:
        if slot == WHOLE and observed.apart:
            continue  # merges nothing
        neighbours[slot].append(member)
        neighbours[member].append(slot)
    found: list[tuple[int, Problem]] = []
    for edge, numbers in observed.fillers.items():
        if len(numbers) > _RARE or (edge[0] == WHOLE and observed.apart):
            continue
        inside = _reached(neighbours, edge[1], edge)
        if edge[0] in inside:
            continue  # they are one type without it
        parts = [_part(observed, side) for side in (_reached(neighbours, edge[0], edge), inside)]
        if min(part.weight for part in parts) >= _ATTESTED:
            problem = _problem(observed, edge, [lines[n].number for n in numbers], parts, path)
            found.append((min(part.weight for part in parts), problem))
    found.sort(key=lambda each: -each[0])
    return [problem for _, problem in found[:_MOST]]


def _reached(neighbours: _Graph, start: Hashable, without: _Edge) -> set[Hashable]:
    """What is connected with a node, without one edge."""
    found, waiting = {start}, [start]
    while waiting:
        node = waiting.pop()
        for other in neighbours[node]:
            if other not in found and {node, other} != {*without}:
                found.add(other)
                waiting.append(other)
    return found


def _part(observed: Observed, nodes: set[Hashable]) -> _Part:
    counts: dict[Member, int] = defaultdict(int)
    for (slot, member), numbers in observed.fillers.items():
        if slot in nodes and member in nodes:
            counts[member] += len(numbers)
    ranked = sorted(counts, key=lambda member: -counts[member])
    named = [_named(observed, member) for member in ranked[:_NAMED]]
    more = " ..." if len(ranked) > _NAMED else ""
    return _Part(sum(counts.values()), ", ".join(named) + more)


def _problem(
    observed: Observed, edge: _Edge, lines: Sequence[int], parts: Sequence[_Part], path: Path
) -> Problem:
    slot, member = edge
    where = f"here and in line {lines[1]}" if len(lines) > 1 else "here"
    message = (
        f"{_argument(slot)} is {_named(observed, member)} only {where}, which makes one type of "
        f"{parts[0].members} and of {parts[1].members}"
    )
    return Problem("merged", message, _HINT, Location(str(path), lines[0], 1), "warning")


def _argument(slot: Hashable) -> str:
    if not isinstance(slot, tuple):
        return "a whole logical form"
    _, key, index = slot
    head = " ".join(key[1:])
    return f"argument {index + 1} of {head}" if head else f"an argument of a {key[0]}"


def _named(observed: Observed, member: Member) -> str:
    """A head, or a token of a series."""
    sort, what = member
    if sort == "node":
        return " ".join(what[1:]) or f"a {what[0]}"
    leaf = str(what)
    if leaf.startswith(DECLARED):
        return leaf.removeprefix(DECLARED)
    return "a letter" if leaf == LETTER else observed.leaves[leaf].most_common(1)[0][0]
