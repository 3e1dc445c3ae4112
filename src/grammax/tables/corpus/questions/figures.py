"""Numbers that suit a column, as people write them: "$1,200", "4.5", "120 minutes", "three"."""

from __future__ import annotations

from typing import Final

from grammax.tables.corpus.draw import Dice, Zipf, pick
from grammax.tables.corpus.notation import NO_UNITS, SUFFIXES, UnitWords, any_digits, integer
from grammax.tables.corpus.numbers import Amount
from grammax.tables.corpus.questions.table import Column, Table
from grammax.tables.form.operands import Denomination
from grammax.tables.form.tree import Number, Percent
from grammax.tables.schema import NumberType

_ROUND: Final = ("10", "20", "50", "100", "5", "200", "500", "30", "150", "1000", "25", "2", "3")
_UNIT_EXPONENT: Final = 2.0
_LARGE: Final[tuple[Denomination, ...]] = ("THOUSAND", "MILLION", "BILLION")
_FEW: Final = ("1", "2", "5", "10", "1.5", "50", "100", "3")
_LATEST: Final = 2026


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
    if type_.denominations and dice.chance(0.04 if column.semantic == "COUNT" else 0.15):
        large = pick(dice, _LARGE, 0.8)
        digits, denomination = pick(dice, _FEW, 0.4), large
        text = digits + pick(dice, SUFFIXES[large], 0.8)
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
        return pick(
            dice,
            ("4", "3", "5", "8", "7", "4.5", "3.5", "9", "2", "6", "7.5", "8.5", "90", "80"),
            0.3,
        )
    if semantic == "RANK":
        return pick(dice, ("10", "5", "3", "20", "50", "100", "1", "2"), 0.3)
    if semantic == "PERCENT":
        return pick(
            dice, ("50", "10", "20", "5", "25", "75", "30", "90", "80", "2.5", "1", "12.5"), 0.2
        )
    if semantic == "COUNT":
        if chance < 0.6:
            return str(1 + int(12 * chance / 0.6))
        return pick(dice, ("100", "1000", "50", "20", "500", "10000", "100000", "250"), 0.2)
    if chance < 0.5:
        return pick(dice, _ROUND, 0.4)
    if semantic in ("MONEY", "NUMBER", "PHYSICAL") and chance < 0.65:
        return pick(dice, ("5000", "10000", "2000", "50000", "100000", "1000000", "1500"), 0.5)
    if semantic == "DURATION":
        return str(1 + int(240 * dice.random()))
    return any_digits(dice, 0.5 if semantic in ("RATIO", "NUMBER", "PHYSICAL") else 1, 3000)


def _higher(low: Amount, column: Column, dice: Dice) -> Amount:
    value = low.operand
    assert isinstance(value, Number | Percent), "bounds are numbers"
    low_value = float(value.digits)
    more = max(low_value * pick(dice, (1.5, 2, 3, 4, 5, 10)), low_value + 1)
    if column.semantic == "YEAR":
        year = int(value.digits)
        more = max(year + 1, min(_LATEST, year + 1 + int(15 * dice.random())))
    digits = str(int(more))
    if isinstance(value, Percent):
        digits = str(max(int(low_value) + 1, min(100, int(more))))
        return Amount(f"{digits}%", Percent(digits))
    number = Number(digits, value.denomination, value.unit)
    written = low.text if value.digits in low.text else ""
    text = written.replace(value.digits, digits) if written else digits
    return Amount(text, number) if written or not value.unit else Amount(digits, Number(digits))
