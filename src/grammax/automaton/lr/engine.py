"""`LrEngine`: exact for LR(1) grammars. Its states are LR stacks, immutable and shared.

A row of the table alone is too permissive, because LALR(1) merges look-aheads. The kinds permitted
after a stack are those that it can shift and, for each rule that it can reduce, those permitted
after the reduced stack. Stacks are linked lists whose nodes know their children, so equal stacks
are one object, and each object caches its results: the first visit computes them, later steps are
look-ups. A reduction that needs no look-ahead is done at once, so that, for instance, all
relational constraints lead to the same stack.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple, final

from grammax.automaton.lr.conflicts import lr_tables
from grammax.automaton.lr.tables import LrTables
from grammax.automaton.protocol import KindSets, State
from grammax.grammar.grammar import Grammar


@final
class LrState(State):
    """A stack: the table's state on top, and the stack below."""

    __slots__ = ("accepting", "below", "children", "distance", "top")

    def __init__(self, owner: LrEngine, top: int, below: LrState | None) -> None:
        self.owner = owner
        self.top = top
        self.below = below
        self.children: dict[int, LrState] = {}
        self.moves = {}
        self.kind_set = None
        self.accepting = False
        self.distance: int | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LrState) or self.owner is not other.owner:
            return NotImplemented
        mine: LrState | None = self
        theirs: LrState | None = other
        while mine is not theirs:
            if mine is None or theirs is None or mine.top != theirs.top:
                return False
            mine, theirs = mine.below, theirs.below
        return True

    def __hash__(self) -> int:
        below = self.below
        return hash((self.top, below and below.top))

    def __repr__(self) -> str:
        tops: list[int] = []
        node: LrState | None = self
        while node is not None and len(tops) < 12:
            tops.append(node.top)
            node = node.below
        return f"LrState({'... ' if node else ''}{' '.join(map(str, reversed(tops)))})"


