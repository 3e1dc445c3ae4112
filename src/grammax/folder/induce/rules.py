"""Induce a grammar from logical forms, as text in lark's notation.

Each type of `types` becomes a rule, and each series of tokens a kind. A head takes the numbers of
arguments that occur; if these vary and one is large, any number from the smallest on. Comparisons
and superlatives also get their opposites (`argmin` for `argmax`). The grammar accepts every logical
form that it was induced from, and others that are composed in the same way.

With `scopes`, a rule in which variables may be used is written once for each scope: `fact` outside
all of them, `fact_0` where `$0` is bound, `fact_0_1` where `$0` and `$1` are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Final, NamedTuple, final

from grammax.folder.induce.notation import definition, fresh, identifier, one_of, quoted
from grammax.folder.induce.scopes import TOP, VARIABLE, Key, Scope, Scopes, fits, typed
from grammax.folder.induce.series import members, opposite
from grammax.folder.induce.trees import SEPARATORS, is_prefix, tree
from grammax.folder.induce.types import DECLARED, Observed, shape_of
from grammax.language.domain import Tokens

_HEADER: Final = "// Made by `grammax grammar induce`: read it, name its rules, and edit it."
_At = tuple[Hashable, Scope]  # a type in a scope: a rule
_EMPTY: Final[_At] = ("nothing", TOP)  # the rule that derives nothing


def induce(forms: Sequence[Tokens], kinds: Mapping[str, str] | None = None) -> str:
    """A grammar in lark's notation that accepts the given logical forms, and others like them.

    `kinds` has the tokens of the folder's tables, each with its kind, which is then declared.

    >>> print(induce([tuple("( loc c0 )".split()), tuple("( not ( loc c1 ) )".split())]))
    // Made by `grammax grammar induce`: read it, name its rules, and edit it.
    query: loc
    loc: "(" "loc" C ")" | "(" "not" loc ")"
    C: "c0" | "c1" | "c2" | "c3"
    <BLANKLINE>
    """
    return written(observe(forms, kinds))


def observe(forms: Sequence[Tokens], kinds: Mapping[str, str] | None = None) -> Observed:
    """The types of some logical forms."""
    prefix = is_prefix(forms)
    return Observed([tree(form, prefix) for form in forms], kinds)


def scopes_of(observed: Observed) -> Scopes | None:
    """The scopes of variables; None if nothing binds them, or if they are used unbound."""
    found = Scopes.from_trees(observed.trees, observed.key)
    if found is None or any(observed.any_number(key) for key, _ in found.binders):
        return None
    return found


def written(observed: Observed, scopes: Scopes | None = None) -> str:
    """The grammar of the types, as text; with scopes, variables are used where they are bound."""
    return _Writer(observed, scopes).text()


class _Production(NamedTuple):
    """A right-hand side, split at the head; each part is text in the notation, or empty."""

    before: str
    head: str
    after: str
    uses: frozenset[_At] = frozenset()  # the rules in it


class _Part(NamedTuple):
    """A part of a right-hand side, and the rules in it."""

    text: str
    uses: frozenset[_At] = frozenset()


@final
class _Writer:
    def __init__(self, observed: Observed, scopes: Scopes | None) -> None:
        self._observed = observed
        self._scopes = scopes
        declared = {
            leaf: leaf.removeprefix(DECLARED)
            for leaf in observed.leaves
            if leaf.startswith(DECLARED)
        }
        taken = set(declared.values())
        self._kinds = {
            leaf: declared.get(leaf) or fresh(_kind_name(leaf), taken) for leaf in observed.leaves
        }
        self._declared = declared
        self._leaves_of_types = self._leaves_by_type()
        self._names = self._type_names()
        self._scoped = self._with_variables()
        self._texts: dict[_At, str] = {}
        self._taken = {*self._names.values(), *self._kinds.values(), "query"}

    def text(self) -> str:
        rules = self._rules()
        starts = [self._symbol(root, TOP) for root in self._observed.whole]
        lines = [_HEADER, *definition("query", [part.text for part in starts if part.text])]
        for at, productions in rules.items():
            lines += definition(self._name(at), _gathered(productions))
        for leaf, seen in self._observed.leaves.items():
            if leaf not in self._declared and not self._is_scoped(leaf):
                lines += definition(self._kinds[leaf], map(quoted, members(seen)))
        if self._declared:
            lines.append(f"%declare {' '.join(self._declared.values())}")
        return "\n".join([*lines, ""])

    def _is_scoped(self, leaf: str) -> bool:
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
        leaves = self._leaves_of_types.get(root, {})
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
            for root, leaves in self._leaves_of_types.items()
            if any(map(self._is_scoped, leaves))
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

    def _rules(self) -> dict[_At, list[_Production]]:
        """The alternatives of each rule that the start reaches, less those that derive nothing."""
        found: dict[_At, list[_Production]] = {}
        starts = (self._symbol(root, TOP) for root in self._observed.whole)
        waiting = [use for part in starts for use in part.uses]
        while waiting:
            at = waiting.pop()
            if at not in found and at != _EMPTY:
                found[at] = list(self._alternatives(*at))
                waiting += {use for each in found[at] for use in each.uses}
        derives: set[_At] = set()
        while new := {
            at
            for at, productions in found.items()
            if at not in derives and any(derives.issuperset(each.uses) for each in productions)
        }:
            derives |= new
        order = self._order()
        return {
            at: [each for each in found[at] if derives.issuperset(each.uses)]
            for at in sorted(derives, key=lambda at: (order[at[0]], len(at[1]), sorted(at[1])))
        }

    def _order(self) -> dict[Hashable, int]:
        """The types in the order in which they occur."""
        observed = self._observed
        roots = [*map(observed.type_of_node, observed.arities), *self._leaves_of_types]
        return {root: number for number, root in enumerate(dict.fromkeys(roots))}

    def _alternatives(self, root: Hashable, scope: Scope) -> Iterator[_Production]:
        """The alternatives of a type: nodes and their opposites, then kinds."""
        observed = self._observed
        for key in observed.arities:
            if observed.type_of_node(key) != root:
                continue
            yield from self._productions(key, key[-1], scope)
            other = opposite(key[-1])
            if other and (*key[:-1], other) not in observed.arities:
                yield from self._productions(key, other, scope)
        for leaf in self._leaves_of_types.get(root, ()):
            part = self._leaf(leaf, scope)
            yield _Production("", "", part.text, part.uses)

    def _productions(self, key: Key, head: str, scope: Scope) -> Iterator[_Production]:
        """The right-hand sides of a node, with `head` as its last head."""
        shape = shape_of(key)
        before = ['"("'] if shape == "prefix" else []
        before += map(quoted, key[1:-1])
        for children in self._children(key, scope):
            after = [children.text]
            if shape in ("call", "group"):
                after = ['"("', children.text, '")"']
            elif shape == "prefix":
                after = [children.text, '")"']
            texts = " ".join(before), quoted(head), " ".join(filter(None, after))
            yield _Production(*texts, children.uses)

    def _children(self, key: Key, scope: Scope) -> Iterator[_Part]:
        """The sequences of arguments that a head may have, with the separators between them."""
        counts, shape = self._observed.arities[key], shape_of(key)
        separator = self._separator(key)
        if not self._observed.any_number(key):
            for count in sorted(counts):
                yield from self._arguments(key, count, scope, separator)
            return
        if not max(counts):
            yield _Part("")
            return
        child, uses = self._symbol(self._observed.type_of_slot(key, 0), scope)
        fewest = min(counts)
        if not fewest and (shape != "prefix" or self._scopes is not None):
            yield _Part("")
        if shape == "prefix":
            repeated = "+" if fewest or self._scopes is not None else "*"
            yield _Part(" ".join([child] * (fewest - 1) + [f"{child}{repeated}"]), uses)
            return
        first = separator.join([child] * (max(1, fewest) if shape == "call" else 1))
        more = "" if max(counts) == 1 else f" ({separator.lstrip()}{child})*"
        yield _Part(first + more, uses)

    def _arguments(self, key: Key, count: int, scope: Scope, separator: str) -> Iterator[_Part]:
        """A fixed number of arguments, once for each variable that the head may bind."""
        binders = self._scopes.binders if self._scopes else frozenset()
        bound = self._scopes.bound if self._scopes else {}
        partial: list[tuple[Scope, tuple[_Part, ...]]] = [(scope, ())]
        for index in range(count):
            root = self._observed.type_of_slot(key, index)
            if (key, index) not in binders:
                partial = [(inner, (*done, self._symbol(root, inner))) for inner, done in partial]
                continue
            leaves = self._leaves_of_types.get(root, {})
            partial = [
                (inner | {variable}, (*done, _Part(quoted(typed(variable, leaf)))))
                for inner, done in partial
                for leaf, variable in product(leaves, bound.get(inner, ()))
                if fits(variable, leaf)
            ]
        for _, parts in partial:
            uses = frozenset[_At]().union(*(part.uses for part in parts))
            yield _Part(separator.join(part.text for part in parts), uses)

    def _symbol(self, root: Hashable, scope: Scope) -> _Part:
        """A type in a scope, as it stands in a rule."""
        leaf = self._only_leaf(root)
        if leaf is not None:
            return self._leaf(leaf, scope)
        at = root, scope if root in self._scoped else TOP
        return _Part(self._name(at), frozenset({at}))

    def _leaf(self, leaf: str, scope: Scope) -> _Part:
        """A series as it stands in a rule: its kind, or the variables of a scope."""
        if not self._is_scoped(leaf):
            return _Part(self._kinds[leaf])
        tokens = [quoted(typed(each, leaf)) for each in sorted(scope) if fits(each, leaf)]
        return _Part(one_of(tokens)) if tokens else _Part("", frozenset({_EMPTY}))

    def _name(self, at: _At) -> str:
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
    for before, head, after, _ in productions:
        heads[before, after].append(head)
    return [
        " ".join(part for part in (before, one_of(some), after) if part)
        for (before, after), some in heads.items()
    ]


def _kind_name(leaf: str) -> str:
    return "VARIABLE" if leaf[0] in VARIABLE else identifier(leaf).upper() or "SIGN"
