"""Draws plans: how many constraints of which sort, and with what in them."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Final, final

from grammax.tables.corpus.draw import Pools, pick
from grammax.tables.corpus.numbers import amount
from grammax.tables.corpus.plan import Bound, Comparison, Either, Kind, Plan
from grammax.tables.corpus.times import draw_time
from grammax.tables.form.tree import (
    Direction,
    Display,
    FieldRef,
    FiscalYear,
    Last,
    Number,
    Op,
    Operand,
    Order,
    Percent,
    Rank,
    Time,
    Year,
)

_TYPES: Final = (
    *("COUNTRY",) * 30, *("SECTOR",) * 30, *("INDEX",) * 16, *("EXCHANGE",) * 8, *("SIZE",) * 3,
    *("SP_RATING",) * 2, *("FITCH",) * 2, *("MOODY",) * 2, "DBRS", "OUTLOOK", "RECOMMENDATION",
    "RECOMMENDATION", "STYLE", "STATE", "STATE", "CITY", "CITY", "FISCAL_END", "ACCOUNTING",
    "SECURITY", "SP_SHORT",
)  # fmt: skip
_FIELDS: Final = {
    "COUNTRY": ("FLD_DOMICILE",) * 22 + ("FLD_COUNTRY_LISTING", "FLD_COUNTRY_INCORP")
    + ("FLD_COUNTRY_RISK",),
    "SECTOR": ("FLD_EQS_SECTOR",), "INDEX": ("FLD_INDEX",), "ISSUER": ("FLD_ISSUER",),
    "EXCHANGE": ("FLD_EXCHANGE",) * 14 + ("FLD_EXCHANGE_PRIMARY",), "SIZE": ("FLD_SIZE_CLASS",),
    "SP_RATING": ("FLD_SP_RATING",), "FITCH": ("FLD_FITCH",), "MOODY": ("FLD_MOODY",),
    "DBRS": ("FLD_DBRS",), "SP_SHORT": ("FLD_SP_SHORT",),
    "OUTLOOK": ("FLD_MOODY_OUTLOOK", "FLD_SP_OUTLOOK", "FLD_FITCH_OUTLOOK"),
    "RECOMMENDATION": ("FLD_ANALYST_RATING",), "STYLE": ("FLD_STYLE",), "STATE": ("FLD_STATE",),
    "CITY": ("FLD_CITY",), "FISCAL_END": ("FLD_FISCAL_YEAR_END",),
    "ACCOUNTING": ("FLD_ACCOUNTING_STANDARD",), "SECURITY": ("FLD_SECURITY_TYPE",),
}  # fmt: skip
_EITHER_OR: Final = ("COUNTRY", "SECTOR", "INDEX", "EXCHANGE", "ISSUER")
_GRADED: Final = ("SP_RATING", "FITCH", "MOODY", "DBRS", "RECOMMENDATION", "SP_SHORT")
_PLACES: Final = frozenset(("COUNTRY", "STATE", "CITY"))
_OPS: Final[tuple[Op, ...]] = (
    *("GR",) * 9, *("LS",) * 8, *("GE",) * 6, *("LE",) * 3, "EQ",
)  # fmt: skip
_RANKED: Final = (10, 5, 20, 3, 50, 25, 100, 15, 8, 2, 30)
_TIMED: Final = re.compile(r".*\d|.*(growth|change|today|year|forward|since|target|date).*", re.I)
_DAILY: Final = frozenset(
    ("FLD_PRICE", "FLD_MKT_CAP", "FLD_VOLUME", "FLD_PE_RATIO", "FLD_PB_RATIO", "FLD_PS_RATIO",
     "FLD_DIVIDEND_YIELD", "FLD_ENTERPRISE_VALUE", "FLD_EV_EBITDA", "FLD_BETA")
)  # fmt: skip
_NOT_AMONG_COLUMNS: Final = ("FLD_ISSUER", "FLD_COUNTRY_RISK", "FLD_COUNTRY_LISTING")


@final
class Planner:
    """Draws plans from pools."""

    def __init__(self, pools: Pools) -> None:
        self._pools = pools
        self._catalogue = pools.names.catalogue

    def plan(self, random: Random) -> Plan:
        """A plan that asks for something."""
        chance = random.random()
        if chance < 0.05:
            issuer = self._kind("ISSUER", random)
            if issuer:
                return Plan((issuer,), columns=self._columns(random, 1))
        if chance < 0.10:
            groups = tuple(self._group(random) for _ in range(2))
            if all(groups) and groups[0] != groups[1]:
                return self._finished(Plan(groups=groups), random)
        kinds = self._kinds(random)
        bounds = self._bounds(random, few=len(kinds))
        return self._finished(Plan(kinds, bounds=bounds), random)

    def _finished(self, plan: Plan, random: Random) -> Plan:
        """With a rank, columns and an order, each with its own chance; never with nothing."""
        rank: Rank | None = None
        columns: tuple[FieldRef, ...] = ()
        sort: Display | None = None
        bare = not plan.bounds and len(plan.kinds) < 2
        if random.random() < (0.3 if bare else 0.12):
            rank = self._rank(random)
        if random.random() < (0.3 if bare and not rank else 0.1):
            columns = self._columns(random, 1)
        if random.random() < 0.1:
            sort = self._sort(random)
        if not (plan.kinds or plan.groups or plan.bounds or rank):
            rank = self._rank(random)
        used = {column.token for column in columns}
        if sort and (sort.field.token in used or (rank and rank.field == sort.field)):
            sort = None
        return Plan(plan.kinds, plan.groups, plan.bounds, rank, columns, sort)

    def _kinds(self, random: Random) -> tuple[Kind, ...]:
        count = (0, 1, 1, 2, 2, 2, 2, 3)[int(8 * random.random())]
        found: list[Kind] = []
        for _ in range(count):
            type_ = pick(random, _TYPES)
            if not any(_clash(kind.type, type_) for kind in found):
                kind = self._kind(type_, random)
                found += [kind] if kind else []
        if found and random.random() < 0.22:
            excluded = self._excluded(found, random)
            found += [excluded] if excluded else []
        return tuple(found)

    def _kind(self, type_: str, random: Random) -> Kind | None:
        value = self._pools.value(type_, random)
        if value is None:
            return None
        field = pick(random, _FIELDS[type_])
        if type_ in _GRADED and random.random() < 0.7:
            grades = self._catalogue.values_of(type_)
            op: Op = pick(random, ("GE", "GE", "GR", "LS", "LE"))
            op = "LS" if value == grades[0] else "GR" if value == grades[-1] else op
            return Kind(field, type_, (value,), op)
        values = [value]
        more = random.random()
        if type_ in _EITHER_OR and more < 0.13:
            others = [self._pools.value(type_, random) for _ in range(2 if more < 0.02 else 1)]
            values += [other for other in others if other]
        return Kind(field, type_, tuple(dict.fromkeys(values)))

    def _excluded(self, found: list[Kind], random: Random) -> Kind | None:
        """What is left out: a part of what is there already, or something of another type."""
        type_ = pick(random, ("COUNTRY", "COUNTRY", "SECTOR", "SECTOR", "INDEX", "EXCHANGE"))
        present = next((kind for kind in found if kind.type == type_), None)
        if present is None:
            if any(_clash(kind.type, type_) for kind in found):
                return None
            count = 2 if random.random() < 0.15 else 1
            drawn = [self._pools.value(type_, random) for _ in range(count)]
            values = tuple(dict.fromkeys(value for value in drawn if value))
            return Kind(_FIELDS[type_][0], type_, values, negated=True) if values else None
        if type_ in ("INDEX", "EXCHANGE") or len(present.values) > 1:
            return None
        below = self._pools.below(present.values[0], random)
        return Kind(_FIELDS[type_][0], type_, (below,), negated=True) if below else None

    def _group(self, random: Random) -> tuple[Kind, ...]:
        country = self._pools.value("COUNTRY", random)
        sector = self._pools.value("SECTOR", random)
        if country is None or sector is None:
            return ()
        return (
            Kind("FLD_DOMICILE", "COUNTRY", (country,)),
            Kind("FLD_EQS_SECTOR", "SECTOR", (sector,)),
        )

    def _bounds(self, random: Random, few: int) -> tuple[Comparison, ...]:
        """None to three comparisons, the fewer the more there are of other constraints."""
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
        ref = FieldRef(token, self._time(token, random, 0.16))
        op = pick(random, _OPS)
        op = "GE" if op == "EQ" and field.type == "MONEY" else op
        if random.random() < 0.07 and op != "EQ":
            other = self._other(ref, field.type, random)
            if other:
                return Bound(ref, field.type, op, (other,), ())
        said, value = amount(field, self._pools, random)
        if random.random() < 0.09:
            high = _higher(said, value)
            if high:
                return Bound(ref, field.type, "GE", (value, high[1]), (said, high[0]))
        return Bound(ref, field.type, op, (value,), (said,))

    def _other(self, ref: FieldRef, type_: str, random: Random) -> FieldRef | None:
        """A field of the same type to compare with, or the same one a year before."""
        if isinstance(ref.time, Year | FiscalYear):
            return FieldRef(ref.token, type(ref.time)(ref.time.year - 1))
        other = self._pools.by_type[type_].draw(random)
        plain = self._catalogue.fields[other].variant in (None, "PER_SHARE")
        return FieldRef(other) if other != ref.token and plain else None

    def _time(self, token: str, random: Random, chance: float) -> Time | None:
        """A time, unless the field has one in its name."""
        field = self._catalogue.fields[token]
        if random.random() > chance or field.variant not in (None, "PER_SHARE", "TO_SALES"):
            return None
        numeric = field.type in self._pools.by_type
        return (
            draw_time(random, token in _DAILY) if numeric and not _TIMED.match(field.name) else None
        )

    def _rank(self, random: Random) -> Rank:
        token = "FLD_MKT_CAP" if random.random() < 0.4 else self._pools.fields.draw(random)
        time = self._time(token, random, 0.1)
        if isinstance(time, Last) and time.count:
            time = None
        direction: Direction = "top" if random.random() < 0.75 else "bottom"
        return Rank(direction, pick(random, _RANKED, 0.7), FieldRef(token, time))

    def _columns(self, random: Random, at_least: int) -> tuple[FieldRef, ...]:
        count = at_least + (random.random() < 0.3) + (random.random() < 0.06)
        drawn = [self._pools.columns.draw(random) for _ in range(count)]
        tokens = [t for t in dict.fromkeys(drawn) if t not in _NOT_AMONG_COLUMNS] or ["FLD_MKT_CAP"]
        times = [self._time(token, random, 1.0) for token in reversed(tokens)]
        alike = len({token in _DAILY for token in tokens}) == 1
        shared = times[0] if alike and None not in times and random.random() < 0.25 else None
        return tuple(FieldRef(token, shared) for token in tokens)

    def _sort(self, random: Random) -> Display:
        order: Order = "DESC" if random.random() < 0.65 else "ASC"
        return Display(FieldRef(self._pools.fields.draw(random)), order)


def _clash(one: str, other: str) -> bool:
    """Whether two constraints would be of one sort: two countries, a country and its city."""
    return one == other or {one, other} <= _PLACES or (one in _GRADED and other in _GRADED)


def _higher(said: str, value: Operand) -> tuple[str, Operand] | None:
    """Two or five times as much, written in the same way; None if that cannot be."""
    if not isinstance(value, Number | Percent) or not value.digits.isdigit():
        return None
    if value.digits not in said or int(value.digits) > 500:
        return None
    more = str(int(value.digits) * (2 if int(value.digits) % 4 else 5))
    return said.replace(value.digits, more), replace(value, digits=more)
