"""Infer the types of nodes and leaves of logical forms, by unification.

Heads and tokens that occur as the same argument of the same head have one type, and types that
share a member are merged, transitively. Variables may stand for anything: they are permitted in the
slots in which they occur, but do not merge types. Tokens of the folder's tables are of the kinds
that these declare.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Final, final

from grammax.folder.induce.scopes import Key, is_variable
from grammax.folder.induce.series import letters, series, uncounted
from grammax.folder.induce.trees import Node, Shape, Tree

Member = tuple[str, Key | str]  # ("node", its key) or ("leaf", its series)

LETTER: Final = " letter"  # the series of single letters; no token has this name
WHOLE: Final = "query"  # the slot of a whole logical form
DECLARED: Final = " kind "  # before the name of a kind of the folder's tables, as a series
_MANY: Final = 3  # a head seen with this many arguments, and with fewer, may have any number
_HEADS: Final = 2  # first arguments that act as second heads, as in ( call SW.filter ... )


@final
class Observed:
    """The nodes of some trees, their numbers of arguments, their leaves, and the inferred types."""

    def __init__(
        self, trees: Sequence[Tree], kinds: Mapping[str, str] | None = None, apart: bool = False
    ) -> None:
        self.apart: Final = apart  # whether whole forms may be of several types
        self.trees: Final = trees
        self._kinds = kinds or {}  # token → its kind in the folder's tables
        self.arities: dict[Key, Counter[int]] = defaultdict(Counter)
        self.separators: dict[Key, set[str]] = defaultdict(set)
        self.leaves: dict[str, Counter[str]] = defaultdict(Counter)  # by series
        self.variables: dict[Hashable, dict[str, None]] = defaultdict(dict)  # series, by slot
        self.fillers: dict[tuple[Hashable, Member], list[int]] = defaultdict(
            list
        )  # numbers of trees
        self._union = _Union()
        self._two_headed = _two_headed(trees, self._kinds)
        self._letters = letters(_leaves(trees))
        self._uncounted = uncounted(each for each in _leaves(trees) if not is_variable(each))
        for node in _nodes(trees):
            key, children = self.key(node)
            self.arities[key][len(children)] += 1
            self.separators[key] |= node.separators
        for number, each in enumerate(trees):
            self._visit(each, WHOLE, number)

    @property
    def whole(self) -> tuple[Hashable, ...]:
        """The types of whole logical forms: one, unless they are kept apart."""
        members = (member for slot, member in self.fillers if slot == WHOLE)
        variable = (WHOLE,) if WHOLE in self.variables else ()
        return tuple(dict.fromkeys(map(self._union.root, (*members, *variable))))

    @property
    def free(self) -> frozenset[str]:
        """The series that do not merge the types of their slots: variables."""
        return frozenset(chain.from_iterable(self.variables.values()))

    def type_of_node(self, key: Key) -> Hashable:
        """The type of the nodes with this key."""
        return self._union.root(("node", key))

    def type_of_leaf(self, leaf: str) -> Hashable | None:
        """The type of a series of tokens; None if its tokens are variables only."""
        thing = ("leaf", leaf)
        return self._union.root(thing) if thing in self._union else None

    def type_of_slot(self, key: Key, index: int) -> Hashable:
        """The type of an argument of a head."""
        return self._union.root(self._slot(key, index))

    def type_at(self, slot: Hashable) -> Hashable:
        """The type of a slot of `variables`."""
        return self._union.root(slot)

    def any_number(self, key: Key) -> bool:
        """Whether a head may have any number of arguments, all of one type."""
        counts = self.arities[key]
        return shape_of(key) in ("list", "group") or (len(counts) > 1 and max(counts) >= _MANY)

    def leaf(self, token: str) -> str:
        """The series of a token: a kind of the tables, single letters, or others spelt like it."""
        if token in self._kinds:
            return DECLARED + self._kinds[token]
        if token in self._letters:
            return LETTER
        return token if token in self._uncounted else series(token)

    def key(self, node: Node) -> tuple[Key, tuple[Tree, ...]]:
        """The key of a node, and the remaining children."""
        if node.shape == "prefix" and node.head in self._two_headed:
            return (node.shape, node.head, str(node.children[0])), node.children[1:]
        return (node.shape, node.head), node.children

    def _visit(self, tree: Tree, slot: Hashable, number: int) -> None:
        """Merge the type of a tree with that of its slot, recursively."""
        if isinstance(tree, str):
            leaf = self.leaf(tree)
            self.leaves[leaf][tree] += 1
            if leaf == LETTER or is_variable(tree):
                self.variables[slot][leaf] = None
            else:
                self._fill(slot, ("leaf", leaf), number)
            return
        key, children = self.key(tree)
        self._fill(slot, ("node", key), number)
        for index, child in enumerate(children):
            self._visit(child, self._slot(key, index), number)

    def _fill(self, slot: Hashable, member: Member, number: int) -> None:
        self._union.join(member if slot == WHOLE and self.apart else slot, member)
        if number not in self.fillers[slot, member][-1:]:
            self.fillers[slot, member].append(number)

    def _slot(self, key: Key, index: int) -> Hashable:
        return ("slot", key, 0 if self.any_number(key) else index)


def shape_of(key: Key) -> Shape:
    """The shape of the nodes with this key."""
    shape: Shape = key[0]  # type: ignore[assignment]
    return shape


class _Union:
    """Union-find (Tarjan 1975), with path compression: members of one type have one root."""

    def __init__(self) -> None:
        self._above: dict[Hashable, Hashable] = {}

    def root(self, thing: Hashable) -> Hashable:
        root = thing
        while (above := self._above.get(root, root)) != root:
            root = above
        while thing != root:
            self._above[thing], thing = root, self._above.get(thing, root)
        return root

    def __contains__(self, thing: Hashable) -> bool:
        return thing in self._above

    def join(self, one: Hashable, other: Hashable) -> None:
        root = self._above.setdefault(self.root(other), self.root(other))
        self._above[self.root(one)] = root


def _nodes(trees: Iterable[Tree]) -> Iterable[Node]:
    for each in trees:
        if isinstance(each, Node):
            yield each
            yield from _nodes(each.children)


def _leaves(trees: Iterable[Tree]) -> Iterable[str]:
    for each in trees:
        if isinstance(each, str):
            yield each
        else:
            yield from _leaves(each.children)


def _two_headed(trees: Sequence[Tree], kinds: Container[str]) -> frozenset[str]:
    """Heads whose first argument decides how many arguments follow, and so is a second head."""
    counts: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    excluded = set()
    for node in _nodes(trees):
        first = node.children[0] if node.children else None
        if node.shape != "prefix" or not isinstance(first, str) or first in kinds:
            excluded.add(node.head)
        else:
            counts[node.head][first].add(len(node.children))
    return frozenset(
        head
        for head, firsts in counts.items()
        if head not in excluded
        and len(firsts) >= _HEADS
        and all(series(first) == first for first in firsts)
        and len(set().union(*firsts.values())) > 1
        and sum(len(found) == 1 for found in firsts.values()) > len(firsts) / 2
    )
