"""`PhraseTable`: phrases and the ids of their tokens as a hash table in arrays.

The arrays are mapped into memory as they are. Nothing is parsed or copied when they are loaded: a
look-up reads the few entries of one bucket. Entries are in the order of their hashes, and a bucket
has those whose hashes begin with the same bits.

Beside phrases, the table has their first words and first two words, each with the lengths of the
longer phrases that begin so, and the words of all names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, islice, repeat
from typing import Final, NamedTuple, final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[np.generic]]

LONGEST: Final = 62  # words of a phrase; longer ones are not found
_SEPARATOR: Final = "\n"  # words have no white space
_HASH_BITS: Final = 32
_ROOM: Final = 2  # buckets per entry, at least
_IS_NAME: Final = 1  # a phrase that is a name, not only a variant of one
_IS_WORD: Final = 2  # a word of a name


class Entry(NamedTuple):
    """What the table has for a text."""

    ids: tuple[int, ...] = ()  # the tokens that it names
    lengths: int = 0  # of the longer phrases that begin with it, as bits
    is_word: bool = False  # whether it is a word of a name


NOTHING: Final = Entry()


@final
class PhraseTable:
    """The phrases of an index.

    >>> table = PhraseTable.from_phrases({"true crime": [1], "crime": [0, 1]}, names=2)
    >>> table.find("crime"), table.find("true")
    (Entry(ids=(0, 1), lengths=0, is_word=True), Entry(ids=(), lengths=4, is_word=True))
    """

    __slots__ = ("_buckets", "_flags", "_hashes", "_ids", "_lengths", "_offsets", "_shift",
                 "_starts", "_text", "arrays")  # fmt: skip

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        # Reading an item of a memoryview takes a third of the time that NumPy takes.
        self._buckets, self._flags, self._hashes, self._ids, self._lengths, self._offsets = (
            arrays[name].data
            for name in ("buckets", "flags", "hashes", "ids", "lengths", "offsets")
        )
        self._starts, self._text = arrays["starts"].data, arrays["phrases"].data
        self._shift = _HASH_BITS - (len(self._buckets) - 1).bit_length() + 1

    @classmethod
    def from_phrases(cls, phrases: Mapping[str, Sequence[int]], names: int) -> PhraseTable:
        """The table of phrases and their tokens; the first `names` of them are names."""
        words = {*" ".join(islice(phrases, names)).split(" ")} if names else set()
        lengths = _lengths(phrases)
        texts = list(dict.fromkeys((*phrases, *lengths, *words)))  # phrases come first
        count = len(texts)
        encoded = _SEPARATOR.join(texts).encode("utf-8", "surrogatepass").split(_SEPARATOR.encode())
        hashes = np.fromiter(map(crc32, encoded), np.uint32, count)
        order = np.argsort(hashes, kind="stable")
        bits = max(1, (_ROOM * count).bit_length())
        flags = _IS_WORD * np.fromiter(map(words.__contains__, texts), np.uint8, count)
        flags[:names] |= _IS_NAME
        ids = np.fromiter(chain.from_iterable(phrases.values()), np.int32)
        named = np.zeros(count, np.int64)  # the number of tokens of each text
        named[: len(phrases)] = np.fromiter(map(len, phrases.values()), np.int64, len(phrases))
        sizes = np.fromiter(map(len, encoded), np.int64, count) + 1
        longer = np.fromiter(map(lengths.get, texts, repeat(0)), np.int64, count)
        data = map(encoded.__getitem__, order.tolist())
        hashes = hashes[order]
        buckets = np.bincount(hashes >> np.uint32(_HASH_BITS - bits), minlength=1 << bits)
        return cls(
            {
                "phrases": np.frombuffer(_SEPARATOR.encode().join([*data, b""]), np.uint8),
                "offsets": _ends(sizes[order]),
                "starts": _ends(named[order]),
                "ids": ids[_pieces(named, order)],
                "lengths": longer[order],
                "flags": flags[order],
                "hashes": hashes,
                "buckets": _ends(buckets),
            }
        )

    def find(self, text: str) -> Entry:
        """What the table has for a text; `NOTHING` if it is not there."""
        key = text.encode("utf-8", "surrogatepass")
        number = crc32(key)
        bucket = number >> self._shift
        first, stop = self._buckets[bucket], self._buckets[bucket + 1]
        if first == stop:
            return NOTHING
        hashes, offsets = self._hashes, self._offsets
        for at in range(first, stop):
            if hashes[at] == number and self._text[offsets[at] : offsets[at + 1] - 1] == key:
                ids = self._ids[self._starts[at] : self._starts[at + 1]]
                return Entry(tuple(ids), self._lengths[at], bool(self._flags[at] & _IS_WORD))
        return NOTHING

    def words(self) -> frozenset[str]:
        """All words of names."""
        return frozenset(self._flagged(_IS_WORD))

    def names_of(self, wanted: NDArray[np.bool_]) -> Iterator[str]:
        """The names of wanted tokens, without variants; `wanted` has a value for each token."""
        ids, starts = (np.asarray(self.arrays[name], np.int64) for name in ("ids", "starts"))
        counts = np.concatenate([[0], np.cumsum(wanted[ids])])[starts]
        return self._flagged(_IS_NAME, counts[1:] > counts[:-1])

    def _flagged(self, flag: int, among: NDArray[np.bool_] | None = None) -> Iterator[str]:
        """The texts with a flag."""
        chosen = (np.asarray(self.arrays["flags"], np.uint8) & flag) > 0
        texts = bytes(self._text).decode("utf-8", "surrogatepass").split(_SEPARATOR)
        return compress(texts, (chosen if among is None else chosen & among).tolist())


def prefixes(words: Sequence[str]) -> list[tuple[str, int]]:
    """The first word and the first two words of a phrase, each with the phrase's length as a bit.

    >>> prefixes(["true", "crime", "series"]), prefixes(["true", "crime"]), prefixes(["crime"])
    ([('true', 8), ('true crime', 8)], [('true', 4)], [])
    """
    bit = 1 << len(words) if len(words) <= LONGEST else 0
    if len(words) == 1:
        return []
    first = (words[0], bit)
    return [first] if len(words) == 2 else [first, (f"{words[0]} {words[1]}", bit)]


def _lengths(phrases: Iterable[str]) -> dict[str, int]:
    """The `prefixes` of many phrases, with the bits of all that begin so."""
    found: dict[str, int] = {}
    for text in phrases:
        spaces = text.count(" ")
        if spaces:
            bit = 2 << spaces if spaces < LONGEST else 0
            end = text.index(" ")
            first = text[:end]
            found[first] = found.get(first, 0) | bit
            if spaces > 1:
                two = text[: text.index(" ", end + 1)]
                found[two] = found.get(two, 0) | bit
    return found


def _ends(lengths: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Where consecutive pieces begin, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.uint32)


def _pieces(lengths: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """The positions of the items of consecutive pieces, when the pieces are put in another order.

    >>> _pieces(np.array([2, 0, 1]), np.array([2, 0, 1])).tolist()
    [2, 0, 1]
    """
    starts, moved = np.cumsum(lengths) - lengths, lengths[order]
    shifts = starts[order] - (np.cumsum(moved) - moved)
    positions: NDArray[np.int64] = np.repeat(shifts, moved) + np.arange(moved.sum())
    return positions
