"""`CorpusStyle`: what a schema supplies so that queries about its table are drawn and worded.

| part | says |
|---|---|
| `entities` | the nouns for rows, the likeliest first: "films", "movies" |
| `realisers` | how the values of each enum type are worded |
| `numbers` | which numbers the fields of each number type are compared with |
| `drawing` | how often each type and field is asked for, and what may stand together |
| `words` | which wordings of the catalogue are used |
| `frames` | how queries begin and end, and what is said before the noun |

`default_style` derives one from a schema and its catalogue alone; a schema that knows more gives
its own. A `Voice` is a style over a catalogue, as all that words a plan needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.entries import Field
from grammax.tables.corpus.lexicaliser import Lexicaliser, WordRules
from grammax.tables.corpus.numbers import NumberStyle
from grammax.tables.corpus.realise import Realiser
from grammax.tables.form.tree import FieldRef

OPENINGS: Final = (
    "show me", "", "find", "list", "show me all", "give me", "find all", "list all", "get me",
    "i'm looking for", "show", "find me", "i want to see", "search for", "please show me",
    "can you find", "give me a list of", "looking for", "i need", "could you list",
    "i would like to see", "are there any",
)  # fmt: skip
SHOWING: Final = (
    "show me the {c} of {n}", "what {are} the {c} of {n}?", "{c} of {n}", "{c} for {n}",
    "give me the {c} of {n}", "{n} with their {c}", "list {n} and their {c}",
    "show {n} along with their {c}", "{n}, show {c}", "i want the {c} for {n}",
    "get the {c} for all {n}", "display the {c} of {n}",
)  # fmt: skip
SHOWING_ONE: Final = (
    "what {are} the {c} of {n}?", "{c} of {n}", "{n} {c}", "show me the {c} of {n}", "{n}: {c}",
    "what {are} {n}'s {c}?", "{n}'s {c}", "tell me the {c} of {n}", "{c} {n}",
)  # fmt: skip


@final
@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """How often types and fields are asked for. Enum types that are in no mapping are not."""

    types: Mapping[str, int]  # weights by enum type
    fields: Mapping[str, Mapping[str, int]]  # weights of the fields of each enum type
    compared: frozenset[str] = frozenset()  # ordered types whose values are mostly compared
    alternatives: frozenset[str] = frozenset()  # types of which "a or b" is asked
    excluded: Mapping[str, int] = field(default_factory=dict)  # weights of types in "not ..."
    nested: frozenset[str] = frozenset()  # types whose values are excluded from those above them
    clashes: tuple[frozenset[str], ...] = ()  # types of which a query has one at most
    grouped: tuple[str, str] | None = None  # types of "german thrillers or french comedies"
    identifying: str | None = None  # the type whose values name single rows
    leaves: Mapping[str, float] = field(default_factory=dict)  # share drawn without parts, by type
    has_history: Callable[[Field], bool] = lambda _: False  # whether it is asked for at a time
    has_peers: Callable[[Field], bool] = lambda _: True  # whether other fields compare with it
    daily: frozenset[str] = frozenset()  # fields that have a value each day
    hidden: frozenset[str] = frozenset()  # fields that are not asked for as columns

    def clash(self, one: str, other: str) -> bool:
        """Whether two types constrain the same thing, such as a country and a city."""
        return one == other or any({one, other} <= types for types in self.clashes)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """How queries begin, and which constraints stand where.

    In `showing` and `showing_one` "{c}" is for columns, "{n}" for rows, "{are}" for the verb.
    """

    openings: tuple[str, ...] = OPENINGS
    showing: tuple[str, ...] = SHOWING
    showing_one: tuple[str, ...] = SHOWING_ONE  # of a row that the identifying type names
    before: Mapping[str, float] = field(default_factory=dict)
    """The chance of each enum type to stand before the noun; several stand in this order."""
    nouns: Mapping[str, float] = field(default_factory=dict)
    """The chance of each enum type to be the noun."""
    noun_after: Mapping[str, str] = field(default_factory=dict)
    """The noun for entities after a constraint of a type, where it is always the same."""
    after_are: tuple[str, ...] = ("in ", "from ", "not ")
    """Beginnings of what may follow "which films are"."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class CorpusStyle:
    """All that drawing and wording needs to know of a schema."""

    entities: tuple[str, ...]
    realisers: Mapping[str, Realiser]  # by enum type
    numbers: Mapping[str, NumberStyle]  # by number type
    drawing: Drawing
    words: WordRules = field(default_factory=WordRules)
    frames: Frames = field(default_factory=Frames)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Voice:
    """A style over a catalogue."""

    words: Lexicaliser
    style: CorpusStyle

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue that is spoken of."""
        return self.words.catalogue

    @property
    def measure(self) -> str | None:
        """The field that "largest" means."""
        return self.catalogue.schema.measure

    def is_measure(self, field: FieldRef) -> bool:
        """Whether "largest" alone means the most of a field."""
        return self.measure is not None and field == FieldRef(self.measure)


@lru_cache(maxsize=4)
def voice_over(catalogue: Catalogue, style: CorpusStyle) -> Voice:
    """The voice of a style over a catalogue; its index takes about a second and is made once."""
    return Voice(Lexicaliser(catalogue, style.words), style)
