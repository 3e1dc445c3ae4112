"""What a domain is: a vocabulary with its grammars, pairs to learn from, and ways to compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeGuard

from grammax.automaton.protocol import Automaton
from grammax.errors import GrammaxError
from grammax.language.changes import Changes, NewValue
from grammax.vocabulary import Vocabulary

Tokens = tuple[str, ...]
ANSWER_SECONDS: Final = 10.0


class Pair(NamedTuple):
    """A query and the tokens of its logical form."""

    query: str
    tokens: Tokens


class Part(NamedTuple):
    """A part of a logical form that may stand in other company."""

    tokens: Tokens
    role: str  # parts of one role may stand for each other
    order: int = 0  # in the domain's own terms


class AnswerTooSlow(GrammaxError):
    """An answer that was stopped at its time limit."""


class Answers(Protocol):
    """What logical forms denote, asked of a store that is open; threads may share it."""

    def answer(self, tokens: Tokens, limit: int, seconds: float = ANSWER_SECONDS) -> Any:
        """What a logical form denotes, at most `limit` rows of it, in the domain's own terms.

        `AnswerTooSlow` if it takes longer than `seconds`.
        """

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

    @property
    def training(self) -> Mapping[str, Any]:
        """Where its training is not as usual: values of `model.config.TrainingConfig` by name."""

    @property
    def mentioned(self) -> frozenset[str]:
        """Kinds of which a query has to name what is chosen, where it names any such token."""

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


Role = Literal[
    "field", "operator", "value", "number", "unit", "time", "rank", "order", "connective", "bracket"
]


class Chip(NamedTuple):
    """A token of a logical form as a person sees it."""

    token: str
    label: str
    kind: str  # of the vocabulary
    role: Role
    depth: int  # how many parentheses it is in


class Column(NamedTuple):
    """A column of an answer."""

    label: str
    field: str | None  # the token that it shows, if it is one's
    type: str  # "text", or a sort of numbers in the domain's own words, such as "money"
    unit: str | None
    synthetic: bool  # generated, and whoever shows it says so


class Table(NamedTuple):
    """An answer that can be shown."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]  # of texts, numbers, tuples of texts, and None: not known
    total: int | None  # rows that there would be without a limit, where it is known
    more: bool  # than were asked for
    seconds: float


class Completion(NamedTuple):
    """How a query that is being typed may go on."""

    text: str  # all of it, with what is added
    added: str
    what: str  # "country", "company", "field", "phrase" ...
    token: str | None  # that it names, if it is a name


class SpokenDomain(LivingDomain, Protocol):
    """A domain that people talk with: all that a page or a prompt shows of it is in English."""

    def read(self, text: str) -> Tokens:
        """The tokens of a logical form that a person wrote; an error says where it is none."""

    def require_meaning(self, tokens: Tokens) -> None:
        """Nothing, for a logical form that makes sense; an error says why another does not."""

    def paraphrase(self, tokens: Tokens) -> str:
        """A logical form in English."""

    def label(self, token: str) -> str:
        """What a person calls a token."""

    def kind_named(self, text: str) -> str | None:
        """The kind of the vocabulary that people call so, if there is one."""

    def chips(self, tokens: Tokens) -> Sequence[Chip]:
        """Each token of a logical form, or of its beginning."""

    def table(self, answer: Any) -> Table:
        """What `Answers` gave."""

    def completions(self, text: str, limit: int) -> Sequence[Completion]:
        """How a query that is being typed may go on, the likeliest first."""


def is_spoken(domain: Domain) -> TypeGuard[SpokenDomain]:
    """Whether people can talk with a domain."""
    return hasattr(domain, "paraphrase") and hasattr(domain, "chips") and is_living(domain)
