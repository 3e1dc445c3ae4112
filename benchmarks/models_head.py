"""The output layer alone, for batches whose members are in different states of the equity grammar.

All rows with a mask that is ready made, permitted rows gathered for each member, the compact copy
of the rows that the grammar uses, and `RowScores`, which chooses, with all that it does in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import torch
from models_shapes import Shape, random_model, tokenizer
from report import Row, progress
from torch import Tensor
from torch.nn.functional import linear

from grammax import subwords
from grammax.domains import load_domain
from grammax.transformers import RowScores
from grammax.vocabulary import Rows

MASK = "all rows and a mask"
COMPACT = "compact copy"
CHOOSES = "RowScores"


def choices_of_forms(shape: Shape, forms: int = 200) -> list[Rows]:
    """What is permitted where something is to be chosen, along logical forms of the test set."""
    domain = load_domain("eqs")
    tokens = tokenizer(shape)
    automaton: Any = domain.automaton(domain.exact)
    constraint = subwords.constraint(automaton, tokens, prefix=" ")
    sets: dict[int, Rows] = {}
    found = []
    for pair in domain.pairs("test")[:forms]:
        state = constraint.start()
        for token in [*tokens.encode(" " + " ".join(pair.tokens)), constraint.eos]:
            rows = constraint.rows(state)
            if rows.size > 1:
                found.append(sets.setdefault(hash(rows), rows))
            state = constraint.advance(state, int(token))
    return found


def heads(
    shape: Shape, sets: Sequence[Rows], batches: Sequence[int], repeats: int, device: str
) -> tuple[list[Row], dict[int, float]]:
    """Milliseconds of each way, and how many times faster the compact copy is, by batch."""
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    weight = torch.randn(shape.rows, shape.width, dtype=dtype, device=device) * 0.02
    rows: list[Row] = []
    ratios = {}
    for batch in batches:
        progress(f"head of {shape.name}, batch {batch}")
        ways = _ways(weight, Random(0).choices(sets, k=batch), sets, device)
        times = _interleaved(ways, repeats, device)
        base = times[MASK]
        for way, seconds in times.items():
            ratio = median(a / b for a, b in zip(base, seconds, strict=True))
            rows.append(
                {
                    "head": shape.name,
                    "batch": batch,
                    "way": way,
                    "ms": 1e3 * median(seconds),
                    "times_faster": ratio,
                }
            )
            if way == COMPACT:
                ratios[batch] = ratio
    return rows, ratios


def _ways(
    weight: Tensor, chosen: Sequence[Rows], sets: Sequence[Rows], device: str
) -> dict[str, Callable[[], Tensor]]:
    batch, size = len(chosen), weight.shape[0]
    hidden = torch.randn(batch, weight.shape[1], dtype=weight.dtype, device=device)
    forbidden = torch.ones(batch, size, dtype=torch.bool, device=device)
    most = max(rows.size for rows in chosen)
    ids = torch.zeros(batch, most, dtype=torch.long)
    for member, rows in enumerate(chosen):
        found = torch.from_numpy(rows.ids.copy())
        forbidden[member, found.to(device)] = False
        ids[member, : rows.size] = found
    ids = ids.to(device)
    padding = forbidden.gather(1, ids)
    head = RowScores(weight)
    distinct = list({id(rows): rows for rows in sets}.values())
    used = torch.zeros(size, dtype=torch.bool)
    for rows in distinct:
        used[torch.from_numpy(rows.ids.copy())] = True
    copied = used.nonzero()[:, 0].to(device)
    compact = weight[copied]
    position = torch.zeros(size, dtype=torch.long, device=device)
    position[copied] = torch.arange(len(copied), device=device)
    where = position[ids]
    head.compact.add(distinct)
    ways: dict[str, Callable[[], Tensor]] = {
        MASK: lambda: linear(hidden, weight).masked_fill_(forbidden, -inf).argmax(-1),
        COMPACT: lambda: (
            linear(hidden, compact).gather(1, where).masked_fill_(padding, -inf).argmax(-1)
        ),
        CHOOSES: lambda: head.scores(hidden, chosen).values.argmax(-1),
    }
    if batch * most * weight.shape[1] * weight.element_size() < 8 << 30:
        ways["gathered rows"] = lambda: (
            torch.bmm(weight[ids], hidden[:, :, None])[:, :, 0]
            .masked_fill_(padding, -inf)
            .argmax(-1)
        )
    return ways


def _interleaved(
    ways: dict[str, Callable[[], Tensor]], repeats: int, device: str
) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {way: [] for way in ways}
    for repeat in range(repeats + 2):
        for way, work in ways.items():
            if device == "cuda":
                torch.cuda.synchronize()
            begin = perf_counter()
            work()
            if device == "cuda":
                torch.cuda.synchronize()
            if repeat >= 2:
                times[way].append(perf_counter() - begin)
    return times


@torch.no_grad()
def large_body(shape: Shape, repeats: int, device: str) -> float:
    """Seconds of a step of the body of a large model, from those of one layer and of three."""
    one, three = (_step_of_layers(shape, layers, repeats, device) for layers in (1, 3))
    others = int(shape.numbers["num_hidden_layers"]) - 1
    return one + others * max(0.0, three - one) / 2


def _step_of_layers(shape: Shape, layers: int, repeats: int, device: str) -> float:
    progress(f"{layers} layers of {shape.name}")
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    model = random_model(shape, device, dtype, layers=layers)
    prompt = torch.ones(1, 64, dtype=torch.long, device=device)
    cache = model.model(prompt, use_cache=True).past_key_values
    token = torch.ones(1, 1, dtype=torch.long, device=device)
    times = []
    for _ in range(repeats + 2):
        if device == "cuda":
            torch.cuda.synchronize()
        begin = perf_counter()
        model.model(token, past_key_values=cache, use_cache=True)
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(perf_counter() - begin)
    return float(median(times[2:]))
