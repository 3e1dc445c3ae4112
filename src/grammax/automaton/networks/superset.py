"""A finite automaton that accepts all sentences of a grammar, and few others.

Mohri & Nederhof, *Regular Approximation of Context-Free Grammars through Transformation* (2001):
inside a group of mutually recursive rules, the end of a call may continue after any call of the
same rule in the group. Everything that is not recursive, or recursive at an edge only, stays exact.
"""

from __future__ import annotations

from grammax.automaton.finite.determinize import Budget, TooLarge
from grammax.automaton.finite.dfa import Dfa
from grammax.automaton.finite.engine import FiniteEngine
from grammax.automaton.finite.nfa import NfaBuilder
from grammax.automaton.networks.network import Networks, build_networks
from grammax.automaton.networks.subsets import SubsetEngine
from grammax.grammar.productions import Productions

_MOST_STEPS = 1_000_000  # a second; a typed grammar with 1,000 value types takes a tenth of it


def superset_engine(productions: Productions) -> FiniteEngine | SubsetEngine:
    """The automaton of the approximation, minimal; on demand if it would be too large."""
    networks = build_networks(productions)
    try:
        return FiniteEngine(flatten(networks).minimal(), "superset")
    except TooLarge:
        return SubsetEngine(productions, networks=networks)


def superset_dfa(productions: Productions) -> Dfa:
    """The minimal automaton of the approximation, over kinds; `TooLarge` if that takes long."""
    return flatten(build_networks(productions)).minimal()


def flatten(networks: Networks) -> Dfa:
    """The networks as one automaton without calls."""
    return _Flattener(networks).run()


class _Flattener:
    """`_flat` holds the automata of symbols that other groups call, callees first."""

    def __init__(self, networks: Networks) -> None:
        self._networks = networks
        self._kinds = networks.productions.kinds
        self._flat: dict[int, Dfa] = {}
        self._small: dict[int, Dfa] = {}
        self._budget = Budget(_MOST_STEPS)

    def run(self) -> Dfa:
        start = self._networks.productions.start
        for group in self._networks.productions.recursion:  # callees before callers
            for symbol in group:
                called = symbol in self._networks.by_symbol
                if called and (symbol == start or self._is_entered(symbol)):
                    self._flat[symbol] = self._flatten(symbol)
        return self._flat[start]

    def _is_entered(self, symbol: int) -> bool:
        """Whether a rule outside the symbol's own group calls it."""
        rules, group_of = self._networks.productions.rules, self._networks.group_of
        callers = (rules[rule][0] for rule in self._networks.productions.uses[symbol])
        return any(group_of[caller] != group_of[symbol] for caller in callers)

    def _flatten(self, entry: int) -> Dfa:
        """The automaton of one symbol: its network and those of its group that it reaches."""
        networks, alone = self._networks, self._networks.by_symbol[entry]
        if len(alone) == 2 and len(alone.arcs[0]) == 1 and not alone.arcs[1] and alone.final == {1}:
            (label,) = alone.arcs[0]
            if label >= self._kinds and networks.callee(label) in self._flat:
                return self._flat[networks.callee(label)]  # one call and nothing else
        nfa = NfaBuilder()
        begins: dict[int, int] = {}
        calls: list[tuple[int, int, int]] = []
        waiting = [entry]
        while waiting:
            symbol = waiting.pop()
            if symbol not in begins:
                begins[symbol] = len(nfa.arcs) if begins else nfa.start
                found = self._lay(nfa, symbol, begins[symbol])
                waiting += [callee for _, callee, _ in found]
                calls += found
        # A call enters the network of its symbol, whose end continues after any call of it.
        for here, callee, after in calls:
            nfa.skip(here, begins[callee])
            for state in networks.by_symbol[callee].final:
                nfa.skip(begins[callee] + state, after)
        final = {begins[entry] + state for state in alone.final}
        return Dfa.from_nfa(nfa, final, self._budget)

    def _lay(self, nfa: NfaBuilder, symbol: int, offset: int) -> list[tuple[int, int, int]]:
        """Copy a network; return its calls within the group as (source, callee, target)."""
        network, group_of = self._networks.by_symbol[symbol], self._networks.group_of
        while len(nfa.arcs) < offset + len(network):
            nfa.state()
        calls: list[tuple[int, int, int]] = []
        for state, out in enumerate(network.arcs):
            here = offset + state
            for label, target in out.items():
                callee = self._networks.callee(label)
                if label < self._kinds:
                    nfa.arc(here, label, offset + target)
                elif group_of[callee] == group_of[symbol]:
                    calls.append((here, callee, offset + target))
                else:
                    inner = self._minimal(callee)
                    self._budget.spend(_arcs(inner))
                    nfa.splice(inner.arcs, inner.final, here, offset + target)
        return calls

    def _minimal(self, symbol: int) -> Dfa:
        """The minimal automaton, because it may be copied a thousand times."""
        if symbol not in self._small:
            self._budget.spend(4 * _arcs(self._flat[symbol]))  # as long as determinizing it takes
            self._small[symbol] = self._flat[symbol].minimal()
        return self._small[symbol]


def _arcs(dfa: Dfa) -> int:
    return sum(map(len, dfa.arcs))
