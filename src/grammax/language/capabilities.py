"""Optional capabilities of a domain, declared by subclassing.

| capability | adds |
|---|---|
| `Updatable` | values and fields that are added and removed without training |
| `Explainable` | logical forms in English, as chips, and completions of queries |
| `Connectable` | answers from tables of the user |
| `Fillable` | numbers, times and names that can only be taken from the query |
| `Reloadable` | files that people edit while the domain is in use |

Test for a capability with `isinstance(domain, Updatable)`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, Self

from grammax.errors import GrammaxError
from grammax.language.changes import Changes, FixedVocabulary, NewValue
from grammax.language.domain import Domain, Tokens
from grammax.language.filling import FilledText, Grounding, Mention


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
        """The changes relative to `base`."""

    @abstractmethod
    def with_values(self, values: Sequence[NewValue]) -> Self:
        """Add values and fields. Raises `ChangesRefused` if one cannot be added."""

    @abstractmethod
    def without_values(self, tokens: Sequence[str]) -> Self:
        """Remove values and fields. Raises `ChangesRefused` if one cannot be removed."""

    def with_alias(self, token: str, alias: str) -> Self:
        """Add a name of a value or field. Raises `ChangesRefused` if it cannot be added."""
        del token
        raise FixedVocabulary(f"the names of {self.name!r} do not change, and {alias!r} is new.")

    def sort_of(self, token: str) -> str:  # noqa: ARG002
        """The sort of a token that may get further names; empty if it gets none.

        A name may be moved between tokens of one sort: "field", "value", a kind.
        """
        return ""

    @abstractmethod
    def with_changes(self, changes: Changes, *, quiet: bool = False) -> Self:
        """`base` with stored changes, which may be of another release.

        Additions that exist already and removals of missing tokens are skipped with a
        `ChangeNotice`, or without one if `quiet`.
        """


Role = Literal[
    "field", "operator", "value", "number", "unit", "time", "rank", "order", "aggregate",
    "connective", "bracket",
]  # fmt: skip


class Chip(NamedTuple):
    """A token of a logical form, for display."""

    token: str
    label: str
    kind: str  # of the vocabulary
    role: Role
    depth: int  # of nested parentheses


class Completion(NamedTuple):
    """A completion of a query that is being typed."""

    text: str  # the whole query, completed
    added: str
    what: str  # the kind of the added words: a type of value, "field", "phrase"
    token: str | None  # the token that they name, if they name one
    likely: bool = False  # whether it is likelier than that the last word was complete


class NamedToken(NamedTuple):
    """A token and its name for display."""

    token: str
    label: str


class FieldEntry(NamedTuple):
    """A field as a dictionary describes it."""

    token: str
    label: str
    type: str  # as of the columns of answers, or "enum"
    unit: str | None
    names: tuple[str, ...]  # other names that people use
    description: str
    values: tuple[NamedToken, ...]  # the likeliest values of an enum
    default: bool  # whether answers show it unasked


class Examples(NamedTuple):
    """Queries that show one thing that can be asked: filters, ranks, groups."""

    category: str
    queries: tuple[str, ...]


class Explainable(Domain):
    """A domain that explains its logical forms in English."""

    @property
    def nouns(self) -> tuple[str, str]:
        """The noun for a row of an answer, in the singular and in the plural."""
        return "result", "results"

    @property
    def examples(self) -> Sequence[Examples]:
        """Example queries by what they show; empty if none are known beside the samples."""
        return ()

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
        """The name of a token for display."""

    @abstractmethod
    def kind_named(self, text: str) -> str | None:
        """The kind of the vocabulary with a name such as "genre", or None."""

    @abstractmethod
    def chips(self, tokens: Tokens) -> Sequence[Chip]:
        """The tokens of a logical form, or of its beginning, for display."""

    @abstractmethod
    def completions(self, text: str, limit: int) -> Sequence[Completion]:
        """Completions of a query that is being typed, the likeliest first."""

    @abstractmethod
    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """The fields and values that a text may mean, the likeliest first."""

    @property
    def has_fields(self) -> bool:
        """Whether there are any fields to list."""
        return False

    def fields(self, search: str = "") -> Sequence[str]:  # noqa: ARG002
        """The tokens of fields with a text in one of their names, the likeliest first."""
        return ()

    def field_entry(self, token: str) -> FieldEntry | None:  # noqa: ARG002
        """The description of a field; None if there is no such field."""
        return None


class NoOwnTables(GrammaxError):
    """Tables were given for a domain that cannot answer from the user's own tables."""

    def __init__(self, domain: str, tables: Path) -> None:
        super().__init__(
            f"the domain {domain!r} cannot answer from {tables}: it does not map tables of the "
            f"user. Leave out `tables`."
        )


