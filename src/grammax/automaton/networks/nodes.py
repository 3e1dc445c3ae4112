"""The states of all networks of a grammar, numbered: the *nodes* of `unrolled`."""

from __future__ import annotations

from typing import NamedTuple, final

from grammax.automaton.networks.network import Networks


class Call(NamedTuple):
    """A call: the symbol that it enters, whether it is nested, and the node where it continues."""

    callee: int
    nested: bool
    after: int


@final
class Nodes:
    """For each node its network's symbol, its arcs by kind, its calls, and whether it is final.

    `begin` is the first node of each symbol's network. `after` are the nodes at which a call of a
    symbol continues, `after_in_group` those of calls from within the symbol's own group.
    """

    def __init__(self, networks: Networks) -> None:
        self.productions = networks.productions
        self.group_of = networks.group_of
        self.begin: dict[int, int] = {}
        self.network: list[int] = []
        self.arcs: list[dict[int, int]] = []
        self.calls: list[tuple[Call, ...]] = []
        self.final: list[bool] = []
        self.after: dict[int, list[int]] = {}
        self.after_in_group: dict[int, list[int]] = {}
        for symbol in networks.by_symbol:
            self._add(networks, symbol)

    def __len__(self) -> int:
        return len(self.arcs)

    def in_group(self, node: int, symbol: int) -> bool:
        """Whether a node belongs to the group of a symbol."""
        return self.group_of[self.network[node]] == self.group_of[symbol]

    def _add(self, networks: Networks, symbol: int) -> None:
        kinds = self.productions.kinds
        network = networks.by_symbol[symbol]
        offset = self.begin[symbol] = len(self.arcs)
        for state, out in enumerate(network.arcs):
            arcs = {kind: offset + target for kind, target in out.items() if kind < kinds}
            calls = tuple(
                Call(networks.callee(label), networks.is_nested(label), offset + target)
                for label, target in out.items()
                if label >= kinds
            )
            for call in calls:
                self.after.setdefault(call.callee, []).append(call.after)
                if self.group_of[call.callee] == self.group_of[symbol]:
                    self.after_in_group.setdefault(call.callee, []).append(call.after)
            self.network.append(symbol)
            self.arcs.append(arcs)
            self.calls.append(calls)
            self.final.append(state in network.final)
