"""Conditions on numbers: "older than 20", "with a price under $100", "with no awards"."""

from __future__ import annotations

from typing import Final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.numbers import Amount
from grammax.tables.corpus.questions.figures import draw_amount
from grammax.tables.corpus.questions.parts import BOUND, NO_TYPE, Condition, Part
from grammax.tables.corpus.questions.table import Column, Table
from grammax.tables.form.tree import (
    Aggregate,
    FieldRef,
    LogicalForm,
    Number,
    Op,
    Operand,
    Or,
    Relational,
)
from grammax.tables.idioms import Patterns

_OPS: Final[tuple[Op, ...]] = (
    *("GR",) * 9, *("LS",) * 8, *("GE",) * 6, *("LE",) * 4, *("EQ",) * 5,
)  # fmt: skip
_OFTEN_EQUAL: Final = frozenset(("YEAR", "COUNT", "RANK", "AGE", "RATING"))
_RANGES: Final = 0.1
_AVERAGES: Final = 0.07
_AVERAGED: Final[dict[Op, tuple[str, ...]]] = {
    "GR": ("with {a}{f} above average", "with above average {f}", "whose {f} is above the average",
           "with {a}{f} higher than the average", "whose {f} is greater than the average {f}",
           "with more than average {f}", "with {a}{f} above the mean",
           "whose {f} is more than the average {f}", "with {a}{f} higher than average"),
    "LS": ("with {a}{f} below average", "with below average {f}", "whose {f} is below the average",
           "with {a}{f} lower than the average", "whose {f} is less than the average {f}",
           "with less than average {f}", "with {a}{f} below the mean",
           "whose {f} is less than average"),
}  # fmt: skip
_PEERS: Final[dict[Op, tuple[str, ...]]] = {
    "GR": ("with more {f} than {o}", "whose {f} is greater than their {o}",
           "where {f} is higher than {o}", "with {a}{f} above the {o}"),
    "LS": ("with less {f} than {o}", "whose {f} is lower than their {o}",
           "where {f} is below {o}", "with {a}{f} under the {o}"),
}  # fmt: skip
_IDIOMS: Final[dict[str, dict[Op, tuple[str, ...]]]] = {
    "AGE": {
        "GE": ("aged {n} or older", "at least {n} years old", "{n} or older", "{n} years or older"),
        "LE": ("aged {n} or younger", "at most {n} years old", "{n} or younger"),
        "EQ": ("aged {n}", "{n} years old", "who are {n} years old", "of age {n}"),
    },
    "RATING": {
        "GE": ("rated {n} or higher", "rated at least {n}", "rated {n} or above",
               "rated {n} or better", "rated {n}+"),
        "LE": ("rated {n} or lower", "rated at most {n}", "rated {n} or less"),
        "EQ": ("rated {n}", "with a rating of {n}", "scored {n}"),
    },
    "RANK": {"LE": ("in the top {n}", "ranked in the top {n}"), "EQ": ("ranked {n}",)},
    "MONEY": {
        "GE": ("costing at least {n}", "that cost {n} or more", "that cost at least {n}"),
        "LE": ("costing at most {n}", "that cost {n} or less", "that cost at most {n}"),
        "EQ": ("costing {n}", "priced at {n}", "that cost {n}"),
    },
}  # fmt: skip
_BARE_PRICE: Final[dict[Op, tuple[str, ...]]] = {
    "LS": ("under {n}", "below {n}", "for less than {n}", "for under {n}"),
    "GR": ("over {n}", "above {n}", "for more than {n}"),
    "LE": ("up to {n}", "for up to {n}", "for at most {n}", "within {n}"),
    "GE": ("from {n}", "starting at {n}", "of {n} or more"),
    "EQ": ("for {n}", "at {n}"),
}  # fmt: skip
_YEARS: Final[dict[Op, tuple[str, ...]]] = {
    "GR": ("after {n}", "later than {n}", "past {n}"),
    "GE": ("since {n}", "from {n} on", "in {n} or later", "in or after {n}", "from {n} onwards"),
    "LS": ("before {n}", "earlier than {n}", "prior to {n}"),
    "LE": ("until {n}", "up to {n}", "in {n} or earlier", "in or before {n}"),
    "EQ": ("in {n}", "from {n}", "of {n}", "during {n}"),
}  # fmt: skip
_NONE: Final = ("with no {f}", "without {f}", "without any {f}", "with zero {f}", "with 0 {f}")
_SOME: Final = ("with {f}", "with at least one {f}", "that have {f}")
_EQUAL: Final = ("with {n} {f}", "that have {n} {f}", "with exactly {n} {f}", "having {n} {f}")
_FORMAL: Final[dict[Op, tuple[str, ...]]] = {
    "GE": ("greater than or equal to {n}", "equal to or greater than {n}", "{n} or greater",
           "more than or equal to {n}", "at or above {n}", "of {n} at least", "no less than {n}"),
    "LE": ("less than or equal to {n}", "equal to or less than {n}", "{n} or less",
           "smaller than or equal to {n}", "at or below {n}", "of {n} at most", "no more than {n}"),
    "EQ": ("equal to {n}", "equal {n}", "that equals {n}", "exactly {n}", "is {n}"),
}  # fmt: skip
"""As people write who know a query language."""
_BOTH: Final = (
    "at least {n} and at most {m}", "no less than {n} and no more than {m}",
    "greater than or equal to {n} and less than or equal to {m}",
    "greater than or equal to {n} and {f} is less than or equal to {m}",
    "at least {n} and {f} is at most {m}", "{n} or more and {m} or less", ">= {n} and <= {m}",
    ">= {n} and {f} <= {m}", "at least {n} but no more than {m}", "at least {n} and not above {m}",
    "not below {n} and not exceeding {m}", "no less than {n} and {f} no more than {m}",
)  # fmt: skip
_STARS: Final[dict[Op, tuple[str, ...]]] = {
    "EQ": ("with {n} stars", "rated {n} stars", "with a {n} star rating", "that have {n} stars",
           "with exactly {n} stars", "with a rating of {n} stars", "that are {n} stars"),
    "GE": ("with at least {n} stars", "with {n} or more stars", "with {n} stars or more",
           "rated at least {n} stars", "with a rating of at least {n} stars", "with {n}+ stars",
           "with at least a {n} star rating", "rated {n} stars or higher",
           "with {n} stars or higher", "with a minimum of {n} stars"),
    "GR": ("with more than {n} stars", "with over {n} stars", "rated above {n} stars",
           "with higher than {n} stars", "better than {n} stars"),
    "LS": ("with less than {n} stars", "with fewer than {n} stars", "below {n} stars",
           "under {n} stars", "rated below {n} stars"),
    "LE": ("with at most {n} stars", "with {n} stars or less", "with {n} or fewer stars"),
}  # fmt: skip
_EITHER: Final = 0.035
_EITHER_CLAUSES: Final = ("whose {f} is {c}", "with {a}{f} of {c}", "where {f} is {c}",
                          "with {f} {c}", "that have {a}{f} of {c}")  # fmt: skip
