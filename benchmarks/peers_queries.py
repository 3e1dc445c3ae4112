"""Whole queries: the output layer under each engine, and the mask that it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter, perf_counter_ns
from typing import Any

import numpy as np
from peers_engine import Array, Constraint, Forms, World, hidden_vectors
from peers_measure import Measured
from report import progress

Choose = Callable[[Any, Any, Array], int]


def time_queries(able: Sequence[Measured], world: World, forms: Forms, repeats: int) -> int:
    """Time all forms with each engine in turn, a few turns each, the last with every token scored.

    The answer is the number of choices at which an exact engine chose another row than the first.
    """
    hidden = hidden_vectors(world, max(map(len, forms)) + 1)
    chosen: dict[str, list[list[int]]] = {}
    times: dict[str, list[list[float]]] = {one.engine.name: [] for one in able}
    for number in range(repeats):
        for one in able:
            name, constraint = one.engine.name, one.constraint
            progress(f"queries, run {number + 1} of {repeats + 1}: {name}")
            choose = _chooser(world, constraint)
            done = [_query(constraint, choose, form, hidden, False) for form in forms]
            times[name].append([milliseconds for milliseconds, _ in done])
            chosen[name] = [rows for _, rows in done]
    for one in able:
        name, constraint = one.engine.name, one.constraint
        one.queries = [median(spent) for spent in zip(*times[name], strict=True)]
        one.scored = sum(map(len, chosen[name])) / len(forms)
        if constraint.mask is not None:
            progress(f"queries, run {repeats + 1} of {repeats + 1}: {name}")
            choose = _chooser(world, constraint)
            in_full = [_query(constraint, choose, form, hidden, True) for form in forms]
            one.queries_in_full = [milliseconds for milliseconds, _ in in_full]
            one.mask = _mask_time(constraint, world, forms[:10])
    truth = chosen[able[0].engine.name]
    return sum(
        sum(map(int.__ne__, rows, right)) if len(rows) == len(right) else len(right)
        for one in able
        if one.engine.exact
        for rows, right in zip(chosen[one.engine.name], truth, strict=True)
    )


def _mask_time(constraint: Constraint, world: World, forms: Forms) -> float:
    """Microseconds of applying the constraint to all scores, median over steps."""
    mask = constraint.mask
    assert mask is not None
    scores, times = np.empty_like(world.bias), []
    for form in forms:
        state = constraint.start()
        for token in form:
            permitted = constraint.constrain(state)
            scores[:] = world.bias
            started = perf_counter_ns()
            mask(permitted, scores)
            times.append(perf_counter_ns() - started)
            state = constraint.advance(state, token)
    return median(times) / 1e3


def _chooser(world: World, constraint: Constraint) -> Choose:
    """How a row is chosen: the engine's own way, or all rows, then the mask."""
    if constraint.choose is not None:
        return constraint.choose
    rows, bias, mask = world.rows, world.bias, constraint.mask
    assert mask is not None
    scores = np.empty_like(bias)

    def choose(_: Any, permitted: Any, hidden: Array) -> int:
        np.dot(rows, hidden, out=scores)
        np.add(scores, bias, out=scores)
        mask(permitted, scores)
        return int(scores.argmax())

    return choose


def _query(
    constraint: Constraint, choose: Choose, form: Sequence[int], hidden: Array, forced_too: bool
) -> tuple[float, list[int]]:
    """Milliseconds of the output layer for a whole logical form, and the rows that were chosen."""
    constrain, advance, forced = constraint.constrain, constraint.advance, constraint.forced
    chosen = []
    begin = perf_counter()
    state = constraint.start()
    for place, token in enumerate(form):
        permitted = constrain(state)
        if forced_too or not forced(state, permitted):
            chosen.append(choose(state, permitted, hidden[place]))
        state = advance(state, token)
    permitted = constrain(state)
    if forced_too or not forced(state, permitted):
        chosen.append(choose(state, permitted, hidden[len(form)]))
    return (perf_counter() - begin) * 1e3, chosen
