"""Hash embeddings: word vectors computed from the spelling alone, neither learnt nor stored.

A word is the sum of two parts, itself and its character n-grams, each a vector of signs (±1) drawn
by a hash. Two different words are nearly orthogonal, two with similar spelling are close, and a
word that was never seen in training matches itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain, count
from math import log
from typing import Final, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from grammax.reading.words import CONTINUED

Matrix = NDArray[np.float32]
Ids = NDArray[np.int64]
_Number = TypeVar("_Number", np.int8, np.float32)
Called = Sequence[Sequence[Sequence[str]]]  # tokens, their names, and the words of these

_LENGTHS: Final = (3, 4)
_SHORT: Final = 3  # shorter words have no n-grams: "ev" is not similar to "eve"
_LONG: Final = 40  # letters of a word that are read
_REMEMBERED: Final = 100_000  # words
_DIGEST: Final = 64  # bytes at most
_CHUNK: Final = 512  # words or tokens per block, so that their vectors fit the processor's cache


@final
class Spelling:
    """Embeddings of a given number of dimensions, normalised to length 1."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self._known: dict[str, Matrix] = {}

    def words(self, words: Sequence[str]) -> Matrix:
        """The vectors of words, (n, d)."""
        known = self._known  # another thread may replace it meanwhile
        if len(known) > _REMEMBERED:
            known = self._known = {}
        new = [word for word in dict.fromkeys(words) if word not in known]
        if new:
            known.update(zip(new, self._spelt(new), strict=True))
        return np.stack([known[word] for word in words])

    def rows(self, called: Called, frequencies: Mapping[str, int], total: int) -> Matrix:
        """The embedding of each token, given by the words of its names, (n, d).

        All names of a token have the same weight. Within a name a word is weighted by its inverse
        document frequency, log((1 + total) / frequency); a word without a frequency counts as if
        one token had it. A token without a name is all zeros.
        """
        names = [[words for words in each if words] for each in called]
        words_of_all = dict.fromkeys(chain.from_iterable(chain.from_iterable(names)))
        numbers = {word: number for number, word in enumerate(words_of_all)}
        if not numbers:
            return np.zeros((len(names), self.dimensions), np.float32)
        weights = np.array([log((1 + total) / frequencies.get(word, 1)) for word in numbers])
        vectors = self._spelt(list(numbers)) * weights[:, None].astype(np.float32)
        rows = np.zeros((len(names), self.dimensions), np.float32)
        named = [number for number, texts in enumerate(names) if texts]
        for start in range(0, len(named), _CHUNK):
            chunk = named[start : start + _CHUNK]
            texts = [words for number in chunk for words in names[number]]
            wanted = np.array(list(map(numbers.__getitem__, chain.from_iterable(texts))))
            each = unit(_sums(vectors, wanted, [len(words) for words in texts]))
            every = np.arange(len(each))
            rows[chunk] = unit(_sums(each, every, [len(names[number]) for number in chunk]))
        return rows

    def signs(self, texts: Sequence[str]) -> Matrix:
        """For each text a vector of signs drawn by its hash, of length 1, (n, d)."""
        signs = self._bits(texts).astype(np.float32) * 2 - 1
        return signs / np.float32(self.dimensions**0.5)

    @property
    def _size(self) -> int:
        """The bytes of a digest."""
        return -(-self.dimensions // 8)

    def _bits(self, texts: Iterable[str]) -> NDArray[np.uint8]:
        """The bits that the hash of each text draws, (n, d)."""
        size = self._size
        data = b"".join(_digests(texts, size))
        bits = np.unpackbits(np.frombuffer(data, np.uint8).reshape(-1, size), axis=1)
        return bits[:, : self.dimensions]

    def _spelt(self, words: Sequence[str]) -> Matrix:
        """The embeddings of distinct words, (n, d)."""
        whole = [(word.removeprefix(CONTINUED) or word)[:_LONG] for word in words]
        vectors = self.signs(whole)
        longer = np.array([index for index, word in enumerate(whole) if len(word) > _SHORT], int)
        grams = [_grams(whole[index]) for index in longer]
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        each = np.array(list(map(numbers.__getitem__, chain.from_iterable(grams))), int)
        # "~" distinguishes n-grams from words. A word has at most 79 of them, so that the sums of
        # their signs fit eight bits.
        drawn = self._bits(f"~{gram}" for gram in numbers).view(np.int8) * np.int8(2) - np.int8(1)
        lengths = np.array([len(of_word) for of_word in grams], int)
        ends = np.cumsum(lengths)
        for start in range(0, len(longer), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            first = ends[start] - lengths[start]
            wanted = each[first : ends[chunk][-1]]
            sums = _sums(drawn, wanted, lengths[chunk]).astype(np.float32)
            vectors[longer[chunk]] = unit(vectors[longer[chunk]] + unit(sums))
        return vectors


def document_frequencies(called: Called) -> Counter[str]:
    """For each word the number of tokens that have it in a name."""
    return Counter(chain.from_iterable(set(chain.from_iterable(names)) for names in called))


def _grams(word: str) -> list[str]:
    """The n-grams of a word with its ends marked."""
    marked = f"<{word}>"
    return [marked[i : i + n] for n in _LENGTHS for i in range(len(marked) - n + 1)]


def _digests(texts: Iterable[str], size: int) -> Iterator[bytes]:
    first = min(size, _DIGEST)
    for text in texts:
        data = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=first).digest()
        while len(data) < size:
            data += blake2b(data[-_DIGEST:], digest_size=min(size - len(data), _DIGEST)).digest()
        yield data


def _sums(
    vectors: NDArray[_Number], numbers: Ids, lengths: Sequence[int] | Ids
) -> NDArray[_Number]:
    """The sums of vectors, given by their numbers; the first `lengths[0]` are the first sum's."""
    sizes = np.asarray(lengths)
    order = np.argsort(-sizes, kind="stable")
    starts = (np.cumsum(sizes) - sizes)[order]
    ascending = sizes[order][::-1]
    found = np.zeros((len(sizes), vectors.shape[1]), vectors.dtype)
    for at in range(int(sizes.max(initial=0))):  # the next of all sums that are not finished
        left = len(sizes) - int(np.searchsorted(ascending, at, side="right"))
        found[:left] += vectors[numbers[starts[:left] + at]]
    sums = np.empty_like(found)
    sums[order] = found
    return sums


def unit(vectors: Matrix) -> Matrix:
    """The vectors scaled to length 1, (..., d)."""
    lengths = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None]
    units: Matrix = vectors / np.maximum(lengths, np.float32(1e-6))
    return units