_MADE: Final = ("made", "produced", "released", "built", "created", "from", "that came out",
                "manufactured", "started", "introduced")  # fmt: skip
_MOST_STARS: Final = 10
_FORMAL_CLAUSES: Final = (
    "where {f} is {c}", "whose {f} is {c}", "with {a}{f} {c}", "where the {f} is {c}",
    "for which the {f} is {c}", "that have {a}{f} {c}",
)  # fmt: skip
_SIGNS: Final = {"GR": ">", "GE": ">=", "LS": "<", "LE": "<=", "EQ": "="}


def number_condition(table: Table, column: Column, dice: Dice) -> Condition:
    """A condition on a column of numbers."""
    chance = dice.random()
    if chance < _AVERAGES and column.semantic != "YEAR":
        return _against_average(table, column, dice)
    if column.semantic == "COUNT" and chance < 0.15:
        return _none_or_some(column, dice)
    if 0.15 < chance < 0.18:
        alike = [c for c in table.numbers if c.type is column.type and c is not column]
        if alike:
            return _against(table, column, pick(dice, alike), dice)
    amount = draw_amount(table, column, dice)
    if dice.chance(_RANGES):
        higher = draw_amount(table, column, dice, above=amount)
        if higher:
            return _between(table, column, amount, higher, dice)
    if dice.chance(_EITHER) and not isinstance(amount.operand, Aggregate):
        other = draw_amount(table, column, dice)
        if other.operand != amount.operand:
            return _either(table, column, amount, other, dice)
    op = pick(dice, _OPS)
    if op == "EQ" and column.semantic not in _OFTEN_EQUAL and dice.chance(0.7):
        op = "GE"
    part = _bound(column, op, amount.operand)
    if column.semantic == "RATING" and column.first and dice.chance(0.35):
        starred = _stars(column, op, amount, part, dice)
        if starred:
            return starred
    return Condition(column.token, (part,), _after(column, op, amount, table, dice),
                     _bare(column, op, amount, dice))  # fmt: skip


