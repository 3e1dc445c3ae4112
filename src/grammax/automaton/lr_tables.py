"""LR parse tables: LALR(1), or canonical LR(1) where LALR(1) has conflicts.

The LR(0) graph is Knuth's (1965). Look-aheads are found as DeRemer & Pennello (1982) do, by closing
two relations between nonterminal transitions. Sets of kinds are the bits of an int; the bit after
the last kind stands for the end of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import final

from grammax.grammar.productions import Productions, components

Item = tuple[int, int]
Reductions = tuple[tuple[int, int], ...]


@final
@dataclass(frozen=True)
class LrTables:
    """`goto[state][symbol]` shifts kinds and rules alike; `reductions[state]` are (rule, bits).

    `kernels[state]` are the items, (rule, dot), that the state was made for. The rule past the last
    one is `start' : start`, and reducing it is acceptance.
    """

    productions: Productions
    goto: tuple[dict[int, int], ...]
    reductions: tuple[Reductions, ...]
    kernels: tuple[tuple[Item, ...], ...]
    method: str = "LALR(1)"

    @property
    def accept_rule(self) -> int:
        return len(self.productions.rules)

    def rule(self, number: int) -> tuple[int, tuple[int, ...]]:
        """A rule by number, `start'` included (its left-hand side is one past all symbols)."""
        if number == self.accept_rule:
            return len(self.productions.names), (self.productions.start,)
        return self.productions.rules[number]

    def show(self, number: int, dot: int | None = None) -> str:
        """A rule as text, with a dot before the symbol that comes next."""
        if number < self.accept_rule:
            return self.productions.show(number, dot)
        mark = "• " if dot == 0 else ""
        return f"the sentence: {mark}{self.productions.names[self.productions.start]}"


def lalr_tables(productions: Productions) -> LrTables:
    """The LALR(1) tables, conflicts and all; see `lr_conflicts.find_conflicts`."""
    goto, kernels, complete = _lr0(productions)
    tables = LrTables(productions, goto, ((),) * len(goto), kernels)
    everything = (1 << productions.kinds + 1) - 1
    reductions: list[Reductions] = [
        tuple((rule, everything) for rule in rules) for rules in complete
    ]
    # A state with one reduction and no arcs needs no look-ahead: whatever comes, it reduces.
    needed = [s for s, rules in enumerate(complete) if rules and (len(rules) > 1 or goto[s])]
    found = _look_aheads(tables, complete, needed)
    for state in needed:
        reductions[state] = tuple((rule, found[state, rule]) for rule in complete[state])
    return LrTables(productions, goto, tuple(reductions), kernels)


def _lr0(
    productions: Productions,
) -> tuple[tuple[dict[int, int], ...], tuple[tuple[Item, ...], ...], list[list[int]]]:
    """The LR(0) graph: arcs, kernels, and the rules complete in each state."""
    expansion = _Expansion(productions)
    accept = len(productions.rules)
    right_of = [*(right for _, right in productions.rules), (productions.start,)]
    kernels: list[tuple[Item, ...]] = [((accept, 0),)]
    number = {kernels[0]: 0}
    goto: list[dict[int, int]] = []
    complete: list[list[int]] = []
    for kernel in kernels:
        steps: dict[int, list[Item]] = {}
        done: list[int] = []
        entered: dict[int, None] = {}
        for rule, dot in kernel:
            right = right_of[rule]
            if dot == len(right):
                done.append(rule)
                continue
            steps.setdefault(right[dot], []).append((rule, dot + 1))
            if right[dot] >= productions.kinds:
                entered[right[dot]] = None
        begun: set[int] = set()
        for symbol in entered:
            for inner in expansion.entered(symbol):
                if inner not in begun:
                    begun.add(inner)
                    done.extend(expansion.empty[inner])
                    for after, items in expansion.first_steps[inner].items():
                        known = steps.get(after)
                        steps[after] = items if known is None else known + items
        out: dict[int, int] = {}
        for symbol, items in steps.items():
            target = tuple(items) if len(items) == 1 else tuple(sorted(set(items)))
            found = number.get(target)
            if found is None:
                found = number[target] = len(kernels)
                kernels.append(target)
            out[symbol] = found
        goto.append(out)
        complete.append(done)
    return tuple(goto), tuple(kernels), complete


class _Expansion:
    """What entering a rule adds to a state, worked out once per rule."""

    def __init__(self, productions: Productions) -> None:
        self._productions = productions
        self._entered: dict[int, tuple[int, ...]] = {}
        self.first_steps: list[dict[int, list[Item]]] = [{} for _ in productions.names]
        self.empty: list[list[int]] = [[] for _ in productions.names]
        for rule, (left, right) in enumerate(productions.rules):
            if right:
                self.first_steps[left].setdefault(right[0], []).append((rule, 1))
            else:
                self.empty[left].append(rule)

    def entered(self, symbol: int) -> tuple[int, ...]:
        """The rules whose first symbols may come where `symbol` may, itself among them."""
        found = self._entered.get(symbol)
        if found is None:
            seen = {symbol: None}
            waiting = [symbol]
            while waiting:
                for inner in self.first_steps[waiting.pop()]:
                    if inner >= self._productions.kinds and inner not in seen:
                        seen[inner] = None
                        waiting.append(inner)
            found = self._entered[symbol] = tuple(seen)
        return found


def _look_aheads(
    tables: LrTables, complete: Sequence[Sequence[int]], needed: Iterable[int]
) -> dict[Item, int]:
    """(state, rule) → the kinds that may follow the rule when it is reduced in the state."""
    productions, goto = tables.productions, tables.goto
    kinds, nullable = productions.kinds, productions.nullable
    transitions = [(p, a) for p, out in enumerate(goto) for a in out if a >= kinds]
    number = {transition: index for index, transition in enumerate(transitions)}
    wanted = set(needed)

    # reads: after the transition, a nullable rule may come first. includes: the transition ends
    # a rule, so what follows that rule follows it. lookback: from a reduction to its transition.
    reads: list[list[int]] = []
    includes: list[list[int]] = [[] for _ in transitions]
    lookback: dict[Item, list[int]] = {}
    direct: list[int] = []
    for index, (state, left) in enumerate(transitions):
        after = goto[goto[state][left]]
        direct.append(reduce(or_, [1 << symbol for symbol in after if symbol < kinds], 0))
        reads.append([number[goto[state][left], s] for s in after if s in nullable])
        for rule in productions.rules_of[left]:
            right = productions.rules[rule][1]
            nullable_from = len(right)
            while nullable_from and right[nullable_from - 1] in nullable:
                nullable_from -= 1
            here = state
            for place, symbol in enumerate(right):
                if symbol >= kinds and place + 1 >= nullable_from:
                    includes[number[here, symbol]].append(index)
                here = goto[here][symbol]
            if here in wanted:
                lookback.setdefault((here, rule), []).append(index)
    direct[number[0, productions.start]] |= 1 << kinds
    follow = _closed(_closed(direct, reads), includes)

    found = {
        item: reduce(or_, (follow[index] for index in indices), 0)
        for item, indices in lookback.items()
    }
    for state in wanted:
        if tables.accept_rule in complete[state]:
            found[state, tables.accept_rule] = 1 << kinds
    return found


def _closed(sets: Sequence[int], successors: Sequence[Sequence[int]]) -> list[int]:
    """Each node's set joined with those of all nodes that it leads to."""
    result = list(sets)
    for group in components(successors):
        bits = 0
        for node in group:
            bits |= result[node]
            for successor in successors[node]:
                bits |= result[successor]
        for node in group:
            result[node] = bits
    return result


