"""`NameIndex`: phrases → the tokens that they name. Longer phrases take precedence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from grammax.reading.words import is_continued

Phrase = tuple[str, ...]  # one or more words
Arrays = Mapping[str, NDArray[np.generic]]
TokenNames = Iterable[tuple[int, Iterable[Phrase]]]  # tokens, each with its names

_SEPARATOR: Final = "\n"  # words have no white space


class Match(NamedTuple):
    """Words `start` to `stop` of a query are a name of the tokens `ids`."""

    start: int
    stop: int
    ids: tuple[int, ...]


@final
class NameIndex:
    """Phrases and the ids of their tokens, as arrays, which load without parsing.

    >>> index = NameIndex.from_names([[("crime",)], [("true", "crime"), ("documentary",)]])
    >>> index.find(["swedish", "true", "crime"])
    [Match(start=1, stop=3, ids=(1,))]
    """

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self._starts = arrays["starts"]
        self._ids = arrays["ids"]
        phrases = _texts(arrays["phrases"])
        self._numbers = dict(zip(phrases, range(len(phrases)), strict=True))
        firsts, longest = _texts(arrays["firsts"]), arrays["longest"].tolist()
        self._longest = dict(zip(firsts, longest, strict=True))
        self._base: NameIndex | None = None  # the index that this one was derived from
        self._new: frozenset[str] = frozenset()  # words of added names

    @classmethod
    def from_names(cls, names: Iterable[Iterable[Phrase]]) -> NameIndex:
        """The index of the names of each token, in the order of ids."""
        found: dict[str, list[int]] = {}
        longest: dict[str, int] = {}  # by first word, the length of the longest name
        for token, phrases in enumerate(names):
            for words in phrases:
                if words:
                    found.setdefault(" ".join(words), []).append(token)
                    longest[words[0]] = max(len(words), longest.get(words[0], 0))
        return cls(
            {
                "phrases": _bytes(found),
                "starts": np.cumsum([0, *map(len, found.values())], dtype=np.int32),
                "ids": np.array([i for ids in found.values() for i in ids], np.int32),
                "firsts": _bytes(longest),
                "longest": np.array(list(longest.values()), np.int32),
            }
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of names; computed on first use, and once for all changed indexes."""
        if self._base is not None:
            return self._base.words | self._new
        return frozenset(chain.from_iterable(map(str.split, self._numbers)))

    def changed(self, removed: TokenNames, added: TokenNames) -> NameIndex:
        """The index without the names of some tokens and with those of others; it is not stored.

        >>> index = NameIndex.from_names([[("crime",)], [("true", "crime")]])
        >>> index.changed([(0, [("crime",)])], [(2, [("new", "wave")])]).find(["new", "wave"])
        [Match(start=0, stop=2, ids=(2,))]
        """
        ids: dict[str, set[int]] = {}  # of the changed phrases
        longest = dict(self._longest)
        for token, phrases in removed:
            for words in filter(None, phrases):
                self._ids_to_change(ids, words).discard(token)
        for token, phrases in added:
            for words in filter(None, phrases):
                self._ids_to_change(ids, words).add(token)
                longest[words[0]] = max(len(words), longest.get(words[0], 0))
        return self._with({text: sorted(tokens) for text, tokens in ids.items()}, longest)

    def _ids_to_change(self, ids: dict[str, set[int]], words: Phrase) -> set[int]:
        text = " ".join(words)
        found = ids.get(text)
        if found is None:
            found = ids[text] = set(self._ids_at(self._numbers.get(text)))
        return found

    def _with(self, ids: Mapping[str, Sequence[int]], longest: dict[str, int]) -> NameIndex:
        """The index with other ids for some phrases, appended to the existing ones."""
        made: NameIndex = object.__new__(NameIndex)
        made.arrays, made._longest, made._numbers = {}, longest, dict(self._numbers)
        left = {text: tokens for text, tokens in ids.items() if tokens}
        for text in ids.keys() - left.keys():
            made._numbers.pop(text, None)
        first = len(self._starts) - 1
        made._numbers.update({text: number for number, text in enumerate(left, first)})
        lengths = np.cumsum([len(tokens) for tokens in left.values()], dtype=np.int32)
        more = np.array([token for tokens in left.values() for token in tokens], np.int32)
        made._starts = np.concatenate([self._starts, len(self._ids) + lengths])
        made._ids = np.concatenate([self._ids, more])
        made._base = self._base or self
        made._new = self._new.union(chain.from_iterable(map(str.split, left)))
        return made

    def __contains__(self, words: Phrase) -> bool:
        return " ".join(words) in self._numbers

    def find(self, words: Sequence[str]) -> list[Match]:
        """The names in a query; a name within a longer one is left out."""
        found: list[Match] = []
        reached = 0
        for start, word in enumerate(words):
            longest = min(len(words), start + self._longest.get(word, 0))
            for stop in range(longest, max(reached, start), -1):
                number = self._numbers.get(" ".join(words[start:stop]))
                if number is not None:
                    found.append(Match(start, stop, self._ids_at(number)))
                    reached = stop
                    break
        return found

    def named(self, words: Sequence[str]) -> Iterator[int]:
        """All tokens with a name in a query, also inside a longer name, not inside a number."""
        inside = [is_continued(word) for word in words] + [False]
        for start, word in enumerate(words):
            for stop in range(start + 1, min(len(words), start + self._longest.get(word, 0)) + 1):
                if not inside[stop]:
                    yield from self._ids_at(self._numbers.get(" ".join(words[start:stop])))

    def _ids_at(self, number: int | None) -> tuple[int, ...]:
        if number is None:
            return ()
        first, last = self._starts[number : number + 2].tolist()
        return tuple(self._ids[first:last].tolist())


def _bytes(texts: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer(_SEPARATOR.join(texts).encode("utf-8", "surrogatepass"), np.uint8)


def _texts(data: NDArray[np.generic]) -> list[str]:
    return data.tobytes().decode("utf-8", "surrogatepass").split(_SEPARATOR) if len(data) else []
