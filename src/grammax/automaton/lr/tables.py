"""LR parse tables, LALR(1).

The LR(0) graph is Knuth's (1965). Look-aheads are found as DeRemer & Pennello (1982) do, by closing
two relations between nonterminal transitions. Sets of kinds are the bits of an int; the bit after
the last kind stands for the end of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import or_
from typing import final

from grammax.errors import AutomatonError
from grammax.grammar.productions import Productions, closed
from grammax.vocabulary.layout import bits_of

# About ten seconds. A typed grammar with 1,000 value types takes 0.1 million.
LOOK_AHEAD_STEPS = 10_000_000

Item = tuple[int, int]
Reductions = tuple[tuple[int, int], ...]
Arcs = Mapping[int, int]


@final
@dataclass(frozen=True)
class LrTables:
    """`shift[state][kind]` and `goto[state][rule]` are the next states; states share shift rows.

    `reductions[state]` are (rule, bits of the kinds ahead), and `kernels[state]` the items, (rule,
    dot), that define the state. The rule after the last one is `start': start`; reducing it is
    acceptance.
    """

    productions: Productions
    shift: tuple[Arcs, ...]
    goto: tuple[Arcs, ...]
    reductions: tuple[Reductions, ...]
    kernels: tuple[tuple[Item, ...], ...]
    method: str = "LALR(1)"

    @property
    def accept_rule(self) -> int:
        return len(self.productions.rules)

    @cached_property
    def shift_bits(self) -> tuple[int, ...]:
        """The kinds that each state shifts, as bits."""
        bits = {key: bits_of(row) for key, row in {id(row): row for row in self.shift}.items()}
        return tuple(bits[id(row)] for row in self.shift)

    def rule(self, number: int) -> tuple[int, tuple[int, ...]]:
        """A rule by number, `start'` included (its left-hand side is one past all symbols)."""
        if number == self.accept_rule:
            return len(self.productions.names), (self.productions.start,)
        return self.productions.rules[number]

    def waits(self, state: int) -> bool:
        """Whether a state can do anything but reduce."""
        return bool(self.shift[state] or self.goto[state])

    def show(self, number: int, dot: int | None = None) -> str:
        """A rule as text, with a dot before the symbol that comes next."""
        if number < self.accept_rule:
            return self.productions.show(number, dot)
        mark = "• " if dot == 0 else ""
        return f"the sentence: {mark}{self.productions.names[self.productions.start]}"


def lalr_tables(productions: Productions, most_steps: int = LOOK_AHEAD_STEPS) -> LrTables:
    """The LALR(1) tables, which may contain conflicts; see `conflicts.find_conflicts`."""
    tables, complete = _lr0(productions, most_steps)
    everything = (1 << productions.kinds + 1) - 1
    reductions: list[Reductions] = [
        tuple((rule, everything) for rule in rules) for rules in complete
    ]
    # A state with one reduction and no arcs needs no look-ahead: it always reduces.
    needed = [
        state
        for state, rules in enumerate(complete)
        if len(rules) > 1 or (rules and tables.waits(state))
    ]
    found = _look_aheads(tables, complete, needed, most_steps) if needed else {}
    for state in needed:
        reductions[state] = tuple((rule, found[state, rule]) for rule in complete[state])
    return replace(tables, reductions=tuple(reductions))


def _lr0(productions: Productions, most_steps: int) -> tuple[LrTables, list[list[int]]]:
    """The LR(0) graph, and the rules complete in each state."""
    graph = _Graph(productions, most_steps)
    for kernel in graph.kernels:
        graph.expand(kernel)
    unknown: tuple[Reductions, ...] = ((),) * len(graph.kernels)
    tables = LrTables(
        productions, tuple(graph.shift), tuple(graph.goto), unknown, tuple(graph.kernels)
    )
    return tables, graph.complete


class _Graph:
    """The LR(0) graph while it is built, state by state."""

    def __init__(self, productions: Productions, most_steps: int) -> None:
        self._kinds = productions.kinds
        self._most_steps, self._steps = most_steps, 0
        self._right_of = [*(right for _, right in productions.rules), (productions.start,)]
        self._expansion = _Expansion(productions)
        self.kernels: list[tuple[Item, ...]] = [((len(productions.rules), 0),)]
        self._number = {self.kernels[0]: 0}
        self._rows: dict[int, tuple[dict[int, int], dict[int, int]]] = {}
        self.shift: list[dict[int, int]] = []
        self.goto: list[dict[int, int]] = []
        self.complete: list[list[int]] = []

    def expand(self, kernel: tuple[Item, ...]) -> None:
        """Add the arcs of a state and, at the end, the states that they lead to."""
        steps: dict[int, list[Item]] = {}
        done: list[int] = []
        for rule, dot in kernel:
            right = self._right_of[rule]
            if dot == len(right):
                done.append(rule)
            else:
                steps.setdefault(right[dot], []).append((rule, dot + 1))
        entered = [symbol for symbol in steps if symbol >= self._kinds]
        begun = dict.fromkeys(s for symbol in entered for s in self._expansion.entered(symbol))
        for symbol in begun:
            done += self._expansion.empty[symbol]
        self._count(len(kernel) + len(begun))
        self.complete.append(done)
        if (
            len(entered) == 1
            and len(steps) == 1
            and entered[0] not in self._expansion.steps(entered[0])
        ):
            # All states that only enter this rule share one row of shifts. Without this, 10,000
            # alternatives that call each other would need 100 million arcs.
            shift, goto = self._row(entered[0])
            self.shift.append(shift)
            self.goto.append({**goto, **self._arcs(steps)})
            return
        for symbol in begun:
            self._count(len(self._expansion.first_steps[symbol]))
            for after, items in self._expansion.first_steps[symbol].items():
                known = steps.get(after)
                steps[after] = items if known is None else known + items
        self._count(len(steps))
        arcs = self._arcs(steps)
        self.shift.append({kind: to for kind, to in arcs.items() if kind < self._kinds})
        self.goto.append({rule: to for rule, to in arcs.items() if rule >= self._kinds})

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > self._most_steps:
            raise _too_large(f"more than {self._most_steps:,}", self._most_steps)

    def _row(self, symbol: int) -> tuple[dict[int, int], dict[int, int]]:
        if symbol not in self._rows:
            steps = self._expansion.steps(symbol)
            self._count(sum(map(len, steps.values())))
            arcs = self._arcs(steps)
            self._rows[symbol] = (
                {kind: to for kind, to in arcs.items() if kind < self._kinds},
                {rule: to for rule, to in arcs.items() if rule >= self._kinds},
            )
        return self._rows[symbol]

    def _arcs(self, steps: dict[int, list[Item]]) -> dict[int, int]:
        arcs: dict[int, int] = {}
        for symbol, items in steps.items():
            target = tuple(items) if len(items) == 1 else tuple(sorted(set(items)))
            found = self._number.get(target)
            if found is None:
                found = self._number[target] = len(self.kernels)
                self.kernels.append(target)
            arcs[symbol] = found
        return arcs


class _Expansion:
    """The items that entering a rule adds to a state, computed once per rule."""

    def __init__(self, productions: Productions) -> None:
        self._productions = productions
        self._entered: dict[int, tuple[int, ...]] = {}
        self._steps: dict[int, dict[int, list[Item]]] = {}
        self.first_steps: list[dict[int, list[Item]]] = [{} for _ in productions.names]
        self.empty: list[list[int]] = [[] for _ in productions.names]
        for rule, (left, right) in enumerate(productions.rules):
            if right:
                self.first_steps[left].setdefault(right[0], []).append((rule, 1))
            else:
                self.empty[left].append(rule)

    def entered(self, symbol: int) -> tuple[int, ...]:
        """The rules that can begin a derivation of `symbol`, including `symbol` itself."""
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

    def steps(self, symbol: int) -> dict[int, list[Item]]:
        """The items after each first symbol of the rules that entering `symbol` enters."""
        found = self._steps.get(symbol)
        if found is None:
            found = self._steps[symbol] = {}
            for inner in self.entered(symbol):
                for after, items in self.first_steps[inner].items():
                    found[after] = found[after] + items if after in found else items
        return found


def _look_aheads(
    tables: LrTables, complete: Sequence[Sequence[int]], needed: Iterable[int], most_steps: int
) -> dict[Item, int]:
    """(state, rule) → the kinds that may follow the rule when it is reduced in the state."""
    productions, goto = tables.productions, tables.goto
    kinds, nullable = productions.kinds, productions.nullable
    transitions = [(p, a) for p, out in enumerate(goto) for a in out]
    number = {transition: index for index, transition in enumerate(transitions)}
    wanted = set(needed)
    _check_size(productions, transitions, most_steps)

    # reads: after the transition, a nullable rule may come first. includes: the transition ends
    # a rule, so what follows that rule follows it. lookback: from a reduction to its transition.
    reads: list[list[int]] = []
    includes: list[list[int]] = [[] for _ in transitions]
    lookback: dict[Item, list[int]] = {}
    direct: list[int] = []
    for index, (state, left) in enumerate(transitions):
        after = goto[state][left]
        direct.append(tables.shift_bits[after])
        reads.append([number[after, rule] for rule in goto[after] if rule in nullable])
        for rule in productions.rules_of[left]:
            right = productions.rules[rule][1]
            nullable_from = len(right)
            while nullable_from and right[nullable_from - 1] in nullable:
                nullable_from -= 1
            here = state
            for position, symbol in enumerate(right):
                if symbol < kinds:
                    here = tables.shift[here][symbol]
                    continue
                if position + 1 >= nullable_from:
                    includes[number[here, symbol]].append(index)
                here = goto[here][symbol]
            if here in wanted:
                lookback.setdefault((here, rule), []).append(index)
    direct[number[0, productions.start]] |= 1 << kinds
    follow = closed(closed(direct, reads), includes)

    found = {
        item: reduce(or_, (follow[index] for index in indices), 0)
        for item, indices in lookback.items()
    }
    for state in wanted:
        if tables.accept_rule in complete[state]:
            found[state, tables.accept_rule] = 1 << kinds
    return found


def _check_size(productions: Productions, transitions: Sequence[Item], most: int) -> None:
    """Raise if computing the look-aheads would take minutes and gigabytes."""
    symbols = [
        sum(len(productions.rules[rule][1]) for rule in rules) for rules in productions.rules_of
    ]
    steps = sum(symbols[left] for _, left in transitions)
    if steps > most:
        raise _too_large(f"{steps:,}", most)


def _too_large(steps: str, most: int) -> AutomatonError:
    return AutomatonError(
        f"the LR tables of this grammar take {steps} steps, and {most:,} are the limit. Make kinds "
        f"of tokens that the rules treat alike, or use the automaton `glr` (exact, without such "
        f"tables) or `superset` (finite, looser)."
    )
