"""Summaries: aggregates of rows, groups of rows, and ranks and filters of groups."""

from __future__ import annotations

from typing import Final, final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.plan import GroupFilter, Summary
from grammax.tables.corpus.planning.pools import Pools
from grammax.tables.corpus.planning.values import repeated
from grammax.tables.corpus.style import Voice
from grammax.tables.form.tree import (
    Aggregate,
    Direction,
    FieldRef,
    Function,
    Group,
    Number,
    Op,
    Period,
    Rank,
)

_OF_FIELDS: Final[tuple[Function, ...]] = (
    *("average",) * 7, *("sum",) * 5, *("median",) * 3, "max", "max", "min", "min",
)  # fmt: skip
_OF_GROUPS: Final[tuple[Function, ...]] = (*("average",) * 6, *("sum",) * 4, *("median",) * 3)
_PERIODS: Final[tuple[Period, ...]] = ("YEAR", "YEAR", "QUARTER", "MONTH")
_OPS: Final[tuple[Op, ...]] = ("GR", "GR", "GR", "LS", "LS", "GE", "LE")
_COUNTS: Final = (5, 10, 3, 20, 50, 2, 100, 15, 30, 25, 12, 8, 40)
_FIRST: Final = (5, 3, 10, 20, 2, 4, 15, 8)


@final
class SummaryPlanner:
    """Draws summaries from the pools of a voice."""

    def __init__(self, voice: Voice, pools: Pools) -> None:
        self._voice = voice
        self._pools = pools
        self._mix = voice.style.mix
        drawing, words = voice.style.drawing, voice.words
        self._groups = [
            field
            for type_ in repeated(drawing.types)
            for field in repeated(drawing.fields[type_])
            if words.field(field) and field not in drawing.hidden
        ]

    def draw(self, dice: Dice, taken: frozenset[str]) -> Summary:
        """A summary; fields of the types that are `taken` are no groups."""
        if not dice.chance(self._mix.by):
            return Summary(self._aggregate(dice, _OF_FIELDS))
        group = self._group(dice, taken)
        if group is None or isinstance(group.field, str):
            return Summary(self._aggregate(dice, _OF_GROUPS, counts=0.0), group)
        chance = dice.random()
        if chance < self._mix.grouped_rank:
            return Summary(group=group, rank=self._rank(dice))
        if chance < self._mix.grouped_rank + self._mix.grouped_filter:
            return Summary(group=group, filter=self._filter(dice))
        if dice.chance(0.15):
            return Summary(group=group)
        return Summary(self._aggregate(dice, _OF_GROUPS), group)

    def _group(self, dice: Dice, taken: frozenset[str]) -> Group | None:
        history = self._pools.with_history.tokens
        if history and dice.chance(self._mix.period):
            return Group(pick(dice, _PERIODS))
        fields = self._voice.catalogue.fields
        free = [token for token in self._groups if fields[token].type not in taken]
        return Group(FieldRef(pick(dice, free))) if free else None

    def _aggregate(
        self, dice: Dice, functions: tuple[Function, ...], counts: float = 0.4
    ) -> Aggregate:
        if not self._pools.fields.tokens or dice.chance(counts):
            return Aggregate("count")
        function = pick(dice, functions)
        pool = self._pools.fields
        if function == "sum":
            pool = self._pools.additive if self._pools.additive.tokens else pool
            function = "sum" if self._pools.additive.tokens else "average"
        return Aggregate(function, FieldRef(pool.draw(dice)))

    def _rank(self, dice: Dice) -> Rank:
        direction: Direction = "top" if dice.chance(0.78) else "bottom"
        count = None if dice.chance(self._mix.countless) else pick(dice, _FIRST, 0.7)
        return Rank(direction, count, self._aggregate(dice, _OF_GROUPS, counts=0.5))

    def _filter(self, dice: Dice) -> GroupFilter:
        aggregate = self._aggregate(dice, _OF_GROUPS, counts=0.5)
        op = pick(dice, _OPS)
        if aggregate.field is None:
            count = pick(dice, _COUNTS) if dice.chance(0.6) else 1 + int(dice.random() * 120)
            return GroupFilter(aggregate, op, Number(str(count)), str(count))
        field = self._voice.catalogue.fields[aggregate.field.token]
        text, value = self._voice.style.numbers[field.type].draw(field, self._pools.units, dice)
        return GroupFilter(aggregate, op, value, text)
