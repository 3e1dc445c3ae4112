"""Conflicts in LR tables: the rules, the look-ahead, and a shortest prefix that leads there."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from grammax.automaton.lr.canonical import canonical_tables
from grammax.automaton.lr.tables import LOOK_AHEAD_STEPS, LrTables, lalr_tables
from grammax.errors import ConflictError, Location, Problem
from grammax.grammar.grammar import Grammar
from grammax.vocabulary.layout import bits

_CANONICAL_ITEMS = 2_000_000


def lr_tables(
    grammar: Grammar,
    look_ahead_steps: int = LOOK_AHEAD_STEPS,
    canonical_items: int = _CANONICAL_ITEMS,
) -> LrTables:
    """Tables without conflicts, or `ConflictError`; `AutomatonError` if they take too many steps.

    LALR(1) merges states and may report false conflicts; canonical LR(1) decides.
    """
    tables = lalr_tables(grammar.productions, look_ahead_steps)
    if next(find_conflicts(tables), None) is None:
        return tables
    canonical = canonical_tables(grammar.productions, canonical_items)
    if canonical is not None:
        if next(find_conflicts(canonical), None) is None:
            return canonical
        tables = canonical
    raise _conflict_error(grammar, tables)


def find_conflicts(tables: LrTables) -> Iterator[tuple[int, int, int]]:
    """(state, bits of the kinds in conflict, rule) for every reduction with a competing action."""
    for state, reductions in enumerate(tables.reductions):
        if not reductions or (len(reductions) == 1 and not tables.waits(state)):
            continue
        taken = tables.shift_bits[state]
        for rule, ahead in reductions:
            if taken & ahead:
                yield state, taken & ahead, rule
            taken |= ahead


def _conflict_error(grammar: Grammar, tables: LrTables) -> ConflictError:
    way = _shortest_ways(tables)
    conflicts = sorted(find_conflicts(tables), key=lambda found: way[found[0]][0])
    state, clash, rule = conflicts[0]
    kind = next(bits(clash))
    kinds, names = tables.productions.kinds, tables.productions.names
    prefix = tuple(grammar.kinds[names[k]][0] for k in _tokens_to(tables, way, state))
    lookahead = grammar.kinds[names[kind]][0] if kind < kinds else "the end"
    actions = [
        f"complete {tables.show(number)}"
        for number, ahead in tables.reductions[state]
        if ahead >> kind & 1
    ]
    actions += [
        f"go on with {tables.show(*item)}"
        for item in tables.kernels[state]
        if _may_shift(tables, item, kind)
    ]
    shown = " ".join(prefix) or "nothing"
    more = f" ({len(conflicts) - 1} more conflicts)" if len(conflicts) > 1 else ""
    problem = Problem(
        "conflict",
        f"the grammar is not LR(1): after {shown}, before {lookahead}, "
        f"{len(actions)} ways fit{more}",
        "\n    ".join(actions) + "\n    Rewrite the rules so that one token decides, or use the "
        "automaton `glr` (exact for any grammar) or `superset` (finite, looser).",
        _location(grammar, tables, state, rule),
    )
    return ConflictError(problem, prefix, lookahead, actions)


def _may_shift(tables: LrTables, item: tuple[int, int], kind: int) -> bool:
    rule, dot = item
    right = tables.rule(rule)[1]
    return bool(tables.productions.first_of(right[dot:])[0] >> kind & 1)


def _location(grammar: Grammar, tables: LrTables, state: int, rule: int) -> Location:
    if rule == tables.accept_rule:
        rule = next((r for r, _ in tables.reductions[state] if r != rule), 0)
    return grammar.rules[rule].location


def _shortest_ways(tables: LrTables) -> dict[int, tuple[int, int, int]]:
    """For each state the fewest tokens to it, the state before, and the symbol between."""
    ways = {0: (0, -1, -1)}
    heap = [(0, 0)]
    shifted: set[int] = set()
    while heap:
        length, state = heappop(heap)
        if length > ways[state][0]:
            continue
        row = tables.shift[state]
        shifts = () if id(row) in shifted else row.items()
        shifted.add(id(row))  # of the states that share a row, the first one met is nearest
        for symbol, target in (*shifts, *tables.goto[state].items()):
            reached = length + tables.productions.shortest[symbol]
            if target not in ways or reached < ways[target][0]:
                ways[target] = (reached, state, symbol)
                heappush(heap, (reached, target))
    return ways


def _tokens_to(tables: LrTables, ways: dict[int, tuple[int, int, int]], state: int) -> list[int]:
    """The kinds of a shortest prefix that leads to a state."""
    symbols: list[int] = []
    while state:
        _, state, symbol = ways[state]
        symbols.append(symbol)
    return tables.productions.shortest_sentence(reversed(symbols))
