"""How names are spelled: in the ids of a tokenizer, or in bytes.

A spelling is a function of the text alone, so what it computed is shared by all constraints that
are derived from one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, Protocol, final

from grammax.subwords.errors import TokenizerError
from grammax.subwords.token_bytes import TokenBytes
from grammax.subwords.tokenizer import Subwords, shown

SAMPLE: Final = 100  # texts that a check tries


class NotCanonical(TokenizerError):
    """The pieces of names are not the pieces of texts; the message says where."""


@final
@dataclass(frozen=True, slots=True)
class Completion:
    """Symbols that complete a text: those of a name, or of what is left of it, then the rest."""

    length: int
    symbols: Sequence[int]
    rest: Completion | None

    def __iter__(self) -> Iterator[int]:
        part: Completion | None = self
        while part is not None:
            yield from part.symbols
            part = part.rest


class Spelling(Protocol):
    """How the names of a vocabulary, each with a text before it, are spelled in symbols."""

    @property
    def name(self) -> str:
        """`canonical` or `bytes`."""

    def spell(self, lead: str, names: Sequence[str]) -> list[Sequence[int]]:
        """The symbols of `lead + name`, for each name."""

    def symbols(self, token: int) -> Sequence[int]:
        """The symbols of a token of the language model; none for one that is no text."""

    def length(self, completion: Completion) -> int:
        """How many tokens of the language model spell a completion; fewer after each of them."""

    def check(self, lead: str, names: Sequence[str]) -> None:
        """Raise if names cannot be spelled so next to others."""


@final
class CanonicalSpelling:
    """Names in the ids that the tokenizer itself gives them; symbols are ids."""

    name: Final = "canonical"

    def __init__(self, subwords: Subwords) -> None:
        self.subwords: Final = subwords
        self._known: dict[str, dict[str, Sequence[int]]] = {}

    def spell(self, lead: str, names: Sequence[str]) -> list[Sequence[int]]:
        """`NotCanonical` if the pieces of a name are not its bytes, as where text is normalised."""
        known = self._known.setdefault(lead, {})
        new = [name for name in names if name not in known]
        if new:
            texts = [lead + name for name in new]
            for name, text, ids in zip(new, texts, self.subwords.encode(texts), strict=True):
                if self.subwords.decode(ids) != text.encode():
                    raise NotCanonical(self._changed(text, ids))
                known[name] = ids
        return [known[name] for name in names]

    def symbols(self, token: int) -> Sequence[int]:
        return (token,)

    def length(self, completion: Completion) -> int:
        return completion.length

    def check(self, lead: str, names: Sequence[str]) -> None:
        """`NotCanonical` if the tokenizer spells one of the names otherwise between two others."""
        known = self._known.get(lead)
        if names and known:
            other = next(iter(known))
            self.check_texts(lead, lead, [[other, name, other] for name in names[:SAMPLE]])

    def check_texts(self, prefix: str, separator: str, texts: Sequence[Sequence[str]]) -> None:
        """`NotCanonical` if the tokenizer spells one of these lists of names otherwise."""
        given = [names for names in texts if names]
        encoded = self.subwords.encode([prefix + separator.join(names) for names in given])
        for names, ids in zip(given, encoded, strict=True):
            first, rest = self.spell(prefix, names[:1]), self.spell(separator, names[1:])
            pieces = list(chain.from_iterable((*first, *rest)))
            if pieces != list(ids):
                raise NotCanonical(self._apart(pieces, ids))

    def _changed(self, text: str, ids: Sequence[int]) -> str:
        pieces = " ".join(shown(self.subwords, token) or str(token) for token in ids)
        return f"the tokenizer spells {text!r} as {pieces or 'nothing'}, which is another text"

    def _apart(self, pieces: Sequence[int], ids: Sequence[int]) -> str:
        """Where two spellings of a text part, with a few pieces of both."""
        least = min(len(pieces), len(ids))
        at = next((at for at in range(least) if pieces[at] != ids[at]), least)
        mine, theirs = (
            " ".join(shown(self.subwords, token) for token in some[max(0, at - 1) : at + 3])
            for some in (pieces, ids)
        )
        return (
            f"the pieces of the names are {mine or 'nothing'} where the tokenizer, given the whole "
            f"text, has {theirs or 'nothing'}"
        )


@final
class ByteSpelling:
    """Names in bytes; a token of the language model is the bytes that it stands for."""

    name: Final = "bytes"

    def __init__(self, subwords: Subwords) -> None:
        self.subwords: Final = subwords
        self.tokens: Final = TokenBytes(subwords.bytes_of)
        self._single = {one[0] for one in self.tokens.texts if len(one) == 1}

    def spell(self, lead: str, names: Sequence[str]) -> list[Sequence[int]]:
        """`TokenizerError` if a name has a byte for which the tokenizer has no token."""
        found: list[Sequence[int]] = [(lead + name).encode() for name in names]
        missing = set().union(*found) - self._single
        if missing:
            name, one = next(
                (name, byte)
                for name, symbols in zip(names, found, strict=True)
                for byte in symbols
                if byte in missing
            )
            raise TokenizerError(
                f"the tokenizer has no token for the byte 0x{one:02X}, which {lead + name!r} "
                f"needs ({len(missing)} such bytes). Spell the token otherwise, or use a tokenizer "
                f"with all 256 bytes."
            )
        return found

    def symbols(self, token: int) -> Sequence[int]:
        return self.subwords.bytes_of[token] or b""

    def length(self, completion: Completion) -> int:
        """The count of the longest token each time, which needs no look at what was before."""
        return self.tokens.segments(bytes(completion))

    def check(self, lead: str, names: Sequence[str]) -> None:
        """Nothing: bytes do not depend on what is next to them."""
