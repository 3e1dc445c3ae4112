"""The names that types and series have in a grammar, in each scope of variables.

Goes in: the types of `types`, and the scopes of `scopes`. Comes out: how a type or a series stands
in a rule: the name of its rule or kind, or the variables that may be used in a scope.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable
from functools import cached_property
from typing import Final, NamedTuple, final

from grammax.folder.induce.notation import fresh, identifier, one_of, quoted
from grammax.folder.induce.scopes import TOP, VARIABLE, Scope, Scopes, fits, typed
from grammax.folder.induce.series import is_date, members
from grammax.folder.induce.types import DECLARED, Observed

_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_TEXT: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_NUMBERS: Final = "NUMBER"  # names of kinds
_DATES: Final = "DATE"
_TEXTS: Final = "TEXT"
_SORTS: Final = (_NUMBERS, _DATES, _TEXTS)
_OTHER: Final = ""
_TOGETHER: Final = 2  # tokens that become one kind
At = tuple[Hashable, Scope]  # a type in a scope: a rule
_EMPTY: Final[At] = ("nothing", TOP)  # the rule that derives nothing


class Part(NamedTuple):
    """A part of a right-hand side, and the rules in it."""

    text: str
    uses: frozenset[At] = frozenset()


@final
class Symbols:
    """Types and series as they stand in rules."""

    def __init__(self, observed: Observed, scopes: Scopes | None) -> None:
        self._observed = observed
        self._scopes = scopes
        declared = {
            leaf: leaf.removeprefix(DECLARED)
            for leaf in observed.leaves
            if leaf.startswith(DECLARED)
        }
        self.declared = declared
        self.leaves_of_types = self._leaves_by_type()
        self.tokens = self._tokens()
        taken = set(declared.values())
        self.kinds = dict(declared)
        for leaf, tokens in self.tokens.items():
            same = {_sort(token) for token in tokens} if len(tokens) >= _TOGETHER else {_OTHER}
            name = _kind_name(leaf) if len(same) > 1 or same == {_OTHER} else min(same)
            self.kinds[leaf] = fresh(name, taken)
        self._names = self._type_names()
        self._scoped = self._with_variables()
        self._texts: dict[At, str] = {}
        self._taken = {*self._names.values(), *self.kinds.values(), "query"}

    def is_scoped(self, leaf: str) -> bool:
        return self._scopes is not None and leaf[0] in VARIABLE

    def _leaves_by_type(self) -> dict[Hashable, dict[str, None]]:
        """The series of each type, in order of occurrence."""
        observed = self._observed
        found: dict[Hashable, dict[str, None]] = defaultdict(dict)
        for leaf in observed.leaves:
            root = observed.type_of_leaf(leaf)
            if root is not None:
                found[root][leaf] = None
        for slot, leaves in observed.variables.items():
            found[observed.type_at(slot)] |= leaves
        return found

    def _tokens(self) -> dict[str, list[str]]:
        """The tokens of each series that becomes a kind.

        Tokens of one type that are alone in their series become one kind: its numbers, its dates,
        its texts in quotes, and its other tokens. The most frequent stands for all of them in
        `leaves_of_types`.
        """
        observed = self._observed
        found = {leaf: members(seen) for leaf, seen in observed.leaves.items()}
        for leaves in self.leaves_of_types.values():
            single = [leaf for leaf in leaves if self._is_single(leaf)]
            for sort in (*_SORTS, _OTHER):
                some = [leaf for leaf in single if _sort(leaf) == sort]
                if len(some) < _TOGETHER:
                    continue
                first = max(some, key=lambda leaf: observed.leaves[leaf].total())
                for leaf in some:
                    if leaf != first:
                        del found[leaf], leaves[leaf]
                found[first] = sorted(some, key=float) if sort == _NUMBERS else some
        return {leaf: some for leaf, some in found.items() if leaf not in self.declared}

    def _is_single(self, leaf: str) -> bool:
        """Whether a series is a single token, and no variable."""
        observed = self._observed
        return {*observed.leaves[leaf]} == {leaf} and leaf not in observed.free

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
        return found

    def _only_leaf(self, root: Hashable) -> str | None:
        """The series of a type that is nothing else, and so needs no rule."""
        leaves = self.leaves_of_types.get(root, {})
        return next(iter(leaves)) if len(leaves) == 1 and root not in self._composed else None

    @cached_property
    def _composed(self) -> frozenset[Hashable]:
        """The types that have nodes."""
        return frozenset(map(self._observed.type_of_node, self._observed.arities))

    def _with_variables(self) -> frozenset[Hashable]:
        """The types in which variables are used or bound, at any depth."""
        if self._scopes is None:
            return frozenset()
        observed = self._observed
        found = {
            root
            for root, leaves in self.leaves_of_types.items()
            if any(map(self.is_scoped, leaves))
        }
        found |= {observed.type_of_node(key) for key, _ in self._scopes.binders}
        parents: dict[Hashable, set[Hashable]] = defaultdict(set)
        for key, counts in observed.arities.items():
            for index in range(max(counts)):
                parents[observed.type_of_slot(key, index)].add(observed.type_of_node(key))
        waiting = list(found)
        while waiting:
            new = parents[waiting.pop()] - found
            found |= new
            waiting += new
        return frozenset(found)

    def symbol(self, root: Hashable, scope: Scope) -> Part:
        """A type in a scope, as it stands in a rule."""
        leaf = self._only_leaf(root)
        if leaf is not None:
            return self.leaf(leaf, scope)
        at = root, scope if root in self._scoped else TOP
        return Part(self.name(at), frozenset({at}))

    def leaf(self, leaf: str, scope: Scope) -> Part:
        """A series as it stands in a rule: its kind, or the variables of a scope."""
        if not self.is_scoped(leaf):
            return Part(self.kinds[leaf])
        tokens = [quoted(typed(each, leaf)) for each in sorted(scope) if fits(each, leaf)]
        return Part(one_of(tokens)) if tokens else Part("", frozenset({_EMPTY}))

    def name(self, at: At) -> str:
        """The name of a rule, which ends in the numbers of the variables of its scope."""
        if at not in self._texts:
            root, scope = at
            name = self._names[root]
            if scope:
                signs = "_".join(
                    identifier(variable).removeprefix("t_") for variable in sorted(scope)
                )
                name = fresh(f"{name}_{signs.lower()}", self._taken)
            self._texts[at] = name
        return self._texts[at]


def _sort(token: str) -> str:
    """The name of a kind of tokens like this one: numbers, dates, texts in quotes; "" of others."""
    if is_date(token):
        return _DATES
    if _NUMBER.fullmatch(token):
        return _NUMBERS
    return _TEXTS if _TEXT.fullmatch(token) else _OTHER


def _kind_name(leaf: str) -> str:
    return "VARIABLE" if leaf[0] in VARIABLE else identifier(leaf).upper() or "SIGN"
