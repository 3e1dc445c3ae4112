"""`CorpusStyle`: the settings by which queries about a table are drawn and worded.

| part | contents |
|---|---|
| `entities` | the nouns for rows, the likeliest first: "films", "movies" |
| `realisers` | the wording of values, by enum type |
| `numbers` | the numbers that fields are compared with, by number type |
| `drawing` | the frequencies of types and fields, and permitted combinations |
| `words` | rules that select the wordings of the catalogue |
| `frames` | beginnings and ends of queries, and the modifiers before the noun |
| `idioms`, `classes` | how people speak of numeric fields, by field, or by field or number type |
| `thresholds` | named thresholds on ordered types |
| `mix` | the frequencies of the constructs |
| `questions` | the frequencies of the kinds of questions, for schemas without history |

`default_style` derives a style from a schema and its catalogue; a domain may define its own. A
`Voice` combines a style with a catalogue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.entries import Field
from grammax.tables.classes import class_of
from grammax.tables.corpus.lexicaliser import Lexicaliser, WordRules
from grammax.tables.corpus.mix import DEFAULT_MIX, Mix
from grammax.tables.corpus.numbers import NumberStyle
from grammax.tables.corpus.questions.mix import QuestionMix
from grammax.tables.corpus.realise import Realiser
from grammax.tables.form.tree import FieldRef, Op
from grammax.tables.idioms import FieldClass, Idioms, Threshold

OPENINGS: Final = (
    "", "show me", "find", "list", "show me all", "give me", "all", "find all", "list all",
    "i'm looking for", "show", "find me", "i want to see", "search for", "get me", "any",
    "can you find", "give me a list of", "looking for", "i need", "could you list", "i want",
    "i would like to see", "are there any", "list of", "show all", "i'd like", "get", "display",
    "which are the", "what are the", "can you show me", "tell me the", "is there any", "search",
)  # fmt: skip
SHOWING: Final = (
    "{c} of {n}", "{c} for {n}", "show me the {c} of {n}", "what {are} the {c} of {n}?",
    "give me the {c} of {n}", "{n} with their {c}", "list {n} and their {c}", "{n} {c}",
    "show {n} along with their {c}", "{n}, show {c}", "i want the {c} for {n}", "show {c} for {n}",
    "get the {c} for all {n}", "display the {c} of {n}", "{n} including {c}", "{c} {n}",
)  # fmt: skip
SHOWING_ONE: Final = (
    "{n} {c}", "what {are} {n}'s {c}?", "{c} of {n}", "what {are} the {c} of {n}?", "{n}'s {c}",
    "{c} {n}", "show me the {c} of {n}", "{n}: {c}", "what's the {c} of {n}", "{n}, {c}",
    "what's {n}'s {c}?", "tell me the {c} of {n}", "{c} for {n}", "show {n} {c}", "whats {n} {c}",
    "get {c} of {n}", "give me {n}'s {c}", "what was the {c} of {n}?", "{c} at {n}",
)  # fmt: skip
COMPARING: Final = (
    "{a} vs {b}", "{a} and {b}", "compare {a} and {b}", "{a} or {b}", "{a} versus {b}",
    "compare {a} with {b}", "{a}, {b}", "{a} vs. {b}", "{a} compared to {b}", "{a} & {b}",
    "compare {a} to {b}", "{a} / {b}", "show me {a} and {b}", "compare {a} vs {b}",
    "{a} against {b}",
)  # fmt: skip


@final
@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """The frequencies of types and fields. Enum types that are in no mapping are never drawn."""

    types: Mapping[str, int]  # weights by enum type
    fields: Mapping[str, Mapping[str, int]]  # weights of the fields of each enum type
    compared: frozenset[str] = frozenset()  # ordered types whose values are mostly compared
    alternatives: frozenset[str] = frozenset()  # types that may occur as "a or b"
    excluded: Mapping[str, int] = field(default_factory=dict)  # weights of types in "not ..."
    nested: frozenset[str] = frozenset()  # types whose values are excluded from their ancestors
    clashes: tuple[frozenset[str], ...] = ()  # types that occur at most once per query
    grouped: tuple[str, str] | None = None  # types of "german thrillers or french comedies"
    identifying: str | None = None  # the type whose values name single rows
    leaves: Mapping[str, float] = field(default_factory=dict)  # share drawn without parts, by type
    has_history: Callable[[Field], bool] = lambda _: False  # whether a field may have a time
    has_peers: Callable[[Field], bool] = lambda _: (
        True
    )  # whether a field may be compared with others
    daily: frozenset[str] = frozenset()  # fields that have a value each day
    hidden: frozenset[str] = frozenset()  # fields that are never columns

    def clash(self, one: str, other: str) -> bool:
        """Whether two types constrain the same thing, such as a country and a city."""
        return one == other or any({one, other} <= types for types in self.clashes)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """Beginnings of queries, and the positions of constraints.

    In `showing` and `showing_one` "{c}" is for columns, "{n}" for rows, "{are}" for the verb.
    """

    openings: tuple[str, ...] = OPENINGS
    showing: tuple[str, ...] = SHOWING
    showing_one: tuple[str, ...] = (
        SHOWING_ONE  # for a row that a value of the identifying type names
    )
    comparing: tuple[str, ...] = COMPARING  # for two rows that values name, "{a}" and "{b}"
    before: Mapping[str, float] = field(default_factory=dict)
    """The probability of each enum type to stand before the noun; several stand in this order."""
    nouns: Mapping[str, float] = field(default_factory=dict)
    """The probability of each enum type to be the noun."""
    noun_after: Mapping[str, str] = field(default_factory=dict)
    """The fixed noun for entities after a constraint of a type."""
    after_are: tuple[str, ...] = ("in ", "from ", "not ")
    """Beginnings of what may follow "which films are"."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class CorpusStyle:
    """The settings for drawing and wording queries about a schema."""

    entities: tuple[str, ...]
    realisers: Mapping[str, Realiser]  # by enum type
    numbers: Mapping[str, NumberStyle]  # by number type
    drawing: Drawing
    words: WordRules = field(default_factory=WordRules)
    frames: Frames = field(default_factory=Frames)
    idioms: Mapping[str, Idioms] = field(default_factory=dict)  # by field
    classes: Mapping[str, FieldClass] = field(default_factory=dict)  # by field or number type
    thresholds: tuple[Threshold, ...] = ()
    mix: Mix = DEFAULT_MIX
    questions: QuestionMix | None = None  # in place of `mix`, where fields have no history
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By field, what its texts may be: what questions search for is drawn from them."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Voice:
    """A style over a catalogue."""

    words: Lexicaliser
    style: CorpusStyle

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue of the voice."""
        return self.words.catalogue

    @property
    def measure(self) -> str | None:
        """The field that "largest" refers to."""
        return self.catalogue.schema.measure

    def is_measure(self, field: object) -> bool:
        """Whether "largest" alone refers to a field."""
        return self.measure is not None and field == FieldRef(self.measure)

    def idioms(self, token: str) -> Idioms:
        """The idioms of a field; none if it has none of its own."""
        return self.style.idioms.get(token, NO_IDIOMS)

    def has_superlatives(self, token: str) -> bool:
        """Whether a field has idioms that rank by it."""
        idioms = self.idioms(token)
        return bool(idioms.most or idioms.least or idioms.agents)

    def has_own_signs(self, token: str) -> bool:
        """Whether a field has idioms for a comparison with zero."""
        idioms = self.idioms(token)
        return bool(idioms.positive or idioms.negative or idioms.absent)

    def has_comparatives(self, token: str) -> bool:
        """Whether a field has idioms for a comparison with a number."""
        idioms = self.idioms(token)
        return bool(idioms.greater or idioms.smaller or idioms.up or idioms.down)

    def is_numeric(self, token: str) -> bool:
        """Whether a field is of a number type that the style draws."""
        return self.catalogue.fields[token].type in self.style.numbers

    def class_of(self, token: str) -> FieldClass:
        """The class of a numeric field: its own, that of its type, or the usual one."""
        classes, type_ = self.style.classes, self.catalogue.fields[token].type
        found = classes.get(token) or classes.get(type_)
        return found or class_of(self.catalogue.schema.number(type_))

    def signs(self, token: str) -> tuple[Op, ...]:
        """The comparisons with zero that there are words for."""
        own, usual = self.idioms(token), self.class_of(token).signs
        found: list[Op] = []
        found += ["GR"] * bool(own.positive or usual.positive)
        found += ["LS"] * bool(own.negative or usual.negative)
        found += ["EQ"] * bool(own.absent or usual.absent)
        return tuple(found)

    def has_ratio_field(self, one: str, other: str) -> bool:
        """Whether the ratio of two fields has a name of its own: "aspect ratio"."""
        return any(
            self.words.is_known(f"{first}{sign}{second}")
            for first in self.words.field(one)
            for second in self.words.field(other)
            for sign in ("/", " to ", " per ", " over ")
        )


NO_IDIOMS: Final = Idioms()


@lru_cache(maxsize=4)
def voice_over(catalogue: Catalogue, style: CorpusStyle) -> Voice:
    """The voice of a style over a catalogue; building its index takes about a second, once."""
    return Voice(Lexicaliser(catalogue, style.words), style)
