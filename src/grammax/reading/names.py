"""What tokens are called, found in a query: the longest names it holds, word for word.

A token's *signature* is a vector of signs drawn by a hash of the token. The words of a query that
name tokens carry their signatures, and the rows of the output layer hold them too: so attending to
a name is as good as reading the token off the catalogue, whether it was ever seen or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Final, final

import numpy as np

from grammax.automaton.named import NamedTokens
from grammax.reading.name_index import Match, NameIndex, Phrase
from grammax.reading.spelling import Matrix, Spelling, holders_of, unit
from grammax.reading.words import split
from grammax.vocabulary import Vocabulary

_MOST: Final = 20  # tokens of one name that are told apart; "bank" alone names more
_KEPT: Final = 50_000  # signatures that are remembered, half a kilobyte each


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
        index: NameIndex | None = None,
        mentioned: Collection[int] = (),
    ) -> None:
        self.vocabulary = vocabulary
        self.spelling = spelling
        self.mentioned_kinds = mentioned  # of which a query has to name what is chosen
        self._wordings = wordings
        self._kinds = len(vocabulary.kinds)
        self.index = index or NameIndex.of(map(self.naming, vocabulary.tokens))
        self._signatures: dict[int, Matrix] = {}

    @cached_property
    def _names(self) -> list[list[Phrase]]:
        """The names of each token; decoding knows them from the index, and never asks."""
        return [self.phrases(token) for token in self.vocabulary.tokens]

    @property
    def features(self) -> int:
        """How many numbers `describe` gives for a word."""
        return self.spelling.dimensions + 2 * self._kinds

    def of(self, token: int) -> list[Phrase]:
        """The words of each name of a token; digits have none."""
        return [words for words in self._names[token] if words in self.index]

    def find(self, words: Sequence[str]) -> list[Match]:
        """The names in a query; a name inside a longer one is left out, and digits are none."""
        return self.index.find(words)

    def mentioned(self, words: Sequence[str]) -> NamedTokens | None:
        """What a query names of the kinds that have to be; None if there is no such kind."""
        if not self.mentioned_kinds:
            return None
        kind_of, kinds = self.vocabulary.kinds_by_id, self.mentioned_kinds
        return NamedTokens({t for t in self.index.named(words) if kind_of[t] in kinds}, kinds)

    def describe(self, words: Sequence[str], found: Sequence[Match]) -> Matrix:
        """What is known of each word before any learning, (n, features); `found` are its names.

        First how it is spelt and what it names, to be compared with `rows`; then, for each kind,
        whether the word is in a name of such a token, and whether it begins one.
        """
        size = self.spelling.dimensions
        table = np.zeros((len(words), self.features), np.float32)
        table[:, :size] = self.spelling.words(words)
        for start, stop, ids in found:
            named = [self._signature(token) for token in ids[:_MOST]]
            table[start:stop, :size] += named[0] if len(named) == 1 else unit(np.sum(named, 0))
            for kind in {self.vocabulary.kinds_by_id[token] for token in ids}:
                table[start:stop, size + kind] = 1
                table[start, size + self._kinds + kind] = 1
        table[:, :size] *= 0.5
        return table

    def rows(self) -> Matrix:
        """What each token is called, (V, s), to be compared with what words are."""
        tokens = self.vocabulary.tokens
        called = dict(zip(tokens, self._names, strict=True))
        return self.rows_of(called, self.holders(), len(tokens))

    def holders(self) -> Counter[str]:
        """How many tokens have a word in a name: the fewer, the more the word counts."""
        return holders_of(self._names)

    def naming(self, token: str) -> list[Phrase]:
        """What names a token, by its text, in a query: not a digit that only stands for itself."""
        return [words for words in self.phrases(token) if not _is_digit(words, token)]

    def phrases(self, token: str) -> list[Phrase]:
        """The words of each name of a token, by its text."""
        return list(dict.fromkeys(tuple(split(text)) for text in self._wordings(token)))

    def rows_of(
        self, called: Mapping[str, Sequence[Phrase]], holders: Mapping[str, int], of: int
    ) -> Matrix:
        """What `rows` gives for some tokens, by text, where words count as in `of` others, (n, s).

        What was never in a name counts as if one token had it.
        """
        rows = self.spelling.rows(list(called.values()), holders, of)
        return unit(rows + self.spelling.signs([_signed(token) for token in called]))

    def _signature(self, token: int) -> Matrix:
        found = self._signatures.get(token)
        if found is None:
            (found,) = self.spelling.signs([_signed(self.vocabulary.tokens[token])])
            if len(self._signatures) < _KEPT:
                self._signatures[token] = found
        return found


def _is_digit(words: Phrase, token: str) -> bool:
    return words == (token,) and token.isdecimal()


def _signed(token: str) -> str:
    return f"={token}"
