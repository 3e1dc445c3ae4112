"""Any grammar → a finite automaton that accepts all its sentences, and as few others as it can.

Mohri & Nederhof, *Regular Approximation of Context-Free Grammars through Transformation* (2001):
inside a group of mutually recursive rules, the end of a call may continue after any call of the
same rule in the group. Everything that is not recursive, or recursive at an edge only, stays exact.
"""

from __future__ import annotations

from grammax.automaton.finite import Dfa
from grammax.automaton.networks import Networks, build_networks
from grammax.automaton.nfa import NfaBuilder
from grammax.grammar.productions import Productions


def superset_dfa(productions: Productions) -> Dfa:
    """The minimal automaton of the approximation, over kinds."""
    return flatten(build_networks(productions)).minimal()


def flatten(networks: Networks) -> Dfa:
    """The networks as one automaton without calls."""
    start = networks.productions.start
    flat: dict[int, Dfa] = {}
    for group in networks.productions.recursion:  # callees before callers
        for symbol in group:
            if symbol in networks.of and (symbol == start or _is_entered(networks, symbol)):
                dfa = _flat(networks, symbol, flat)
                # What will be copied many times is worth making small first.
                flat[symbol] = dfa if symbol == start else dfa.minimal()
    return flat[start]


def _is_entered(networks: Networks, symbol: int) -> bool:
    """Whether a rule outside the symbol's own group calls it."""
    rules, group_of = networks.productions.rules, networks.group_of
    callers = (rules[rule][0] for rule in networks.productions.uses[symbol])
    return any(group_of[caller] != group_of[symbol] for caller in callers)


def _flat(networks: Networks, entry: int, flat: dict[int, Dfa]) -> Dfa:
    """The automaton of one symbol; of its group, the networks that it can reach."""
    kinds = networks.productions.kinds
    alone = networks.of[entry]
    if len(alone) == 2 and len(alone.arcs[0]) == 1 and alone.final == {1}:
        (label,) = alone.arcs[0]
        if label >= kinds and networks.callee(label) in flat:
            return flat[networks.callee(label)]  # one call and nothing else

    nfa = NfaBuilder()
    begins: dict[int, int] = {}
    calls: list[tuple[int, int, int]] = []
    waiting = [entry]
    while waiting:
        symbol = waiting.pop()
        if symbol in begins:
            continue
        network = networks.of[symbol]
        offset = begins[symbol] = len(nfa.arcs) if begins else nfa.start
        while len(nfa.arcs) < offset + len(network):
            nfa.state()
        for state, out in enumerate(network.arcs):
            here = offset + state
            for label, target in out.items():
                callee = networks.callee(label)
                if label < kinds:
                    nfa.arc(here, label, offset + target)
                elif networks.group_of[callee] != networks.group_of[entry]:
                    inner = flat[callee]
                    nfa.splice(inner.arcs, inner.final, here, offset + target)
                else:
                    waiting.append(callee)
                    calls.append((here, callee, offset + target))
    # A call enters the network of its symbol, whose end continues after any call of that symbol.
    for here, callee, after in calls:
        nfa.skip(here, begins[callee])
        for state in networks.of[callee].final:
            nfa.skip(begins[callee] + state, after)
    return Dfa.from_nfa(nfa, {begins[entry] + state for state in networks.of[entry].final})
