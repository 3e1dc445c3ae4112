"""Constraints of grammax's own grammars, of xgrammar and of llguidance, under language models."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from subwords.tokenizers import qwen, qwen_encoding, tiny
from tiny_models import DECODER, WINDOW
from transformers import Gemma3ForCausalLM, Gemma3TextConfig, Qwen3Config, Qwen3ForCausalLM

from grammax import Grammar, lr
from grammax.search import BudgetTooShort
from grammax.subwords import constraint, from_llguidance, from_xgrammar
from grammax.transformers import Unfinished, generate, permitted_rows

GRAMMAR = """
films: "(" "AND" atom atom+ ")" | atom
atom: "(" "genre" "is" GENRE ")" | "(" "year" ("is" | "after") YEAR ")" | "(" "NOT" atom ")"
GENRE: "drama" | "dark comedy" | "dark drama" | "thriller"
YEAR: "1990" | "1999" | "2001"
"""
PATTERN = r"(al|be|ga){1,3}(ma)?"


def model_of(family: str, size: int, eos: int) -> Any:
    torch.manual_seed(1)
    options = {**DECODER, "vocab_size": size, "eos_token_id": eos}
    model: Any
    if family == "qwen3":
        model = Qwen3ForCausalLM(Qwen3Config(**options, tie_word_embeddings=True))
    else:
        model = Gemma3ForCausalLM(Gemma3TextConfig(**options, **WINDOW))
    with torch.no_grad():
        model.get_output_embeddings().weight.normal_(0, 0.7)
    model.generation_config.eos_token_id = eos
    model.generation_config.pad_token_id = 0
    return model.eval()


@pytest.mark.parametrize("spelling", ["canonical", "bytes"])
@pytest.mark.parametrize("family", ["qwen3", "gemma3"])
def test_a_grammar_in_subwords_is_written(family: str, spelling: Any) -> None:
    encoding = tiny()
    automaton = lr(Grammar.read(GRAMMAR))
    texts = constraint(automaton, encoding, prefix=" ", spelling=spelling)
    model = model_of(family, encoding.n_vocab + 3, texts.eos)
    ids = torch.randint(0, 200, (4, 6))
    options: dict[str, Any] = {"max_new_tokens": 120}
    with permitted_rows(model, texts):
        placed = model.generate(ids, **options, do_sample=False)
        sampled = model.generate(ids, **options, do_sample=True, top_k=0, temperature=2.0)
    own = generate(model, texts, ids, **options)
    assert own.tolist() == placed.tolist()
    seen = set()
    for row in [*placed[:, 6:].tolist(), *sampled[:, 6:].tolist()]:
        text = encoding.decode(row[: row.index(texts.eos)])
        assert automaton.accepts(automaton.read(split(text)))
        seen.add(text)
    assert len(seen) > 2


def split(text: str) -> list[str]:
    """The names of a text; some have a space."""
    return re.findall(r"dark comedy|dark drama|\S+", text)


@pytest.mark.parametrize("budget", [12, 20, 28])
def test_a_grammar_in_subwords_ends_within_the_budget(budget: int) -> None:
    encoding = tiny()
    automaton = lr(Grammar.read(GRAMMAR))
    texts = constraint(automaton, encoding)
    model = model_of("qwen3", encoding.n_vocab, texts.eos)
    ids = torch.randint(0, 200, (6, 4))
    with permitted_rows(model, texts):
        try:
            placed = model.generate(ids, max_new_tokens=budget, do_sample=True, top_k=0)
        except BudgetTooShort:
            needed = texts.needed(texts.start())
            assert needed is not None
            assert needed > budget
            return
    own = generate(model, texts, ids, max_new_tokens=budget, do_sample=True)
    for row in [*placed[:, 4:].tolist(), *own[:, 4:].tolist()]:
        text = encoding.decode(row[: row.index(texts.eos)])
        assert automaton.accepts(automaton.read(split(text)))


def test_a_vocabulary_of_a_real_tokenizer_is_written() -> None:
    encoding = qwen_encoding()
    automaton = lr(Grammar.read(GRAMMAR))
    texts = constraint(automaton, qwen(), prefix=" ")
    model = model_of("qwen3", 151_936, texts.eos)
    ids = torch.randint(0, 150_000, (3, 5))
    with permitted_rows(model, texts):
        placed = model.generate(ids, max_new_tokens=200, do_sample=False)
    own = generate(model, texts, ids, max_new_tokens=200)
    assert own.tolist() == placed.tolist()
    for row in own[:, 5:].tolist():
        text = encoding.decode(row[: row.index(texts.eos)])
        assert automaton.accepts(automaton.read(split(text)))


def xgrammar_constraint(encoding: Any, eos: int) -> Any:
    xgrammar = pytest.importorskip("xgrammar")
    pieces = [encoding.decode_single_token_bytes(token) for token in range(eos)] + [b"<end>"]
    info = xgrammar.TokenizerInfo(pieces, stop_token_ids=[eos])
    return from_xgrammar(xgrammar.GrammarCompiler(info).compile_regex(PATTERN))


def llguidance_constraint(encoding: Any, eos: int) -> Any:
    llguidance = pytest.importorskip("llguidance")

    class Tokens:
        bos_token_id = None
        eos_token_id = eos
        special_token_ids = (eos,)
        tokens = tuple(
            encoding.decode_single_token_bytes(token) if token < eos else b"<end>"
            for token in range(eos + 1)
        )

        def __call__(self, text: str | bytes) -> list[int]:
            return list(text if isinstance(text, bytes) else text.encode())

    tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Tokens()))
    grammar = llguidance.LLMatcher.grammar_from_regex(PATTERN)
    return from_llguidance(llguidance.LLMatcher(tokenizer, grammar), tokenizer)


@pytest.mark.parametrize("engine", [xgrammar_constraint, llguidance_constraint])
def test_matchers_of_other_engines_restrict_the_rows(engine: Any) -> None:
    encoding = tiny()
    eos = encoding.n_vocab - 1
    texts = engine(encoding, eos)
    model = model_of("qwen3", encoding.n_vocab, eos)
    ids = torch.randint(0, 200, (5, 4))
    with permitted_rows(model, texts):
        placed = model.generate(ids, max_new_tokens=12, do_sample=False)
        sampled = model.generate(ids, max_new_tokens=12, do_sample=True, top_k=0)
        with pytest.raises(Unfinished):
            model.generate(ids, max_new_tokens=1, do_sample=False)
    own = generate(model, texts, ids, max_new_tokens=12)
    assert own.tolist() == placed.tolist()
    for row in [*placed[:, 4:].tolist(), *sampled[:, 4:].tolist()]:
        assert re.fullmatch(PATTERN, encoding.decode(row[: row.index(eos)]))


@pytest.mark.parametrize("family", ["qwen3", "gemma3"])
def test_a_batch_may_have_grammars_of_several_engines(family: str) -> None:
    encoding = tiny()
    eos = encoding.n_vocab - 1
    automaton = lr(Grammar.read(GRAMMAR))
    texts = [
        constraint(automaton, encoding, eos=eos, prefix=" "),
        xgrammar_constraint(encoding, eos),
        constraint(lr(Grammar.read('s: "al" s | "be" | "ga"')), encoding, spelling="bytes"),
        llguidance_constraint(encoding, eos),
    ]
    model = model_of(family, encoding.n_vocab, eos)
    ids = torch.randint(0, 200, (4, 6))
    own = generate(model, texts, ids, max_new_tokens=120).tolist()
    with permitted_rows(model, texts):
        placed = model.generate(ids, max_new_tokens=120, do_sample=False).tolist()
        beams = {"num_beams": 3, "num_return_sequences": 2, "renormalize_logits": True}
        found = model.generate(ids, max_new_tokens=120, do_sample=False, **beams)
    assert len(found) == 8
    assert own == placed
    for row, one, prompt in zip(own, texts, ids, strict=True):
        alone = generate(model, one, prompt[None], max_new_tokens=120)[0].tolist()
        assert row[: len(alone)] == alone
    written = [encoding.decode(row[6 : row.index(eos)]) for row in own]
    assert automaton.accepts(automaton.read(split(written[0])))
    assert re.fullmatch("(al )*(be|ga)", written[2])
    assert all(re.fullmatch(PATTERN, written[number]) for number in (1, 3))
