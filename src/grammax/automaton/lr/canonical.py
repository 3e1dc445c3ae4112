"""Canonical LR(1) tables (Knuth, 1965): larger than LALR(1), and without its false conflicts."""

from __future__ import annotations

from collections.abc import Iterable

from grammax.automaton.lr.tables import Arcs, Item, LrTables, Reductions
from grammax.grammar.productions import Productions


def canonical_tables(productions: Productions, limit: int) -> LrTables | None:
    """The canonical LR(1) tables, or None if they need more than `limit` items."""
    items_made = 0
    begins = _begins(productions)
    accept = len(productions.rules)
    end = 1 << productions.kinds
    kernels: list[tuple[tuple[Item, int], ...]] = [(((accept, 0), end),)]
    number = {kernels[0]: 0}
    shift: list[Arcs] = []
    goto: list[Arcs] = []
    reductions: list[Reductions] = []
    for kernel in kernels:
        steps: dict[int, dict[Item, int]] = {}
        done: dict[int, int] = {}
        closure = _canonical_closure(productions, begins, kernel)
        items_made += len(closure)
        if items_made > limit:
            return None
        for (rule, dot), ahead in closure.items():
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
                found = number[target] = len(kernels)
                kernels.append(target)
            out[symbol] = found
        shift.append({kind: to for kind, to in out.items() if kind < productions.kinds})
        goto.append({rule: to for rule, to in out.items() if rule >= productions.kinds})
        reductions.append(tuple(done.items()))
    return LrTables(
        productions,
        tuple(shift),
        tuple(goto),
        tuple(reductions),
        tuple(tuple(item for item, _ in kernel) for kernel in kernels),
        "LR(1)",
    )


# For each rule: the rules that may begin it, the kinds that may follow them there, and whether the
# kinds that follow the rule itself may follow them, too.
Begins = list[dict[int, tuple[int, bool]]]


def _begins(productions: Productions) -> Begins:
    begins: Begins = [{} for _ in productions.names]
    for left, right in productions.rules:
        if right and right[0] >= productions.kinds:
            first, empty = productions.first_of(right[1:])
            known, passes = begins[left].get(right[0], (0, False))
            begins[left][right[0]] = known | first, passes or empty
    return begins


def _canonical_closure(
    productions: Productions, begins: Begins, kernel: Iterable[tuple[Item, int]]
) -> dict[Item, int]:
    found = dict(kernel)
    aheads: dict[int, int] = {}
    waiting: list[int] = []

    def enter(symbol: int, ahead: int) -> None:
        known = aheads.get(symbol)
        if known is None or known | ahead != known:
            aheads[symbol] = ahead | (known or 0)
            waiting.append(symbol)

    for (rule, dot), ahead in kernel:
        right = (
            productions.rules[rule][1] if rule < len(productions.rules) else (productions.start,)
        )
        if dot < len(right) and right[dot] >= productions.kinds:
            first, empty = productions.first_of(right[dot + 1 :])
            enter(right[dot], first | ahead if empty else first)
    while waiting:
        symbol = waiting.pop()
        for inner, (first, passes) in begins[symbol].items():
            enter(inner, first | aheads[symbol] if passes else first)
    for symbol, ahead in aheads.items():
        for rule in productions.rules_of[symbol]:
            found[rule, 0] = ahead
    return found
