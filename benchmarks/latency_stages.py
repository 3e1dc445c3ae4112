"""The time that each stage of a query takes, and the lower bound that memory bandwidth sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from time import perf_counter
from typing import Any

import numpy as np
from report import Row

from grammax.head.protocol import Options
from grammax.runtime.compiled import CompiledSearch
from grammax.runtime.parser import RuntimeParser
from grammax.search.protocol import Run

KILO, MEGA = 1 << 10, 1 << 20


class Clock:
    """A decoder and a head that measure their own time, for searches in NumPy."""

    def __init__(self, parser: RuntimeParser) -> None:
        self._decoder, self._head = parser.search.one, parser.head
        self.tokens, self.end, self.memory_bytes = self._head.tokens, self._head.end, 0
        self.spent = dict.fromkeys(("encode", "decoder's steps", "attention", "output layer"), 0.0)

    def start(self, query: Any) -> Any:
        """Encode."""
        return self._timed("encode", self._decoder.start, query)

    def step(self, state: Any, run: Run) -> Any:
        """Step."""
        return self._timed("decoder's steps", self._decoder.step, state, run)

    def hidden(self, state: Any) -> Any:
        """Attend."""
        return self._timed("attention", self._decoder.hidden, state)

    def scores(self, hidden: Any, options: Options) -> Any:
        """Multiply."""
        return self._timed("output layer", self._head.scores, hidden, options)

    def scores_of(self, hidden: Any, options: Sequence[Options]) -> Any:
        """Multiply for a batch."""
        return self._head.scores_of(hidden, options)

    def _timed(self, stage: str, call: Any, *given: Any) -> Any:
        started = perf_counter()
        found = call(*given)
        self.spent[stage] += perf_counter() - started
        return found


def stages(name: str, parser: RuntimeParser, queries: Sequence[str]) -> list[Row]:
    """Means, measured apart: the clocks take a little themselves."""
    if parser.compiled_search is not None:
        spent = _compiled_stages(parser, parser.compiled_search, queries)
    else:
        spent = _stages(parser, queries)
    total = sum(spent.values())
    return [
        {
            "name": f"{name}: {stage}",
            "stage, mean ms": 1e3 * seconds / len(queries),
            "share": f"{seconds / total:.0%}",
        }
        for stage, seconds in spent.items()
    ]


def _stages(parser: RuntimeParser, queries: Sequence[str]) -> dict[str, float]:
    clock = Clock(parser)
    search = replace(parser.search, one=clock, head=clock)
    reading = total = 0.0
    for query in queries:
        started = perf_counter()
        read = parser.read(query)
        reading += perf_counter() - started
        search.parse(read)
        total += perf_counter() - started
    spent = {"read": reading, **clock.spent}
    spent["best token, grammar, search"] = total - sum(spent.values())
    return spent


def _compiled_stages(
    parser: RuntimeParser, search: CompiledSearch, queries: Sequence[str]
) -> dict[str, float]:
    """Reading and preparing in Python, encoding and decoding in compiled code."""
    spent = dict.fromkeys(("read", "prepare", "encode", "decode", "finish"), 0.0)
    for query in queries:
        times = [perf_counter()]
        read = parser.read(query)
        times.append(perf_counter())
        made = search.begin([read])
        times.append(perf_counter())
        made.encode()
        times.append(perf_counter())
        made.finish()
        times.append(perf_counter())
        made.found()
        times.append(perf_counter())
        for stage, before, after in zip(spent, times, times[1:], strict=False):
            spent[stage] += after - before
    return spent


def floor(name: str, parser: RuntimeParser, queries: Sequence[str], p50: float) -> Row:
    """The bytes of the weights that a query needs over what this machine can read in a second.

    The weights of the encoder stay in the second-level cache, those of the decoder and most rows
    in the third. Compiled code reads one byte per weight, if the model is exact in eight bits.
    """
    weights, found = parser.weights, [parser.parse(query) for query in queries]
    near, far = bandwidth(512 * KILO), bandwidth(8 * MEGA)
    words = np.median([len(parser.read(query).ids) for query in queries])
    only = weights.config.decisions_only
    steps = np.median([len(_steps(decoded.scored, only)) for decoded in found])
    layer = weights.rows.whole if weights.parts is None else weights.rows.spelt
    width = layer.shape[1]
    rows = np.median([sum(decoded.scored) for decoded in found])
    compiled = parser.compiled_search
    size = compiled.network.gates.matrix.itemsize if compiled else 4
    encoder = words * weights.encoder_states.size * size
    decoder, read = steps * weights.state.size * size, rows * width * 4
    seconds = encoder / near + (decoder + read) / far
    return {
        "name": f"{name}: the floor",
        "encoder, MB": encoder / MEGA,
        "decoder, MB": decoder / MEGA,
        "rows, MB": read / MEGA,
        "GB/s near and far": f"{near / 1e9:.0f}, {far / 1e9:.0f}",
        "floor, ms": 1e3 * seconds,
        "p50 over the floor": p50 / seconds,
    }


def _steps(scored: Sequence[int], decisions_only: bool) -> list[int]:
    """The steps of the decoder: one for each token before the last choice, or for each choice."""
    last = max((index for index, rows in enumerate(scored) if rows), default=0)
    return [rows for rows in scored[: last + 1] if rows or not decisions_only]


def bandwidth(size: int) -> float:
    """Bytes that one thread reads in a second from an array that is read again and again."""
    values = np.ones(size // 4, np.float32)
    values @ values
    taken = []
    for _ in range(30):
        started = perf_counter()
        for _ in range(8):
            values @ values
        taken.append((perf_counter() - started) / 8)
    return size / fmean(sorted(taken)[:10])
