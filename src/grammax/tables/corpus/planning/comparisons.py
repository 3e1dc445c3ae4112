"""Comparisons: of a field with a number, a range, another field, another time or zero, and of
ratios and changes with a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.numbers import (
    Amount,
    NumberStyle,
    draw_change,
    draw_multiple,
    draw_share,
)
from grammax.tables.corpus.plan import ZERO, Bound, Comparison, Either
from grammax.tables.corpus.planning.pools import Pools
from grammax.tables.corpus.style import Voice
from grammax.tables.corpus.times import draw_span, draw_time
from grammax.tables.form.tree import (
    Change,
    FieldRef,
    FiscalYear,
    Last,
    Measure,
    Op,
    Percent,
    Ratio,
    Time,
    Year,
)

_OPS: Final[tuple[Op, ...]] = (
    *("GR",) * 10, *("LS",) * 9, *("GE",) * 6, *("LE",) * 4, "EQ",
)  # fmt: skip
_OF_RATIOS: Final[tuple[Op, ...]] = ("GR", "GR", "GR", "LS", "LS", "GE", "LE")
_DOWN: Final[Mapping[Op, Op]] = {"GR": "LS", "GE": "LE"}
_NONE_OF: Final = (0.1, 0.3, 0.5, 0.75)  # by the number of other constraints
_TRIES: Final = 8


@final
class ComparisonPlanner:
    """Draws comparisons from the pools of a voice."""

    def __init__(self, voice: Voice, pools: Pools) -> None:
        self._voice = voice
        self._pools = pools
        self._mix = voice.style.mix
        self._drawing = voice.style.drawing
        self._fields = voice.catalogue.fields
        self._sorts = (
            (self._mix.sign, self._sign),
            (self._mix.times, self._two_times),
            (self._mix.ratio, self._of_ratio),
            (self._mix.change, self._of_change),
        )

    def several(self, dice: Dice, others: int) -> tuple[Comparison, ...]:
        """Zero to three comparisons; fewer if there are many `others` in the query."""
        if not self._pools.fields.tokens:
            return ()
        chance = dice.random()
        if chance < _NONE_OF[min(others, 3)]:
            return ()
        first = self.one(dice)
        if chance < 0.78 + 0.1 * others or first.between:
            return (first,)
        second = self.one(dice)
        if _tokens(first) & _tokens(second) or second.between:
            return (first,)
        if dice.chance(self._mix.either) and first.written and second.written:
            return (Either((first, second)),)
        third = self.one(dice) if others < 2 and dice.chance(0.1) else None
        if third and not _tokens(third) & (_tokens(first) | _tokens(second)):
            return (first, second, third)
        return (first, second)

    def one(self, dice: Dice) -> Bound:
        """One comparison of any sort."""
        chance = dice.random()
        for probability, draw in self._sorts:
            chance -= probability
            if chance < 0:
                found = draw(dice)
                if found:
                    return found
                break
        return self._plain(dice)

    def ratio(self, dice: Dice, mixed: float = 0.15) -> Ratio | None:
        """Two fields that people divide, mostly of one type, and that no field has divided yet."""
        fields = self._pools.additive
        for _ in range(_TRIES if len(fields.tokens) > 1 else 0):
            one = fields.draw(dice)
            alike = self._pools.additive_by_type[self._fields[one].type]
            other = (fields if dice.chance(mixed) else alike).draw(dice)
            if one != other and not self._voice.has_ratio_field(one, other):
                return Ratio(FieldRef(one), FieldRef(other))
        return None

    def change(self, dice: Dice) -> Change | None:
        """A field that changes over a time."""
        if not self._pools.with_history.tokens:
            return None
        return Change(FieldRef(self._pools.with_history.draw(dice), draw_span(dice)))

    def time(self, token: str, dice: Dice, probability: float) -> Time | None:
        """A time, if the field has a history."""
        field = self._fields[token]
        if not dice.chance(probability) or field.type not in self._pools.by_type:
            return None
        if not self._drawing.has_history(field):
            return None
        return draw_time(dice, token in self._drawing.daily)

    def _plain(self, dice: Dice) -> Bound:
        own = self._pools.comparable
        pool = own if own.tokens and dice.chance(0.2) else self._pools.fields
        token = pool.draw(dice)
        field = self._fields[token]
        numbers = self._voice.style.numbers[field.type]
        ref = FieldRef(token, self.time(token, dice, self._mix.time))
        op = pick(dice, _OPS)
        op = "GE" if op == "EQ" and not numbers.has_equality else op
        if op != "EQ" and dice.chance(self._mix.peers):
            other = self._peer(ref, field.type, dice)
            if other:
                return Bound(ref, field.type, op, (other,), ())
        amount = numbers.draw(field, self._pools.units, dice)
        if dice.chance(self._mix.between):
            return self._between(ref, field.type, numbers, amount, dice)
        if amount.text.startswith("-"):
            op = "LS" if dice.chance(0.75) else "GR"
        return Bound(ref, field.type, op, (amount.operand,), (amount.text,))

    def _between(
        self, ref: FieldRef, type_: str, numbers: NumberStyle, amount: Amount, dice: Dice
    ) -> Bound:
        high = numbers.higher(amount, dice)
        if high is None:
            return Bound(ref, type_, "GE", (amount.operand,), (amount.text,))
        op: Op = "GR" if dice.chance(0.25) else "GE"
        values = (amount.operand, high.operand)
        return Bound(ref, type_, op, values, (amount.text, high.text))

    def _peer(self, ref: FieldRef, type_: str, dice: Dice) -> FieldRef | None:
        """A field of the same type to compare with, or the same one a year before."""
        if isinstance(ref.time, Year | FiscalYear):
            return FieldRef(ref.token, type(ref.time)(ref.time.year - 1))
        other = self._pools.by_type[type_].draw(dice)
        has_peers = all(self._drawing.has_peers(self._fields[t]) for t in (ref.token, other))
        return FieldRef(other) if other != ref.token and has_peers else None

    def _sign(self, dice: Dice) -> Bound | None:
        own = self._pools.own_signs
        pool = own if own.tokens and dice.chance(0.6) else self._pools.signed
        if not pool.tokens or (pool is not own and dice.chance(0.4)):
            return None
        token = pool.draw(dice)
        op = pick(dice, self._voice.signs(token))
        if op == "EQ" and pool is not own and dice.chance(0.5):
            op = self._voice.signs(token)[0]
        return Bound(FieldRef(token), self._fields[token].type, op, (ZERO,), ())

    def _two_times(self, dice: Dice) -> Bound | None:
        """A field and the same field at another time."""
        if not self._pools.with_history.tokens:
            return None
        token = self._pools.with_history.draw(dice)
        op: Op = pick(dice, ("GR", "GR", "LS"))
        time = draw_time(dice, daily=False)
        now: Time | None
        then: Time
        if isinstance(time, Last):
            now, then = None, Last(None, pick(dice, ("YEAR", "YEAR", "QUARTER")))
        elif isinstance(time, Year | FiscalYear):
            now, then = time, type(time)(time.year - pick(dice, (1, 1, 1, 2, 3, 5)))
        else:
            return None
        return Bound(
            FieldRef(token, now), self._fields[token].type, op, (FieldRef(token, then),), ()
        )

    def _of_ratio(self, dice: Dice) -> Bound | None:
        ratio = self.ratio(dice, mixed=0.0)
        if ratio is None:
            return None
        amount = (draw_share if dice.chance(0.2) else draw_multiple)(dice)
        return Bound(ratio, "", pick(dice, _OF_RATIOS), (amount.operand,), (amount.text,))

    def _of_change(self, dice: Dice) -> Bound | None:
        change = self.change(dice)
        if change is None:
            return None
        op: Op = "GE" if dice.chance(0.25) else "GR"
        down = dice.chance(0.35)
        if dice.chance(0.2):
            return Bound(change, "", "LS" if down else "GR", (ZERO,), ())
        text, value = draw_change(dice)
        assert isinstance(value, Percent), "changes are in percent"
        if down:
            value = Percent(f"-{value.digits}", value.unit)
        return Bound(change, "", _DOWN[op] if down else op, (value,), (text,))


def _tokens(bound: Bound) -> set[str]:
    return {ref.token for ref in refs(bound.field)}


def refs(measure: Measure) -> tuple[FieldRef, ...]:
    """The fields of a measure."""
    if isinstance(measure, Ratio):
        return measure.numerator, measure.denominator
    return (measure.field,) if isinstance(measure, Change) else (measure,)
