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
from itertools import product
from typing import Final, NamedTuple, final

from grammax.folder.induce.notation import definition, one_of, quoted
from grammax.folder.induce.scopes import TOP, Key, Scope, Scopes, fits, typed
from grammax.folder.induce.series import opposite
from grammax.folder.induce.symbols import At, Part, Symbols
from grammax.folder.induce.trees import SEPARATORS, is_prefix, tree
from grammax.folder.induce.types import Observed, shape_of
from grammax.language.domain import Tokens

_HEADER: Final = "// Made by `grammax grammar induce`: read it, name its rules, and edit it."


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


def observe(
    forms: Sequence[Tokens], kinds: Mapping[str, str] | None = None, apart: bool = False
) -> Observed:
    """The types of some logical forms; `apart` lets whole forms be of several types."""
    prefix = is_prefix(forms)
    return Observed([tree(form, prefix) for form in forms], kinds, apart)


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
    uses: frozenset[At] = frozenset()  # the rules in it


@final
class _Writer:
    def __init__(self, observed: Observed, scopes: Scopes | None) -> None:
        self._observed = observed
        self._scopes = scopes
        self._symbols = Symbols(observed, scopes)

    def text(self) -> str:
        rules = self._rules()
        lines = [_HEADER, *definition("query", self._starts(rules))]
        for at, productions in rules.items():
            lines += definition(self._symbols.name(at), _gathered(productions))
        for leaf, tokens in self._symbols.tokens.items():
            if not self._symbols.is_scoped(leaf):
                lines += definition(self._symbols.kinds[leaf], map(quoted, tokens))
        if self._symbols.declared:
            lines.append(f"%declare {' '.join(self._symbols.declared.values())}")
        return "\n".join([*lines, ""])

    def _starts(self, rules: Mapping[At, Sequence[_Production]]) -> list[str]:
        """The types of whole forms; where two have a variable, all of one but its variables."""
        found: list[str] = []
        variables: set[str] = set()
        for root in self._observed.whole:
            leaves = self._symbols.leaves_of_types.get(root, {})
            mine = {self._symbols.kinds[leaf] for leaf in leaves if leaf in self._observed.free}
            at = root, TOP
            if variables.isdisjoint(mine) or at not in rules:
                found += [
                    text for text in (self._symbols.symbol(root, TOP).text,) if text not in found
                ]
            else:
                found += _gathered(each for each in rules[at] if each.after not in variables)
            variables |= set() if self._scopes else mine
        return [text for text in dict.fromkeys(found) if text]

    def _rules(self) -> dict[At, list[_Production]]:
        """The alternatives of each rule that the start reaches, less those that derive nothing."""
        found: dict[At, list[_Production]] = {}
        order = self._order()
        starts = (self._symbols.symbol(root, TOP) for root in self._observed.whole)
        waiting = [use for part in starts for use in part.uses]
        while waiting:
            at = waiting.pop()
            if at not in found and at[0] in order:
                found[at] = list(self._alternatives(*at))
                waiting += {use for each in found[at] for use in each.uses}
        derives: set[At] = set()
        while new := {
            at
            for at, productions in found.items()
            if at not in derives and any(derives.issuperset(each.uses) for each in productions)
        }:
            derives |= new
        return {
            at: [each for each in found[at] if derives.issuperset(each.uses)]
            for at in sorted(derives, key=lambda at: (order[at[0]], len(at[1]), sorted(at[1])))
        }

    def _order(self) -> dict[Hashable, int]:
        """The types in the order in which they occur."""
        observed = self._observed
        roots = [*map(observed.type_of_node, observed.arities), *self._symbols.leaves_of_types]
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
        for leaf in self._symbols.leaves_of_types.get(root, ()):
            part = self._symbols.leaf(leaf, scope)
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

    def _children(self, key: Key, scope: Scope) -> Iterator[Part]:
        """The sequences of arguments that a head may have, with the separators between them."""
        counts, shape = self._observed.arities[key], shape_of(key)
        separator = self._separator(key)
        if not self._observed.any_number(key):
            for count in sorted(counts):
                yield from self._arguments(key, count, scope, separator)
            return
        if not max(counts):
            yield Part("")
            return
        child, uses = self._symbols.symbol(self._observed.type_of_slot(key, 0), scope)
        fewest = min(counts)
        if not fewest and (shape != "prefix" or self._scopes is not None):
            yield Part("")
        if shape == "prefix":
            repeated = "+" if fewest or self._scopes is not None else "*"
            yield Part(" ".join([child] * (fewest - 1) + [f"{child}{repeated}"]), uses)
            return
        first = separator.join([child] * (max(1, fewest) if shape == "call" else 1))
        more = "" if max(counts) == 1 else f" ({separator.lstrip()}{child})*"
        yield Part(first + more, uses)

    def _arguments(self, key: Key, count: int, scope: Scope, separator: str) -> Iterator[Part]:
        """A fixed number of arguments, once for each variable that the head may bind."""
        binders = self._scopes.binders if self._scopes else frozenset()
        bound = self._scopes.bound if self._scopes else {}
        partial: list[tuple[Scope, tuple[Part, ...]]] = [(scope, ())]
        for index in range(count):
            root = self._observed.type_of_slot(key, index)
            if (key, index) not in binders:
                partial = [
                    (inner, (*done, self._symbols.symbol(root, inner))) for inner, done in partial
                ]
                continue
            leaves = self._symbols.leaves_of_types.get(root, {})
            partial = [
                (inner | {variable}, (*done, Part(quoted(typed(variable, leaf)))))
                for inner, done in partial
                for leaf, variable in product(leaves, bound.get(inner, ()))
                if fits(variable, leaf)
            ]
        for _, parts in partial:
            uses = frozenset[At]().union(*(part.uses for part in parts))
            yield Part(separator.join(part.text for part in parts), uses)

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
