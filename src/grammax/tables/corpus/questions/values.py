"""Conditions on named values: "from italy", "female", "directed by kubrick", "without parking"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.questions.parts import EXCLUDED, VALUE, Condition, Part
from grammax.tables.corpus.questions.table import Column, Table
from grammax.tables.corpus.templates import joined
from grammax.tables.form.tree import EnumValue, LogicalForm, Not, Op, Or, Relational
from grammax.tables.inspect.words import plural_of
from grammax.tables.wording import values as words

_NEGATED: Final = 0.09
_SEVERAL: Final = 0.1
_SEVERAL_LISTED: Final = 0.25  # of columns with several values in a row
_COMPARED: Final[dict[Op, tuple[str, ...]]] = {
    "GE": ("with {a}{f} of at least {v}", "with {a}{f} of {v} or higher",
           "whose {f} is at least {v}"),
    "GR": ("with {a}{f} above {v}", "whose {f} is higher than {v}", "with {a}{f} better than {v}"),
    "LE": ("with {a}{f} of at most {v}", "with {a}{f} of {v} or lower"),
    "LS": ("with {a}{f} below {v}", "whose {f} is lower than {v}", "with {a}{f} worse than {v}"),
}  # fmt: skip
_BEFORE: Final = {
    "CATEGORY": 0.75,
    "PLACE": 0.25,
    "PERSON": 0.12,
    "ORGANISATION": 0.25,
    "NAME": 0.1,
}
_LONGEST_BEFORE: Final = 3  # words of a value before the noun
_ADJECTIVES: Final = ("ed", "ing", "ic", "al", "ous", "ive", "ful", "able", "ish", "an", "y", "s")
_NO_TEMPLATE: Final = ("in ", "that are ", "which are ")  # need a word, not a number or a sentence


def value_condition(table: Table, column: Column, dice: Dice) -> Condition | None:
    """A condition on a column of named values; None if it has no value that can be said."""
    if column.semantic == "BOOLEAN":
        found = table.booleans_of(column)
        if found:
            return _boolean(column, found, table, dice)
    value = table.value(column, dice)
    if value is None:
        return None
    if getattr(column.type, "ordered", False) and dice.chance(0.5):
        return _compared(column, value, table, dice)
    values = [value]
    if dice.chance(_SEVERAL_LISTED if column.is_listed else _SEVERAL):
        other = table.value(column, dice)
        values += [other] if other and other != value else []
    if len(values) > 1 and column.is_listed and dice.chance(0.6):
        return _both(column, values, table, dice)
    return one_of(column, values, table, dice, negated=dice.chance(_NEGATED))


def _both(column: Column, values: Sequence[str], table: Table, dice: Dice) -> Condition:
    """The rows with all of some values, of a column that has several: "with a and b"."""
    conditions = [one_of(column, (value,), table, dice) for value in values]
    text = joined([table.name(value, dice) for value in values], " and ")
    if dice.chance(0.4):
        text = f"both {text}"
    own = _usable(column.speech.templates, text)
    form = dice.rule("value", own if own and dice.chance(0.7) else words.NAMING, 0.5)
    after = _filled(form, column, text, table, dice)
    parts = tuple(part for condition in conditions for part in condition.parts)
    asked = tuple(question.replace("{v}", text) for question in column.speech.rows_asked)
    return Condition(column.token, parts, after, after, asked=asked)


def one_of(
    column: Column, values: Sequence[str], table: Table, dice: Dice, negated: bool = False
) -> Condition:
    """The rows with one of some values or, negated, with none of them."""
    is_place = column.semantic == "PLACE"
    names = [table.place(v, dice) if is_place else table.name(v, dice) for v in values]
    either = (" or ", " or ", " or ") if column.is_listed else (" or ", " or ", " and ")
    text = joined(names, dice.rule("either", either, 0.3))
    if len(names) > 1 and " or " in text and dice.chance(0.15):
        text = f"either {text}"
    made: LogicalForm = Relational(column.ref, "EQ", EnumValue(values[-1]))
    for value in reversed(values[:-1]):
        made = Or((Relational(column.ref, "EQ", EnumValue(value)), made))
    part = Part(EXCLUDED if negated else VALUE, column.position, Not(made) if negated else made)
    own = _usable(column.speech.excluding if negated else column.speech.templates, text)
    naming = words.EXCLUDED if negated else words.NAMING
    if table.of_people and column.semantic == "PLACE" and column.first and not negated:
        own = (*own, "living in {v}", "who live in {v}")
    forms = own if own and dice.chance(0.65) else naming
    after = _filled(dice.rule("value", forms, 0.5), column, text, table, dice)
    bare, before = after, ""
    if not negated and column.first:
        bare = (
            text
            if dice.chance(0.7)
            else _filled(pick(dice, words.KEYWORDS, 0.5), column, text, table, dice)
        )
        short = len(text.split()) <= _LONGEST_BEFORE and not text[:1].isdigit() and len(names) == 1
        if short and dice.chance(_BEFORE.get(column.semantic, 0)):
            before = table.adjective(values[0], dice) if is_place else text
    elif not negated:
        bare = _filled(pick(dice, words.KEYWORDS, 0.5), column, text, table, dice)
    elif column.first and dice.chance(0.5):
        bare = dice.rule("excluding", ("not {v}", "no {v}", "except {v}", "excluding {v}")).replace(
            "{v}", text
        )
    noun = _noun(names[0]) if before and column.semantic == "CATEGORY" else ""
    asked = () if negated else tuple(q.replace("{v}", text) for q in column.speech.rows_asked)
    return Condition(column.token, (part,), after, bare, before, noun, asked)


def _noun(name: str) -> str:
    """A category in the plural, if it may be a noun for rows: "dramas", not "shipped"."""
    usable = name.isascii() and name.isalpha() and not name.isupper()
    return plural_of(name.lower()) if usable and not name.lower().endswith(_ADJECTIVES) else ""


def _usable(templates: Sequence[str], text: str) -> tuple[str, ...]:
    if text[:1].isdigit() or len(text.split()) > _LONGEST_BEFORE + 1:
        return tuple(t for t in templates if not t.startswith(_NO_TEMPLATE))
    return tuple(templates)


def _compared(column: Column, value: str, table: Table, dice: Dice) -> Condition:
    op: Op = pick(dice, tuple(_COMPARED))
    name = table.name(value, dice)
    after = _filled(dice.rule("scale", _COMPARED[op], 0.4), column, name, table, dice)
    part = Part(VALUE, column.position, Relational(column.ref, op, EnumValue(value)))
    return Condition(column.token, (part,), after, after)


def _boolean(column: Column, values: tuple[str, str], table: Table, dice: Dice) -> Condition:
    is_so = dice.chance(0.7)
    noun = column.noun(dice)
    adjective = noun.removeprefix("is ").removeprefix("has ")
    if noun.endswith(" allowed"):
        adjective = noun.removesuffix(" allowed")
        forms = words.ALLOWING if is_so else words.FORBIDDING
    elif noun.startswith("is ") or column.speech.is_adjective:
        forms = words.BEING if is_so else words.NOT_BEING
    else:
        forms = words.HAVING if is_so else words.LACKING
    text = dice.rule("boolean", forms, 0.5).replace("{f}", adjective)
    value = values[0] if is_so else values[1]
    if dice.chance(0.12):
        text = f"whose {noun} is {table.catalogue.wordings(value)[0].lower()}"
    part = Part(VALUE, column.position, Relational(column.ref, "EQ", EnumValue(value)))
    adjective = noun if noun.endswith(" allowed") else adjective
    alone = is_so and column.speech.is_adjective and len(adjective.split()) == 1
    bare = adjective if is_so and dice.chance(0.6) else text
    return Condition(column.token, (part,), text, bare, adjective if alone else "")


def _filled(template: str, column: Column, text: str, table: Table, dice: Dice) -> str:
    noun = column.noun(dice)
    article = table.words.rules.fields.with_article(noun, mass=False).removesuffix(noun)
    made = template.replace("{a}", article).replace("{f}", noun)
    return made.replace("{v}", text)
