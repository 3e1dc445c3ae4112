"""Canonical LR(1) tables (Knuth, 1965): larger than LALR(1), and without its false conflicts."""

from __future__ import annotations

from collections.abc import Iterable

from grammax.automaton.lr_tables import Arcs, Item, LrTables, Reductions
from grammax.grammar.productions import Productions


def canonical_tables(productions: Productions, limit: int) -> LrTables | None:
    """The canonical LR(1) tables, or None if they need more than `limit` items."""
    items_made = 0
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
                items_made += len(target)
                if items_made > limit:
                    return None
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
