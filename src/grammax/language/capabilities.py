"""What a domain may be able to do beyond parsing; it declares each capability by subclassing.

| capability | what it adds |
|---|---|
| `Updatable` | values and fields that are added and removed without training |
| `Explainable` | logical forms in English, as chips, and completions of queries |
| `Connectable` | answers from tables of the user |

Code asks with `isinstance(domain, Updatable)`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple, Self

from grammax.language.changes import Changes, NewValue
from grammax.language.domain import Domain, Tokens


class Entry(NamedTuple):
    """A value or a field with its names."""

    token: str
    kind: str
    name: str
    aliases: tuple[str, ...]


class Updatable(Domain):
    """A domain whose values and fields can change; each change gives a new domain.

    The kinds, and so the grammars, stay the same. Without changes the version is that of `base`.
    """

    @property
    @abstractmethod
    def base(self) -> Self:
        """The domain without changes, for which models are trained."""

    @property
    @abstractmethod
    def changes(self) -> Changes:
        """What was added to `base` and removed from it."""

    @abstractmethod
    def with_values(self, values: Sequence[NewValue]) -> Self:
        """The domain with values and fields added. Raises `ChangesRefused` if one cannot be."""

    @abstractmethod
    def without_values(self, tokens: Sequence[str]) -> Self:
        """The domain with values and fields removed. Raises `ChangesRefused` if one cannot be."""

    @abstractmethod
    def with_changes(self, changes: Changes) -> Self:
        """`base` with stored changes, perhaps of another release.

        Additions that it already has and removals of what it lacks are skipped with a
        `ChangeNotice`.
        """


Role = Literal[
    "field", "operator", "value", "number", "unit", "time", "rank", "order", "connective", "bracket"
]


class Chip(NamedTuple):
    """A token of a logical form as a person sees it."""

    token: str
    label: str
    kind: str  # of the vocabulary
    role: Role
    depth: int  # of nested parentheses


class Completion(NamedTuple):
    """How a query that is being typed may go on."""

    text: str  # the whole query, completed
    added: str
    what: str  # what the added words are: a type of value, "field", "phrase"
    token: str | None  # the token that they name, if they name one


class Explainable(Domain):
    """A domain that explains its logical forms to people."""

    @property
    def nouns(self) -> tuple[str, str]:
        """What a row of an answer is called, in the singular and in the plural."""
        return "result", "results"

    @abstractmethod
    def read(self, text: str) -> Tokens:
        """The tokens of a logical form in its written notation; errors point at the mistake."""

    @abstractmethod
    def require_meaning(self, tokens: Tokens) -> None:
        """Raise if the logical form is ill-typed."""

    @abstractmethod
    def paraphrase(self, tokens: Tokens) -> str:
        """A logical form in English."""

    @abstractmethod
    def label(self, token: str) -> str:
        """What people call a token."""

    @abstractmethod
    def kind_named(self, text: str) -> str | None:
        """The kind of the vocabulary that people call so, if there is one."""

    @abstractmethod
    def chips(self, tokens: Tokens) -> Sequence[Chip]:
        """The tokens of a logical form, or of its beginning, as people see them."""

    @abstractmethod
    def completions(self, text: str, limit: int) -> Sequence[Completion]:
        """How a query that is being typed may go on, the likeliest first."""

    @abstractmethod
    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """The fields and values that a text may mean, the likeliest first."""


class Connectable(Domain):
    """A domain that can answer from tables of the user."""

    @abstractmethod
    def connected(self, tables: Path) -> Self:
        """The same domain, answering from the tables that a mapping file describes."""
