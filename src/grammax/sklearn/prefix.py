"""`Prefix`: a query and the tokens predicted so far, which is all that a classifier sees.

The names of a query are used up by the tokens that they name, in the order of the query: what is
still to be said is what no token has said yet (coverage, Tu et al. 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, final

from grammax.vocabulary import Vocabulary


class Name(Protocol):
    """The words `start` to `stop` of a query name the tokens `ids`."""

    @property
    def start(self) -> int: ...

    @property
    def stop(self) -> int: ...

    @property
    def ids(self) -> Sequence[int]: ...


class Source(Protocol):
    """A query: its words, and the names of tokens among them in the order of their words.

    The queries that grammax's own models read (`grammax.reading`) are such sources.
    """

    @property
    def words(self) -> Sequence[str]: ...

    @property
    def names(self) -> Sequence[Name]: ...


@final
class Words(NamedTuple):
    """A query of words alone, or with names that were found elsewhere.

    >>> Words.of("Swedish drama").words
    ('swedish', 'drama')
    """

    words: tuple[str, ...]
    names: tuple[Name, ...] = ()

    @classmethod
    def of(cls, text: str) -> Words:
        """The words of a text, in lower case, without names."""
        return cls(tuple(text.lower().split()))


@final
class Brackets(NamedTuple):
    """The tokens that open and close a part of a sentence."""

    opens: int
    closes: int

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Brackets | None:
        """Round brackets, if they are tokens."""
        if "(" in vocabulary and ")" in vocabulary:
            return cls(vocabulary.id("("), vocabulary.id(")"))
        return None


@final
@dataclass(frozen=True, slots=True)
class Prefix:
    """A query after some tokens. An immutable value.

    `path` has, for each open bracket, the first token after it. `used` are the indices of the names
    whose tokens were predicted, and `at` is the one that was used last.

    >>> prefix = Prefix(Words.of("no drama"), Brackets(0, 1))
    >>> for token in (0, 5, 0, 7):
    ...     prefix = prefix.after(token)
    >>> prefix.path
    (5, 7)
    """

    source: Source
    brackets: Brackets | None = None
    tokens: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    used: frozenset[int] = frozenset()
    at: int | None = None

    @property
    def unused(self) -> list[Name]:
        """The names that no token has used, in order."""
        return [name for index, name in enumerate(self.source.names) if index not in self.used]

    def after(self, token: int) -> Prefix:
        """The prefix after one more token, which uses the first unused name that it has."""
        used, at = self.used, self.at
        for index, name in enumerate(self.source.names):
            if token in name.ids and index not in used:
                used, at = used | {index}, index
                break
        tokens, path = (*self.tokens, token), self._path(token)
        return Prefix(self.source, self.brackets, tokens, path, used, at)

    def _path(self, token: int) -> tuple[int, ...]:
        path = self.path
        if self.brackets is None:
            return path
        opens, closes = self.brackets
        if token == closes:
            return path[:-1]
        if token == opens:
            return (*path, token)
        if path and path[-1] == opens:
            return (*path[:-1], token)
        return path
