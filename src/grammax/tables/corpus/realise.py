"""Realisers: words for enum constraints, one realiser per value type.

A constraint can stand in one of four positions. Each realiser supports those that suit its type.

| position | examples |
|---|---|
| `before` the noun | "german", "sci-fi", "r-rated" |
| as the `noun` | "thrillers", "drama films" |
| `after` the noun | "outside europe", "whose grade is above PG" |
| `bare`, in telegraphic style | "drama", "not german", "grade >= PG" |

| realiser | for types such as |
|---|---|
| `Name` | directors, studios: proper names inside templates |
| `Place` | countries: proper names with adjectives |
| `Category` | genres: words for the entity itself, or words that stand before it |
| `Scale` | grades: ordered values that a constraint compares |

A template holds "{v}" where the values stand.
"""

# ruff: noqa: ARG002  (all realisers have one signature)

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.lexicaliser import NEVER, Lexicaliser, is_demonym
from grammax.tables.corpus.plan import EnumConstraint

ByField = Mapping[str, tuple[str, ...]]
Naming = Callable[[str], str]

_NO_NOUN: Final = re.compile(r"\{v\} \w|\b(is|are)( not)? \{v\}")
_COMPARED: Final[Mapping[str, tuple[str, ...]]] = {
    "EQ": ("rated {v} by {a}", "with a {r} of {v}"),
    "GE": ("rated at least {v} by {a}", "rated {v} or better by {a}", "with a {r} of at least {v}",
           "rated {v} or higher by {a}"),
    "GR": ("rated better than {v} by {a}", "rated above {v} by {a}", "with a {r} above {v}"),
    "LE": ("rated {v} or lower by {a}", "rated {v} or worse by {a}", "with a {r} of {v} or lower"),
    "LS": ("rated below {v} by {a}", "rated worse than {v} by {a}", "with a {r} below {v}"),
}  # fmt: skip
_COMPARED_BARE: Final[Mapping[str, tuple[str, ...]]] = {
    "EQ": ("{r} {v}", "{r} = {v}", "rated {v} by {a}"),
    "GE": ("{r} >= {v}", "{r} at least {v}", "{r} {v} or better", "{r} {v} or higher"),
    "GR": ("{r} > {v}", "{r} better than {v}", "{r} above {v}"),
    "LE": ("{r} <= {v}", "{r} {v} or worse", "{r} at most {v}"),
    "LS": ("{r} < {v}", "{r} below {v}", "{r} worse than {v}"),
}  # fmt: skip


