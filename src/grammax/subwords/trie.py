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

    __slots__ = ("_children", "_choices", "_names", "below", "bits", "depth", "end", "profiles",
                 "shortest")  # fmt: skip

    def __init__(self, depth: int, end: Name | None, names: list[Name] | None) -> None:
        self.depth: Final = depth
        self.end: Final = end
        """The name that ends here, if one does."""
        self._names = names
        self._children: dict[int, Node] | None = None
        self._choices: dict[Kinds, Choice] = {}
        self.profiles: dict[Any, Any] = {}
        self.shortest: dict[int, Name] = {}
        """For each kind the shortest of its names that go on; of several the first by symbols."""
        self.below = 0
        """The kinds of the names that go on, as bits."""
        self.bits = 0
        """Those, and the kind of the name that ends here."""

    @classmethod
    def of(cls, names: Iterable[Name], depth: int) -> Node:
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
        made = cls(depth, end, going_on)
        made._count(shortest)
        if len(going_on) >= LARGE:
            made.children  # noqa: B018 - expands it
        return made

    @property
    def children(self) -> dict[int, Node]:
        """The node after each symbol."""
        if self._children is None:
            groups: dict[int, list[Name]] = {}
            depth = self.depth
            for name in self._names or ():
                symbol = name[0][depth]
                if symbol in groups:
                    groups[symbol].append(name)
                else:
                    groups[symbol] = [name]
            self._children = {symbol: Node.of(group, depth + 1) for symbol, group in groups.items()}
            self._names = None
        return self._children

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
        if len(name.symbols) == self.depth:
            assert self.end is None, f"{self.end} and {name} are spelled the same"
            return self._copy(name, self._children, self._names, self.shortest)
        shortest = {**self.shortest}
        _count_in(shortest, name)
        if self._children is None:
            return self._copy(self.end, None, [*(self._names or ()), name], shortest)
        symbol = name.symbols[self.depth]
        child = self._children.get(symbol)
        grown = Node.of([name], self.depth + 1) if child is None else child.inserted(name)
        return self._copy(self.end, {**self._children, symbol: grown}, None, shortest)

    def removed(self, name: Name) -> Node:
        """The same without a name that it has."""
        if len(name.symbols) == self.depth:
            return self._copy(None, self._children, self._names, self.shortest)
        if self._children is None:
            kept = [one for one in self._names or () if one.text != name.text]
            return Node.of([*kept, *([self.end] if self.end else [])], self.depth)
        symbol = name.symbols[self.depth]
        child = self._children[symbol].removed(name)
        children = {**self._children, symbol: child}
        if not child.bits:
            del children[symbol]
        shortest: dict[int, Name] = {}
        for one in children.values():
            for below in (*one.shortest.values(), *([one.end] if one.end else [])):
                _count_in(shortest, below)
        return self._copy(self.end, children, None, shortest)

    def _copy(
        self,
        end: Name | None,
        children: dict[int, Node] | None,
        names: list[Name] | None,
        shortest: dict[int, Name],
    ) -> Node:
        made = Node(self.depth, end, names)
        made._children = children
        made._count(shortest)
        return made

    def _count(self, shortest: dict[int, Name]) -> None:
        self.shortest = shortest
        for kind in shortest:
            self.below |= 1 << kind
        self.bits = self.below if self.end is None else self.below | 1 << self.end.kind


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


def trie(names: Iterable[Name]) -> Node:
    """The root of a trie of names.

    >>> root = trie([Name((7,), 0, "drama"), Name((7, 8), 1, "dramatic"), Name((9,), 0, "noir")])
    >>> sorted(root.children), sorted(root.choose(Kinds(0b10)).children)
    ([7, 9], [7])
    >>> root.children[7].end.text, sorted(root.children[7].children)
    ('drama', [8])
    """
    return Node.of(names, 0)