@final
class LrEngine:
    """LR tables as an engine. At most `remembered` stacks are cached; then the cache is cleared."""

    def __init__(self, tables: LrTables, remembered: int = 1_000_000) -> None:
        self.name = "lr"
        self.tables = tables
        self.kind_sets = KindSets()
        self._shift, self._goto = tables.shift, tables.goto
        self._reductions = tables.reductions
        self._rules = [
            (left, len(right)) for left, right in map(tables.rule, range(tables.accept_rule + 1))
        ]
        # The rule that a state reduces for any look-ahead; such a state is never pushed.
        self._at_once = [
            self._rules[done[0][0]]
            if len(done) == 1 and done[0][0] != tables.accept_rule and not tables.waits(state)
            else None
            for state, done in enumerate(tables.reductions)
        ]
        self.remembered = remembered
        self._made = 0
        self.start = LrState(self, 0, None)

    @staticmethod
    def from_grammar(grammar: Grammar) -> LrEngine:
        """The engine of a grammar; `ConflictError` if it is not LR(1)."""
        return LrEngine(lr_tables(grammar))

    def permitted(self, state: LrState) -> int:
        if state.kind_set is None:
            self._resolve(state)
        assert state.kind_set is not None
        return state.kind_set

    def accepts(self, state: LrState) -> bool:
        if state.kind_set is None:
            self._resolve(state)
        return state.accepting

    def move(self, state: LrState, kind: int) -> LrState | None:
        node = state
        while True:
            target = self._shift[node.top].get(kind)
            if target is not None:
                found = state.moves[kind] = self._push(node, target)
                return found
            for rule, ahead in self._reductions[node.top]:
                if ahead >> kind & 1 and rule != self.tables.accept_rule:
                    node = self._reduced(node, rule)
                    break
            else:
                return None

    def tokens_to_accept(self, state: LrState) -> int:
        if state.distance is None:
            self._measure(state)
        assert state.distance is not None
        return state.distance

    def where(self, state: LrState) -> tuple[str, ...]:
        kernel = self.tables.kernels[state.top]
        return tuple(self.tables.show(rule, dot) for rule, dot in kernel)

    def likely_sets(self) -> Iterable[int]:
        """Rows of the table: the kinds that each state shifts, and all its look-aheads."""
        everything = (1 << self.tables.productions.kinds) - 1
        for state, bits in enumerate(self.tables.shift_bits):
            reductions = self._reductions[state]
            for _, ahead in reductions if bits or len(reductions) > 1 else ():
                bits |= ahead
            yield bits & everything

    def _push(self, below: LrState, top: int) -> LrState:
        """The stack with `top` on it, after all reductions that need no look-ahead."""
        found = below.children.get(top)
        if found is not None:
            return found
        bottom, reduced = below, top
        while found is None and (rule := self._at_once[reduced]) is not None:
            left, length = rule
            for _ in range(length - 1):
                assert bottom.below is not None
                bottom = bottom.below
            reduced = self._goto[bottom.top][left]
            found = bottom.children.get(reduced)
        if found is None:
            self._made += 1
            if self._made > self.remembered:
                self._forget()
            # setdefault is atomic: threads that race here agree on one object.
            found = bottom.children.setdefault(reduced, LrState(self, reduced, bottom))
        # Also cached where the reduction began: a right-recursive list is reduced from end to end
        # and would otherwise be walked again for each of its tokens.
        return below.children.setdefault(top, found)

    def _forget(self) -> None:
        """Clear the cache of stacks; those in use stay valid and compare equal as before."""
        self._made = 0
        self.start.children, self.start.moves = {}, {}

    def _reduced(self, state: LrState, rule: int) -> LrState:
        left, length = self._rules[rule]
        for _ in range(length):
            assert state.below is not None
            state = state.below
        return self._push(state, self._goto[state.top][left])

    def _resolve(self, state: LrState) -> None:
        """Compute the kinds permitted after a stack, and whether the sentence may end."""
        waiting = [state]
        while waiting:
            node = waiting[-1]
            accepting = False
            reduced: list[LrState] = []
            for rule, _ in self._reductions[node.top]:
                if rule == self.tables.accept_rule:
                    accepting = True
                else:
                    reduced.append(self._reduced(node, rule))
            unknown = [other for other in reduced if other.kind_set is None]
            if unknown:
                waiting.extend(unknown)
                continue
            bits = self.tables.shift_bits[node.top]
            for other in reduced:
                assert other.kind_set is not None
                bits |= self.kind_sets.bits(other.kind_set)
                accepting = accepting or other.accepting
            node.accepting = accepting
            node.kind_set = self.kind_sets.number(bits)
            waiting.pop()

    def _completions(self, state: LrState) -> Iterable[tuple[int, LrState | None]]:
        """Ways to complete a rule in progress: the tokens they take, and the stack they leave."""
        for rule, dot in self.tables.kernels[state.top]:
            if rule == self.tables.accept_rule:
                yield self.tables.productions.shortest_of(self.tables.rule(rule)[1][dot:]), None
                continue
            tokens = self.tables.productions.shortest_rest(rule, dot)
            node = state
            for _ in range(dot):
                assert node.below is not None
                node = node.below
            yield tokens, self._push(node, self._goto[node.top][self._rules[rule][0]])

    def _measure(self, state: LrState) -> None:
        """Find the fewest tokens to acceptance, by Dijkstra over completions.

        The distances of all stacks on the shortest path are cached, so that the call after the
        next token has little to compute.
        """
        first = _Way(state, 0, None)
        heap: list[tuple[int, int, LrState | None, _Way]] = [(0, 0, state, first)]
        best = {id(state): 0}
        order = count(1)  # breaks ties, because stacks cannot be compared
        while True:
            reached, _, node, before = heappop(heap)
            if node is None:
                break
            if reached > best[id(node)]:
                continue
            way = before if node is before.node else _Way(node, reached, before)
            known = node.distance
            steps = self._completions(node) if known is None else [(known, None)]
            for tokens, after in steps:
                total = reached + tokens
                if after is None or total < best.get(id(after), total + 1):
                    best[id(after)] = total
                    heappush(heap, (total, next(order), after, way))
        last: _Way | None = before
        while last is not None:
            last.node.distance = reached - last.reached
            last = last.before


class _Way(NamedTuple):
    """A stack that is `reached` tokens from where the search began."""

    node: LrState
    reached: int
    before: _Way | None