def _either(table: Table, column: Column, one: Amount, other: Amount, dice: Dice) -> Condition:
    """One of two numbers: "aged 32 or 33"."""
    made = Or(
        (Relational(column.ref, "EQ", one.operand), Relational(column.ref, "EQ", other.operand))
    )
    said = f"{'either ' * dice.chance(0.3)}{one.text} or {other.text}"
    noun = column.noun(dice)
    after = _with_noun(dice.rule("either", _EITHER_CLAUSES, 0.4), noun, table).replace("{c}", said)
    if column.semantic == "AGE" and dice.chance(0.5):
        after = f"aged {said}"
    elif column.semantic == "YEAR" and dice.chance(0.6):
        after = f"in {said}"
    return Condition(column.token, (Part(BOUND, NO_TYPE, made),), after, f"{noun} {said}")


def _stars(column: Column, op: Op, amount: Amount, part: Part, dice: Dice) -> Condition | None:
    """ "4 star hotels", "hotels with at least 4 stars"; None of a number that is no such rating."""
    value = amount.operand
    if not isinstance(value, Number) or value.denomination or float(value.digits) > _MOST_STARS:
        return None
    after = dice.rule("stars", _STARS[op], 0.4).replace("{n}", amount.text)
    before = ""
    if op == "EQ" and dice.chance(0.6):
        before = dice.rule("star", ("{n} star", "{n}-star", "{n} stars"), 0.8)
    elif op == "GE" and dice.chance(0.15) and amount.text[:1].isdigit():
        before = "{n}+ star"
    before = before.replace("{n}", amount.text)
    bare = before or after.removeprefix("with ")
    return Condition(column.token, (part,), after, bare, before)


def _bound(column: Column, op: Op, value: Operand) -> Part:
    made: LogicalForm = Relational(column.ref, op, value)
    return Part(BOUND, NO_TYPE, made)


def _after(column: Column, op: Op, amount: Amount, table: Table, dice: Dice) -> str:
    if op in _FORMAL and dice.chance(0.25):
        said = dice.rule("formal", _FORMAL[op], 0.5).replace("{n}", amount.text)
        return _with_noun(dice.rule("formal clause", _FORMAL_CLAUSES, 0.6).replace("{c}", said),
                          column.noun(dice), table)  # fmt: skip
    own: Patterns = {"GR": column.idioms.greater, "LS": column.idioms.smaller}.get(op, ())
    if own and dice.chance(0.6):
        text = dice.rule("idiom", own, 0.7).replace("{n}", amount.text)
        return text.replace("that ", "who ", 1) if table.of_people else text
    words = _IDIOMS.get(column.semantic, {}).get(op, ()) if column.speech.idioms.more else ()
    if column.semantic == "MONEY" and "cost" not in column.idioms.verbs:
        words = ()
    if words and dice.chance(0.45):
        return dice.rule("idiom", words, 0.5).replace("{n}", amount.text)
    priced = column.semantic == "MONEY" and column.first and _is_priced(amount)
    if priced and op in _BARE_PRICE and dice.chance(0.4):
        return dice.rule("price", _BARE_PRICE[op], 0.5).replace("{n}", amount.text)
    if column.semantic == "YEAR" and dice.chance(0.65):
        return _in_year(column, op, amount, table, dice)
    if op == "EQ" and column.semantic == "COUNT" and dice.chance(0.7):
        noun = column.noun(dice)
        if table.words.rules.fields.is_plural(noun):
            form = dice.rule("equal", _EQUAL)
            return form.replace("{n}", amount.text).replace("{f}", noun)
    assert column.class_ is not None, "the column has numbers"
    said = dice.rule("compared", column.class_.compared[op], 0.8).replace("{n}", amount.text)
    return clause(column, said, table, dice)


def _is_priced(amount: Amount) -> bool:
    """Whether a number is understood as money without a noun."""
    has_unit = isinstance(amount.operand, Number) and amount.operand.unit is not None
    return has_unit or "$" in amount.text or "dollars" in amount.text


def _in_year(column: Column, op: Op, amount: Amount, table: Table, dice: Dice) -> str:
    """ "built after 1990" or, if no other column has times, "after 1990"."""
    said = dice.rule("dated", _YEARS[op], 0.8).replace("{n}", amount.text)
    participle = column.speech.participle
    if participle and (table.dates or dice.chance(0.7)):
        return f"{participle} {said}"
    if not participle and not table.dates and column.first and dice.chance(0.4):
        return f"{pick(dice, _MADE)} {said}".replace("from from", "from")
    return clause(column, said, table, dice) if table.dates or not column.first else said


