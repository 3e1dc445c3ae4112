"""What tokens are called, found in a query: the longest names it holds, word for word.

A token's *signature* is a vector of signs drawn by a hash of the token. The words of a query that
name tokens carry their signatures, and the rows of the output layer hold them too: so attending to
a name is as good as reading the token off the catalogue, whether it was ever seen or not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, final

import numpy as np

from grammax.model.spelling import Matrix, Spelling, unit
from grammax.model.words import split
from grammax.vocabulary import Vocabulary

_MOST: Final = 20  # tokens of one name that are told apart; "bank" alone names more


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
class Names:
    """The names of all tokens of a vocabulary, each a run of words.

    >>> v = Vocabulary({"COUNTRY": ["COU_KOREA", "COU_SOUTH_KOREA"]})
    >>> called = {"COU_KOREA": ["korea"], "COU_SOUTH_KOREA": ["South Korea", "korean"]}
    >>> Names(v, called.__getitem__, Spelling(8)).find(["steel", "south", "korea"])
    [Match(start=1, stop=3, ids=(1,))]
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        wordings: Callable[[str], Sequence[str]],
        spelling: Spelling,
    ) -> None:
        self.vocabulary = vocabulary
        self.spelling = spelling
        self._kinds = len(vocabulary.kinds)
        self._names = [
            list(dict.fromkeys(tuple(split(text)) for text in wordings(token)))
            for token in vocabulary.tokens
        ]
        found: dict[tuple[str, ...], list[int]] = {}
        for token, names in enumerate(self._names):
            for words in names:
                found.setdefault(words, []).append(token)
        self._ids = {
            words: tuple(ids)
            for words, ids in found.items()
            if words and not (len(words) == 1 and words[0].isdecimal())
        }
        self._longest: dict[str, int] = {}  # of the names that begin with a word
        for words in self._ids:
            self._longest[words[0]] = max(len(words), self._longest.get(words[0], 0))
        self._signatures = spelling.signs([f"={token}" for token in vocabulary.tokens])

    @property
    def features(self) -> int:
        """How many numbers `describe` gives for a word."""
        return self.spelling.dimensions + 2 * self._kinds

    def of(self, token: int) -> list[tuple[str, ...]]:
        """The words of each name of a token; digits have none."""
        return [words for words in self._names[token] if words in self._ids]

    def find(self, words: Sequence[str]) -> list[Match]:
        """The names in a query; a name inside a longer one is left out, and digits are none."""
        found: list[Match] = []
        reached = 0
        for start, word in enumerate(words):
            longest = min(len(words), start + self._longest.get(word, 0))
            for stop in range(longest, max(reached, start), -1):
                ids = self._ids.get(tuple(words[start:stop]))
                if ids:
                    found.append(Match(start, stop, ids))
                    reached = stop
                    break
        return found

    def describe(self, words: Sequence[str], found: Sequence[Match]) -> Matrix:
        """What is known of each word before any learning, (n, features); `found` are its names.

        First how it is spelt and what it names, to be compared with `rows`; then, for each kind,
        whether the word is in a name of such a token, and whether it begins one.
        """
        size = self.spelling.dimensions
        table = np.zeros((len(words), self.features), np.float32)
        table[:, :size] = self.spelling.words(words)
        for start, stop, ids in found:
            if len(ids) == 1:
                table[start:stop, :size] += self._signatures[ids[0]]
            else:
                table[start:stop, :size] += unit(self._signatures[list(ids[:_MOST])].sum(0))
            for kind in {self.vocabulary.kinds_by_id[token] for token in ids}:
                table[start:stop, size + kind] = 1
                table[start, size + self._kinds + kind] = 1
        table[:, :size] *= 0.5
        return table

    def rows(self) -> Matrix:
        """What each token is called, (V, s), to be compared with what words are."""
        return unit(self.spelling.rows(self._names) + self._signatures)
