"""A random market as plain rows, for the oracle of `tables.query.brute_force`.

It shares with the store the table of formulas and the meaning of times, nothing else. Data are
small whole numbers and powers of two, so that every store computes the same doubles.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tables.query.brute_force import Row

from grammax.domains.eqs.accounts import ACCOUNTS
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.times import Last, Quarter, Time, Year
from grammax.tables.form.tree import FieldRef
from grammax.tables.query.formulas import Formulas, Stored
from grammax.tables.query.moments import Moment, moment_of
from grammax.tables.query.source import column_name

Known = float | None
FIRST_YEAR, YEARS = 2012, 4
ASKED = range(FIRST_YEAR, FIRST_YEAR + YEARS + 1)
TODAY = datetime.date(2016, 2, 10)


@dataclass(frozen=True)
class MarketWorld:
    """A market as plain rows."""

    catalogue: Catalogue
    today: datetime.date
    equity: Sequence[Row]
    membership: Sequence[Row]
    fundamental: Sequence[Row]
    exchange_rate: Sequence[Row]
    formulas: Formulas = field(init=False)
    quarters: dict[tuple[int, str, int], Row] = field(init=False)
    indices: dict[int, set[str]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "formulas", Formulas(self.catalogue, ACCOUNTS))
        quarters = {}
        for row in self.fundamental:
            for axis in ("calendar", "fiscal"):
                quarters[row["equity_id"], axis, row[f"{axis}_quarter"]] = row
        object.__setattr__(self, "quarters", quarters)
        indices: dict[int, set[str]] = {}
        for row in self.membership:
            indices.setdefault(row["equity_id"], set()).add(row["value"])
        object.__setattr__(self, "indices", indices)

    @property
    def rows(self) -> Sequence[Row]:
        return self.equity

    def value(self, ref: FieldRef, row: Row) -> Any:
        type_ = self.catalogue.fields[ref.token].type
        if type_ not in self.catalogue.schema.number_types:
            return row[ref.token.removeprefix("FLD_").lower()]
        moment = moment_of(ref.time, self.today)
        arithmetic = Arithmetic(self, row["id"])
        found = self._own(ref, moment, row)
        if type_ in ("MONEY", "PER_SHARE"):
            found = arithmetic.multiply(found, arithmetic.stored(Stored("usd_rate"), moment))
        return found

    def _own(self, ref: FieldRef, moment: Moment, row: Row) -> Known:
        """The value in the company's own currency; in a quarter, the amount of that quarter."""
        token, arithmetic = ref.token, Arithmetic(self, row["id"])
        quarterly = isinstance(ref.time, Quarter) or getattr(ref.time, "unit", "") == "QUARTER"
        if quarterly and token in ACCOUNTS.flows:
            return arithmetic.stored(Stored(token), moment)
        return self.formulas.value(token, moment, arithmetic, quarterly)

    def change(self, ref: FieldRef, row: Row) -> Known:
        latest = moment_of(None, self.today)
        end = moment_of(ref.time, self.today)
        match ref.time:
            case Last(None, "YEAR"):
                begin = end.before(4)
            case Last(None, _):
                begin = end.before(1)
            case _:
                begin, end = end, latest
        if begin.quarter >= end.quarter:
            begin = Moment(begin.axis, end.quarter - 1)
        then, now = self._own(ref, begin, row), self._own(ref, end, row)
        return None if not then or now is None else (now - then) / abs(then) * 100

    def periods(self, unit: str) -> Sequence[Time]:
        if unit == "YEAR":
            return [Year(year) for year in range(TODAY.year - 5, TODAY.year)]
        return [Quarter(q, year) for year in (2014, 2015) for q in (1, 2, 3, 4)]

    def members(self, token: str, row: Row) -> set[str]:
        assert token == "FLD_INDEX"
        return self.indices.get(row["id"], set())

    def rate(self, unit: str, time: Time | None) -> float | None:
        quarter = moment_of(time, self.today).quarter
        quarter = min(quarter, moment_of(None, self.today).quarter)
        found = [
            rate["usd"]
            for rate in self.exchange_rate
            if rate["currency"] == unit and rate["calendar_quarter"] == quarter
        ]
        return found[0] if found else None


