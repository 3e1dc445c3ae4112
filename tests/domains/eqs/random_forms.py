"""Random logical forms over a random market: what the translation and the oracle are compared on.

Forms are drawn from the typed grammar, then their years, counts, numbers and values are moved to
where the data are, so that conditions are neither always true nor always false. Data are small
whole numbers and powers of two, so that every store computes the same doubles.
"""

from __future__ import annotations

import datetime
from dataclasses import replace
from random import Random
from typing import Any

from domains.eqs.brute_force import World, value

from grammax.domains.eqs.accounts import ACCOUNTS
from grammax.grammar import Rule, Sampler
from grammax.tables import grammar as grammars
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.text import from_tokens
from grammax.tables.form.tree import (
    And,
    Date,
    Display,
    EnumValue,
    FieldRef,
    FiscalYear,
    Last,
    LogicalForm,
    Month,
    Not,
    Number,
    Or,
    Percent,
    Quarter,
    Rank,
    Relational,
    Time,
    Year,
)
from grammax.tables.form.walk import fold
from grammax.tables.query.formulas import Formulas
from grammax.tables.query.source import column_name

FIRST_YEAR, YEARS = 2012, 4
TODAY = datetime.date(2016, 2, 10)


def random_world(catalogue: Catalogue, equities: int, random: Random) -> World:
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
    return World(catalogue, TODAY, equity, membership, fundamental, rates)


def _number(random: Random) -> float:
    return float(random.randint(-4, 16))


class FormGenerator:
    """Draws forms that fit a world."""

    def __init__(self, world: World, random: Random) -> None:
        self.world, self.random = world, random
        grammar = grammars.grammar(world.catalogue.lexicon)
        self.sampler = Sampler(grammar, self._weight, max_depth=5, max_tokens=40)

    def _weight(self, rule: Rule) -> float:
        """Half of the atoms are relational, and half of those numeric."""
        if rule.name == "relational":
            numeric = any(symbol.endswith("_amount") for symbol in rule.symbols)
            return (4 if numeric else 1) * (0.3 if "at" in rule.symbols else 1)
        if rule.name == "constraint":
            is_display = '"display"' in rule.symbols or "RANK" in rule.symbols
            return 0.4 if is_display else 4.0 if "relational" in rule.symbols else 1.5
        return 1.0

    def draw(self) -> LogicalForm:
        """One form."""
        lf = from_tokens(self.sampler.draw(self.random))
        return fold(lf, self._moved)

    def _moved(self, node: LogicalForm, below: Any) -> LogicalForm:
        match node:
            case Relational():
                node = replace(node, field=self._ref(node.field))
                return replace(node, value=self._operand(node))
            case Rank():
                return Rank(node.direction, 1 + node.count % 8, self._ref(node.field))
            case Display():
                return Display(self._ref(node.field), node.order)
            case Not():
                return Not(below[0])
            case And():
                return And(tuple(below))
            case Or():
                return Or(tuple(below))

    def _ref(self, ref: FieldRef) -> FieldRef:
        return ref if ref.time is None else FieldRef(ref.token, self._time(ref.time))

    def _time(self, time: Time) -> Time:
        match time:
            case Last(count, unit):
                return Last(None if count is None else 1 + count % 6, unit)
            case Year(year):
                return Year(_year(year))
            case Month(year, month):
                return Month(_year(year), month)
            case Date(year, month, day):
                return Date(_year(year), month, 1 + day % 28)
            case Quarter(quarter, year):
                return Quarter(quarter, _year(year))
            case FiscalYear(year):
                return FiscalYear(_year(year))

    def _operand(self, node: Relational) -> Any:
        catalogue = self.world.catalogue
        match node.value:
            case FieldRef() as ref:
                return self._ref(ref)
            case EnumValue(token):
                choices = catalogue.values_of(catalogue.values[token].type)[:40]
                near = EnumValue(self.random.choice(choices))
                return near if self.random.random() < 0.9 else node.value
        if self.random.random() < 0.2:
            return node.value
        row = self.random.choice(self.world.equity)
        found = value(self.world, node.field, row)
        digits = f"{round(found or 0, self.random.choice([0, 1])):.1f}".removesuffix(".0")
        digits = digits.replace("-0", "0") if float(digits) == 0 else digits
        if isinstance(node.value, Percent):
            return Percent(digits, node.value.unit)
        assert isinstance(node.value, Number)
        return Number(digits, None, node.value.unit)


def _year(year: int) -> int:
    return FIRST_YEAR + year % (YEARS + 1)
