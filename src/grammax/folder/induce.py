"""Pairs without a grammar → a grammar to begin with, for logical forms with brackets.

What is seen in one place may stand for each other: heads and tokens that were met in the same
argument of the same head are of one type, and so, step by step, are all places that share one
(unification). A head has the numbers of arguments that it was seen with, or any, from its least,
if these vary. Tokens of a `series` are one kind; what orders one way may order the other; and
variables, which may stand for anything, are permitted where they were seen and unify nothing. So
the grammar accepts all it has seen, and what is put together in the same way.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, final

from grammax.errors import Location, Problem
from grammax.folder.layout import definition, one_of
from grammax.folder.pairs import Line
from grammax.folder.series import letters, members, opposite, series
from grammax.folder.trees import Node, NoTree, Tree, is_prefix, tree
from grammax.language.domain import Tokens

_LETTER: Final = " letter"  # a series that no token has the name of
_VARIABLE: Final = "$?"  # begin the names of variables
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


def without_tree(lines: Sequence[Line], path: Path) -> list[Problem]:
    """A problem for each line whose logical form has no tree, so that nothing can be made of it."""
    prefix = is_prefix([line.pair.tokens for line in lines])
    problems = []
    for number, pair in lines:
        try:
            tree(pair.tokens, prefix)
        except NoTree as error:
            problems.append(Problem("lf", str(error), "", Location(str(path), number, 1)))
    return problems


_Key = tuple[str, ...]  # the shape of a node, and its head or heads


class _Production(NamedTuple):
    """A right-hand side, parted at the head; all are texts of the notation, or empty."""

    before: str
    head: str
    after: str


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

    def __contains__(self, thing: Hashable) -> bool:
        return thing in self._above

    def join(self, one: Hashable, other: Hashable) -> None:
        root = self._above.setdefault(self.of(other), self.of(other))
        self._above[self.of(one)] = root


@final
class _Induced:
    def __init__(self, trees: Sequence[Tree]) -> None:
        self._types = _Types()
        self._compound = _compound(trees)
        self._letters = letters(_leaves(trees))
        self._arities: dict[_Key, Counter[int]] = defaultdict(Counter)
        self._nodes: dict[_Key, Node] = {}
        self._leaves: dict[str, Counter[str]] = defaultdict(Counter)
        self._variables: dict[Hashable, dict[str, None]] = defaultdict(dict)  # by place
        for node in _nodes(trees):
            key, children = self._key(node)
            self._arities[key][len(children)] += 1
            self._nodes.setdefault(key, node)
        for each in trees:
            self._visit(each, "query")

    def text(self) -> str:
        """The grammar."""
        names, taken = self._names(), set[str]()
        called = {leaf: _fresh(_kind(leaf), taken) for leaf in self._leaves}
        single = self._single(called)
        composed = {self._types.of(("of", key)) for key in self._nodes}
        for root, kinds in single.items():
            if root not in composed and len(kinds) == 1:
                names[root] = next(iter(kinds))  # needs no rule of its own
        lines = ["// Made by `grammax grammar induce`: read it, name its rules, and edit it."]
        lines.append(f"query: {names[self._types.of('query')]}")
        for root, productions in self._rules(names, single).items():
            if names[root] not in taken:
                lines += definition(names[root], _gathered(productions))
        for leaf, seen in self._leaves.items():
            lines += definition(called[leaf], map(_quoted, members(seen)))
        return "\n".join([*lines, ""])

    def _single(self, called: Mapping[str, str]) -> dict[Hashable, dict[str, None]]:
        """Of each type the kinds that are of it, in the order in which they were met."""
        found: dict[Hashable, dict[str, None]] = defaultdict(dict)
        for leaf, kind in called.items():
            if ("leaf", leaf) in self._types:
                found[self._types.of(("leaf", leaf))][kind] = None
        for place, leaves in self._variables.items():
            found[self._types.of(place)] |= {called[leaf]: None for leaf in leaves}
        return found

    def _rules(
        self, names: Mapping[Hashable, str], single: Mapping[Hashable, Iterable[str]]
    ) -> dict[Hashable, list[_Production]]:
        """Of each type what it may be: nodes, and their opposites, and then kinds."""
        rules: dict[Hashable, list[_Production]] = defaultdict(list)
        for key in self._nodes:
            found = rules[self._types.of(("of", key))]
            found += self._productions(key, names)
            other = opposite(key[-1])
            if other and (*key[:-1], other) not in self._nodes:
                found += self._productions(key, names, other)
        for root, kinds in single.items():
            rules[root] += [_Production("", "", kind) for kind in kinds]
        return rules

    def _names(self) -> dict[Hashable, str]:
        """Of each type, after what is most often of it."""
        found: dict[Hashable, str] = {}
        weighed = [
            *((count.total(), ("of", key), key[-1]) for key, count in self._arities.items()),
            *((count.total(), ("leaf", leaf), leaf) for leaf, count in self._leaves.items()),
            *((0, place, "part") for place in self._variables),
        ]
        taken = {"query"}
        for _, thing, text in sorted(weighed, key=lambda each: -each[0]):
            root = self._types.of(thing)
            if root not in found:
                found[root] = _fresh(_word(text).lower() or "part", taken)
        return found

    def _visit(self, given: Tree, place: Hashable) -> None:
        """Join the type of a tree with that of its place, and so on with its children."""
        if isinstance(given, str):
            leaf = _LETTER if given in self._letters else series(given)
            self._leaves[leaf][given] += 1
            if leaf == _LETTER or given[0] in _VARIABLE:
                self._variables[place][leaf] = None
            else:
                self._types.join(place, ("leaf", leaf))
            return
        key, children = self._key(given)
        self._types.join(place, ("of", key))
        for number, child in enumerate(children):
            self._visit(child, self._slot(key, number))

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

    def _productions(
        self, key: _Key, names: Mapping[Hashable, str], last: str | None = None
    ) -> list[_Production]:
        """A node as right-hand sides of rules; `last` stands for its last head, if it is given."""
        node, counts = self._nodes[key], self._arities[key]
        before, head = " ".join(map(_quoted, key[1:-1])), _quoted(last or key[-1])
        if node.shape == "prefix":
            before = f'"(" {before}'.strip()
        if self._any_number(key):
            child = names[self._types.of(self._slot(key, 0))]
            if node.shape == "prefix":
                least = min(counts)
                more = [child] * max(0, least - 1) + [f"{child}{'+' if least else '*'}"]
                return [_Production(before, head, " ".join([*more, '")"']))]
            listed = child if max(counts) == 1 else f'{child} (("," | ";") {child})*'
            return [_Production("", "", listed if node.shape == "list" else f'"(" {listed} ")"')]
        found = []
        for count in sorted(counts):
            given = [names[self._types.of(self._slot(key, place))] for place in range(count)]
            if node.shape == "prefix":
                after = " ".join([*given, '")"'])
            elif node.shape == "operator":
                after = " ".join(given)
            else:
                after = " ".join(['"("', *' "," '.join(given).split(), '")"'])
            found.append(_Production(before, head, after))
        return found


def _gathered(productions: Iterable[_Production]) -> list[str]:
    """Productions as texts, heads that have the same before and after them together."""
    heads: dict[tuple[str, str], list[str]] = defaultdict(list)
    for before, head, after in productions:
        heads[before, after].append(head)
    return [
        " ".join(part for part in (before, one_of(some), after) if part)
        for (before, after), some in heads.items()
    ]


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
        and all(series(first) == first for first in firsts)
        and len(set().union(*firsts.values())) > 1
        and sum(len(found) == 1 for found in firsts.values()) > len(firsts) / 2
    )


def _word(text: str) -> str:
    kept = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_")
    return kept if kept[:1].isalpha() else f"t_{kept}" if kept else ""


def _kind(leaf: str) -> str:
    return "VARIABLE" if leaf[0] in _VARIABLE else _word(leaf).upper() or "SIGN"


def _fresh(name: str, taken: set[str]) -> str:
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(found)
    return found


def _quoted(token: str) -> str:
    if not token:
        return ""
    escaped = token.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
