"""`NameMatcher`: finds names of tokens in a query, and turns them into features of its words.

A token's *signature* is a hash embedding of the token itself. Words that name a token carry its
signature, and so does the token's row of the output layer. Attending to a name therefore scores its
token highly, whether the token was seen in training or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from functools import cached_property
from typing import Final, final

import numpy as np

from grammax.automaton.grounded import AvailableTokens
from grammax.reading.grounds import Grounds
from grammax.reading.name_index import Match, NameIndex, Phrase
from grammax.reading.normal import normal_phrase
from grammax.reading.spelling import Matrix, Spelling, document_frequencies, unit
from grammax.reading.support import NameFinder, cases
from grammax.reading.words import is_continued, split
from grammax.vocabulary import Vocabulary

_CHUNK: Final = 1_024  # tokens per block of arrays that fit the processor's cache
_MOST: Final = 20  # signatures that are summed at most, if a name belongs to several tokens
_REMEMBERED: Final = 50_000  # signatures, half a kilobyte each
_Named = tuple[str, tuple[int, ...]]  # a phrase, and the tokens that it refers to


@final
class NameMatcher:
    """The names of all tokens of a vocabulary, each a sequence of words.

    >>> v = Vocabulary({"GENRE": ["GEN_CRIME", "GEN_TRUE_CRIME"]})
    >>> called = {"GEN_CRIME": ["crime"], "GEN_TRUE_CRIME": ["True crime"]}
    >>> NameMatcher(v, called.__getitem__, Spelling(8)).find(["swedish", "true", "crime"])
    [Match(start=1, stop=3, ids=(1,))]
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        wordings: Callable[[str], Sequence[str]],
        spelling: Spelling,
        index: NameIndex | None = None,
        must_be_named: Collection[int] = (),
        grounds: Grounds | None = None,
        own_text: Callable[[str], str] = str,
        whole_numbers: bool = False,
    ) -> None:
        self.vocabulary = vocabulary
        self.spelling = spelling
        self.must_be_named = must_be_named  # kinds, see `Domain.must_be_named`
        self.grounds = grounds
        self.whole_numbers = whole_numbers  # whether no name ends inside a number of a query
        self._wordings = wordings
        self._own_text = own_text  # of a token that was renamed, what its signature is made of
        self._classes = len(vocabulary.classes)
        self.index = index or NameIndex.from_names(
            map(self._searched, vocabulary.tokens, self._names)
        )
        self._signatures: dict[int, Matrix] = {}
        self._cues: dict[_Named, tuple[Match, ...]] = {}
        self._named: dict[_Named, bool] = {}

    @cached_property
    def _names(self) -> list[list[Phrase]]:
        """The names of each token; only training needs them, decoding has the index."""
        return [self.phrases(token) for token in self.vocabulary.tokens]

    @property
    def limited(self) -> Collection[int]:
        """The kinds of which a query makes some tokens available."""
        return self.must_be_named if self.grounds is None else self.grounds.limited

    @property
    def features(self) -> int:
        """The number of features that `describe` gives for a word."""
        return self.spelling.dimensions + 2 * self._classes

    def names_of(self, token: int) -> list[Phrase]:
        """The words of each name of a token that is searched for in queries."""
        if self.grounds is None:
            return [words for words in self._names[token] if words in self.index]
        return [words for words in self._names[token] if self._finder.is_strong(words, token)]

    def find(
        self, words: Sequence[str], text: str = "", mentioned: Container[int] = ()
    ) -> list[Match]:
        """The names in a query; a name within a longer one is left out.

        `text` is the query as typed: capitals support names that are ordinary words. `mentioned`
        has the indices of words that are part of numbers and times.
        """
        if self.grounds is None:
            return self.index.find(words, self._cut_numbers(words))
        found = self._finder.find(words, cases(text, words), mentioned)
        inside = [
            Match(match.start + inner.start, match.start + inner.stop, inner.ids)
            for match in found
            if match.stop - match.start > 1
            for inner in self._inside(words[match.start : match.stop], match.ids)
        ]
        every = sorted({*found, *inside}) if inside else found
        return self.grounds.turn(words, every)

    def _cut_numbers(self, words: Sequence[str]) -> Container[tuple[int, int]]:
        """The spans that end inside a number and so are no names, if numbers are whole."""
        if not self.whole_numbers:
            return ()
        inside = {at for at, word in enumerate(words) if is_continued(word)}
        return _EndingAt(inside) if inside else ()

    def is_name(self, phrase: Sequence[str], ids: tuple[int, ...]) -> bool:
        """Whether a phrase is a name of one of these tokens, not only words that refer to it."""
        key = " ".join(phrase), ids
        known = self._named.get(key)
        if known is None:
            names = (normal_phrase(p) for t in ids for p in self.phrases(self.vocabulary.tokens[t]))
            known = normal_phrase(phrase) in names
            if len(self._named) < _REMEMBERED:
                self._named[key] = known
        return known

    def weak(self, words: Sequence[str], match: Match) -> frozenset[int]:
        """The tokens of a name in a query that count only because they have support."""
        return frozenset() if self.grounds is None else self._finder.weak(words, match)

    def _inside(self, phrase: Sequence[str], ids: tuple[int, ...]) -> Sequence[Match]:
        """The names inside a phrase that refers to tokens, but is none of their names."""
        key = " ".join(phrase), ids
        known = self._cues.get(key)
        if known is None:
            inside = [] if self.is_name(phrase, ids) else self._finder.inside(phrase)
            known = tuple(match for match in inside if match.ids != ids)
            if len(self._cues) < _REMEMBERED:
                self._cues[key] = known
        return known

    @cached_property
    def _finder(self) -> NameFinder:
        assert self.grounds is not None
        return self.grounds.finder(self.index, self.vocabulary.kinds_by_id)

    def available(self, words: Sequence[str], names: Sequence[Match]) -> AvailableTokens | None:
        """The tokens that a query makes available, of the kinds that must be; None if none must."""
        kind_of = self.vocabulary.kinds_by_id
        if self.grounds is not None:
            named = self.index.named(words) if self.grounds.named else ()
            return self.grounds.available(names, kind_of, named)
        if not self.must_be_named:
            return None
        kinds = self.must_be_named
        return AvailableTokens({t for t in self.index.named(words) if kind_of[t] in kinds}, kinds)

    def describe(self, words: Sequence[str], found: Sequence[Match]) -> Matrix:
        """The fixed features of each word, (n, features); `found` are the names among the words.

        They are the mean of the word's hash embedding and the signatures of the tokens that it
        names, which match `rows`; then, for each class, the number of its kinds that the word is
        part of a name of; and for each class, the number of those that it begins a name of.
        """
        size, class_of = self.spelling.dimensions, self.vocabulary.class_of
        table = np.zeros((len(words), self.features), np.float32)
        table[:, :size] = self.spelling.words(words)
        inside: set[tuple[int, int]] = set()  # words and kinds
        begins: set[tuple[int, int]] = set()
        for start, stop, ids in found:
            table[start:stop, :size] += self.signature(ids)
            for kind in {self.vocabulary.kinds_by_id[token] for token in ids}:
                inside.update([(word, kind) for word in range(start, stop)])
                begins.add((start, kind))
        for word, kind in inside:
            table[word, size + class_of[kind]] += 1
        for word, kind in begins:
            table[word, size + self._classes + class_of[kind]] += 1
        table[:, :size] *= 0.5
        return table

    def signature(self, ids: Sequence[int]) -> Matrix:
        """The signature of a name that may mean several tokens, (s)."""
        named = [self._signature(token) for token in ids[:_MOST]]
        return named[0] if len(named) == 1 else unit(np.sum(named, 0))

    def rows(self) -> Matrix:
        """The embedding of each token's names and signature, (V, s)."""
        tokens = self.vocabulary.tokens
        called = dict(zip(tokens, self._names, strict=True))
        return self.rows_of(called, self.document_frequencies, len(tokens))

    @cached_property
    def document_frequencies(self) -> Counter[str]:
        """For each word the number of tokens that have it in a name."""
        return document_frequencies(self._names)

    def searched_phrases(self, token: str) -> list[Phrase]:
        """The names by which queries refer to a token, given by its text; digits have none."""
        return self._searched(token, self.phrases(token))

    def _searched(self, token: str, phrases: list[Phrase]) -> list[Phrase]:
        if self.grounds is not None:
            phrases = self.grounds.searched_phrases(token, phrases, self.vocabulary)
        if token.isdecimal():
            return [words for words in phrases if words != (token,)]
        return phrases

    def phrases(self, token: str) -> list[Phrase]:
        """The words of each name of a token, given by its text."""
        return list(dict.fromkeys([tuple(split(text)) for text in self._wordings(token)]))

    def rows_of(
        self, called: Mapping[str, Sequence[Phrase]], frequencies: Mapping[str, int], total: int
    ) -> Matrix:
        """`rows` of some tokens, by text; word frequencies are those among `total` tokens, (n, s).

        A word without a frequency counts as if one token had it.
        """
        rows = self.spelling.rows(list(called.values()), frequencies, total)
        signed = list(map(self._signed, called))
        for start in range(0, len(rows), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            rows[chunk] = unit(rows[chunk] + self.spelling.signs(signed[chunk]))
        return rows

    def _signature(self, token: int) -> Matrix:
        found = self._signatures.get(token)
        if found is None:
            (found,) = self.spelling.signs([self._signed(self.vocabulary.tokens[token])])
            if len(self._signatures) < _REMEMBERED:
                self._signatures[token] = found
        return found

    def _signed(self, token: str) -> str:
        return f"={self._own_text(token)}"


class _EndingAt:
    """The spans of words that end at some positions."""

    def __init__(self, ends: Container[int]) -> None:
        self._ends = ends

    def __contains__(self, span: object) -> bool:
        return isinstance(span, tuple) and span[1] in self._ends
