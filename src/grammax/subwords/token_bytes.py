"""`TokenBytes`: the tokens of a language model in the order of their bytes.

A sorted list is a trie without nodes: the tokens that begin with some bytes are a span of it, and
one more byte narrows the span by two binary searches.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple, final


class Within(NamedTuple):
    """The tokens that begin with the same so many bytes: a span of the sorted list."""

    start: int
    stop: int
    depth: int


@final
class TokenBytes:
    """Tokens by their bytes. Tokens of the same bytes are one text with several ids.

    >>> tokens = TokenBytes([b"a", b"ab", None, b"b", b"a"])
    >>> within = tokens.narrowed(tokens.all, ord("a"))
    >>> within, tokens.exact(within), tokens.longer(within)
    (Within(start=0, stop=2, depth=1), (0, 4), True)
    >>> tokens.segments(b"abba")
    3
    """

    def __init__(self, bytes_of: Sequence[bytes | None]) -> None:
        ids: dict[bytes, tuple[int, ...]] = {}
        for token, text in enumerate(bytes_of):
            if text:
                ids[text] = (*ids[text], token) if text in ids else (token,)
        self.texts: Final = sorted(ids)
        self._ids = [ids[text] for text in self.texts]
        self.all: Final = Within(0, len(self.texts), 0)

    def narrowed(self, within: Within, byte: int) -> Within | None:
        """Those whose next byte is this one; None if there is none."""
        start, stop, depth = within
        texts = self.texts
        if start >= stop:
            return None
        begin = texts[start][:depth] if depth else b""
        first = bisect_left(texts, begin + bytes((byte,)), start, stop)
        last = bisect_left(texts, begin + bytes((byte + 1,)), first, stop) if byte < 255 else stop
        return Within(first, last, depth + 1) if first < last else None

    def exact(self, within: Within) -> tuple[int, ...]:
        """The ids of the token that is these bytes and no more; usually one, or none."""
        start, _, depth = within
        return self._ids[start] if len(self.texts[start]) == depth else ()

    def longer(self, within: Within) -> bool:
        """Whether there are tokens that go on."""
        start, stop, depth = within
        return stop - start > 1 or len(self.texts[start]) > depth

    def segments(self, text: bytes) -> int:
        """How many tokens spell a text if each is the longest that fits."""
        count = at = 0
        while at < len(text):
            longest, depth = 0, 0
            within: Within | None = self.all
            while within is not None and self.longer(within) and at + depth < len(text):
                within = self.narrowed(within, text[at + depth])
                depth += 1
                if within is not None and self.exact(within):
                    longest = depth
            assert longest, f"no token for the byte {text[at]:#x}, which was checked before"
            at += longest
            count += 1
        return count
