"""The LR(0) graph of any grammar, built state by state as parsing reaches it.

An item is (rule, dot, pushed): `pushed` of the symbols before the dot are on the stack, and the
others derived nothing. So no empty rule is ever reduced: where the symbol after a dot is nullable,
the dot may also pass it, as Aycock & Horspool (2002) do in Earley's algorithm. Hidden left
recursion, which needs cyclic stacks in Tomita's (1985), needs none here, and a complete item says
how many symbols to pop.

A state's row of the table would hold thousands of arcs for a grammar of the size of SQL, most of
which no sentence visits. An arc is computed when it is first taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple, final

from grammax.grammar.productions import Productions

Item = tuple[int, int, int]


class Completion(NamedTuple):
    """A way to complete a rule in progress: tokens to read, symbols to pop, and the rule's name.

    `left` is None for the sentence itself.
    """

    tokens: int
    pops: int
    left: int | None


class Pushed(NamedTuple):
    """What a state pushed on another leads to, without a token and without looking deeper.

    `heads` are the states on top after reductions of one symbol. `deeper` are the reductions that
    pop more: (symbols to pop below the base, the rule's name).
    """

    heads: Heads | None
    deeper: tuple[tuple[int, int], ...]


@final
class ItemSet:
    """A state of the table. Its arcs, and what pushing on it leads to, are caches."""

    __slots__ = (
        "accepting",
        "advances",
        "bits",
        "completions",
        "entered",
        "exits",
        "goto",
        "kernel",
        "number",
        "pushes",
    )

    def __init__(self, number: int, kernel: tuple[Item, ...]) -> None:
        self.number = number
        self.kernel = kernel
        self.bits = 0  # the kinds that may come next
        self.accepting = False
        self.completions: tuple[Completion, ...] = ()
        self.advances: dict[int, list[Item]] = {}  # the kernel's items after each symbol
        self.entered: tuple[frozenset[int], ...] = ()  # the rules that may begin at a dot
        self.goto: dict[int, ItemSet] = {}
        self.pushes: dict[ItemSet, Pushed] = {}
        self.exits: dict[ItemSet, tuple[Completion, ...]] = {}

    def __repr__(self) -> str:
        return f"ItemSet({self.number})"


@final
class Heads:
    """Item sets that lie on the same stacks. Interned by `ItemSets`."""

    __slots__ = ("accepting", "bits", "number", "sets", "taking")

    def __init__(self, number: int, sets: frozenset[ItemSet]) -> None:
        self.number = number
        self.sets = tuple(sorted(sets, key=lambda one: one.number))
        self.bits = 0
        self.accepting = False
        for one in self.sets:
            self.bits |= one.bits
            self.accepting = self.accepting or one.accepting
        self.taking: dict[int, tuple[ItemSet, ...]] = {}

    def that_take(self, kind: int) -> tuple[ItemSet, ...]:
        """The item sets after which a token of this kind may come."""
        found = self.taking.get(kind)
        if found is None:
            found = tuple(one for one in self.sets if one.bits >> kind & 1)
            self.taking[kind] = found
        return found


@final
class ItemSets:
    """The item sets of a grammar, interned, and the arcs between them."""

    def __init__(self, productions: Productions) -> None:
        self.productions = productions
        self.accept_rule = len(productions.rules)
        self._nullable = productions.nullable
        self._right = [*(right for _, right in productions.rules), (productions.start,)]
        self._sets: dict[tuple[Item, ...], ItemSet] = {}
        self._numbers = count()
        self._heads: dict[frozenset[ItemSet], Heads] = {}
        self._unions: dict[tuple[Heads, Heads], Heads] = {}
        self._entered: dict[int, frozenset[int]] = {}
        # For each symbol: the rules that can begin with it, by name, as items after it.
        self._begun: list[dict[int, list[Item]]] = [{} for _ in productions.names]
        self._corners: list[dict[int, None]] = [{} for _ in productions.names]
        for rule, (left, right) in enumerate(productions.rules):
            for dot, symbol in enumerate(right):
                self._begun[symbol].setdefault(left, []).append((rule, dot + 1, 1))
                if symbol >= productions.kinds:
                    self._corners[left][symbol] = None
                if symbol not in self._nullable:
                    break
        self.start = self._interned([(self.accept_rule, 0, 0)])

    def after(self, here: ItemSet, symbol: int) -> ItemSet:
        """The item set after a symbol that may come next."""
        found = here.goto.get(symbol)
        if found is None:
            items = list(here.advances.get(symbol, ()))
            begun = self._begun[symbol]
            for rules in here.entered:
                for left in begun.keys() & rules:  # takes as long as the smaller of the two
                    items += begun[left]
            found = here.goto[symbol] = self._interned(items)
        return found

    def pushed(self, base: ItemSet, top: ItemSet) -> Pushed:
        """What `top` on `base` leads to; cycles of rules that derive each other end here."""
        found = base.pushes.get(top)
        if found is None:
            seen = {top: None}
            waiting = [top]
            heads: list[ItemSet] = []
            deeper: dict[tuple[int, int], None] = {}
            while waiting:
                here = waiting.pop()
                if here.bits or here.accepting:
                    heads.append(here)
                for tokens, pops, left in here.completions:
                    if tokens or left is None:
                        continue
                    if pops > 1:
                        deeper[pops - 1, left] = None
                        continue
                    reduced = self.after(base, left)
                    if reduced not in seen:
                        seen[reduced] = None
                        waiting.append(reduced)
            together = self.heads(frozenset(heads)) if heads else None
            found = base.pushes[top] = Pushed(together, tuple(deeper))
        return found

    def exits(self, base: ItemSet, top: ItemSet) -> tuple[Completion, ...]:
        """The ways to complete what is on `base`, with `top` on it now; shortest first.

        Each completes the sentence or pops `base`; rules of one symbol are completed on the way.
        """
        found = base.exits.get(top)
        if found is None:
            best: dict[tuple[int, int | None], int] = {}
            reached = {top: 0}
            heap = [(0, top.number, top)]
            while heap:
                so_far, _, here = heappop(heap)
                if so_far > reached[here]:
                    continue
                for tokens, pops, left in here.completions:
                    total = so_far + tokens
                    if pops > 1 or left is None:
                        best[pops, left] = min(total, best.get((pops, left), total))
                        continue
                    after = self.after(base, left)
                    if total < reached.get(after, total + 1):
                        reached[after] = total
                        heappush(heap, (total, after.number, after))
            ways = (Completion(tokens, pops, left) for (pops, left), tokens in best.items())
            found = base.exits[top] = tuple(sorted(ways, key=lambda way: way.tokens))
        return found

    def heads(self, sets: frozenset[ItemSet]) -> Heads:
        """The item sets as one object, the same for the same sets."""
        found = self._heads.get(sets)
        return (
            found
            if found is not None
            else self._heads.setdefault(sets, Heads(next(self._numbers), sets))
        )

    def union(self, one: Heads, other: Heads) -> Heads:
        """The item sets of both."""
        if one is other:
            return one
        found = self._unions.get((one, other))
        if found is None:
            found = self.heads(frozenset((*one.sets, *other.sets)))
            self._unions[one, other] = found
        return found

    def show(self, item: Item) -> str:
        """The rule of an item as text, with a dot before the symbol that comes next."""
        rule, dot, _ = item
        if rule < self.accept_rule:
            return self.productions.show(rule, dot)
        mark = "• " if dot == 0 else ""
        return f"the sentence: {mark}{self.productions.names[self.productions.start]}"

    def _interned(self, items: Iterable[Item]) -> ItemSet:
        kernel = tuple(sorted(set(items)))
        found = self._sets.get(kernel)
        if found is None:
            made = ItemSet(next(self._numbers), kernel)
            self._fill(made)
            found = self._sets.setdefault(kernel, made)
        return found

    def _fill(self, made: ItemSet) -> None:
        productions = self.productions
        advances = made.advances
        completions: dict[tuple[int, int | None], int] = {}
        for rule, first, pushed in made.kernel:
            right = self._right[rule]
            left = None if rule == self.accept_rule else productions.rules[rule][0]
            if left is None:
                tokens = productions.shortest_of(right[first:])
            else:
                tokens = productions.shortest_rest(rule, first)
            known = completions.get((pushed, left))
            completions[pushed, left] = tokens if known is None else min(known, tokens)
            for dot in range(first, len(right)):
                made.bits |= productions.first[right[dot]]
                advances.setdefault(right[dot], []).append((rule, dot + 1, pushed + 1))
                if right[dot] not in self._nullable:
                    break
        made.entered = tuple(
            self._closure(symbol) for symbol in advances if symbol >= productions.kinds
        )
        made.completions = tuple(
            Completion(tokens, pops, left) for (pops, left), tokens in completions.items()
        )
        made.accepting = any(not tokens and left is None for tokens, _, left in made.completions)

    def _closure(self, root: int) -> frozenset[int]:
        """The rules that can begin a derivation of `root`, including `root` itself."""
        found = self._entered.get(root)
        if found is None:
            seen = {root}
            waiting = [root]
            while waiting:
                for inner in self._corners[waiting.pop()]:
                    if inner not in seen:
                        seen.add(inner)
                        waiting.append(inner)
            found = self._entered[root] = frozenset(seen)
        return found
