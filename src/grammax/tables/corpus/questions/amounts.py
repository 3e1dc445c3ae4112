"""Conditions on numbers: "older than 20", "with a price under $100", "with no awards"."""

from __future__ import annotations

from typing import Final

from grammax.tables.corpus.draw import Dice, Zipf, pick
from grammax.tables.corpus.notation import NO_UNITS, SUFFIXES, UnitWords, any_digits, integer
from grammax.tables.corpus.numbers import Amount
from grammax.tables.corpus.questions.parts import BOUND, NO_TYPE, Condition, Part
from grammax.tables.corpus.questions.table import Column, Table
from grammax.tables.form.operands import Denomination
from grammax.tables.form.tree import (
    Aggregate,
    FieldRef,
    LogicalForm,
    Number,
    Op,
    Operand,
    Percent,
    Relational,
)
from grammax.tables.idioms import Patterns
from grammax.tables.schema import NumberType

_OPS: Final[tuple[Op, ...]] = (
    *("GR",) * 9, *("LS",) * 8, *("GE",) * 4, *("LE",) * 3, *("EQ",) * 4,
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
_NONE: Final = ("with no {f}", "without {f}", "without any {f}", "with zero {f}", "with 0 {f}")
_SOME: Final = ("with {f}", "with at least one {f}", "that have {f}")
_EQUAL: Final = ("with {n} {f}", "that have {n} {f}", "with exactly {n} {f}", "having {n} {f}")
_SIGNS: Final = {"GR": ">", "GE": ">=", "LS": "<", "LE": "<=", "EQ": "="}
_ROUND: Final = ("10", "20", "50", "100", "5", "200", "500", "30", "150", "1000", "25", "2", "3")
_UNIT_EXPONENT: Final = 2.0


def number_condition(table: Table, column: Column, dice: Dice) -> Condition:
    """A condition on a column of numbers."""
    chance = dice.random()
    if chance < _AVERAGES and column.semantic != "YEAR":
        return _against_average(table, column, dice)
    if column.semantic == "COUNT" and chance < 0.15:
        return _none_or_some(table, column, dice)
    if 0.15 < chance < 0.18:
        alike = [c for c in table.numbers if c.type is column.type and c is not column]
        if alike:
            return _against(table, column, pick(dice, alike), dice)
    amount = draw_amount(table, column, dice)
    if dice.chance(_RANGES):
        higher = draw_amount(table, column, dice, above=amount)
        if higher:
            return _between(table, column, amount, higher, dice)
    op = pick(dice, _OPS)
    if op == "EQ" and column.semantic not in _OFTEN_EQUAL and dice.chance(0.7):
        op = "GE"
    part = _bound(column, op, amount.operand)
    return Condition(column.token, (part,), _after(column, op, amount, table, dice),
                     _bare(column, op, amount, dice))  # fmt: skip


def _bound(column: Column, op: Op, value: Operand) -> Part:
    made: LogicalForm = Relational(column.ref, op, value)
    return Part(BOUND, NO_TYPE, made)


def _after(column: Column, op: Op, amount: Amount, table: Table, dice: Dice) -> str:
    own: Patterns = {"GR": column.idioms.greater, "LS": column.idioms.smaller}.get(op, ())
    if own and dice.chance(0.6):
        text = dice.rule("idiom", own, 0.7).replace("{n}", amount.text)
        return text.replace("that ", "who ", 1) if table.of_people else text
    if op == "EQ" and column.semantic == "COUNT" and dice.chance(0.7):
        return dice.rule("equal", _EQUAL).replace("{n}", amount.text).replace("{f}", column.plural(dice))
    assert column.class_ is not None, "the column has numbers"
    said = dice.rule("compared", column.class_.compared[op], 0.8).replace("{n}", amount.text)
    return clause(column, said, table, dice)


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


def _between(
    table: Table, column: Column, low: Amount, high: Amount, dice: Dice
) -> Condition:
    assert column.class_ is not None, "the column has numbers"
    parts = (_bound(column, "GE", low.operand), _bound(column, "LE", high.operand))
    form = dice.rule("range", ("between {n} and {m}", "from {n} to {m}", "between {n} to {m}",
                               "in the range {n} to {m}"), 0.6)  # fmt: skip
    said = form.replace("{n}", low.text).replace("{m}", high.text)
    noun = column.noun(dice)
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
        average = dice.rule("average", ("average", "the average", "the average {f}", "the mean"), 0.6)
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


def _none_or_some(table: Table, column: Column, dice: Dice) -> Condition:
    none = dice.chance(0.7)
    noun = column.plural(dice)
    text = dice.rule("none", _NONE if none else _SOME, 0.4)
    if "at least one" in text:
        noun = column.noun(dice)
        part = _bound(column, "GE", Number("1"))
        return Condition(column.token, (part,), text.replace("{f}", noun), text.replace("{f}", noun))
    text = text.replace("{f}", noun)
    part = _bound(column, "EQ" if none else "GR", Number("0"))
    return Condition(column.token, (part,), text, text)


def draw_amount(table: Table, column: Column, dice: Dice, above: Amount | None = None) -> Amount:
    """A number that suits a column; greater than another one, in its notation, if that is given."""
    assert isinstance(column.type, NumberType), "the column has numbers"
    if above is not None:
        return _higher(above, column, dice)
    digits = _digits(column.semantic, dice)
    type_ = column.type
    if type_.percentages and (column.semantic == "PERCENT" or dice.chance(0.3)):
        sign = dice.rule("percent", ("%", " percent", " %", " pct"), 1.5)
        return Amount(digits + sign, Percent(digits))
    denomination: Denomination | None = None
    text = digits
    if type_.denominations and dice.chance(0.15):
        denomination = pick(dice, ("THOUSAND", "MILLION", "BILLION"), 0.8)
        digits = pick(dice, ("1", "2", "5", "10", "1.5", "50", "100", "3"), 0.4)
        text = digits + pick(dice, SUFFIXES[denomination], 0.8)
    elif digits.isdigit() and len(digits) > 3 and column.semantic != "YEAR" and dice.chance(0.4):
        text = f"{int(digits):,}"
    elif digits.isdigit() and 0 < int(digits) <= 10 and column.semantic in ("COUNT", "RATING"):
        text = integer(int(digits), dice, 0.35)
    if column.semantic == "MONEY":
        return _money(table, type_, digits, denomination, text, dice)
    unit = column.speech.field.unit or type_.unit
    if unit and unit != "%" and column.semantic not in ("YEAR", "AGE") and dice.chance(0.45):
        text = f"{text} {unit}"
    return Amount(text, Number(digits, denomination))


def _money(
    table: Table,
    type_: NumberType,
    digits: str,
    denomination: Denomination | None,
    text: str,
    dice: Dice,
) -> Amount:
    unit = table.catalogue.schema.unit
    if type_.units and unit is not None and dice.chance(0.5):
        units = tuple(table.catalogue.units)
        token = Zipf.over(units, _UNIT_EXPONENT, 0).draw(dice)
        words = UnitWords(unit.symbols) if unit.symbols else NO_UNITS
        return Amount(words.beside(text, token, dice), Number(digits, denomination, token))
    if not type_.units and dice.chance(0.4) and text[0].isdigit():
        text = f"${text}" if dice.chance(0.7) else f"{text} dollars"
    return Amount(text, Number(digits, denomination))


def _digits(semantic: str, dice: Dice) -> str:
    """Digits in the usual range of a class, half of them round."""
    chance = dice.random()
    if semantic == "AGE":
        return str(5 * int(3 + 14 * chance)) if dice.chance(0.5) else str(int(1 + 90 * chance))
    if semantic == "YEAR":
        year = 2025 - int(75 * chance**1.6)
        return str(year - year % 5 if dice.chance(0.35) else year)
    if semantic == "RATING":
        return pick(dice, ("4", "3", "5", "8", "7", "4.5", "3.5", "9", "2", "6", "7.5", "8.5", "90", "80"), 0.3)
    if semantic == "RANK":
        return pick(dice, ("10", "5", "3", "20", "50", "100", "1", "2"), 0.3)
    if semantic == "PERCENT":
        return pick(dice, ("50", "10", "20", "5", "25", "75", "30", "90", "80", "2.5", "1", "12.5"), 0.2)
    if semantic == "COUNT":
        if chance < 0.6:
            return str(1 + int(12 * chance / 0.6))
        return pick(dice, ("100", "1000", "50", "20", "500", "10000", "100000", "250"), 0.2)
    if chance < 0.5:
        return pick(dice, _ROUND, 0.4)
    if semantic in ("MONEY", "NUMBER", "PHYSICAL") and chance < 0.65:
        return pick(dice, ("5000", "10000", "2000", "50000", "100000", "1000000", "1500"), 0.5)
    return any_digits(dice, 0.5 if semantic in ("RATIO", "NUMBER", "PHYSICAL") else 1, 3000)


def _higher(low: Amount, column: Column, dice: Dice) -> Amount:
    value = low.operand
    assert isinstance(value, Number | Percent), "bounds are numbers"
    more = float(value.digits) * pick(dice, (1.5, 2, 3, 4, 5, 10)) + 1
    if column.semantic == "YEAR":
        more = int(value.digits) + 1 + int(15 * dice.random())
    digits = str(int(more))
    if isinstance(value, Percent):
        return Amount(f"{digits}%", Percent(digits))
    number = Number(digits, value.denomination, value.unit)
    written = low.text if value.digits in low.text else ""
    text = written.replace(value.digits, digits) if written else digits
    return Amount(text, number) if written or not value.unit else Amount(digits, Number(digits))
