"""Conditions on dates: "released after 2018", "since march 2020", "in the last 3 months"."""

from __future__ import annotations

from typing import Final, NamedTuple

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.questions.parts import BOUND, NO_TYPE, Condition, Part
from grammax.tables.corpus.questions.table import Column, Table
from grammax.tables.corpus.times import bare_time
from grammax.tables.form.times import Unit
from grammax.tables.form.tree import (
    Date,
    Last,
    Month,
    Number,
    Op,
    Operand,
    Quarter,
    Relational,
    Time,
    Year,
)
from grammax.tables.wording.speech import DID

_OPS: Final[tuple[Op, ...]] = (*("EQ",) * 6, *("GR",) * 4, *("LS",) * 4, *("GE",) * 4, "LE", "LE")
_SAID: Final[dict[Op, tuple[str, ...]]] = {
    "GR": ("after {t}", "later than {t}", "past {t}"),
    "GE": ("since {t}", "from {t} on", "from {t} onwards", "starting {t}", "starting from {t}",
           "in or after {t}"),
    "LS": ("before {t}", "earlier than {t}", "prior to {t}"),
    "LE": ("until {t}", "up to {t}", "no later than {t}", "in or before {t}", "till {t}"),
}  # fmt: skip
_IN: Final = ("in {t}", "during {t}", "from {t}", "of {t}", "for {t}")
_ON: Final = ("on {t}", "of {t}", "dated {t}")
_BETWEEN: Final = ("between {t} and {u}", "from {t} to {u}", "from {t} until {u}")
_UNITS: Final[tuple[Unit, ...]] = ("YEAR", "MONTH", "WEEK", "QUARTER", "DAY")
_COUNTS: Final = (3, 2, 6, 5, 10, 12, 30, 7, 4)
_FIRST, _LATEST = 1960, 2026
_SIGNS: Final = {"GR": ">", "GE": ">=", "LS": "<", "LE": "<=", "EQ": "="}


class _Moment(NamedTuple):
    time: Time
    text: str

    @property
    def operand(self) -> Operand:
        """A year is written as a number."""
        return Number(str(self.time.year)) if isinstance(self.time, Year) else self.time


def date_condition(table: Table, column: Column, dice: Dice) -> Condition:
    """A condition on a column of dates."""
    op = pick(dice, _OPS)
    if dice.chance(0.12):
        return _between(table, column, dice)
    moment = _draw(dice, relative=op == "EQ")
    part = Part(BOUND, NO_TYPE, Relational(column.ref, op, moment.operand))
    if op == "EQ":
        said = _during(moment, dice)
    else:
        said = dice.rule("dated", _SAID[op], 1.0).replace("{t}", moment.text)
    own = {"GR": column.idioms.greater, "LS": column.idioms.smaller}.get(op, ())
    after = _after(table, column, said, dice)
    if own and dice.chance(0.15):
        after = dice.rule("idiom", own, 0.5).replace("{n}", moment.text)
    bare = f"{column.noun(dice)} {_SIGNS[op]} {moment.text}" if dice.chance(0.3) else said
    return Condition(column.token, (part,), after, bare)


def _after(table: Table, column: Column, said: str, dice: Dice) -> str:
    participle = column.speech.participle
    if participle and dice.chance(0.65):
        that = pick(dice, ("", "", "that were ", "which were "))
        if participle in DID:
            that = "that "
        return f"{that.replace('that', 'who') if table.of_people else that}{participle} {said}"
    if table.dates[0] is column and dice.chance(0.5):
        return said
    noun = column.noun(dice)
    article = table.words.rules.fields.with_article(noun, mass=False)
    form = dice.rule("date", ("with {a} {c}", "whose {f} is {c}", "where the {f} is {c}",
                              "with {f} {c}"), 0.3)  # fmt: skip
    return form.replace("{a}", article).replace("{f}", noun).replace("{c}", said)


def _during(moment: _Moment, dice: Dice) -> str:
    if isinstance(moment.time, Last):
        latest = ("", "", "from ", "in the ")
        within = ("in the ", "over the ", "within the ", "during the ")
        before = pick(dice, latest if moment.time.count is None else within)
        return f"{before}{moment.text}"
    forms = _ON if isinstance(moment.time, Date) else _IN
    return dice.rule("dated", forms, 1.5).replace("{t}", moment.text)


def _between(table: Table, column: Column, dice: Dice) -> Condition:
    first = _FIRST + int((_LATEST - _FIRST - 1) * dice.random() ** 0.5)
    second = min(_LATEST, first + 1 + int(10 * dice.random()))
    one, other = Number(str(first)), Number(str(second))
    parts = (
        Part(BOUND, NO_TYPE, Relational(column.ref, "GE", one)),
        Part(BOUND, NO_TYPE, Relational(column.ref, "LE", other)),
    )
    said = dice.rule("range", _BETWEEN, 0.5).replace("{t}", str(first)).replace("{u}", str(second))
    return Condition(column.token, parts, _after(table, column, said, dice), said)


def _draw(dice: Dice, relative: bool) -> _Moment:
    chance = dice.random()
    year = _LATEST - int((_LATEST - _FIRST + 1) * dice.random() ** 1.8)
    if relative and chance < 0.4:
        count = None if chance < 0.22 else pick(dice, _COUNTS, 0.4)
        last = Last(count, pick(dice, _UNITS if count else _UNITS[:4], 0.4))
        return _Moment(last, bare_time(last, dice))
    if chance < 0.65:
        return _Moment(Year(year), str(year))
    month = 1 + int(12 * dice.random())
    time: Time = Month(year, month)
    if chance > 0.95:
        time = Quarter(1 + int(4 * dice.random()), year)
    elif chance > 0.8:
        time = Date(year, month, 1 + int(28 * dice.random()))
    return _Moment(time, bare_time(time, dice))