def canonical_tables(productions: Productions, limit: int) -> LrTables | None:
    """The canonical LR(1) tables (Knuth, 1965), or None if they need more than `limit` states."""
    accept = len(productions.rules)
    end = 1 << productions.kinds
    kernels: list[tuple[tuple[Item, int], ...]] = [(((accept, 0), end),)]
    number = {kernels[0]: 0}
    goto: list[dict[int, int]] = []
    reductions: list[Reductions] = []
    for kernel in kernels:
        steps: dict[int, dict[Item, int]] = {}
        done: dict[int, int] = {}
        for (rule, dot), ahead in _canonical_closure(productions, kernel).items():
            right = productions.rules[rule][1] if rule < accept else (productions.start,)
            if dot == len(right):
                done[rule] = done.get(rule, 0) | ahead
            else:
                items = steps.setdefault(right[dot], {})
                items[rule, dot + 1] = items.get((rule, dot + 1), 0) | ahead
        out: dict[int, int] = {}
        for symbol, items in steps.items():
            target = tuple(sorted(items.items()))
            found = number.get(target)
            if found is None:
                if len(kernels) >= limit:
                    return None
                found = number[target] = len(kernels)
                kernels.append(target)
            out[symbol] = found
        goto.append(out)
        reductions.append(tuple(done.items()))
    return LrTables(
        productions,
        tuple(goto),
        tuple(reductions),
        tuple(tuple(item for item, _ in kernel) for kernel in kernels),
        "LR(1)",
    )


def _canonical_closure(
    productions: Productions, kernel: Iterable[tuple[Item, int]]
) -> dict[Item, int]:
    accept = len(productions.rules)
    found: dict[Item, int] = {}
    waiting = list(kernel)
    while waiting:
        item, ahead = waiting.pop()
        known = found.get(item)
        if known is not None and known | ahead == known:
            continue
        found[item] = ahead | (known or 0)
        rule, dot = item
        right = productions.rules[rule][1] if rule < accept else (productions.start,)
        if dot < len(right) and right[dot] >= productions.kinds:
            first, empty = productions.first_of(right[dot + 1 :])
            follows = first | found[item] if empty else first
            waiting += [((inner, 0), follows) for inner in productions.rules_of[right[dot]]]
    return found
