"""A trie of names, in token ids or in bytes: persistent, and built where it is visited.

Each node has the kinds of the names below it as bits, so one trie serves every state of every
automaton: a child is permitted where its bits meet the permitted kinds. Inserting or removing a
name copies the nodes on its path and shares all others, so older tries stay valid.

Nodes with few names are expanded when a decoder first comes there: of 56,209 names with half a
million symbols, decoding visits few. Large nodes are expanded at once, so that no step is slow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, final

from grammax.vocabulary.rows import Rows

LARGE: Final = 256  # names below a node that is expanded when it is made


class Name(NamedTuple):
    """A token of a grammar: its symbols (ids or bytes), the number of its kind, and its text."""

    symbols: Sequence[int]
    kind: int
    text: str


@final
class Kinds:
    """A set of kinds as bits. Sets are interned, so that caches can be keyed by identity."""

    __slots__ = ("bits",)

    def __init__(self, bits: int) -> None:
        self.bits: Final = bits


EVERY_KIND: Final = Kinds(-1)


@final
class Choice:
    """The permitted children of a node; `rows` caches the sets of rows that begin with them."""

    __slots__ = ("children", "rows")

    def __init__(self, children: Mapping[int, Node]) -> None:
        self.children: Final = children
        self.rows: dict[Any, Rows] = {}


@final
class Node:
    """The names that begin with the symbols up to here. Use `trie` to make one."""

    __slots__ = ("_children", "_choices", "_names", "below", "bits", "count", "depth", "end",
                 "grown", "profiles", "shortest")  # fmt: skip

    def __init__(
        self,
        depth: int,
        end: Name | None,
        shortest: dict[int, Name],
        below: int,
        count: int,
        names: list[Name] | None,
        children: dict[int, Node] | None = None,
    ) -> None:
        self.depth: Final = depth
        self.end: Final = end
        """The name that ends here, if one does."""
        self.shortest: Final = shortest
        """For each kind the shortest of its names that go on; of several the first by symbols."""
        self.below: Final = below
        """The kinds of the names that go on, as bits."""
        self.bits: Final = below if end is None else below | 1 << end.kind
        """Those, and the kind of the name that ends here."""
        self.count: Final = count
        """How many names go on."""
        # One of the two is None. Threads read the names first: they go when the children are there.
        self._names = names
        self._children = children
        self._choices: dict[Kinds, Choice] = {}
        self.profiles: dict[Any, Any] = {}
        """What `bytewise` caches here."""
        self.grown: tuple[Node, Name] | None = None
        """The node that this is with one name more, if something is cached there."""

    @property
    def children(self) -> dict[int, Node]:
        """The node after each symbol."""
        names, children = self._names, self._children
        if children is None:
            assert names is not None, "without children a node has its names"
            children = self._children = _expanded(names, self.depth)
            self._names = None
        return children

    def choose(self, kinds: Kinds) -> Choice:
        """The children below which there are names of these kinds."""
        found = self._choices.get(kinds)
        if found is None:
            bits = kinds.bits
            permitted = {
                symbol: child for symbol, child in self.children.items() if child.bits & bits
            }
            found = self._choices.setdefault(kinds, Choice(permitted))
        return found

    def inserted(self, name: Name) -> Node:
        """The same with one name more."""
        symbols, bit = name.symbols, 1 << name.kind
        path: list[tuple[Node, dict[int, Node]]] = []
        node: Node | None = self
        while node is not None and node.depth < len(symbols) and node._is_expanded:
            path.append((node, node.children))
            node = node.children.get(symbols[node.depth])
        if node is None:
            made = node_of([name], len(path))
        elif node.depth == len(symbols):
            assert node.end is None, f"{node.end} and {name} are spelled the same"
            names, children = node._names, node._children
            made = Node(node.depth, name, node.shortest, node.below, node.count, names, children)
        else:
            made = node_of([*node.names(), name], node.depth)
        for node, children in reversed(path):
            shortest = {**node.shortest}
            _count_in(shortest, name)
            children = {**children, symbols[node.depth]: made}
            below, count = node.below | bit, node.count + 1
            made = Node(node.depth, node.end, shortest, below, count, None, children)
            if node.profiles:
                made.grown = node, name
        return made

    def removed(self, name: Name) -> Node:
        """The same without a name that it has."""
        symbols = name.symbols
        path: list[tuple[Node, dict[int, Node]]] = []
        node = self
        while node.depth < len(symbols) and node._is_expanded:
            path.append((node, node.children))
            node = node.children[symbols[node.depth]]
        if node.depth == len(symbols):
            names, children = node._names, node._children
            made = Node(node.depth, None, node.shortest, node.below, node.count, names, children)
        else:
            made = node_of([one for one in node.names() if one.text != name.text], node.depth)
        for node, children in reversed(path):
            children = {**children, symbols[node.depth]: made}
            if not made.bits:
                del children[symbols[node.depth]]
            shortest: dict[int, Name] = {}
            for child in children.values():
                for one in child.shortest.values():
                    _count_in(shortest, one)
                if child.end is not None:
                    _count_in(shortest, child.end)
            below, count = _bits(shortest), node.count - 1
            made = Node(node.depth, node.end, shortest, below, count, None, children)
        return made

    def names(self) -> list[Name]:
        """All names that begin so."""
        found: list[Name] = []
        waiting = [self]
        while waiting:
            node = waiting.pop()
            names = node._names
            found += [node.end] if node.end is not None else []
            if names is None:
                waiting += node.children.values()
            else:
                found += names
        return found

    @property
    def _is_expanded(self) -> bool:
        return self._children is not None


def trie(names: Iterable[Name]) -> Node:
    """The root of a trie of names, no two of which are spelled the same.

    >>> root = trie([Name((7,), 0, "drama"), Name((7, 8), 1, "dramatic"), Name((9,), 0, "noir")])
    >>> sorted(root.children), sorted(root.choose(Kinds(0b10)).children)
    ([7, 9], [7])
    >>> root.children[7].end.text, sorted(root.children[7].children)
    ('drama', [8])
    """
    root = node_of(names, 0)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.count >= LARGE:
            waiting += node.children.values()
    return root


def node_of(names: Iterable[Name], depth: int) -> Node:
    """A node for names that agree in so many symbols."""
    end = None
    going_on: list[Name] = []
    shortest: dict[int, Name] = {}
    for name in names:
        if len(name[0]) == depth:
            assert end is None, f"{end} and {name} are spelled the same"
            end = name
        else:
            going_on.append(name)
            _count_in(shortest, name)
    return Node(depth, end, shortest, _bits(shortest), len(going_on), going_on)


def _expanded(names: Iterable[Name], depth: int) -> dict[int, Node]:
    groups: dict[int, list[Name]] = {}
    for name in names:
        symbol = name[0][depth]
        if symbol in groups:
            groups[symbol].append(name)
        else:
            groups[symbol] = [name]
    return {symbol: node_of(group, depth + 1) for symbol, group in groups.items()}


def _bits(kinds: Iterable[int]) -> int:
    found = 0
    for kind in kinds:
        found |= 1 << kind
    return found


def _count_in(shortest: dict[int, Name], name: Name) -> None:
    """Make it the shortest name of its kind if it is."""
    symbols, kind, _ = name
    least = shortest.get(kind)
    if (
        least is None
        or len(symbols) < len(least[0])
        or (
            len(symbols) == len(least[0]) and symbols < least[0]  # type: ignore[operator]
        )
    ):
        shortest[kind] = name