class Arithmetic:
    """Numbers or None; whatever meets None is None."""

    def __init__(self, world: MarketWorld, equity: int) -> None:
        self.world, self.equity = world, equity

    def stored(self, series: Stored, moment: Moment) -> Known:
        def at(quarter: int) -> Known:
            row = self.world.quarters.get((self.equity, moment.axis, quarter))
            return None if row is None else row[series.column]

        if series.quarters == 1:
            found = [at(moment.quarter - ago) for ago in range(4)]
            return next((value for value in found if value is not None), None)
        parts = [at(moment.quarter - ago) for ago in range(series.quarters)]
        return None if None in parts else sum(parts)  # type: ignore[arg-type]

    def number(self, value: float) -> Known:
        return value

    def add(self, a: Known, b: Known) -> Known:
        return None if a is None or b is None else a + b

    def subtract(self, a: Known, b: Known) -> Known:
        return None if a is None or b is None else a - b

    def multiply(self, a: Known, b: Known) -> Known:
        return None if a is None or b is None else a * b

    def divide(self, a: Known, b: Known) -> Known:
        return None if a is None or not b else a / b

    def absolute(self, a: Known) -> Known:
        return None if a is None else abs(a)

    def root(self, a: Known, degree: int) -> Known:
        return None if a is None or a <= 0 else a ** (1 / degree)

    def mean(self, values: Sequence[Known]) -> Known:
        known = [value for value in values if value is not None]
        return sum(known) / len(known) if known else None


def random_world(catalogue: Catalogue, equities: int, random: Random) -> MarketWorld:
    """A market with every column that the catalogue needs, a tenth of it missing."""
    columns = [column_name(token) for token in Formulas(catalogue, ACCOUNTS).stored()]
    enums = {
        column_name(token): catalogue.values_of(field.type)
        for token, field in catalogue.fields.items()
        if field.type not in catalogue.schema.number_types and token != "FLD_INDEX"
    }
    equity: list[dict[str, Any]] = []
    membership: list[dict[str, Any]] = []
    fundamental: list[dict[str, Any]] = []
    currencies = {currency: 2.0 ** random.randint(-2, 2) for currency in catalogue.units}
    currencies["CUR_USD"] = 1.0
    for number in range(equities):
        currency = random.choice(list(currencies)[:6])
        row: dict[str, Any] = {"id": number, "ticker": f"T{number:03}", "name": f"Company {number}"}
        for column, values in enums.items():
            row[column] = None if random.random() < 0.1 else random.choice(values[:40])
        equity.append(row)
        for index in random.sample(catalogue.values_of("INDEX")[:20], random.choice([0, 1, 3])):
            membership.append({"equity_id": number, "field": "index", "value": index})
        shift = random.choice([0, 1, 2, 3])  # the fiscal year ends as many quarters earlier
        for quarter in range(FIRST_YEAR * 4, (FIRST_YEAR + YEARS) * 4):
            cells = {c: None if random.random() < 0.1 else _number(random) for c in columns}
            fundamental.append(
                {
                    "equity_id": number,
                    "calendar_quarter": quarter,
                    "fiscal_quarter": quarter + shift,
                    "usd_rate": currencies[currency],
                    **cells,
                }
            )
    rates = [
        {"currency": currency, "calendar_quarter": quarter, "usd": rate}
        for currency, rate in currencies.items()
        for quarter in range(FIRST_YEAR * 4, (FIRST_YEAR + YEARS) * 4)
    ]
    return MarketWorld(catalogue, TODAY, equity, membership, fundamental, rates)


def _number(random: Random) -> float:
    return float(random.randint(-4, 16))
