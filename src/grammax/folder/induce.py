"""Pairs without a grammar → a grammar to begin with, for logical forms with brackets.

What is seen in one place may stand for each other: heads and tokens that were met in the same
argument of the same head are of one type, and so, step by step, are all places that share one
(unification). A head has the numbers of arguments that it was seen with, or any, from its least,
if these vary. So the grammar accepts all it has seen, and what is put together in the same way.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, final

from grammax.domain import Tokens
from grammax.folder.trees import Node, Tree, is_prefix, tree

_NUMBERED: Final = re.compile(r"(.*?[^\d])(\d+)")
_MORE: Final = 2  # numbers beyond those seen: after c0 and c1 there may be a c2 and a c3
_MANY: Final = 3  # arguments: a head that has so many, and fewer at times, may have any number
_HEADS: Final = 2  # first arguments that make heads of their own, as in ( call SW.filter ... )


def induce(forms: Sequence[Tokens]) -> str:
    """A grammar in lark's notation that accepts the given logical forms, and others like them.

    >>> print(induce([tuple("( loc c0 )".split()), tuple("( not ( loc c1 ) )".split())]))
    // Made by `grammax grammar induce`: read it, name its rules, and edit it.
    query: loc
    loc: "(" "loc" C ")" | "(" "not" loc ")"
    C: "c0" | "c1" | "c2" | "c3"
    <BLANKLINE>
    """
    prefix = is_prefix(forms)
    return _Induced([tree(form, prefix) for form in forms]).text()


_Key = tuple[str, ...]  # the shape of a node, and its head or heads


class _Types:
    """Union-find: things of one type have one root."""

    def __init__(self) -> None:
        self._above: dict[Hashable, Hashable] = {}

    def of(self, thing: Hashable) -> Hashable:
        root = thing
        while (above := self._above.get(root, root)) != root:
            root = above
        while thing != root:  # shorten the way for the next
            self._above[thing], thing = root, self._above.get(thing, root)
        return root

    def join(self, one: Hashable, other: Hashable) -> None:
        self._above[self.of(one)] = self.of(other)


@final
class _Induced:
    def __init__(self, trees: Sequence[Tree]) -> None:
        self._types = _Types()
        self._compound = _compound(trees)
        self._arities: dict[_Key, Counter[int]] = defaultdict(Counter)
        self._nodes: dict[_Key, Node] = {}
        self._leaves: dict[str, Counter[str]] = defaultdict(Counter)
        for node in _nodes(trees):
            key, children = self._key(node)
            self._arities[key][len(children)] += 1
            self._nodes.setdefault(key, node)
        for each in trees:
            self._types.join("query", self._visit(each))

    def text(self) -> str:
        """The grammar."""
        names = self._names()
        kinds: dict[str, list[str]] = {}
        single: dict[Hashable, list[str]] = defaultdict(list)
        taken: set[str] = set()
        for leaf, seen in self._leaves.items():
            kind = _fresh(_word(leaf).upper() or "SIGN", taken)
            kinds[kind] = _members(seen)
            single[self._types.of(("leaf", leaf))].append(kind)
        composed = {self._types.of(("of", key)) for key in self._nodes}
        for root, found in single.items():
            if root not in composed and len(found) == 1:
                names[root] = found[0]  # needs no rule of its own
        rules: dict[Hashable, list[str]] = defaultdict(list)
        for key in self._nodes:
            rules[self._types.of(("of", key))] += self._productions(key, names)
        for root, found in single.items():
            rules[root] += found
        lines = ["// Made by `grammax grammar induce`: read it, name its rules, and edit it."]
        lines.append(f"query: {names[self._types.of('query')]}")
        lines += [f"{names[r]}: {_choice(f)}" for r, f in rules.items() if names[r] not in kinds]
        lines += [f"{name}: {_choice(map(_quoted, tokens))}" for name, tokens in kinds.items()]
        return "\n".join([*lines, ""])

    def _names(self) -> dict[Hashable, str]:
        """Of each type, after what is most often of it."""
        found: dict[Hashable, str] = {}
        weighed = [
            *((count.total(), ("of", key), key[-1]) for key, count in self._arities.items()),
            *((count.total(), ("leaf", leaf), leaf) for leaf, count in self._leaves.items()),
        ]
        taken = {"query"}
        for _, thing, text in sorted(weighed, key=lambda each: -each[0]):
            root = self._types.of(thing)
            if root not in found:
                found[root] = _fresh(_word(text).lower() or "part", taken)
        return found

    def _visit(self, given: Tree) -> Hashable:
        """The type of a tree, its children's having been joined with their places."""
        if isinstance(given, str):
            leaf = _series(given)
            self._leaves[leaf][given] += 1
            return ("leaf", leaf)
        key, children = self._key(given)
        for place, child in enumerate(children):
            self._types.join(self._slot(key, place), self._visit(child))
        return ("of", key)

    def _key(self, node: Node) -> tuple[_Key, tuple[Tree, ...]]:
        """What tells nodes apart, and the children that are left."""
        if node.shape == "prefix" and node.head in self._compound:
            return (node.shape, node.head, str(node.children[0])), node.children[1:]
        return (node.shape, node.head), node.children

    def _slot(self, key: _Key, place: int) -> Hashable:
        return ("slot", key, 0 if self._any_number(key) else place)

    def _any_number(self, key: _Key) -> bool:
        counts = self._arities[key]
        shape = self._nodes[key].shape
        return shape in ("list", "group") or (len(counts) > 1 and max(counts) >= _MANY)

    def _productions(self, key: _Key, names: Mapping[Hashable, str]) -> list[str]:
        """A node as right-hand sides of rules."""
        node, counts = self._nodes[key], self._arities[key]
        heads = [_quoted(head) for head in key[1:] if head]
        if self._any_number(key):
            child = names[self._types.of(self._slot(key, 0))]
            least = min(counts)
            if node.shape == "prefix":
                more = [child] * max(0, least - 1) + [f"{child}{'+' if least else '*'}"]
                return [" ".join(['"("', *heads, *more, '")"'])]
            listed = child if max(counts) == 1 else f'{child} (("," | ";") {child})*'
            if node.shape == "list":
                return [listed]
            return [" ".join([*heads, '"("', listed, '")"'])]
        found = []
        for count in sorted(counts):
            given = [names[self._types.of(self._slot(key, place))] for place in range(count)]
            if node.shape == "prefix":
                found.append(" ".join(['"("', *heads, *given, '")"']))
            elif node.shape == "operator":
                found.append(" ".join([*heads, *given]))
            else:
                found.append(" ".join([*heads, '"("', ' "," '.join(given), '")"']))
        return found


