"""The smallest equivalent automaton: Hopcroft (1971) for partial automata.

After Valmari & Lehtinen, *Efficient Minimization of DFAs with Partial Transition Functions* (2008):
blocks of states and bundles of arcs refine each other, in O(arcs · log states); missing arcs are
never visited.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence


def minimal_blocks(arcs: Sequence[Mapping[int, int]], final: Collection[int]) -> list[int]:
    """For each state of a trimmed automaton the number of its block of equivalent states."""
    tails: list[int] = []
    labels: list[int] = []
    into: list[list[int]] = [[] for _ in arcs]
    for state, out in enumerate(arcs):
        for label, head in out.items():
            into[head].append(len(tails))
            tails.append(state)
            labels.append(label)
    by_label = sorted(range(len(labels)), key=labels.__getitem__)

    blocks = _Partition(len(arcs))
    blocks.split(final)
    bundles = _Partition(len(labels), by_label, [labels[arc] for arc in by_label])
    block, bundle = 1, 0
    while bundle < len(bundles.begin):
        blocks.split([tails[arc] for arc in bundles.members(bundle)])
        bundle += 1
        while block < len(blocks.begin):
            bundles.split([arc for state in blocks.members(block) for arc in into[state]])
            block += 1
    return blocks.block_of


class _Partition:
    """Elements in blocks, each a slice of `elements`; blocks are split and never joined."""

    __slots__ = ("begin", "block_of", "elements", "end", "position")

    def __init__(
        self, count: int, elements: list[int] | None = None, keys: list[int] | None = None
    ) -> None:
        self.elements = elements if elements is not None else list(range(count))
        self.position = [0] * count
        for position, element in enumerate(self.elements):
            self.position[element] = position
        self.begin, self.end = [0], [count]
        self.block_of = [0] * count
        if keys:
            self._cut_by(keys)

    def _cut_by(self, keys: list[int]) -> None:
        """One block for each run of equal keys."""
        cuts = [0] + [i for i in range(1, len(keys)) if keys[i] != keys[i - 1]]
        self.begin, self.end = cuts, [*cuts[1:], len(keys)]
        for block, (begin, end) in enumerate(zip(self.begin, self.end, strict=True)):
            for element in self.elements[begin:end]:
                self.block_of[element] = block

    def members(self, block: int) -> list[int]:
        return self.elements[self.begin[block] : self.end[block]]

    def split(self, marked: Iterable[int]) -> None:
        """Split blocks into marked and unmarked elements; the smaller part is the new block."""
        elements, position, block_of = self.elements, self.position, self.block_of
        begin, end = self.begin, self.end
        counts: dict[int, int] = {}
        for element in marked:
            block = block_of[element]
            count = counts.get(block, 0)
            target = begin[block] + count
            here = position[element]
            if here < target:
                continue  # marked already
            other = elements[target]
            elements[here], elements[target] = other, element
            position[other], position[element] = here, target
            counts[block] = count + 1
        for block, count in counts.items():
            cut = begin[block] + count
            if cut == end[block]:
                continue
            new = len(begin)
            if count <= end[block] - cut:
                begin.append(begin[block])
                end.append(cut)
                begin[block] = cut
            else:
                begin.append(cut)
                end.append(end[block])
                end[block] = cut
            for element in elements[begin[new] : end[new]]:
                block_of[element] = new