class Connectable(Domain):
    """A domain that can answer from tables of the user."""

    @abstractmethod
    def connected(self, tables: Path) -> Self:
        """The same domain, answering from the tables that a mapping file describes."""


class Reloadable(Domain):
    """A domain that is made from files which may be edited while it is in use."""

    @property
    @abstractmethod
    def edited_files(self) -> tuple[Path, ...]:
        """The files after whose change it should be loaded again; they may be missing."""

    @abstractmethod
    def reloaded(self) -> Self:
        """The domain as the files describe it now; it shares the data with this one.

        Raises a `GrammaxError` if the files cannot be used.
        """


class Fillable(Domain):
    """A domain with a grammar in which queries fill numbers and times, and must name the rest.

    Its `grammars` are those of logical forms as they are written. Pairs, and the results of
    parsers, have logical forms as they are written, too.
    """

    @property
    @abstractmethod
    def filled_grammar(self) -> str:
        """The name of the exact grammar with slots, under which parsers decode."""

    @property
    @abstractmethod
    def grounding(self) -> Grounding:
        """The tokens that a query makes available."""

    @abstractmethod
    def mentions(self, text: str) -> Sequence[Mention]:
        """The numbers and times in a text, in order, at most `filling.SLOTS`."""

    def unread(self, text: str) -> Sequence[tuple[int, int]]:  # noqa: ARG002
        """The characters of numbers and times in a text that could not be read, such as "1.2.3"."""
        return ()

    @abstractmethod
    def cues(self, token: str) -> Sequence[str]:
        """Words that may refer to a token without being its name: "longest" for the length."""

    @abstractmethod
    def filled(self, tokens: Tokens, mentions: Sequence[Mention]) -> Tokens:
        """A written logical form with slots. Raises if it has something that is not mentioned."""

    @abstractmethod
    def written_pieces(self, tokens: Tokens, mentions: Sequence[Mention]) -> Sequence[Tokens]:
        """For each token of a form with slots the tokens that it stands for."""

    @property
    def has_texts(self) -> bool:
        """Whether there are kinds that any words of a query may fill."""
        return False

    @property
    def lists_beside(self) -> Mapping[str, str]:
        """Kinds with a list, and those that queries fill with names that it lacks."""
        return {}

    def filled_texts(
        self,
        tokens: Tokens,  # noqa: ARG002
        mentions: Sequence[Mention],  # noqa: ARG002
    ) -> Sequence[FilledText]:
        """The texts of a form with slots that may be any others."""
        return ()

    def filled_token(self, kind: str, text: str) -> str:
        """A text as a token of a kind that queries fill."""
        raise NotImplementedError(f"{self.name} has no kind {kind} that {text!r} could fill")

    def unfilled(self, tokens: Tokens) -> tuple[str, ...]:  # noqa: ARG002
        """The kinds that a form needs and its query does not mention: where no other form fits."""
        return ()

    def spanned(self, tokens: Tokens) -> Tokens:  # noqa: ARG002
        """The slots between those of the first and the last word of each text in a form."""
        return ()

    def misfits(self, tokens: Tokens, mentions: Sequence[Mention]) -> Sequence[int]:  # noqa: ARG002
        """The mentions in a form with slots that their field cannot have, as 5 kg of minutes."""
        return ()