def clause(column: Column, said: str, table: Table, dice: Dice) -> str:
    """A comparison after the noun: "with an age over 20", "with more than 3 awards"."""
    assert column.class_ is not None, "the column has numbers"
    noun = column.noun(dice)
    is_plural = table.words.rules.fields.is_plural(noun)
    patterns = [p for p in column.class_.clauses if not p.startswith("and ")]
    if column.semantic == "COUNT":
        counted = [p for p in patterns if "{c} {f}" in p or "number of" in p]
        patterns = counted if is_plural else [p for p in patterns if p not in counted]
        patterns = [p for p in patterns if not (noun.startswith("number") and "number" in p)]
    pattern = dice.rule("clause", patterns or ["with {a}{f} {of c}"], 0.7)
    if "{c} {f}" in pattern:
        said = said.removeprefix("of ")
    text = pattern.replace("{of c}", said).replace("{c}", said.removeprefix("of "))
    return _with_noun(text.replace("{is}", "are" if is_plural else "is"), noun, table)


def _with_noun(text: str, noun: str, table: Table) -> str:
    article = table.words.rules.fields.with_article(noun, mass=False).removesuffix(noun)
    return text.replace("{a}", article).replace("{f}", noun)


def _bare(column: Column, op: Op, amount: Amount, dice: Dice) -> str:
    assert column.class_ is not None, "the column has numbers"
    noun = column.noun(dice)
    if dice.chance(0.5):
        return f"{noun} {_SIGNS[op]} {amount.text}"
    said = dice.rule("compared", column.class_.compared[op], 0.8).replace("{n}", amount.text)
    return f"{noun} {said.removeprefix('of ')}"


def _between(table: Table, column: Column, low: Amount, high: Amount, dice: Dice) -> Condition:
    assert column.class_ is not None, "the column has numbers"
    parts = (_bound(column, "GE", low.operand), _bound(column, "LE", high.operand))
    form = dice.rule("range", ("between {n} and {m}", "from {n} to {m}", "between {n} to {m}",
                               "in the range {n} to {m}"), 0.6)  # fmt: skip
    if dice.chance(0.35):
        form = dice.rule("both", _BOTH, 0.4)
    said = form.replace("{n}", low.text).replace("{m}", high.text)
    noun = column.noun(dice)
    said = said.replace("{f}", noun)
    after = clause(column, said, table, dice)
    if column.semantic == "AGE" and dice.chance(0.4):
        after = f"aged {said}"
    return Condition(column.token, parts, after, f"{noun} {said}")


def _against_average(table: Table, column: Column, dice: Dice) -> Condition:
    op: Op = "GR" if dice.chance(0.6) else "LS"
    part = _bound(column, op, Aggregate("average", column.ref))
    own = [p for p in (column.idioms.greater if op == "GR" else column.idioms.smaller)
           if p.endswith(" than {n}")]  # fmt: skip
    if own and dice.chance(0.55):
        average = dice.rule(
            "average", ("average", "the average", "the average {f}", "the mean"), 0.6
        )
        text = dice.rule("idiom", own, 0.7).replace("{n}", average)
        text = text.replace("{f}", column.noun(dice))
    else:
        text = _with_noun(dice.rule("average", _AVERAGED[op], 0.3), column.noun(dice), table)
    return Condition(column.token, (part,), text, text)


def _against(table: Table, column: Column, other: Column, dice: Dice) -> Condition:
    op: Op = "GR" if dice.chance(0.6) else "LS"
    text = dice.rule("peers", _PEERS[op], 0.3).replace("{o}", other.noun(dice))
    text = _with_noun(text, column.noun(dice), table)
    return Condition(column.token, (_bound(column, op, FieldRef(other.token)),), text, text)


def _none_or_some(column: Column, dice: Dice) -> Condition:
    none = dice.chance(0.7)
    noun = column.plural(dice)
    text = dice.rule("none", _NONE if none else _SOME, 0.4)
    if "at least one" in text:
        noun = column.noun(dice)
        part = _bound(column, "GE", Number("1"))
        return Condition(
            column.token, (part,), text.replace("{f}", noun), text.replace("{f}", noun)
        )
    text = text.replace("{f}", noun)
    part = _bound(column, "EQ" if none else "GR", Number("0"))
    return Condition(column.token, (part,), text, text)
