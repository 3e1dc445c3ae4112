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
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, final

from grammax.tables.catalogue.keys import singular
from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.lexicaliser import NEVER, Lexicaliser, is_demonym
from grammax.tables.corpus.plan import EnumConstraint
from grammax.tables.corpus.templates import Templates as Templates
from grammax.tables.corpus.templates import either
from grammax.tables.corpus.templates import joined as joined

_SHORT: Final = 4  # letters of names that are used as adjectives, too: "uk"
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

    def before(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str | None:
        """The words before the noun, or None if the constraint cannot stand there."""
        return None

    def noun(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice, entities: str) -> str:
        """The noun of a query; `entities` is the plain noun, such as "films"."""
        return f"{entities} {self.after(enum, words, dice)}"

    @abstractmethod
    def after(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str:
        """The words after the noun."""

    @abstractmethod
    def bare(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str:
        """The words in telegraphic style."""


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

    def before(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str | None:
        """A short name in its template."""
        if self.before_noun is None or not enum.is_simple or enum.field in self.never_before:
            return None
        names = words.value(enum.values[0], bare=True)
        short = [name for name in names if len(name.split()) <= self.before_words]
        return self.before_noun.replace("{v}", pick(dice, short, 1)) if short else None

    def after(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str:
        """The names in one of the field's templates."""
        return self.templates.after_noun(
            enum, words, dice, lambda value, _: self._name(value, enum, words, dice)
        )

    def bare(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str:
        """The names alone, if they identify the field."""
        if not self.templates.can_be_bare(enum, words):
            return self.after(enum, words, dice)
        names = [self._name(value, enum, words, dice) for value in enum.values]
        return self.templates.bare(enum, words, dice, names)

    def _name(self, value: str, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str:
        if self.as_token:
            prefix = words.catalogue.value_types[enum.type].prefix
            return value.removeprefix(prefix).replace("_", " ").lower()
        names = words.value(value, bare=True) or words.value(value)
        if self.wordings == 1:
            return names[0]
        usable = [name for name in names if not name.endswith(self.dropped_endings)]
        return pick(dice, usable[: self.wordings] or names, 0.9)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Place(Realiser):
    """Places, which have adjectives: "german", "non-german", "based in germany"."""

    templates: Templates
    adjectival: frozenset[str] = frozenset()  # fields that an adjective may mean

    def is_nameable(self, token: str, words: Lexicaliser) -> bool:
        """Whether the place has a name that is understood bare."""
        return bool(words.value(token, bare=True)) and bool(words.places(token))

    def before(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str | None:
        """Adjectives: "german or french", "us-listed"; excluded, one demonym: "non-german"."""
        if enum.field not in self.adjectival or (enum.is_simple and dice.random() < 0.1):
            return self._with_participle(enum, words, dice)
        if not enum.negated:
            return either(enum, [_adjective(v, words, dice) for v in enum.values], words, dice)
        if len(enum.values) > 1:
            return None
        word = _adjective(enum.values[0], words, dice)
        return f"non-{word}" if is_demonym(word) or len(word) < _SHORT else None

    def after(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str:
        """The names in one of the field's templates."""
        return self.templates.after_noun(
            enum, words, dice, lambda value, _: pick(dice, words.places(value), 1.2)
        )

    def bare(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str:
        """Adjectives or names."""
        if not self.templates.can_be_bare(enum, words):
            return self.before(enum, words, dice) or self.after(enum, words, dice)
        if enum.field in self.adjectival and dice.chance(0.55):
            adjectives = [_adjective(value, words, dice) for value in enum.values]
            if not enum.negated:
                return either(enum, adjectives, words, dice, bare=True)
            if all(is_demonym(word) or len(word) < _SHORT for word in adjectives):
                prefixes = ("not ", "non-", "non ") if len(adjectives) == 1 else ("not ",)
                return f"{dice.rule('non', prefixes, 0.6)}{joined(adjectives)}"
        names = [pick(dice, words.places(value), 1.2) for value in enum.values]
        return self.templates.bare(enum, words, dice, names)

    def _with_participle(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str | None:
        form = self.templates.participle(enum, dice) if enum.is_simple else None
        if form is None:
            return None
        value = enum.values[0]
        names = [n for n in (*words.places(value), *words.adjectives(value)) if " " not in n]
        name = pick(dice, names, 1.2) if names else ""
        return form.replace("{v}", name.removeprefix("the ")) if name else None


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

    def before(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str | None:
        """A category that is not a noun: "drama"."""
        if not enum.is_simple:
            return None
        word = self._name(enum.values[0], words, dice, nouns=False)
        return None if self.is_noun(word) else word

    def noun(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice, entities: str) -> str:
        """The nouns alone, or the noun for entities with the category."""
        names = [self._name(value, words, dice) for value in enum.values]
        if all(map(self.is_noun, names)):
            return either(enum, names, words, dice)
        if len(names) > 1:
            return f"{entities} {self.preposition} {either(enum, names, words, dice)}"
        text = f"{names[0]} {entities}"
        if words.owner(text) not in (None, *enum.values):  # the name of another value
            return f"{entities} {self.preposition} {names[0]}"
        return text

    def after(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str:
        """The names in one of the field's templates; nouns only where they can stand."""

        def name(value: str, template: str) -> str:
            nouns = _NO_NOUN.search(template) is None
            return self._name(value, words, dice, nouns)

        return self.templates.after_noun(enum, words, dice, name)

    def bare(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str:
        """The names alone."""
        if not self.templates.can_be_bare(enum, words):
            return self.after(enum, words, dice)
        names = [self._name(value, words, dice) for value in enum.values]
        one = singular(names[0])
        owned = len(names) == 1 and words.owner(one) in (None, *enum.values)
        if owned and self.is_noun(names[0]) and dice.chance(0.08, "bare/singular"):
            names = [one]
        return self.templates.bare(enum, words, dice, names)

    def _name(self, value: str, words: Lexicaliser, dice: Dice, nouns: bool = True) -> str:
        """A wording in lower case, mostly one of the first; without `nouns`, not a noun."""
        names = [name.lower() for name in words.value(value, bare=True)]
        names = [name for name in names if nouns or not self.is_noun(name)] or names
        names = [self.dropped_ending.sub("", name) for name in names]
        return pick(dice, [n.upper() if n in self.capitals else n for n in names], 1)


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

    def before(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str | None:
        """The grade in its template."""
        if self.before_noun is None or not enum.is_simple:
            return None
        return self.before_noun.replace("{v}", self._grade(enum, words))

    def after(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str:
        """The comparison in words."""
        return self._compared(enum, self.after_templates, words, dice)

    def bare(self, enum: EnumConstraint, words: Lexicaliser, dice: Dice) -> str:
        """The comparison in signs or in telegraphic style."""
        return self._compared(enum, self.bare_templates, words, dice)

    def _compared(
        self,
        enum: EnumConstraint,
        templates: Mapping[str, tuple[str, ...]],
        words: Lexicaliser,
        dice: Dice,
    ) -> str:
        rater = pick(dice, self.raters, 1) if self.raters else ""
        rating = self.rating.replace("{a}", rater)
        if not self.raters:
            rating = pick(dice, words.field(enum.field), 1)
        needs_rating = self.needs_rating or not self.raters
        usable = [t for t in templates[enum.op] if not needs_rating or "{r}" in t]
        template = dice.rule("scale", usable, 0.4)
        article = words.rules.fields.article(rating)
        text = template.replace("a {r}", f"{article} {{r}}").replace("{a}", rater)
        if self.rater_is_rating and template.startswith("{r}"):
            rating = pick(dice, (rater, rating), 0.6)
        return text.replace("{r}", rating).replace("{v}", self._grade(enum, words))

    def _grade(self, enum: EnumConstraint, words: Lexicaliser) -> str:
        grade = words.value(enum.values[0])[0]
        return grade.lower() if self.in_lower else grade


def _adjective(value: str, words: Lexicaliser, dice: Dice) -> str:
    return pick(dice, words.adjectives(value), 1)
