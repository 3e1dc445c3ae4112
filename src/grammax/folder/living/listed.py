"""`ListedTokens`: the tokens of a folder as its files have them, and which kinds can grow.

Goes in: the vocabulary, the kinds that tables declare, and the names of tokens. Comes out: kinds by
name, tokens by name, and how the tokens of a kind are spelt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Final, final

from grammax.folder.living.spelling import KindSpelling
from grammax.folder.settings import Notation
from grammax.folder.sql.reading.terms import ValueSpelling, value_spelling
from grammax.reading.words import split
from grammax.vocabulary import Vocabulary

_PARTS: Final = re.compile("[∩∖]")  # of the name of a kind that was split
_BETWEEN: Final = re.compile(r"(?:(?<![^\W\d_])['’]|['’](?![^\W\d_])|[^\w'’]|_)+")


@final
class ListedTokens:
    """The tokens of a folder by kind, with their names."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        kinds: Collection[str],
        declared: Collection[str],
        wordings: Callable[[str], Sequence[str]],
        notation: Notation,
    ) -> None:
        self.vocabulary = vocabulary
        self.wordings = wordings
        self.notation = notation
        self._declared = declared
        self.growable = dict.fromkeys(kind for kind in kinds if self._can_grow(kind))
        self._tokens: dict[str, tuple[str, ...]] = {}
        self._named: dict[str, dict[str, str]] = {}
        self._spellings: dict[str, KindSpelling | ValueSpelling] = {}

    def _can_grow(self, kind: str) -> bool:
        first, *others = _PARTS.split(kind)
        names = (first, *others) if "∩" in kind else (first,)
        tokens = self.vocabulary.tokens_of(kind)
        if not any(map(self.wordings, tokens)):
            return False  # a query fills it: slots have no names
        if self.notation == "sql":
            return value_spelling(tokens) is not None
        return len(tokens) > 1 or any(name in self._declared for name in names)

    @cached_property
    def by_name(self) -> dict[str, str]:
        """The kinds that can grow, by their names in lower case."""
        found = {kind.casefold(): kind for kind in self.growable}
        for kind in self.growable:
            whole, only, _ = kind.partition("∖")
            if only:  # the tokens of a split kind that no other kind has
                found.setdefault(whole.casefold(), kind)
        return found

    @cached_property
    def filled(self) -> frozenset[str]:
        """The kinds that queries fill, in lower case: those of slots, which have no names."""
        slots = (kind for kind in self.vocabulary.kinds if not self.tokens_of(kind))
        return frozenset(kind.partition(":")[0].casefold() for kind in slots)

    def kind_of(self, token: str) -> str | None:
        """The kind of a token; None if there is no such token."""
        number = self.vocabulary.kind_of(token) if token in self.vocabulary else None
        return None if number is None else self.vocabulary.kinds[number]

    def tokens_of(self, kind: str) -> tuple[str, ...]:
        """The tokens of a kind that have names; slots, which a query fills, have none."""
        if kind not in self._tokens:
            tokens = self.vocabulary.tokens_of(kind)
            self._tokens[kind] = tuple(token for token in tokens if self.wordings(token))
        return self._tokens[kind]

    def named(self, kind: str) -> Mapping[str, str]:
        """The tokens of a kind by each of their names; 50,000 names take 0.1 s, once."""
        if kind not in self._named:
            found: dict[str, str] = {}
            for token in self.tokens_of(kind):
                for name in self.wordings(token):
                    found.setdefault(name_key(name), token)
            self._named[kind] = found
        return self._named[kind]

    def spelling(self, kind: str) -> KindSpelling | ValueSpelling:
        """How the tokens of a kind are spelt."""
        if kind not in self._spellings:
            tokens = self.tokens_of(kind)
            of_column = value_spelling(tokens) if self.notation == "sql" else None
            self._spellings[kind] = of_column or KindSpelling.from_tokens(tokens)
        return self._spellings[kind]


def own_words(token: str) -> str:
    """The words of a token itself: "next to t" for next_to:t, "o'hare" for o'hare.

    >>> own_words("next_to:t"), own_words("room:o'hare"), own_words("'red river'")
    ('next to t', "room o'hare", 'red river')
    """
    return _BETWEEN.sub(" ", token).strip() or token


def name_key(name: str) -> str:
    """A name as queries are compared with it."""
    return " ".join(split(name))
