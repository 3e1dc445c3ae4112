"""Which heads bind variables, and which variables are bound where.

Goes in: the trees of logical forms such as `( lambda $0 e ( exists $1 ( loc $0 $1 ) ) )`. Comes
out: the arguments that bind, the first of `lambda` and of `exists`, and which variables may be
bound where others are. A variable can be used in the arguments after the one that binds it, and
nowhere else. A binder takes the variables that training has there; where most pairs number them by
depth, also the next number, to two levels beyond those that were seen.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from grammax.folder.induce.series import series
from grammax.folder.induce.trees import Node, Tree

Key = tuple[str, ...]
Slot = tuple[Key, int]  # an argument of a head
Scope = frozenset[str]  # the variables that may be used, without their types

VARIABLE: Final = "$?"  # characters that begin the name of a variable
TOP: Final[Scope] = frozenset()
_FRESH: Final = 0.9  # share of the variables of a binder that are new, and used after it
_BY_DEPTH: Final = 0.8  # share of variables numbered by depth that makes it the rule
_NUMBER: Final = re.compile(r"(\D+)(\d+)")
_Keyed = Callable[[Node], tuple[Key, tuple[Tree, ...]]]


@final
@dataclass(frozen=True, slots=True)
class Scopes:
    """The arguments that bind variables, and what they may bind."""

    binders: frozenset[Slot]
    bound: Mapping[Scope, tuple[str, ...]]  # scope → variables that a binder there may bind

    @classmethod
    def from_trees(cls, trees: Sequence[Tree], key: _Keyed) -> Scopes | None:
        """The scopes of some trees; None if nothing binds, or a variable is used unbound."""
        binders = frozenset(_binders(trees, key))
        if not binders:
            return None
        seen: dict[Scope, Counter[str]] = defaultdict(Counter)
        if not all(_record(tree, TOP, binders, key, seen) for tree in trees):
            return None
        return cls(binders, {scope: tuple(sorted(found)) for scope, found in _more(seen).items()})


def bare(variable: str) -> str:
    """A variable without its type: "$0" for "$0:e"."""
    return variable.partition(":")[0]


def is_variable(tree: Tree) -> bool:
    """Whether a tree is a variable."""
    return isinstance(tree, str) and tree[0] in VARIABLE


def typed(variable: str, leaf: str) -> str:
    """A variable as a token of a series: "$0:e" for "$0" in the series of "$1:e"."""
    return variable + "".join(leaf.partition(":")[1:])


def fits(variable: str, leaf: str) -> bool:
    """Whether a variable belongs to a series."""
    return series(typed(variable, leaf)) == leaf


def _binders(trees: Sequence[Tree], key: _Keyed) -> Iterator[Slot]:
    """The arguments that are always a variable, nearly always a new one that is used after it."""
    counts: Counter[Slot] = Counter()
    variables: Counter[Slot] = Counter()
    fresh: Counter[Slot] = Counter()

    def visit(tree: Tree, around: Scope) -> None:
        if isinstance(tree, str):
            return
        found, children = key(tree)
        inner = around
        for index, child in enumerate(children):
            counts[found, index] += 1
            if isinstance(child, str) and is_variable(child):
                variables[found, index] += 1
                used = any(_uses(bare(child), other) for other in children[index + 1 :])
                fresh[found, index] += used and bare(child) not in inner
                inner |= {bare(child)}
        for child in children:
            visit(child, inner)

    for tree in trees:
        visit(tree, TOP)
    for slot, count in counts.items():
        if variables[slot] == count and fresh[slot] >= _FRESH * count:
            yield slot


def _uses(variable: str, tree: Tree) -> bool:
    if isinstance(tree, str):
        return is_variable(tree) and bare(tree) == variable
    return any(_uses(variable, child) for child in tree.children)


def _record(
    tree: Tree,
    scope: Scope,
    binders: frozenset[Slot],
    key: _Keyed,
    seen: dict[Scope, Counter[str]],
) -> bool:
    """Count what is bound where; False if a variable is used that is not bound."""
    if isinstance(tree, str):
        return not is_variable(tree) or bare(tree) in scope
    found, children = key(tree)
    inner = scope
    for index, child in enumerate(children):
        if (found, index) in binders:
            assert isinstance(child, str), "what binds is always a variable"
            seen[inner][bare(child)] += 1
            inner |= {bare(child)}
        elif not _record(child, inner, binders, key, seen):
            return False
    return True


def _more(seen: Mapping[Scope, Counter[str]]) -> dict[Scope, set[str]]:
    """What may be bound where: what was seen, and the next number where that is the rule."""
    found = {scope: set(counts) for scope, counts in seen.items()}
    numbered = [
        (int(match[2]) == len(scope), count, match[1])
        for scope, counts in seen.items()
        for variable, count in counts.items()
        if (match := _NUMBER.fullmatch(variable))
    ]
    total = sum(count for _, count, _ in numbered)
    if not total or sum(c for by_depth, c, _ in numbered if by_depth) < _BY_DEPTH * total:
        return found
    sign = numbered[0][2]
    scope = TOP
    for depth in range(max(map(len, found)) + 2):
        found.setdefault(scope, set()).add(f"{sign}{depth}")
        scope |= {f"{sign}{depth}"}
    return found
