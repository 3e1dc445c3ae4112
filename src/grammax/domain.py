"""What a domain is: a vocabulary with its grammars, pairs to learn from, and ways to compare."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from grammax.automaton.protocol import Automaton
from grammax.vocabulary import Vocabulary

Tokens = tuple[str, ...]


class Pair(NamedTuple):
    """A query and the tokens of its logical form."""

    query: str
    tokens: Tokens


class Answers(Protocol):
    """What logical forms denote, asked of a store that is open."""

    def answer(self, tokens: Tokens, limit: int) -> Any:
        """What a logical form denotes, at most `limit` rows of it, in the domain's own terms."""

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether two logical forms have the same answer."""


class Domain(Protocol):
    """A language of logical forms, and all that training and evaluation ask of it."""

    @property
    def name(self) -> str:
        """Short and in small letters, as on the command line: "eqs"."""

    @property
    def version(self) -> str:
        """Changes with the vocabulary; a model of another version is refused."""

    @property
    def vocabulary(self) -> Vocabulary: ...

    @property
    def grammars(self) -> tuple[str, ...]:
        """The names of its automata, from loosest to tightest."""

    @property
    def splits(self) -> tuple[str, ...]:
        """First "train", then the sets to evaluate on."""

    def automaton(self, grammar: str) -> Automaton[Any]:
        """One of `grammars`; the same object whenever it is asked for."""

    def pairs(self, split: str) -> Sequence[Pair]:
        """The pairs of a split."""

    def wordings(self, token: str) -> Sequence[str]:
        """What people call a token."""

    def text(self, tokens: Tokens) -> str:
        """A logical form as people write it."""

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether two logical forms are one up to order and notation: exact match."""

    def grammatical(self, tokens: Tokens) -> bool:
        """Whether the tokens are a logical form, types left aside."""

    def well_typed(self, tokens: Tokens) -> bool:
        """Whether a grammatical one also keeps the types."""

    def mistake(self, predicted: Tokens, expected: Tokens) -> str:
        """Of what sort a wrong logical form is, in a word or two."""

    def answers(self) -> AbstractContextManager[Answers] | None:
        """The store that answers, opened; None if the domain has none."""
