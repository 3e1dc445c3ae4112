"""Engines measured: compiling, what they permit, and steps of the constraint."""

from __future__ import annotations

import ctypes
import gc
import math
import tracemalloc
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from mmap import PAGESIZE
from pathlib import Path
from statistics import median
from time import perf_counter, perf_counter_ns

import numpy as np
from peers_engine import Constraint, Engine, Forms, World


@dataclass
class Measured:
    """An engine with a compiled grammar, and what was found of it so far."""

    engine: Engine
    constraint: Constraint
    compile_seconds: float
    checked: int = 0
    differs: int = 0
    megabytes: float = math.nan
    forms: list[Sequence[int]] = field(default_factory=list)  # those that it takes
    steps: list[float] = field(default_factory=list)  # microseconds
    mask: float = 0.0  # microseconds
    scored: float = 0.0  # steps of a query at which there is a choice
    queries: list[float] = field(default_factory=list)  # milliseconds
    queries_in_full: list[float] = field(default_factory=list)  # with forced tokens scored too


def compile_and_check(
    engine: Engine, world: World, truth: Constraint | None, seconds: float
) -> Measured:
    """Compile, then compare what it permits with the truth after every prefix, while time lasts."""
    compiled = engine.prepare(world)
    before = _resident_megabytes()
    begin = perf_counter()
    constraint = compiled()
    found = Measured(engine, constraint, perf_counter() - begin)
    begin = perf_counter()
    for form in world.forms:
        if perf_counter() - begin > seconds:
            break
        _check(found, form, truth or constraint, world.end)
    found.megabytes = _resident_megabytes() - before
    if engine.in_python:
        found.megabytes = _traced_megabytes(compiled, found.forms)
    return found


def _check(found: Measured, form: Sequence[int], truth: Constraint, end: int) -> None:
    state, place = found.constraint.start(), truth.start()
    for number, token in enumerate((*form, end)):
        permitted = found.constraint.bits(state, found.constraint.constrain(state))
        found.checked += 1
        found.differs += not np.array_equal(permitted, truth.bits(place, truth.constrain(place)))
        if token == end:
            found.forms.append(form)
            return
        try:
            state = found.constraint.advance(state, token)
        except Exception:  # engines raise what they like
            found.checked += len(form) - number
            found.differs += len(form) - number
            return
        place = truth.advance(place, token)


def time_steps(found: Measured, seconds: float) -> None:
    """Microseconds of every step, clock overhead subtracted, while time lasts."""
    times: list[int] = []
    begin = perf_counter()
    gc.disable()
    for form in found.forms:
        walk = found.constraint.walk
        times += _walk(found.constraint, form) if walk is None else walk(form)
        if perf_counter() - begin > seconds:
            break
    gc.enable()
    overhead = _clock_overhead()
    found.steps += [max(0.0, time - overhead) / 1e3 for time in times]


def _walk(constraint: Constraint, form: Sequence[int]) -> list[int]:
    clock, constrain, advance = perf_counter_ns, constraint.constrain, constraint.advance
    times = []
    state = constraint.start()
    for token in form:
        started = clock()
        constrain(state)
        state = advance(state, token)
        times.append(clock() - started)
    return times


def _clock_overhead() -> float:
    clock, empty = perf_counter_ns, []
    for _ in range(1000):
        begin = clock()
        empty.append(clock() - begin)
    return median(empty)


def _traced_megabytes(compiled: Callable[[], Constraint], forms: Forms) -> float:
    """Memory of an engine in Python, for small things find room in what Python holds already."""
    gc.collect()
    tracemalloc.start()
    constraint = compiled()
    for form in forms:
        state = constraint.start()
        for token in form:
            constraint.constrain(state)
            state = constraint.advance(state, token)
    gc.collect()
    megabytes = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    return megabytes


def _resident_megabytes() -> float:
    """Memory in use, what was freed given back first; not a number where nobody tells."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * PAGESIZE / 1e6
    except OSError:
        return math.nan