def _nodes(trees: Iterable[Tree]) -> Iterable[Node]:
    for each in trees:
        if isinstance(each, Node):
            yield each
            yield from _nodes(each.children)


def _compound(trees: Sequence[Tree]) -> frozenset[str]:
    """Heads whose first argument says how many there are: it is a head of its own then."""
    counts: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    excluded = set()
    for node in _nodes(trees):
        if node.shape != "prefix" or not node.children or not isinstance(node.children[0], str):
            excluded.add(node.head)
        else:
            counts[node.head][node.children[0]].add(len(node.children))
    return frozenset(
        head
        for head, firsts in counts.items()
        if head not in excluded
        and len(firsts) >= _HEADS
        and len(set().union(*firsts.values())) > 1
        and sum(len(found) == 1 for found in firsts.values()) > len(firsts) / 2
    )


def _series(token: str) -> str:
    """What a token is one of: c0 and c1 are both of "c"."""
    match = _NUMBERED.fullmatch(token)
    return match[1] if match else token


def _members(seen: Iterable[str]) -> list[str]:
    """Tokens of a series, with some that may come yet."""
    found = list(dict.fromkeys(sorted(seen)))
    numbers = [int(match[2]) for token in found if (match := _NUMBERED.fullmatch(token))]
    if len(numbers) == len(found) > 0 and max(numbers) < 100:
        series = _series(found[0])
        every = [f"{series}{number}" for number in range(max(numbers) + 1 + _MORE)]
        found = list(dict.fromkeys([*every, *found]))
    return found


def _word(text: str) -> str:
    kept = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_")
    return kept if kept[:1].isalpha() else f"t_{kept}" if kept else ""


def _fresh(name: str, taken: set[str]) -> str:
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(found)
    return found


def _choice(found: Iterable[str]) -> str:
    return " | ".join(found)


def _quoted(token: str) -> str:
    escaped = token.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
