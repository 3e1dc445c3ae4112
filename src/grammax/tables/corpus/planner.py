"""`Planner`: draws the number and types of constraints, and their values and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, final

from grammax.tables.corpus.draw import OFFSET, Zipf, pick
from grammax.tables.corpus.plan import Bound, Comparison, Either, EnumConstraint, Plan
from grammax.tables.corpus.style import Voice
from grammax.tables.corpus.times import draw_time
from grammax.tables.form.tree import (
    Direction,
    Display,
    FieldRef,
    FiscalYear,
    Last,
    Op,
    Order,
    Rank,
    Time,
    Year,
)

_FIELD_EXPONENT: Final = 1.5
_VALUE_EXPONENT: Final = 1.75
_UNIT_EXPONENT: Final = 2.0  # no offset: two thirds of the draws are the most common unit
_OPS: Final[tuple[Op, ...]] = (
    *("GR",) * 9, *("LS",) * 8, *("GE",) * 6, *("LE",) * 3, "EQ",
)  # fmt: skip
_RANKED: Final = (10, 5, 20, 3, 50, 25, 100, 15, 8, 2, 30)


@final
class Pools:
    """The fields by type, values by type and units that can be drawn; each has a usable wording.

    For some types, values with and without parts are drawn separately, because the ranking may list
    every region before the first country.
    """

    def __init__(self, voice: Voice) -> None:
        catalogue, words = voice.catalogue, voice.words
        self._catalogue = catalogue
        self._leaves_share = voice.style.drawing.leaves
        numbers = voice.style.numbers
        named = {t: field for t, field in catalogue.fields.items() if words.field(t)}
        numeric = {t: field.type for t, field in named.items() if field.type in numbers}
        self.fields = Zipf.over(numeric, _FIELD_EXPONENT)
        self.by_type = {
            type_: Zipf.over((t for t in numeric if numeric[t] == type_), _FIELD_EXPONENT)
            for type_ in dict.fromkeys(numeric.values())
        }
        self.columns = Zipf.over(named, _FIELD_EXPONENT)
        units = catalogue.units
        self.units = Zipf.over(units, _UNIT_EXPONENT, 0) if units else None
        self._values: dict[str, Zipf] = {}
        self._leaves: dict[str, Zipf] = {}
        self._members: set[str] = set()
        for type_, realiser in voice.style.realisers.items():
            tokens = [t for t in catalogue.values_of(type_) if realiser.is_nameable(t, words)]
            if type_ in self._leaves_share:
                self._add(self._leaves, type_, [t for t in tokens if not catalogue.children(t)])
                tokens = [t for t in tokens if catalogue.children(t)]
            self._add(self._values, type_, tokens)

    def _add(self, pools: dict[str, Zipf], type_: str, tokens: Sequence[str]) -> None:
        if tokens:
            pools[type_] = Zipf.over(tokens, _VALUE_EXPONENT, OFFSET)
            self._members.update(tokens)

    def value(self, type_: str, random: Random) -> str | None:
        """A value of a type, or None if no value of it may be drawn."""
        pool = self._values.get(type_)
        if type_ in self._leaves and random.random() < self._leaves_share[type_]:
            pool = self._leaves[type_]
        return pool.draw(random) if pool else None

    def below(self, token: str, random: Random) -> str | None:
        """A part of a value, such as a country of a region, if one may be drawn."""
        inside = self._catalogue.descendants(token)[1:]
        parts = [each for each in inside if each in self._members]
        return Zipf.over(parts, _VALUE_EXPONENT).draw(random) if parts else None


@final
class Planner:
    """Draws plans from the pools of a voice."""

    def __init__(self, voice: Voice) -> None:
        drawing = voice.style.drawing
        self._voice = voice
        self._drawing = drawing
        self._catalogue = voice.catalogue
        self._pools = Pools(voice)
        self._types = _repeated(drawing.types)
        self._excluded_types = _repeated(drawing.excluded)
        self._fields = {type_: _repeated(fields) for type_, fields in drawing.fields.items()}

    def plan(self, random: Random) -> Plan:
        """A plan with one constraint or more."""
        while True:
            plan = self._any_plan(random)
            if plan != Plan():
                return plan

    def _any_plan(self, random: Random) -> Plan:
        chance = random.random()
        identifying = self._drawing.identifying
        if chance < 0.05 and identifying:
            one = self._enum(identifying, random)
            if one:
                return Plan((one,), columns=self._columns(random, 1))
        if chance < 0.10 and self._drawing.grouped:
            groups = tuple(self._group(self._drawing.grouped, random) for _ in range(2))
            if all(groups) and groups[0] != groups[1]:
                return self._finished(Plan(groups=groups), random)
        enums = self._enums(random)
        bounds = self._bounds(random, few=len(enums))
        return self._finished(Plan(enums, bounds=bounds), random)

    def _finished(self, plan: Plan, random: Random) -> Plan:
        """The plan with a rank, columns and an order, each with a probability; never empty."""
        rank: Rank | None = None
        columns: tuple[FieldRef, ...] = ()
        sort: Display | None = None
        few = not plan.bounds and len(plan.enums) < 2
        if random.random() < (0.3 if few else 0.12):
            rank = self._rank(random)
        if random.random() < (0.3 if few and not rank else 0.1):
            columns = self._columns(random, 1)
        if random.random() < 0.1:
            sort = self._sort(random)
        if not (plan.enums or plan.groups or plan.bounds or rank):
            rank = self._rank(random)
        used = {column.token for column in columns}
        if sort and (sort.field.token in used or (rank and rank.field == sort.field)):
            sort = None
        return Plan(plan.enums, plan.groups, plan.bounds, rank, columns, sort)

    def _enums(self, random: Random) -> tuple[EnumConstraint, ...]:
        if not self._types:
            return ()
        count = (0, 1, 1, 2, 2, 2, 2, 3)[int(8 * random.random())]
        found: list[EnumConstraint] = []
        for _ in range(count):
            type_ = pick(random, self._types)
            if not self._clashes(type_, found):
                enum = self._enum(type_, random)
                found += [enum] if enum else []
        if found and self._excluded_types and random.random() < 0.22:
            excluded = self._excluded(found, random)
            found += [excluded] if excluded else []
        return tuple(found)

    def _clashes(self, type_: str, found: Sequence[EnumConstraint]) -> bool:
        return any(self._drawing.clash(enum.type, type_) for enum in found)

    def _enum(self, type_: str, random: Random) -> EnumConstraint | None:
        value = self._pools.value(type_, random)
        if value is None:
            return None
        field = pick(random, self._fields[type_])
        if type_ in self._drawing.compared and random.random() < 0.7:
            grades = self._catalogue.values_of(type_)
            op: Op = pick(random, ("GE", "GE", "GR", "LS", "LE"))
            op = "LS" if value == grades[0] else "GR" if value == grades[-1] else op
            return EnumConstraint(field, type_, (value,), op)
        values = [value]
        more = random.random()
        if type_ in self._drawing.alternatives and more < 0.13:
            others = [self._pools.value(type_, random) for _ in range(2 if more < 0.02 else 1)]
            values += [other for other in others if other]
        return EnumConstraint(field, type_, tuple(dict.fromkeys(values)))

    def _excluded(self, found: list[EnumConstraint], random: Random) -> EnumConstraint | None:
        """An excluded value: a part of a value in the plan, or a value of another type."""
        type_ = pick(random, self._excluded_types)
        field = self._fields[type_][0]
        present = next((enum for enum in found if enum.type == type_), None)
        if present is None:
            if self._clashes(type_, found):
                return None
            count = 2 if random.random() < 0.15 else 1
            drawn = [self._pools.value(type_, random) for _ in range(count)]
            values = tuple(dict.fromkeys(value for value in drawn if value))
            return EnumConstraint(field, type_, values, negated=True) if values else None
        if type_ not in self._drawing.nested or len(present.values) > 1:
            return None
        below = self._pools.below(present.values[0], random)
        return EnumConstraint(field, type_, (below,), negated=True) if below else None

    def _group(self, types: tuple[str, str], random: Random) -> tuple[EnumConstraint, ...]:
        drawn = [(type_, self._pools.value(type_, random)) for type_ in types]
        enums = [EnumConstraint(self._fields[t][0], t, (value,)) for t, value in drawn if value]
        return tuple(enums) if len(enums) == len(types) else ()

    def _bounds(self, random: Random, few: int) -> tuple[Comparison, ...]:
        """Zero to three comparisons; fewer if there are many other constraints."""
        if not self._pools.fields.tokens:
            return ()
        chance = random.random()
        if chance < (0.15, 0.22, 0.38, 0.6)[min(few, 3)]:
            return ()
        first = self._bound(random)
        if chance < 0.72 + 0.1 * few or first.between:
            return (first,)
        second = self._bound(random)
        if first.field.token == second.field.token or second.between:
            return (first,)
        if random.random() < 0.18:
            return (Either((first, second)),)
        third = self._bound(random) if few < 2 and random.random() < 0.12 else None
        if third and third.field.token not in (first.field.token, second.field.token):
            return (first, second, third)
        return (first, second)

    def _bound(self, random: Random) -> Bound:
        token = self._pools.fields.draw(random)
        field = self._catalogue.fields[token]
        numbers = self._voice.style.numbers[field.type]
        ref = FieldRef(token, self._time(token, random, 0.16))
        op = pick(random, _OPS)
        op = "GE" if op == "EQ" and not numbers.has_equality else op
        if random.random() < 0.07 and op != "EQ":
            other = self._other(ref, field.type, random)
            if other:
                return Bound(ref, field.type, op, (other,), ())
        amount = numbers.draw(field, self._pools.units, random)
        if random.random() < 0.09:
            high = numbers.higher(amount)
            if high:
                values = (amount.operand, high.operand)
                return Bound(ref, field.type, "GE", values, (amount.text, high.text))
        return Bound(ref, field.type, op, (amount.operand,), (amount.text,))

    def _other(self, ref: FieldRef, type_: str, random: Random) -> FieldRef | None:
        """A field of the same type to compare with, or the same one a year before."""
        if isinstance(ref.time, Year | FiscalYear):
            return FieldRef(ref.token, type(ref.time)(ref.time.year - 1))
        other = self._pools.by_type[type_].draw(random)
        has_peers = self._drawing.has_peers(self._catalogue.fields[other])
        return FieldRef(other) if other != ref.token and has_peers else None

    def _time(self, token: str, random: Random, chance: float) -> Time | None:
        """A time, if the field has a history."""
        field = self._catalogue.fields[token]
        if random.random() > chance or field.type not in self._pools.by_type:
            return None
        if not self._drawing.has_history(field):
            return None
        return draw_time(random, token in self._drawing.daily)

    def _rank(self, random: Random) -> Rank | None:
        if not self._pools.fields.tokens:
            return None
        measure = self._voice.measure if random.random() < 0.4 else None
        token = measure or self._pools.fields.draw(random)
        time = self._time(token, random, 0.1)
        if isinstance(time, Last) and time.count:
            time = None
        direction: Direction = "top" if random.random() < 0.75 else "bottom"
        return Rank(direction, pick(random, _RANKED, 0.7), FieldRef(token, time))

    def _columns(self, random: Random, at_least: int) -> tuple[FieldRef, ...]:
        count = at_least + (random.random() < 0.3) + (random.random() < 0.06)
        drawn = dict.fromkeys(self._pools.columns.draw(random) for _ in range(count))
        tokens = [token for token in drawn if token not in self._drawing.hidden]
        tokens = tokens or [self._voice.measure or self._pools.columns.tokens[0]]
        times = [self._time(token, random, 1.0) for token in reversed(tokens)]
        alike = len({token in self._drawing.daily for token in tokens}) == 1
        shared = times[0] if alike and None not in times and random.random() < 0.25 else None
        return tuple(FieldRef(token, shared) for token in tokens)

    def _sort(self, random: Random) -> Display | None:
        if not self._pools.fields.tokens:
            return None
        order: Order = "DESC" if random.random() < 0.65 else "ASC"
        return Display(FieldRef(self._pools.fields.draw(random)), order)


def _repeated(weights: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(name for name, weight in weights.items() for _ in range(weight))
