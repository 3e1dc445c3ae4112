"""The results of a parser: a logical form with its confidence and details, and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

from grammax.confidence import Abstention
from grammax.language.answer import Answer
from grammax.language.domain import Tokens
from grammax.parser.notices import notices
from grammax.reading.words import whole_words


class Alternative(NamedTuple):
    """One of the best logical forms of a query."""

    lf: str
    tokens: Tokens
    probability: float  # by the network, among all logical forms that the grammar permits


class Seconds(NamedTuple):
    """The time that each stage took."""

    read: float  # splitting into words, and finding names
    encode: float
    decode: float  # attention, output layer and grammar, for all steps


@final
@dataclass(frozen=True, slots=True)
class Parsed:
    """A query and its logical form.

    `confidence` is calibrated: the probability that the logical form is what was meant. It differs
    from the `probability` of an alternative, which is the network's own.

    >>> import grammax
    >>> with grammax.load("eqs") as parser:
    ...     parsed = parser.parse("steel western europe not german")
    >>> parsed.tokens[:3], parsed.words
    (('(', 'AND', '('), ('steel', 'western', 'europe', 'not', 'german'))
    >>> parsed.confidence > 0.5, parsed.uncovered
    (True, ())
    """

    text: str
    lf: str
    tokens: Tokens
    confidence: float
    why: Abstention | None  # the reason for abstaining; None if the parser does not abstain
    uncovered: tuple[int, ...]  # positions of words that the logical form does not cover
    best: tuple[Alternative, ...]  # the requested number of alternatives, this logical form first
    permitted: tuple[int, ...]  # number of tokens that the grammar permitted, for each token
    scored: tuple[int, ...]  # number of rows multiplied, for each token; 0 where it was forced
    words: tuple[str, ...]  # of the query, after correction
    typos: tuple[tuple[int, str], ...]  # positions of corrected words, and what was typed there
    sources: tuple[tuple[int, ...], ...]  # for each token, positions of the words it came from
    seconds: Seconds
    version: str  # of the vocabulary
    unused: tuple[int, ...] = ()  # positions of numbers and times that were read and not used
    concerned: tuple[int, ...] = ()  # positions of the words that are the reason for a doubt
    unread: tuple[str, ...] = ()  # numbers and times that could not be read, as typed
    lacks: str = "Nothing here can express"  # said of words that no logical form accounts for
    contradictory: bool = False  # whether conditions of the form exclude one another
    misfits: tuple[str, ...] = ()  # numbers with a unit that their field cannot have
    missing: tuple[str, ...] = ()  # kinds that the form needs and the query does not mention

    @property
    def abstains(self) -> bool:
        """Whether the logical form is only a suggestion, to be confirmed before use."""
        return self.why is not None

    def words_of(self, token: int) -> tuple[str, ...]:
        """The words that the token at an index came from; empty if it was forced."""
        return tuple(self.words[position] for position in self.sources[token])

    def typed(self, positions: Sequence[int]) -> tuple[str, ...]:
        """The words at some positions as they were typed, numbers whole."""
        typed = dict(self.typos)
        words = [typed.get(index, word) for index, word in enumerate(self.words)]
        return tuple(whole_words(words, positions))

    @property
    def notices(self) -> tuple[str, ...]:
        """Why the parser abstains, and what it did not use, in plain English."""
        return notices(self)


@final
@dataclass(frozen=True, slots=True)
class Answered:
    """A query, its logical form, and the answer."""

    parsed: Parsed
    answer: Answer | None  # None if the parser abstained
    seconds: float  # of the answer, without parsing
