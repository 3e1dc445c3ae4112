"""`Domain`: the interface of a language to training, evaluation and decoding.

A domain declares optional capabilities by subclassing the classes of `capabilities`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, NamedTuple

from grammax.automaton.protocol import Automaton
from grammax.language.answer import Answers
from grammax.language.answer import Tokens as Tokens
from grammax.language.phrases import Rephrased
from grammax.vocabulary import Vocabulary


class Pair(NamedTuple):
    """A query and the tokens of its logical form."""

    query: str
    tokens: Tokens


class Part(NamedTuple):
    """A part of a logical form that can be moved to another one."""

    tokens: Tokens
    role: str  # a part can be replaced by another part of the same role
    order: int = 0  # sorts parts within a logical form


# An outer form, a name in it, and the form that takes its place; None if they do not fit.
Nests = Callable[[Tokens, str, Tokens], Tokens | None]


class Domain(ABC):
    """A language of logical forms: vocabulary, grammars, pairs, and the comparison of forms."""

    @property
    @abstractmethod
    def name(self) -> str:
        """A short lower-case name, as given on the command line."""

    @property
    @abstractmethod
    def version(self) -> str:
        """Changes with the vocabulary; a model of another one is refused, see `grammar_version`."""

    @property
    def names_version(self) -> str:
        """Changes with the vocabulary and its names, of which a model's rows are composed."""
        return self.version

    @property
    def grammar_version(self) -> str | None:
        """Changes with the grammar, not with tokens that come and go; None if none do.

        Models with composed rows fit every vocabulary of one grammar.
        """
        return None

    @property
    def trained_as(self) -> tuple[str, str]:
        """The name and version that its models have; domains that share models have the same."""
        return self.name, self.version

    @property
    @abstractmethod
    def vocabulary(self) -> Vocabulary:
        """The rows of the output layer."""

    @property
    @abstractmethod
    def grammars(self) -> tuple[str, ...]:
        """The names of its automata, from loosest to tightest; the last one is exact."""

    @property
    def exact(self) -> str:
        """The name of the exact grammar, under which parsers decode."""
        return self.grammars[-1]

    @abstractmethod
    def automaton(self, grammar: str) -> Automaton[Any]:
        """The automaton of one of `grammars`; always the same object."""

    @property
    @abstractmethod
    def splits(self) -> tuple[str, ...]:
        """The names of its sets of pairs: "train" first, then those to evaluate on."""

    @abstractmethod
    def pairs(self, split: str) -> Sequence[Pair]:
        """The pairs of a split."""

    def written_pairs(self) -> Sequence[Pair]:
        """Pairs that people wrote, to train on beside those of the split "train"."""
        return ()

    def rules(self, split: str) -> Sequence[frozenset[str]] | None:  # noqa: ARG002
        """For each pair of a split the phrasing rules that worded it; None if none are known.

        A calibration leaves whole rules out of a training, to learn from wordings it has not seen.
        """
        return None

    def out_of_domain(self, split: Literal["train", "test"]) -> tuple[str, ...]:  # noqa: ARG002
        """Texts that are not about the domain, on which a parser should abstain."""
        return ()

    def near_misses(self, split: Literal["train", "test"]) -> tuple[str, ...]:  # noqa: ARG002
        """Queries about the domain that no logical form expresses; a parser should abstain."""
        return ()

    def contradicts(self, tokens: Tokens) -> bool:  # noqa: ARG002
        """Whether no row can satisfy a logical form, whatever the data."""
        return False

    def without_phrases(self, text: str) -> Rephrased | None:  # noqa: ARG002
        """A query without phrases that stand for conditions; None if it has none."""
        return None

    @property
    def samples(self) -> tuple[str, ...]:
        """A few sample queries."""
        return ()

    @abstractmethod
    def wordings(self, token: str) -> Sequence[str]:
        """The names of a token in queries: its name first, then its aliases."""

    @property
    def about(self) -> str:
        """What was opened, in a line: "films.csv: 6 films, 9 columns"; empty without data."""
        return ""

    @property
    def model(self) -> Path | None:
        """Its trained model, which may be missing; None if one is shipped under its name."""
        return None

    @property
    def folder(self) -> Path | None:
        """The folder that it was read from, in which its trainings are; None without one."""
        return None

    @property
    def lacks(self) -> str:
        """What is said, before some words, if no logical form accounts for them."""
        return "Nothing here can express"

    @property
    def start(self) -> Path | None:
        """The model that a training begins with; None if it begins with nothing."""
        return None

    @property
    def training(self) -> Mapping[str, Any]:
        """Settings of `TrainingConfig`, by name, that differ from the defaults."""
        return {}

    @property
    def must_be_named(self) -> frozenset[str]:
        """Kinds whose tokens are permitted only if the query names them; see `NamedOnly`."""
        return frozenset()

    @property
    def whole_numbers(self) -> bool:
        """Whether no name ends inside a number of a query: "route 660" has no "route 66"."""
        return False

    @abstractmethod
    def text(self, tokens: Tokens) -> str:
        """A logical form in the notation that people write."""

    @abstractmethod
    def same(self, one: Tokens, other: Tokens) -> bool:
        """Exact match: whether two logical forms are equal up to order and notation."""

    @abstractmethod
    def grammatical(self, tokens: Tokens) -> bool:
        """Whether the tokens are a logical form, whatever its types."""

    @abstractmethod
    def well_typed(self, tokens: Tokens) -> bool:
        """Whether a grammatical logical form is well typed."""

    @abstractmethod
    def mistake(self, predicted: Tokens, expected: Tokens) -> str:
        """The class of a wrong prediction, in a word or two."""

    @abstractmethod
    def parts(self, tokens: Tokens) -> Sequence[Part]:
        """The parts that a logical form joins; a form without parts is its only part."""

    @abstractmethod
    def joined(self, parts: Sequence[Part]) -> Tokens | None:
        """The logical form that joins the parts, in order of mention; None if they do not fit."""

    def nesting(self) -> Nests | None:
        """What puts one logical form in the place of a name of another; None if nothing does."""
        return None

    def answers(self) -> AbstractContextManager[Answers] | None:
        """The data store that answers logical forms; None if the domain has none."""
        return None

    def close(self) -> None:  # noqa: B027 - most domains hold nothing open
        """Close the data that the domain was made from, if it was."""
