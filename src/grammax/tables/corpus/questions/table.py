"""`Table`: the columns of a catalogue with their words, by what they are used for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import Final, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.classes import class_of
from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.lexicaliser import Lexicaliser
from grammax.tables.english.phrases import lowered
from grammax.tables.form.tree import FieldRef
from grammax.tables.idioms import FieldClass, Idioms
from grammax.tables.inspect.concepts import Concept, find
from grammax.tables.inspect.words import plural_of, singular_of
from grammax.tables.schema import EnumType, NumberType, TextType
from grammax.tables.semantics import TEXTS, Aggregate, SemanticClass, default_aggregate
from grammax.tables.shared_kinds import LISTED
from grammax.tables.wording.speech import Speech, semantic_of, speech_of
from grammax.tables.wording.values import NO, YES

_GROUPS: Final = frozenset(("CATEGORY", "PLACE", "PERSON", "ORGANISATION", "BOOLEAN", "YEAR"))
_RARE_GROUPS: Final = frozenset(("NAME", "COUNT", "RATING", "AGE", "CODE"))
_NO_MEASURES: Final = frozenset(("YEAR", "DATE", "COORDINATE", "RANK"))
_IDENTIFYING: Final = ("NAME", "CODE")
_TEXTS: Final = frozenset(each.name for each in TEXTS)
_PEOPLE: Final = frozenset(
    ("person", "people", "man", "woman", "child", "citizen", "resident", "member", "athlete")
)
_LONGEST_NAME: Final = 60  # characters of a value that people still type
_TRIES: Final = 6
_NO_TEXTS: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})
_ONLY_SINGULAR: Final = frozenset(("BOOLEAN", "NUMBER", "RATIO", "PERCENT", "PHYSICAL"))
_HEAD: Final = re.compile(r"(.+?)(?:( (?:of|to|per|in|from|at|for|by|on) )(.+))?", re.DOTALL)
_NO_NOUNS: Final = frozenset(
    ("where", "from", "to", "called", "named", "titled", "located", "married", "serves", "built",
     "born", "made", "paid", "sold", "won", "worth", "offers", "pay", "live", "no", "key", "number",
     "total", "id", "weighs", "value", "sum", "starring", "kind", "sort", "words", "state",
     "reference")
)  # fmt: skip
_QUESTION_WORDS: Final = ("how ", "what ", "who ", "when ", "where ", "comes ", "going ", "works ")
_ENDINGS: Final = (
    *(" by", " in", " on", " from", " to", " with", " of", " for"),
    *("ed", "ly"),
)


@final
@dataclass(frozen=True, slots=True)
class Column:
    """A column with its words; `first` if it is the first one of its type."""

    speech: Speech
    nouns: tuple[str, ...]  # its names, the likeliest first
    rare: tuple[str, ...]  # synonyms that no other column has
    type: EnumType | NumberType | TextType
    position: int  # of its enum type among all
    first: bool
    values: tuple[str, ...] = ()
    class_: FieldClass | None = None  # of numbers and dates

    @property
    def token(self) -> str:
        """The field."""
        return self.speech.field.token

    @property
    def ref(self) -> FieldRef:
        """The field in a logical form."""
        return FieldRef(self.token)

    @property
    def semantic(self) -> str:
        """The class, in capitals."""
        return self.speech.semantic

    @property
    def idioms(self) -> Idioms:
        """Words that need no noun, and that no column before this one has."""
        return self.speech.idioms

    @property
    def is_number(self) -> bool:
        """Whether it has numbers or dates."""
        return self.class_ is not None

    @property
    def is_listed(self) -> bool:
        """Whether a row may have several values, as far as a model can tell."""
        return isinstance(self.type, EnumType) and self.type.many and self.semantic in LISTED

    @property
    def summed(self) -> bool:
        """Whether it is summed up where a question does not say how."""
        concept = self.speech.concept
        if concept is not None:
            return concept.aggregate is Aggregate.SUM
        return default_aggregate(SemanticClass(self.semantic.lower())) is Aggregate.SUM

    def noun(self, dice: Dice) -> str:
        """A noun for the column: mostly its name, at times a synonym."""
        if self.rare and dice.chance(0.08):
            return pick(dice, self.rare)
        return pick(dice, self.nouns, 1.2)

    def plural(self, dice: Dice) -> str:
        """A noun in the plural, where it can have one: "lengths of stay"."""
        noun = self.noun(dice)
        if self.semantic in _ONLY_SINGULAR or noun.isupper():
            return noun
        head, preposition, rest = _HEAD.fullmatch(noun).groups()  # type: ignore[union-attr]
        return f"{plural_of(singular_of(head))}{preposition or ''}{rest or ''}"


@final
class Table:
    """The columns of a catalogue, by use, and the nouns for its rows."""

    def __init__(self, words: Lexicaliser, texts: Mapping[str, Sequence[str]] = _NO_TEXTS) -> None:
        self.words = words
        self.texts: Final = texts  # by field, what a column that is searched may hold
        self.catalogue: Final[Catalogue] = words.catalogue
        schema = self.catalogue.schema
        self.one, self.many = schema.entity.singular.lower(), schema.entity.plural.lower()
        self.columns: Final = tuple(self._columns())
        by_token = {column.token: column for column in self.columns}
        self.measure: Final = by_token.get(schema.measure or "")
        enums = [
            column
            for column in self.columns
            if not column.is_number and column.values and column.semantic not in _TEXTS
        ]
        self.valued: Final = tuple(enums)
        searched = frozenset(self.catalogue.lexicon.searched)
        self.searched: Final = tuple(c for c in self.columns if c.token in searched)
        self.booleans: Final = tuple(c for c in enums if c.semantic == "BOOLEAN")
        self.numbers: Final = tuple(
            column for column in self.columns if column.is_number and not self._has_dates(column)
        )
        self.dates: Final = tuple(c for c in self.columns if self._has_dates(c))
        self.measures: Final = tuple(c for c in self.numbers if c.semantic not in _NO_MEASURES)
        self.ranked: Final = tuple(c for c in self.columns if c.is_number)
        groups = [c for c in self.columns if c.semantic in _GROUPS]
        nouns = [c for c in groups if not c.speech.is_adjective]  # not "by married"
        self.groups: Final = tuple(nouns or groups)
        self.rare_groups: Final = tuple(c for c in self.columns if c.semantic in _RARE_GROUPS)
        self.label: Final = next((c for c in self.columns if c.semantic == "NAME"), None)
        names = [c for c in enums if c.first and c.semantic in _IDENTIFYING]
        self.identifying: Final = tuple(
            names or [c for c in enums if c.first and c.semantic == "PERSON"]
        )

    @cached_property
    def of_people(self) -> bool:
        """Whether rows are people."""
        person = find(tuple(self.one.split()), {SemanticClass.PERSON})
        return self.one in _PEOPLE or person is not None

    @cached_property
    def has_period(self) -> bool:
        """Whether "by year" means periods of the main date, not a column."""
        return bool(self.dates) and not any(
            noun in ("year", "month", "quarter") for c in self.columns for noun in c.nouns
        )

    def value(self, column: Column, dice: Dice) -> str | None:
        """A value of a column that has a name which people type; None if none was found."""
        for _ in range(_TRIES):
            token = pick(dice, column.values, 0.3)
            if self.name(token, dice):
                return token
        return None

    def name(self, token: str, dice: Dice) -> str:
        """A name of a value that no other value has; empty if there is none."""
        names = [n for n in self.words.value(token, bare=True) if len(n) <= _LONGEST_NAME]
        return pick(dice, names, 1.5) if names else ""

    def place(self, token: str, dice: Dice) -> str:
        """A name of a place that may follow "in", so that it is no adjective."""
        return pick(dice, self.words.places(token) or (self.name(token, dice),), 1.2)

    def adjective(self, token: str, dice: Dice) -> str:
        """A name of a place that may stand before a noun: "french"."""
        return pick(dice, self.words.adjectives(token) or (self.name(token, dice),), 1.2)

    def booleans_of(self, column: Column) -> tuple[str, str] | None:
        """The values of a boolean column for yes and for no."""
        named = [(t, self.catalogue.wordings(t)) for t in column.values[:4]]
        yes = [t for t, names in named if YES.intersection(name.lower() for name in names)]
        no = [t for t, names in named if NO.intersection(name.lower() for name in names)]
        return (yes[0], no[0]) if yes and no else None

    def _has_dates(self, column: Column) -> bool:
        return isinstance(column.type, NumberType) and column.type.dates

    def _columns(self) -> list[Column]:
        schema = self.catalogue.schema
        unit = None if schema.unit is None else schema.unit.type
        types: dict[str, EnumType | NumberType | TextType] = {e.name: e for e in schema.enums}
        types |= {number.name: number for number in schema.numbers}
        types |= {text.name: text for text in schema.texts}
        positions = {name: index for index, name in enumerate(self.catalogue.value_types)}
        seen: set[str] = set()
        said: set[tuple[str, str]] = set()
        found = []
        for token, field in self.catalogue.fields.items():
            if field.type == unit:
                continue
            type_, semantic = types[field.type], semantic_of(field, schema)
            speech = speech_of(field, schema, alone=not {semantic, field.type} & seen)
            is_enum = isinstance(type_, EnumType)
            found.append(
                Column(
                    _unsaid(speech, said),
                    self._nouns(token, field.name),
                    self._synonyms(speech),
                    type_,
                    positions.get(field.type, 0),
                    field.type not in seen,
                    self.catalogue.values_of(field.type) if is_enum else (),
                    class_of(type_) if isinstance(type_, NumberType) else None,
                )
            )
            seen |= {semantic, field.type}
        return found

    def _nouns(self, token: str, name: str) -> tuple[str, ...]:
        usable = [noun for noun in self.words.field(token) if any(map(str.isalnum, noun))]
        return tuple(usable) or (lowered(name),)

    def _synonyms(self, speech: Speech) -> tuple[str, ...]:
        """Synonyms that are no name in the catalogue and not a noun for rows."""
        taken = (self.one, self.many)
        return tuple(
            word
            for word in speech.synonyms
            if not self.words.is_known(word)
            and word not in taken
            and _is_noun(word, speech.concept)
        )


@cache
def row_nouns() -> tuple[tuple[str, str], ...]:
    """Nouns that rows of tables are called by, singular and plural."""
    source = files("grammax.tables.corpus.questions").joinpath("nouns.txt")
    lines = source.read_text(encoding="utf-8").splitlines()
    words = [line.split("\t") for line in lines if line and line[0] != "#"]
    return tuple((word[0], word[1] if len(word) > 1 else plural_of(word[0])) for word in words)


def _is_noun(word: str, concept: Concept | None) -> bool:
    """Whether a synonym is a noun that means something by itself."""
    if concept is not None and word in (concept.more, concept.less):
        return False
    if word in _NO_NOUNS or " or " in word:
        return False
    return not word.endswith(_ENDINGS) and not word.startswith(_QUESTION_WORDS)


def _unsaid(speech: Speech, said: set[tuple[str, str]]) -> Speech:
    """The speech without what was said of an earlier column: only one has "the newest"."""
    kept: dict[str, tuple[str, ...]] = {}
    for part in fields(Idioms):
        patterns: Sequence[str] = getattr(speech.idioms, part.name)
        kept[part.name] = tuple(each for each in patterns if ("idiom", each) not in said)
    said |= {("idiom", pattern) for patterns in kept.values() for pattern in patterns}
    asked = tuple(each for each in speech.asked if "{f}" in each or ("asked", each) not in said)
    said |= {("asked", each) for each in asked}
    return replace(speech, idioms=Idioms(**kept), asked=asked)
