"""Compile rules to recursive transition networks: one automaton per rule, with kinds and calls.

Recursion at the left or right edge of a rule (a list, a chain) becomes a loop inside its network,
and a rule used once is inlined. What remains are *calls*. A call is *nested* if it re-enters its
own group of recursive rules from the middle. Only nested calls make a language irregular; how
deeply they are nested is what `unrolled` calls depth. A rule whose network would be too large has
calls only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from grammax.automaton.finite.determinize import Budget, TooLarge
from grammax.automaton.finite.dfa import Dfa
from grammax.automaton.finite.nfa import NfaBuilder
from grammax.grammar.productions import Productions, components

_MOST_STEPS = 300_000  # for the network of one rule: a fraction of a second
_MOST_STEPS_OF_ALL = 1_000_000


@final
@dataclass(frozen=True)
class Networks:
    """`by_symbol[symbol]` is the network of each symbol that is called, `start` among them.

    Labels below `productions.kinds` are kinds, others calls: see `callee` and `is_nested`.
    """

    productions: Productions
    by_symbol: Mapping[int, Dfa]
    group_of: Sequence[int]

    def callee(self, label: int) -> int:
        """The symbol that a call enters."""
        count = len(self.productions.names)
        return label - count if label >= count else label

    def is_nested(self, label: int) -> bool:
        """Whether a call re-enters its group from the middle of a rule."""
        return label >= len(self.productions.names)


def build_networks(productions: Productions) -> Networks:
    """The networks of the start and of all symbols called from it."""
    group_of = list(range(-len(productions.names), 0))
    for number, group in enumerate(productions.recursion):
        for symbol in group:
            group_of[symbol] = number
    shape = _Recursion(productions, group_of)
    by_symbol: dict[int, Dfa] = {}
    budget = Budget(_MOST_STEPS_OF_ALL)
    waiting = [productions.start]
    while waiting:
        symbol = waiting.pop()
        if symbol in by_symbol:
            continue
        by_symbol[symbol] = network = _network(productions, shape, symbol, budget)
        for out in network.arcs:
            for label in out:
                if label >= productions.kinds:
                    waiting.append(label % len(productions.names))
    return Networks(productions, by_symbol, group_of)


class _Recursion:
    """Decides which recursion becomes a loop at an edge of a rule, and which a call.

    Rules of a group that re-enter each other at edges form a *ring*. If they do so at one edge
    only, the ring is one loop. If they do so at both edges, the language counts brackets: then left
    edges become loops, and re-entering the ring at a right edge is a nested call.
    """

    def __init__(self, productions: Productions, group_of: Sequence[int]) -> None:
        self._productions = productions
        self._group_of = group_of
        self._ring: dict[int, int] = {}
        self._leftward: dict[int, bool] = {}
        self.loop: dict[int, int] = {}
        self.members: dict[int, list[int]] = {}
        for group in productions.recursion:
            own = group[0]
            if len(group) > 1 or any(own in r[1] for r in self._rules_of(own)):
                self._find_loops(group)

    def is_leftward(self, symbol: int) -> bool:
        return self._leftward[symbol]

    def loop_position(self, left: int, right: Sequence[int]) -> int | None:
        """The position in a right-hand side where the rule's own loop continues, or None."""
        if left not in self.loop or not right:
            return None
        position = self._edge(left, right)
        return position if self.loop.get(right[position]) == self.loop[left] else None

    def label(self, left: int, right: Sequence[int], position: int) -> int:
        """The label of a symbol in a rule: past all symbols if it is a nested call."""
        symbol = right[position]
        if symbol < self._productions.kinds or self._group_of[symbol] != self._group_of[left]:
            return symbol
        in_ring = self._ring[symbol] == self._ring[left]
        nested = 0 < position < len(right) - 1 or (in_ring and position != self._edge(left, right))
        return symbol + len(self._productions.names) if nested else symbol

    def call(self, left: int, symbol: int) -> int:
        """The label of a symbol where nothing becomes a loop: within the group, a nested call."""
        if symbol < self._productions.kinds or self._group_of[symbol] != self._group_of[left]:
            return symbol
        return symbol + len(self._productions.names)

    def _edge(self, left: int, right: Sequence[int]) -> int:
        return 0 if self._leftward[left] else len(right) - 1

    def _find_loops(self, group: Sequence[int]) -> None:
        for ring in self._rings(group, left=True, right=True):
            rules = [rule[1] for member in ring for rule in self._rules_of(member)]
            leftward = any(len(right) > 1 and right[0] in ring for right in rules)
            rightward = any(len(right) > 1 and right[-1] in ring for right in rules)
            mixed = leftward and rightward
            for loop in self._rings(ring, left=leftward or not mixed, right=not mixed):
                self.members[loop[0]] = loop
                for member in loop:
                    self._ring[member] = ring[0]
                    self._leftward[member] = leftward
                    self.loop[member] = loop[0]

    def _rings(self, members: Sequence[int], left: bool, right: bool) -> Iterator[list[int]]:
        """Groups of members that reach each other through these edges of their rules."""
        index_of = {member: index for index, member in enumerate(members)}
        reached: list[list[int]] = [[] for _ in members]
        for member in members:
            for _, symbols in self._rules_of(member):
                edges = symbols[:1] * left + symbols[-1:] * right
                edges = symbols if len(symbols) == 1 else edges
                inside = [index_of[symbol] for symbol in edges if symbol in index_of]
                reached[index_of[member]] += inside
        for part in components(reached):
            yield [members[index] for index in part]

    def _rules_of(self, symbol: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        return (self._productions.rules[rule] for rule in self._productions.rules_of[symbol])


def _network(productions: Productions, shape: _Recursion, symbol: int, budget: Budget) -> Dfa:
    try:
        return _with_loops(productions, shape, symbol, Budget(_MOST_STEPS, within=budget))
    except TooLarge:
        return _of_calls(productions, shape, symbol)


def _of_calls(productions: Productions, shape: _Recursion, symbol: int) -> Dfa:
    """A tree of the rule's alternatives: no loop, nothing inlined, so no larger than they are."""
    nfa = NfaBuilder()
    ends: list[int] = []
    for rule in productions.rules_of[symbol]:
        left, right = productions.rules[rule]
        here = nfa.start
        for position in range(len(right)):
            there = nfa.state()
            nfa.arc(here, shape.call(left, right[position]), there)
            here = there
        ends.append(here)
    return Dfa.from_nfa(nfa, ends)


def _with_loops(productions: Productions, shape: _Recursion, symbol: int, budget: Budget) -> Dfa:
    nfa = NfaBuilder()
    if symbol not in shape.loop:
        end = nfa.state()
        for rule in productions.rules_of[symbol]:
            _lay(nfa, productions, shape, rule, None, nfa.start, end)
        return Dfa.from_nfa(nfa, {end}, budget)
    loop = shape.members[shape.loop[symbol]]
    ends = {member: nfa.state() for member in loop}
    if shape.is_leftward(symbol):
        begins, final = dict.fromkeys(loop, nfa.start), ends[symbol]
    else:
        begins, final = ends, nfa.state()
        nfa.skip(nfa.start, begins[symbol])
        ends = dict.fromkeys(loop, final)
    for member in loop:
        budget.spend(5 * len(productions.rules_of[member]))
        for rule in productions.rules_of[member]:
            right = productions.rules[rule][1]
            position = shape.loop_position(member, right)
            begin, end = begins[member], ends[member]
            if position is not None and shape.is_leftward(symbol):
                begin = ends[right[position]]
            elif position is not None:
                end = begins[right[position]]
            _lay(nfa, productions, shape, rule, position, begin, end)
    return Dfa.from_nfa(nfa, {final}, budget)


def _lay(
    nfa: NfaBuilder,
    productions: Productions,
    shape: _Recursion,
    rule: int,
    without: int | None,
    begin: int,
    end: int,
) -> None:
    """Add a rule's symbols as arcs from `begin` to `end`, except the position where it loops."""
    waiting = [(rule, without, begin, end)]
    while waiting:
        rule, without, begin, end = waiting.pop()
        left, right = productions.rules[rule]
        positions = [position for position in range(len(right)) if position != without]
        if not positions:
            nfa.skip(begin, end)
        here = begin
        for position in positions:
            there = end if position == positions[-1] else nfa.state()
            symbol = right[position]
            if symbol >= productions.kinds and _is_inlined(productions, shape, symbol):
                for inner in productions.rules_of[symbol]:
                    waiting.append((inner, None, here, there))
            else:
                nfa.arc(here, shape.label(left, right, position), there)
            here = there


def _is_inlined(productions: Productions, shape: _Recursion, symbol: int) -> bool:
    """Whether a rule replaces its call: it is used once, or is only a choice of kinds."""
    if symbol in shape.loop:
        return False
    if len(productions.uses[symbol]) == 1:
        return True
    return all(
        len(productions.rules[rule][1]) == 1 and productions.rules[rule][1][0] < productions.kinds
        for rule in productions.rules_of[symbol]
    )
