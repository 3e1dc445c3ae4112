"""What a domain is: a vocabulary with its grammars, pairs to learn from, and ways to compare."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeGuard

from grammax.automaton.protocol import Automaton
from grammax.changes import Changes, NewValue
from grammax.vocabulary import Vocabulary

Tokens = tuple[str, ...]


class Pair(NamedTuple):
    """A query and the tokens of its logical form."""

    query: str
    tokens: Tokens


class Part(NamedTuple):
    """A part of a logical form that may stand in other company."""

    tokens: Tokens
    role: str  # parts of one role may stand for each other
    order: int = 0  # in the domain's own terms


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

    def parts(self, tokens: Tokens) -> Sequence[Part]:
        """The parts that a logical form joins; only itself where it joins none."""

    def joined(self, parts: Sequence[Part]) -> Tokens | None:
        """Parts, in the order of their mention, as one logical form; None if none can be made."""

    def answers(self) -> AbstractContextManager[Answers] | None:
        """The store that answers, opened; None if the domain has none."""


class Entry(NamedTuple):
    """A value or a field as people know it."""

    token: str
    kind: str
    name: str
    aliases: tuple[str, ...]


class LivingDomain(Domain, Protocol):
    """A domain whose values and fields come and go; each change is another domain.

    Kinds, and so the grammars, stay. The version is that of `base` where nothing was changed.
    """

    @property
    def base(self) -> LivingDomain:
        """The domain without changes, for which models are trained."""

    @property
    def changes(self) -> Changes:
        """What was added to `base`, and removed from it."""

    def with_values(self, values: Sequence[NewValue]) -> LivingDomain:
        """With values and fields added; `ChangesRefused` if some cannot be."""

    def without_values(self, tokens: Sequence[str]) -> LivingDomain:
        """With values and fields removed; `ChangesRefused` if some cannot be."""

    def with_changes(self, changes: Changes) -> LivingDomain:
        """`base` with changes that were kept, perhaps by another release.

        What it has already, or has no more, is left aside with a `ChangeNotice`.
        """

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """What a text may mean, the likeliest first."""


def is_living(domain: Domain) -> TypeGuard[LivingDomain]:
    """Whether a domain's values and fields come and go."""
    return hasattr(domain, "with_values") and hasattr(domain, "changes")