class Realiser(ABC):
    """Words for the constraints of one value type."""

    def is_nameable(self, token: str, words: Lexicaliser) -> bool:
        """Whether a value has a wording for every position it may be drawn for."""
        return bool(words.value(token))

    def before(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str | None:
        """The words before the noun, or None if the constraint cannot stand there."""
        return None

    def noun(self, enum: EnumConstraint, words: Lexicaliser, random: Dice, entities: str) -> str:
        """The noun of a query; `entities` is the plain noun, such as "films"."""
        return f"{entities} {self.after(enum, words, random)}"

    @abstractmethod
    def after(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str:
        """The words after the noun."""

    @abstractmethod
    def bare(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str:
        """The words in telegraphic style."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Templates by field, for constraints after the noun and bare ones.

    A field without `bare_excluded` never occurs bare, because its values do not identify it.
    """

    after: ByField
    excluded: ByField = field(default_factory=dict)
    bare_excluded: ByField = field(default_factory=dict)
    either: tuple[str, ...] = ("in",)  # beginnings of templates that may follow "either"
    naming: Naming = str  # the form of a value's name in templates: "the {name}"
    or_: str = " or "

    def after_noun(
        self,
        enum: EnumConstraint,
        words: Lexicaliser,
        random: Dice,
        name: Callable[[str, str], str],
    ) -> str:
        """The constraint after the noun; `name` gives the name of a value in a template."""
        template = pick(random, (self.excluded if enum.negated else self.after)[enum.field], 0.7)
        names = [self.naming(name(value, template)) for value in enum.values]
        text = joined(names, " and " if template.startswith("ex") else self.or_)
        article = words.rules.fields.article(text)
        phrase = template.replace("a {v}", f"{article} {{v}}").replace("{v}", text)
        if len(names) == 2 and template.startswith(self.either) and random.random() < 0.25:
            return f"either {phrase}"
        return phrase

    def bare(self, enum: EnumConstraint, random: Dice, names: Sequence[str]) -> str:
        """The constraint in telegraphic style."""
        if not enum.negated:
            return joined(names, pick(random, (" or ", "/"), 0.6))
        template = pick(random, self.bare_excluded[enum.field], 0.5)
        text = joined(names, " and " if template.startswith("ex") else " or ")
        return template.replace("{v}", text)

    def can_be_bare(self, enum: EnumConstraint, words: Lexicaliser) -> bool:
        """Whether the values alone identify the field."""
        return enum.field in self.bare_excluded and all(words.value(v, True) for v in enum.values)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Name(Realiser):
    """Proper names: "directed by kurosawa", "kurosawa-directed films"."""

    templates: Templates
    before_noun: str | None = None  # such as "{v}-directed"
    before_words: int = 1  # maximum number of words of a name before the noun
    never_before: frozenset[str] = frozenset()  # fields
    wordings: int | None = None  # number of a value's wordings that are used
    dropped_endings: tuple[str, ...] = ()
    as_token: bool = False  # whether the name comes from the token: "MON_MARCH" as "march"

    def before(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str | None:
        """A short name in its template."""
        if self.before_noun is None or not enum.is_simple or enum.field in self.never_before:
            return None
        names = words.value(enum.values[0], bare=True)
        short = [name for name in names if len(name.split()) <= self.before_words]
        return self.before_noun.replace("{v}", pick(random, short, 1)) if short else None

    def after(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str:
        """The names in one of the field's templates."""
        return self.templates.after_noun(
            enum, words, random, lambda value, _: self._name(value, enum, words, random)
        )

    def bare(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str:
        """The names alone, if they identify the field."""
        if not self.templates.can_be_bare(enum, words):
            return self.after(enum, words, random)
        names = [self._name(value, enum, words, random) for value in enum.values]
        return self.templates.bare(enum, random, names)

    def _name(self, value: str, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str:
        if self.as_token:
            prefix = words.catalogue.value_types[enum.type].prefix
            return value.removeprefix(prefix).replace("_", " ").lower()
        names = words.value(value, bare=True) or words.value(value)
        if self.wordings == 1:
            return names[0]
        usable = [name for name in names if not name.endswith(self.dropped_endings)]
        return pick(random, usable[: self.wordings] or names, 0.9)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Place(Realiser):
    """Places, which have adjectives: "german", "non-german", "based in germany"."""

    templates: Templates
    adjectival: frozenset[str] = frozenset()  # fields that an adjective may mean

    def is_nameable(self, token: str, words: Lexicaliser) -> bool:
        """Whether the place has a name that is understood bare."""
        return bool(words.value(token, bare=True)) and bool(words.places(token))

    def before(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str | None:
        """Adjectives: "german or french"; excluded, one demonym: "non-german"."""
        if enum.field not in self.adjectival:
            return None
        if not enum.negated:
            return joined([_adjective(value, words, random) for value in enum.values])
        if len(enum.values) > 1:
            return None
        word = _adjective(enum.values[0], words, random)
        return f"non-{word}" if is_demonym(word) else None

    def after(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str:
        """The names in one of the field's templates."""
        return self.templates.after_noun(
            enum, words, random, lambda value, _: pick(random, words.places(value), 1.2)
        )

    def bare(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str:
        """Adjectives or names."""
        if not self.templates.can_be_bare(enum, words):
            return self.after(enum, words, random)
        if enum.field in self.adjectival and random.random() < 0.6:
            adjectives = [_adjective(value, words, random) for value in enum.values]
            alike = all(map(is_demonym, adjectives))
            text = joined(adjectives, pick(random, (" or ", "/"), 0.5) if alike else " or ")
            if not enum.negated:
                return text
            if alike:
                prefixes = ("not ", "non-", "non ") if len(adjectives) == 1 else ("not ",)
                return f"{pick(random, prefixes, 0.6)}{text}"
        names = [pick(random, words.places(value), 1.2) for value in enum.values]
        return self.templates.bare(enum, random, names)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Category(Realiser):
    """Categories of entities: "thrillers", "drama films", "films in the drama genre".

    `nouns` are wordings that mean entities ("thrillers"); others stand before one ("drama films").
    """

    templates: Templates
    nouns: re.Pattern[str] = NEVER
    dropped_ending: re.Pattern[str] = NEVER  # nouns for the entity at the end of a wording
    capitals: frozenset[str] = frozenset()  # acronyms that would be misread in lower case
    preposition: str = (
        "in"  # before several categories that are not nouns: "films in drama or comedy"
    )

    def is_nameable(self, token: str, words: Lexicaliser) -> bool:
        """Whether the category has a name that is understood bare."""
        return bool(words.value(token, bare=True))

    def is_noun(self, word: str) -> bool:
        """Whether a wording means entities."""
        return bool(self.nouns.fullmatch(word.lower()))

    def before(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str | None:
        """A category that is not a noun: "drama"."""
        if not enum.is_simple:
            return None
        word = self._name(enum.values[0], words, random, nouns=False)
        return None if self.is_noun(word) else word

    def noun(self, enum: EnumConstraint, words: Lexicaliser, random: Dice, entities: str) -> str:
        """The nouns alone, or the noun for entities with the category."""
        names = [self._name(value, words, random) for value in enum.values]
        if all(map(self.is_noun, names)):
            return joined(names)
        if len(names) > 1:
            return f"{entities} {self.preposition} {joined(names)}"
        return f"{names[0]} {entities}"

    def after(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str:
        """The names in one of the field's templates; nouns only where they can stand."""

        def name(value: str, template: str) -> str:
            nouns = _NO_NOUN.search(template) is None
            return self._name(value, words, random, nouns)

        return self.templates.after_noun(enum, words, random, name)

    def bare(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str:
        """The names alone."""
        if not self.templates.can_be_bare(enum, words):
            return self.after(enum, words, random)
        names = [self._name(value, words, random) for value in enum.values]
        return self.templates.bare(enum, random, names)

    def _name(self, value: str, words: Lexicaliser, random: Dice, nouns: bool = True) -> str:
        """A wording in lower case, mostly one of the first; without `nouns`, not a noun."""
        names = [name.lower() for name in words.value(value, bare=True)]
        names = [name for name in names if nouns or not self.is_noun(name)] or names
        names = [self.dropped_ending.sub("", name) for name in names]
        return pick(random, [n.upper() if n in self.capitals else n for n in names], 1)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Scale(Realiser):
    """Grades that are compared: "with a grade of at least PG", "rated above PG by the mpa".

    In a template "{a}" is the rater, and "{r}" the noun for the rating, which names the rater too.
    Without raters the noun is one for the field, and templates with "{a}" are not used.
    """

    raters: tuple[str, ...] = ()
    rating: str = "{a} rating"
    before_noun: str | None = None  # such as "{v}-rated"
    in_lower: bool = False  # whether grades are words, not signs
    needs_rating: bool = False  # whether grades are understood only beside the noun for ratings
    rater_is_rating: bool = False  # whether "{a}" alone may stand for "{r}" in telegraphic style
    after_templates: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _COMPARED)
    bare_templates: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _COMPARED_BARE)

    def before(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str | None:
        """The grade in its template."""
        if self.before_noun is None or not enum.is_simple:
            return None
        return self.before_noun.replace("{v}", self._grade(enum, words))

    def after(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str:
        """The comparison in words."""
        return self._compared(enum, self.after_templates, words, random)

    def bare(self, enum: EnumConstraint, words: Lexicaliser, random: Dice) -> str:
        """The comparison in signs or in telegraphic style."""
        return self._compared(enum, self.bare_templates, words, random)

    def _compared(
        self,
        enum: EnumConstraint,
        templates: Mapping[str, tuple[str, ...]],
        words: Lexicaliser,
        random: Dice,
    ) -> str:
        rater = pick(random, self.raters, 1) if self.raters else ""
        rating = self.rating.replace("{a}", rater)
        if not self.raters:
            rating = pick(random, words.field(enum.field), 1)
        needs_rating = self.needs_rating or not self.raters
        usable = [t for t in templates[enum.op] if not needs_rating or "{r}" in t]
        template = pick(random, usable, 0.4)
        article = words.rules.fields.article(rating)
        text = template.replace("a {r}", f"{article} {{r}}").replace("{a}", rater)
        if self.rater_is_rating and template.startswith("{r}"):
            rating = pick(random, (rater, rating), 0.6)
        return text.replace("{r}", rating).replace("{v}", self._grade(enum, words))

    def _grade(self, enum: EnumConstraint, words: Lexicaliser) -> str:
        grade = words.value(enum.values[0])[0]
        return grade.lower() if self.in_lower else grade


def joined(words: Sequence[str], word: str = " or ") -> str:
    """Alternatives: "german, french or italian"."""
    if len(words) == 1 or word == "/":
        return word.join(words)
    return word.join([", ".join(words[:-1]), words[-1]])


def _adjective(value: str, words: Lexicaliser, random: Dice) -> str:
    return pick(random, words.adjectives(value), 1)
