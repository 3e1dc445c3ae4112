"""Decoding equity queries with a language model: all rows and a mask, (A) and (B), interleaved.

The same constraint serves all three. The time of the prompt alone is measured and subtracted.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from math import inf
from statistics import median
from time import perf_counter
from typing import Any

import torch
import transformers
from models_shapes import SMOLLM2, Shape, random_model, real_smollm2, taught, tokenizer
from report import Row, progress
from torch import Tensor

from grammax import subwords
from grammax.domains import load_domain
from grammax.transformers import generate, permitted_rows
from grammax.transformers.fitting import Fitting
from grammax.vocabulary import Rows

BUDGET = 160
WAYS = ("all rows and a mask", "A permitted_rows", "B generate")


@dataclass(frozen=True, slots=True)
class Task:
    """A prompt, and what is to be written after it; () if the model decides."""

    prompt: Tensor
    text: tuple[int, ...]


class MaskedByConstraint(transformers.LogitsProcessor):  # type: ignore[misc]
    """What other engines do: all logits are there, and most become -inf."""

    def __init__(self, constraint: Any, prompt: int, rows: int) -> None:
        self.fitting = Fitting(constraint)
        self.state = constraint.start()
        self.read = self.prompt = prompt
        self.rows = rows
        self.indices: dict[int, tuple[Rows, Tensor]] = {}

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Scores of one sequence, -inf but for what may come next."""
        constraint = self.fitting.constraint
        for token in input_ids[0, self.read :].tolist():
            self.state = constraint.advance(self.state, token)
        self.read = input_ids.shape[1]
        rows = self.fitting.rows(self.state, BUDGET - (self.read - self.prompt))
        ids = torch.from_numpy(rows.ids.copy()).to(scores.device)
        out = torch.full_like(scores, -inf)
        out[0, ids] = scores[0, ids]
        return out


def decode(shape: Shape, forms: int, repeats: int, device: str) -> tuple[list[Row], float]:
    """The rows of one model, and how many times faster (B) is than a mask."""
    progress(f"loading {shape.name}")
    domain = load_domain("eqs")
    tokens = tokenizer(shape)
    automaton: Any = domain.automaton(domain.exact)
    constraint = subwords.constraint(automaton, tokens, prefix=" ")
    pairs = domain.pairs("test")
    step = max(1, len(pairs) // forms)
    chosen = pairs[::step][:forms]
    if shape is SMOLLM2:
        model = real_smollm2().to(device)
        tasks = [Task(_ids(tokens, _prompt(pairs, pair.query)), ()) for pair in chosen]
    else:
        dtype = torch.bfloat16 if device == "cuda" else torch.float32
        model = random_model(shape, device, dtype)
        tasks = [
            Task(
                _ids(tokens, f"Query: {pair.query}\nForm:"),
                (*_encoded(tokens, " " + " ".join(pair.tokens)), constraint.eos),
            )
            for pair in chosen
        ]
    model.generation_config.eos_token_id = constraint.eos
    model.generation_config.pad_token_id = constraint.eos
    times: dict[str, list[float]] = {way: [] for way in WAYS}
    written: dict[str, list[list[int]]] = {}
    for repeat in range(repeats + 1):
        for way in WAYS:
            progress(f"{shape.name}: {way}, pass {repeat} of {repeats}")
            seconds, texts = _timed(model, constraint, tasks, way, device)
            written[way] = texts
            if repeat:  # the first pass fills caches
                times[way].append(seconds)
    count = sum(map(len, written[WAYS[0]]))
    forced = _forced_share(constraint, written[WAYS[0]])
    at_most = _at_most(model, forced)
    del model
    gc.collect()
    rows: list[Row] = [
        {
            "model": shape.name,
            "way": way,
            "ms_per_token": 1e3 * median(times[way]) / count,
            "times_faster": _ratio(times, way),
            "at_most": at_most[way],
            "tokens": count,
            "forced_percent": 100 * forced,
            "same_texts": written[way] == written[WAYS[0]],
        }
        for way in WAYS
    ]
    return rows, _ratio(times, WAYS[2])


def _at_most(model: Any, forced: float) -> dict[str, float]:
    """How many times faster each way could be, if only reading weights from memory took time.

    A mask needs all weights for each token. Permitted rows are few, so the other ways need those of
    the body, for each token or for those that are not forced.
    """
    head = model.get_output_embeddings().weight
    tables = {head.data_ptr(), model.get_input_embeddings().weight.data_ptr()}
    body = sum(w.numel() for w in model.parameters() if w.data_ptr() not in tables)
    ratio = (body + head.numel()) / body
    return dict(zip(WAYS, (1.0, ratio, ratio / (1 - forced)), strict=True))


def _ratio(times: dict[str, list[float]], way: str) -> float:
    return median(a / b for a, b in zip(times[WAYS[0]], times[way], strict=True))


def _timed(
    model: Any, constraint: Any, tasks: Sequence[Task], way: str, device: str
) -> tuple[float, list[list[int]]]:
    """Seconds for all tasks without their prompts, and the texts."""
    seconds, texts = 0.0, []
    for task in tasks:
        ids = task.prompt.to(device)
        length = ids.shape[1]
        teacher = taught(model, length, task.text) if task.text else nullcontext()
        with teacher:
            took, output = _clocked(partial(_written, model, constraint, ids, way), device)
        with torch.no_grad():
            prompt, _ = _clocked(partial(model.model, ids, use_cache=True), device)
        seconds += took - prompt
        texts.append(output[0, length:].tolist())
    return seconds, texts


def _written(model: Any, constraint: Any, ids: Tensor, way: str) -> Tensor:
    if way == WAYS[2]:
        return generate(model, constraint, ids, max_new_tokens=BUDGET)
    options = {"max_new_tokens": BUDGET, "do_sample": False}
    if way == WAYS[1]:
        with permitted_rows(model, constraint):
            placed: Tensor = model.generate(ids, **options)
            return placed
    masked = MaskedByConstraint(constraint, ids.shape[1], model.config.vocab_size)
    found: Tensor = model.generate(ids, **options, logits_processor=[masked])
    return found


def _clocked(work: Callable[[], Any], device: str) -> tuple[float, Any]:
    if device == "cuda":
        torch.cuda.synchronize()
    begin = perf_counter()
    found = work()
    if device == "cuda":
        torch.cuda.synchronize()
    return perf_counter() - begin, found


def _forced_share(constraint: Any, texts: Sequence[Sequence[int]]) -> float:
    forced = total = 0
    for text in texts:
        state = constraint.start()
        for token in text:
            if constraint.is_done(state):
                break
            forced += constraint.rows(state).size == 1
            total += 1
            state = constraint.advance(state, token)
    return forced / total


def _prompt(pairs: Sequence[Any], query: str) -> str:
    examples = "".join(f"Query: {p.query}\nForm: {' '.join(p.tokens)}\n\n" for p in pairs[:3])
    return f"{examples}Query: {query}\nForm:"


def _ids(tokens: Any, text: str) -> Tensor:
    return torch.tensor([_encoded(tokens, text)])


def _encoded(tokens: Any, text: str) -> list[int]:
    if isinstance(tokens, transformers.PreTrainedTokenizerBase):
        return list(tokens(text, add_special_tokens=False)["input_ids"])
    return list(tokens.encode(text))
