"""`Planner`: draws the kind of a query, its constraints, its rank, its columns and its order."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.plan import Bound, EnumConstraint, Plan
from grammax.tables.corpus.planning.comparisons import ComparisonPlanner, refs
from grammax.tables.corpus.planning.pools import Pools
from grammax.tables.corpus.planning.summaries import SummaryPlanner
from grammax.tables.corpus.planning.values import ValuePlanner
from grammax.tables.corpus.style import Voice
from grammax.tables.form.tree import (
    Aggregate,
    Direction,
    Display,
    FieldRef,
    Last,
    Measure,
    Order,
    Rank,
)

_RANKED: Final = (10, 5, 20, 3, 50, 25, 100, 15, 8, 2, 30)
_ROWS: Final = (1, 1, 1, 1, 1, 1, 2, 2, 3)  # rows that a query names


@final
class Planner:
    """Draws plans from the pools of a voice."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._mix = voice.style.mix
        self._drawing = voice.style.drawing
        self._fields = voice.catalogue.fields
        self._pools = Pools(voice)
        self._values = ValuePlanner(voice, self._pools)
        self._comparisons = ComparisonPlanner(voice, self._pools)
        self._summaries = SummaryPlanner(voice, self._pools)
        self._ordered = [
            (type_, token)
            for type_ in sorted(self._drawing.compared)
            for token in self._drawing.fields.get(type_, ())
            if voice.words.field(token)
        ]

    def plan(self, dice: Dice) -> Plan:
        """A plan with one constraint or more."""
        while True:
            plan = self._any_plan(dice)
            if plan != Plan():
                return plan

    def _any_plan(self, dice: Dice) -> Plan:
        mix, chance = self._mix, dice.random()
        if chance < mix.one:
            plan = self._of_named_rows(dice)
        elif chance < mix.one + mix.groups:
            plan = self._of_two_groups(dice)
        elif chance < mix.one + mix.groups + mix.summary:
            return self._summary(dice)
        else:
            plan = None
        if plan is not None:
            return plan
        enums = self._values.several(dice)
        return self._finished(Plan(enums, bounds=self._comparisons.several(dice, len(enums))), dice)

    def _of_named_rows(self, dice: Dice) -> Plan | None:
        """Columns of one row or more, which the query names; or the rows alone."""
        type_ = self._drawing.identifying
        if type_ is None:
            return None
        count = pick(dice, _ROWS) if self._mix.bare_one else 1
        values = self._values.values(type_, count, dice)
        if not values:
            return None
        rows = EnumConstraint(next(iter(self._drawing.fields[type_])), type_, values)
        bare = dice.chance(self._mix.bare_one * (1 if len(values) > 1 else 0.4))
        return Plan((rows,), columns=() if bare else self._columns(dice))

    def _of_two_groups(self, dice: Dice) -> Plan | None:
        if not self._drawing.grouped:
            return None
        one, other = (self._values.group(self._drawing.grouped, dice) for _ in range(2))
        if not one or not other or one == other:
            return None
        return self._finished(Plan(groups=(one, other)), dice)

    def _summary(self, dice: Dice) -> Plan:
        enums = self._values.several(dice, at_most=2)
        bounds = self._comparisons.several(dice, 3) if dice.chance(0.45) else ()
        bounds = tuple(bound for bound in bounds[:1] if isinstance(bound, Bound))
        summary = self._summaries.draw(dice, frozenset(enum.type for enum in enums))
        plan = Plan(enums, bounds=bounds, summary=summary)
        of_field = not summary.group and summary.aggregate and summary.aggregate.field
        if of_field and not bounds and dice.chance(self._mix.of_ranked):
            return replace(plan, rank=self._rank(dice, counted=True))
        return plan

    def _finished(self, plan: Plan, dice: Dice) -> Plan:
        """The plan with a rank, columns and an order, each with a probability; never empty."""
        few = not plan.bounds and not plan.groups and len(plan.enums) < 2
        rank = self._rank(dice) if dice.chance(self._mix.rank * (1 if few else 0.35)) else None
        columns: tuple[Measure, ...] = ()
        if dice.chance(self._mix.columns * (1.5 if few and not rank else 0.4)):
            columns = self._columns(dice)
        if not (plan.enums or plan.groups or plan.bounds or rank):
            rank = self._rank(dice)
        ordered = rank is not None and rank.count is None  # and needs no other order
        sort = self._sort(dice) if not ordered and dice.chance(self._mix.sort) else None
        if sort and rank and rank.field == sort.field:
            sort = None
        if sort and any(sort.field in refs(column) for column in columns):
            sort = None
        types = {enum.type for enum in plan.enums}
        columns = tuple(column for column in columns if not self._types(column) & types)
        if rank and self._types(rank.field) & types:
            rank = replace(rank, field=self._ranked_field(dice))
        fixed = [b.field for b in plan.bounds if isinstance(b, Bound) and b.op == "EQ"]
        if rank and rank.field in fixed:  # all rows have the same value
            rank = None
        return replace(plan, rank=rank, columns=columns, sort=sort)

    def _types(self, measure: Measure | Aggregate) -> set[str]:
        """The types of the fields of a measure."""
        if isinstance(measure, Aggregate):
            return set()
        return {self._fields[ref.token].type for ref in refs(measure)}

    def _rank(self, dice: Dice, counted: bool = False) -> Rank | None:
        if not self._pools.fields.tokens:
            return None
        measure = self._ranked(dice)
        own = isinstance(measure, FieldRef) and self._voice.idioms(measure.token).least
        direction: Direction = "top" if dice.chance(0.6 if own else 0.74) else "bottom"
        countless = not counted and dice.chance(self._mix.countless)
        count = None if countless else pick(dice, _RANKED, 0.7)
        if count is not None and dice.chance(0.12):
            count = 2 + int(98 * dice.random())
        return Rank(direction, count, measure)

    def _ranked(self, dice: Dice) -> Measure:
        """What a rank orders by."""
        chance = dice.random()
        made: Measure | None = None
        for probability, draw in (
            (self._mix.ratio_rank, self._comparisons.ratio),
            (self._mix.change_rank, self._comparisons.change),
            (self._mix.ordered_rank, self._ordered_field),
        ):
            if 0 <= chance < probability:
                made = draw(dice)
            chance -= probability
        return made or self._ranked_field(dice)

    def _ranked_field(self, dice: Dice) -> FieldRef:
        chance, idiomatic = dice.random(), self._pools.idiomatic
        measure = self._voice.measure if chance < 0.3 else None
        if chance > 0.48 and idiomatic.tokens and self._mix.idioms:
            return FieldRef(idiomatic.draw(dice))
        token = measure or self._pools.fields.draw(dice)
        time = self._comparisons.time(token, dice, 0.6 * self._mix.time)
        if isinstance(time, Last) and time.count:
            time = None
        return FieldRef(token, time)

    def _ordered_field(self, dice: Dice) -> FieldRef | None:
        return FieldRef(pick(dice, self._ordered)[1]) if self._ordered else None

    def _columns(self, dice: Dice) -> tuple[Measure, ...]:
        if dice.chance(self._mix.ratio_rank):
            ratio = self._comparisons.ratio(dice)
            if ratio:
                return (ratio,)
        if dice.chance(self._mix.change_rank):
            change = self._comparisons.change(dice)
            if change:
                return (change,)
        count = 1 + dice.chance(0.25) + dice.chance(0.06)
        drawn = dict.fromkeys(self._pools.columns.draw(dice) for _ in range(count))
        tokens = [token for token in drawn if token not in self._drawing.hidden]
        tokens = tokens or [self._voice.measure or self._pools.columns.tokens[0]]
        times = [self._comparisons.time(token, dice, 1.0) for token in reversed(tokens)]
        alike = len({token in self._drawing.daily for token in tokens}) == 1
        shared = times[0] if alike and None not in times and dice.chance(0.25) else None
        return tuple(FieldRef(token, shared) for token in tokens)

    def _sort(self, dice: Dice) -> Display | None:
        if not self._pools.fields.tokens:
            return None
        order: Order = "DESC" if dice.chance(0.65) else "ASC"
        return Display(FieldRef(self._pools.fields.draw(dice)), order)
