"""`EarleyEngine`: exact for any context-free grammar. It is slow, and the reference for the rest.

Earley (1970), with empty rules advanced when they are predicted (Aycock & Horspool, 2002) and
chains of completions at the right edge taken in one step (Leo, 1991). Without the latter a
right-recursive list takes quadratic time: 48 s instead of 0.1 s for 10,000 items. A state is a
column of the chart with a link to the column before it. Columns are immutable, so states share
their common prefix.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count
from typing import final

from grammax.automaton.protocol import KindSets, State
from grammax.grammar.productions import Productions

Item = tuple[int, int, "EarleyState"]


@final
class EarleyState(State):
    """A column: the items that await each symbol, and the column before."""

    __slots__ = ("accepting", "awaiting", "before", "kernel", "kind", "leaps", "length")

    def __init__(self, owner: EarleyEngine, kind: int, before: EarleyState | None) -> None:
        self.owner = owner
        self.moves = {}
        self.kind_set = None
        self.kind = kind
        self.before = before
        self.length: int = 0 if before is None else before.length + 1
        self.kernel: list[Item] = []
        self.awaiting: dict[int, list[Item]] = {}
        self.leaps: dict[int, Item | None] = {}
        self.accepting = False

    def __eq__(self, other: object) -> bool:
        """Two states are equal if they were reached by the same kinds."""
        if not isinstance(other, EarleyState) or self.owner is not other.owner:
            return NotImplemented
        mine: EarleyState | None = self
        theirs: EarleyState | None = other
        while mine is not theirs:
            if mine is None or theirs is None or mine.kind != theirs.kind:
                return False
            mine, theirs = mine.before, theirs.before
        return True

    def __hash__(self) -> int:
        return hash((self.kind, self.length))

    def __repr__(self) -> str:
        return f"EarleyState(after {self.length} tokens)"


@final
class EarleyEngine:
    """The Earley engine. It has no cache across states: memory grows with the prefix only."""

    def __init__(self, productions: Productions) -> None:
        self.name = "earley"
        self.kind_sets = KindSets()
        self.productions = productions
        self._nullable = productions.nullable
        self.start = EarleyState(self, -1, None)
        first = [(rule, 0, self.start) for rule in productions.rules_of[productions.start]]
        self._fill(self.start, first)

    def permitted(self, state: EarleyState) -> int:
        if state.kind_set is None:
            kinds = self.productions.kinds
            bits = sum(1 << symbol for symbol in state.awaiting if symbol < kinds)
            state.kind_set = self.kind_sets.number(bits)
        return state.kind_set

    def move(self, state: EarleyState, kind: int) -> EarleyState | None:
        waiting = state.awaiting.get(kind)
        if waiting is None:
            return None
        column = EarleyState(self, kind, state)
        self._fill(column, [(rule, dot + 1, origin) for rule, dot, origin in waiting])
        return column

    def accepts(self, state: EarleyState) -> bool:
        return state.accepting

    def tokens_to_accept(self, state: EarleyState) -> int:
        """Dijkstra over the rules under way: finish one, then the one that awaits it, and so on."""
        productions = self.productions
        heap: list[tuple[int, int, Item]] = []
        best: dict[tuple[int, int, int], int] = {}
        order = count()

        def push(reached: int, item: Item) -> None:
            rule, dot, origin = item
            total = reached + productions.shortest_of(productions.rules[rule][1][dot:])
            key = (rule, dot, id(origin))
            if total < best.get(key, total + 1):
                best[key] = total
                heappush(heap, (total, next(order), item))

        for item in state.kernel:
            push(0, item)
        while True:
            reached, _, (rule, _, origin) = heappop(heap)
            left = productions.rules[rule][0]
            if left == productions.start and origin is self.start:
                return reached
            for outer, dot, before in origin.awaiting.get(left, ()):
                push(reached, (outer, dot + 1, before))

    def where(self, state: EarleyState) -> tuple[str, ...]:
        lines = dict.fromkeys(self.productions.show(rule, dot) for rule, dot, _ in state.kernel)
        return tuple(lines)

    def likely_sets(self) -> Iterable[int]:
        """The kinds that may begin the rest of each rule, for every position of the dot."""
        for _, right in self.productions.rules:
            for dot in range(len(right)):
                yield self.productions.first_of(right[dot:])[0]

    def _fill(self, column: EarleyState, kernel: list[Item]) -> None:
        """Predict and complete until nothing is new."""
        productions = self.productions
        column.kernel = kernel
        seen = {(rule, dot, id(origin)) for rule, dot, origin in kernel}
        agenda = list(kernel)

        def add(item: Item) -> None:
            key = (item[0], item[1], id(item[2]))
            if key not in seen:
                seen.add(key)
                agenda.append(item)

        while agenda:
            rule, dot, origin = agenda.pop()
            left, right = productions.rules[rule]
            if dot == len(right):
                if left == productions.start and origin is self.start:
                    column.accepting = True
                leap = None if origin is column else self._leap(origin, left)
                if leap is not None:
                    add(leap)
                else:
                    for outer, position, before in origin.awaiting.get(left, ()):
                        add((outer, position + 1, before))
                continue
            symbol = right[dot]
            known = column.awaiting.get(symbol)
            if known is None:
                column.awaiting[symbol] = [(rule, dot, origin)]
                for inner in productions.rules_of[symbol]:
                    add((inner, 0, column))
            else:
                known.append((rule, dot, origin))
            if symbol in self._nullable:
                add((rule, dot + 1, origin))

    def _leap(self, column: EarleyState, symbol: int) -> Item | None:
        """The last item of a chain of completions, for a symbol that began in a finished column.

        If exactly one item awaits the symbol, and the symbol is its last, that item is completed
        too, and so on. The root awaits the start in the first column, without an item.
        """
        path: dict[tuple[int, int], tuple[EarleyState, int, Item]] = {}
        last: Item | None = None
        while symbol not in column.leaps:
            awaiting = column.awaiting.get(symbol, ())
            is_root = column is self.start and symbol == self.productions.start
            if is_root or len(awaiting) != 1 or (id(column), symbol) in path:
                break
            rule, dot, origin = awaiting[0]
            left, right = self.productions.rules[rule]
            if dot + 1 < len(right):
                break
            path[id(column), symbol] = (column, symbol, (rule, dot + 1, origin))
            column, symbol = origin, left
        else:
            last = column.leaps[symbol]
        for above, awaited, item in reversed(path.values()):
            last = above.leaps[awaited] = last or item
        return last
