"""`QueryReader`: the text of a query → the words, names and features that the encoder reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

import numpy as np

from grammax.automaton.named import NamedTokens
from grammax.errors import GrammaxError
from grammax.reading.name_index import Match
from grammax.reading.names import NameMatcher
from grammax.reading.spelling import Matrix
from grammax.reading.words import UNKNOWN, WordVocabulary, split
from grammax.text import corrected

_CHARACTERS: Final = 64  # characters per word; the rest of a longer text is ignored


class EmptyQuery(GrammaxError):
    """A query without a word."""

    def __init__(self, query: str) -> None:
        given = f"{query.strip()[:20]!r}" if query.strip() else "empty"
        super().__init__(
            f"the query is {given}: there is no word, digit or sign in it. Write what you look for."
        )


@final
@dataclass(frozen=True, eq=False)
class Query:
    """A query: its words, their ids, and the names of tokens among them."""

    text: str
    words: tuple[str, ...]
    ids: tuple[int, ...]
    names: tuple[Match, ...]  # in order
    cut: bool = False  # whether the text had more words than are read
    typos: tuple[tuple[int, str], ...] = ()  # corrected words: the index, and what was typed
    matcher: NameMatcher | None = None

    @cached_property
    def features(self) -> Matrix:
        """The fixed features of each word, (words, f), see `NameMatcher.describe`."""
        if self.matcher is None:
            return np.zeros((len(self.words), 0), np.float32)
        return self.matcher.describe(self.words, self.names)

    @property
    def named_tokens(self) -> NamedTokens | None:
        """The tokens named, of the kinds that must be named; None if there are no such kinds."""
        return self.matcher.named_tokens(self.words) if self.matcher else None

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words that are in no training query."""
        return tuple(w for w, i in zip(self.words, self.ids, strict=True) if i == UNKNOWN)


@final
class QueryReader:
    """Reads queries for a model: its words and, with composed rows, names of tokens."""

    def __init__(
        self, words: WordVocabulary, names: NameMatcher | None, longest: int, matches: bool = True
    ) -> None:
        self.words = words
        self.names = names
        self.longest = longest
        self._matches = matches  # whether names are looked up in queries

    @property
    def features(self) -> int:
        """The number of features of a word."""
        return self.names.features if self.names else 0

    def read(self, text: str) -> Query:
        """Read a query, up to `longest` words; `EmptyQuery` if there are none."""
        given, limit = text.lstrip(), self.longest * _CHARACTERS
        words = split(given[:limit])
        if not words:
            raise EmptyQuery(text)
        cut = len(words) > self.longest or bool(given[limit:].strip())
        read, typos = self._corrected(words[: self.longest])
        return replace(self.from_words(read), text=text, cut=cut, typos=typos)

    def from_words(self, words: Sequence[str]) -> Query:
        """The query that has these words, one or more."""
        found = self.names.find(words) if self.names and self._matches else []
        ids = tuple(map(self.words.id, words))
        return Query("", tuple(words), ids, tuple(found), matcher=self.names)

    def _corrected(self, words: list[str]) -> tuple[list[str], tuple[tuple[int, str], ...]]:
        """The words with typos corrected: unknown words that are one edit from a known one."""
        if self.names is None or not self._matches:
            return words, ()
        typos = []
        for index, word in enumerate(words):
            if word not in self.words and word not in (named := self.names.index.words):
                meant = corrected(word, named) or corrected(word, self.words)
                if meant is not None:
                    typos.append((index, word))
                    words[index] = meant
        return words, tuple(typos)
