"""Induce a grammar from logical forms, as text in lark's notation.

Each type of `types` becomes a rule, and each series of tokens a kind. A head takes the numbers of
arguments that occur; if these vary and one is large, any number from the smallest on. Comparisons
and superlatives also get their opposites (`argmin` for `argmax`). The grammar accepts every logical
form that it was induced from, and others that are composed in the same way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, final

from grammax.folder.induce.notation import definition, fresh, identifier, one_of, quoted
from grammax.folder.induce.series import members, opposite
from grammax.folder.induce.trees import SEPARATORS, is_prefix, tree
from grammax.folder.induce.types import VARIABLE, Key, Observed, shape_of
from grammax.language.domain import Tokens

_HEADER = "// Made by `grammax grammar induce`: read it, name its rules, and edit it."


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
    return _Writer(Observed([tree(form, prefix) for form in forms])).text()


class _Production(NamedTuple):
    """A right-hand side, split at the head; each part is text in the notation, or empty."""

    before: str
    head: str
    after: str


@final
class _Writer:
    def __init__(self, observed: Observed) -> None:
        self._observed = observed
        taken: set[str] = set()
        self._kinds = {leaf: fresh(_kind_name(leaf), taken) for leaf in observed.leaves}
        self._kinds_of_types = self._kinds_by_type()
        self._names = self._type_names()

    def text(self) -> str:
        lines = [_HEADER, f"query: {self._names[self._observed.whole]}"]
        kinds = set(self._kinds.values())
        for root, productions in self._rules().items():
            if self._names[root] not in kinds:
                lines += definition(self._names[root], _gathered(productions))
        for leaf, seen in self._observed.leaves.items():
            lines += definition(self._kinds[leaf], map(quoted, members(seen)))
        return "\n".join([*lines, ""])

    def _kinds_by_type(self) -> dict[Hashable, dict[str, None]]:
        """The kinds of each type, in order of occurrence."""
        observed = self._observed
        found: dict[Hashable, dict[str, None]] = defaultdict(dict)
        for leaf, kind in self._kinds.items():
            root = observed.type_of_leaf(leaf)
            if root is not None:
                found[root][kind] = None
        for slot, leaves in observed.variables.items():
            found[observed.type_at(slot)] |= {self._kinds[leaf]: None for leaf in leaves}
        return found

    def _type_names(self) -> dict[Hashable, str]:
        """The name of each type: its only kind, or its most frequent member."""
        observed = self._observed
        weighed = [
            *(
                (count.total(), observed.type_of_node(key), key[-1])
                for key, count in observed.arities.items()
            ),
            *(
                (count.total(), root, leaf)
                for leaf, count in observed.leaves.items()
                if (root := observed.type_of_leaf(leaf)) is not None
            ),
            *((0, observed.type_at(slot), "part") for slot in observed.variables),
        ]
        found: dict[Hashable, str] = {}
        taken = {"query"}
        for _, root, text in sorted(weighed, key=lambda each: -each[0]):
            if root not in found:
                found[root] = fresh(identifier(text).lower() or "part", taken)
        composed = {observed.type_of_node(key) for key in observed.arities}
        for root, kinds in self._kinds_of_types.items():
            if root not in composed and len(kinds) == 1:
                found[root] = next(iter(kinds))  # needs no separate rule
        return found

    def _rules(self) -> dict[Hashable, list[_Production]]:
        """The alternatives of each type: nodes and their opposites, then kinds."""
        observed = self._observed
        rules: dict[Hashable, list[_Production]] = defaultdict(list)
        for key in observed.arities:
            found = rules[observed.type_of_node(key)]
            found += self._productions(key, key[-1])
            other = opposite(key[-1])
            if other and (*key[:-1], other) not in observed.arities:
                found += self._productions(key, other)
        for root, kinds in self._kinds_of_types.items():
            rules[root] += [_Production("", "", kind) for kind in kinds]
        return rules

    def _productions(self, key: Key, head: str) -> list[_Production]:
        """The right-hand sides of a node, with `head` as its last head."""
        shape = shape_of(key)
        before = ['"("'] if shape == "prefix" else []
        before += map(quoted, key[1:-1])
        found = []
        for children in self._children(key):
            after = [children]
            if shape in ("call", "group"):
                after = ['"("', children, '")"']
            elif shape == "prefix":
                after = [children, '")"']
            found.append(_Production(" ".join(before), quoted(head), " ".join(filter(None, after))))
        return found

    def _children(self, key: Key) -> list[str]:
        """The sequences of arguments that a head may have, with the separators between them."""
        counts, shape = self._observed.arities[key], shape_of(key)
        separator = self._separator(key)
        if not self._observed.any_number(key):
            children = [self._child(key, index) for index in range(max(counts))]
            return [separator.join(children[:count]) for count in sorted(counts)]
        if not max(counts):
            return [""]
        child, fewest = self._child(key, 0), min(counts)
        if shape == "prefix":
            return [" ".join([child] * (fewest - 1) + [f"{child}{'+' if fewest else '*'}"])]
        first = separator.join([child] * (max(1, fewest) if shape == "call" else 1))
        some = first if max(counts) == 1 else f"{first} ({separator.lstrip()}{child})*"
        return [some] if fewest else ["", some]

    def _child(self, key: Key, index: int) -> str:
        return self._names[self._observed.type_of_slot(key, index)]

    def _separator(self, key: Key) -> str:
        """The separator between arguments; in a call only one that occurs there."""
        shape = shape_of(key)
        if shape == "prefix":
            return " "
        seen = sorted(self._observed.separators[key]) if shape == "call" else SEPARATORS
        return f" {one_of([quoted(each) for each in seen or SEPARATORS[:1]])} "


def _gathered(productions: Iterable[_Production]) -> list[str]:
    """Productions as texts; heads with the same text before and after them become one choice."""
    heads: dict[tuple[str, str], list[str]] = defaultdict(list)
    for before, head, after in productions:
        heads[before, after].append(head)
    return [
        " ".join(part for part in (before, one_of(some), after) if part)
        for (before, after), some in heads.items()
    ]


def _kind_name(leaf: str) -> str:
    return "VARIABLE" if leaf[0] in VARIABLE else identifier(leaf).upper() or "SIGN"
