"""From the text of a query to what the encoder reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

import numpy as np

from grammax.automaton.named import NamedTokens
from grammax.errors import GrammaxError
from grammax.reading.name_index import Match
from grammax.reading.names import Names
from grammax.reading.spelling import Matrix
from grammax.reading.words import UNKNOWN, Words, split
from grammax.text import corrected

_CHARACTERS: Final = 64  # of a huge text so many are read for each word that is wanted


class EmptyQuery(GrammaxError):
    """A query without a word."""

    def __init__(self, query: str) -> None:
        given = f"{query.strip()[:20]!r}" if query.strip() else "empty"
        super().__init__(
            f"the query is {given}: there is no word, digit or sign in it. Write what you look "
            f'for, such as "steel western europe not german".'
        )


@final
@dataclass(frozen=True, eq=False)
class Query:
    """The words of a query, their ids, and what is known of them before any learning."""

    text: str
    words: tuple[str, ...]
    ids: tuple[int, ...]
    names: tuple[Match, ...]  # of tokens, in order
    cut: bool = False  # the text had more words than are read
    typos: tuple[tuple[int, str], ...] = ()  # places of words that were put right, as they were
    described_by: Names | None = None

    @cached_property
    def features(self) -> Matrix:
        """What is known of each word, (words, f); made when it is first asked for."""
        if self.described_by is None:
            return np.zeros((len(self.words), 0), np.float32)
        return self.described_by.describe(self.words, self.names)

    @property
    def mentioned(self) -> NamedTokens | None:
        """What it names of the kinds that have to be; None if there is no such kind."""
        return self.described_by.mentioned(self.words) if self.described_by else None

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words that no training query had."""
        return tuple(w for w, i in zip(self.words, self.ids, strict=True) if i == UNKNOWN)


@final
class Reader:
    """The words that a model has learnt and, if it looks for them, the names of tokens."""

    def __init__(
        self, words: Words, names: Names | None, longest: int, matches: bool = True
    ) -> None:
        self.words = words
        self.names = names
        self.longest = longest
        self._matches = matches  # whether names are looked for in queries

    @property
    def features(self) -> int:
        """How many numbers `Query.features` has for a word."""
        return self.names.features if self.names else 0

    def read(self, text: str) -> Query:
        """The words of a query, as many as are read at most; `EmptyQuery` if there are none."""
        given, limit = text.lstrip(), self.longest * _CHARACTERS
        words = split(given[:limit])
        if not words:
            raise EmptyQuery(text)
        cut = len(words) > self.longest or bool(given[limit:].strip())
        read, typos = self._put_right(words[: self.longest])
        return replace(self.of(read), text=text, cut=cut, typos=typos)

    def of(self, words: Sequence[str]) -> Query:
        """The query of some words, one or more."""
        found = self.names.find(words) if self.names and self._matches else []
        ids = tuple(map(self.words.id, words))
        return Query("", tuple(words), ids, tuple(found), described_by=self.names)

    def _put_right(self, words: list[str]) -> tuple[list[str], tuple[tuple[int, str], ...]]:
        """Words that neither a training query nor a name has, if one slip made them so."""
        if self.names is None or not self._matches:
            return words, ()
        typos = []
        for place, word in enumerate(words):
            if word not in self.words and word not in (named := self.names.index.words):
                meant = corrected(word, named) or corrected(word, self.words)
                if meant is not None:
                    typos.append((place, word))
                    words[place] = meant
        return words, tuple(typos)
