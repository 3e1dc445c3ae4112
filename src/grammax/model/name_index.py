"""Which tokens the words of a query name: phrases, looked up from the longest down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

Phrase = tuple[str, ...]  # one or more words
Arrays = Mapping[str, NDArray[np.generic]]

_BETWEEN: Final = "\n"  # words have no white space


class Match(NamedTuple):
    """Words `start` to `stop` of a query are a name of the tokens `ids`."""

    start: int
    stop: int
    ids: tuple[int, ...]


def said_after(
    names: Sequence[Match], run: Sequence[int], said: frozenset[Match]
) -> frozenset[Match]:
    """The names that are said once some tokens came: of each token the first that was not yet.

    Where nothing changes it is `said` itself.
    """
    for token in run:
        for match in names:
            if token in match.ids and match not in said:
                said |= {match}
                break
    return said


@final
class NameIndex:
    """Phrases and the ids of their tokens. It is kept as arrays, so that it is loaded at once.

    >>> index = NameIndex.of([[("korea",)], [("south", "korea"), ("korean",)]])
    >>> index.find(["steel", "south", "korea"])
    [Match(start=1, stop=3, ids=(1,))]
    """

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self._starts = arrays["starts"]
        self._ids = arrays["ids"]
        phrases = _texts(arrays["phrases"])
        self._places = dict(zip(phrases, range(len(phrases)), strict=True))
        firsts, longest = _texts(arrays["firsts"]), arrays["longest"].tolist()
        self._longest = dict(zip(firsts, longest, strict=True))

    @classmethod
    def of(cls, names: Iterable[Iterable[Phrase]]) -> NameIndex:
        """The names of each token, in the order of ids; a number alone names nothing."""
        found: dict[str, list[int]] = {}
        longest: dict[str, int] = {}  # of the names that begin with a word
        for token, phrases in enumerate(names):
            for words in phrases:
                if words and not (len(words) == 1 and words[0].isdecimal()):
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

    def __contains__(self, words: Phrase) -> bool:
        return " ".join(words) in self._places

    def find(self, words: Sequence[str]) -> list[Match]:
        """The names in a query; a name inside a longer one is left out."""
        found: list[Match] = []
        reached = 0
        for start, word in enumerate(words):
            longest = min(len(words), start + self._longest.get(word, 0))
            for stop in range(longest, max(reached, start), -1):
                place = self._places.get(" ".join(words[start:stop]))
                if place is not None:
                    first, last = self._starts[place : place + 2].tolist()
                    found.append(Match(start, stop, tuple(self._ids[first:last].tolist())))
                    reached = stop
                    break
        return found


def _bytes(texts: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer(_BETWEEN.join(texts).encode("utf-8", "surrogatepass"), np.uint8)


def _texts(data: NDArray[np.generic]) -> list[str]:
    return data.tobytes().decode("utf-8", "surrogatepass").split(_BETWEEN) if len(data) else []
