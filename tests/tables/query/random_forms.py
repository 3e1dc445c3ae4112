"""Random logical forms: what the translation and the oracle are compared on.

Forms are drawn from the typed grammar, then their years, counts, numbers and values are moved to
where the data are, so that conditions are neither always true nor always false.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from tables.query.brute_force import World, value

from grammax.grammar import Rule, Sampler
from grammax.tables import grammar as grammars
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


class FormGenerator:
    """Draws forms that fit a world; without `years`, fields have no times."""

    def __init__(self, world: World, random: Random, years: range | None = None) -> None:
        self.world, self.random, self.years = world, random, years
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
        lf = from_tokens(self.sampler.draw(self.random), self.world.catalogue)
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
        if ref.time is None or self.years is None:
            return FieldRef(ref.token)
        return FieldRef(ref.token, self._time(ref.time))

    def _time(self, time: Time) -> Time:
        match time:
            case Last(count, unit):
                return Last(None if count is None else 1 + count % 6, unit)
            case Year(year):
                return Year(self._year(year))
            case Month(year, month):
                return Month(self._year(year), month)
            case Date(year, month, day):
                return Date(self._year(year), month, 1 + day % 28)
            case Quarter(quarter, year):
                return Quarter(quarter, self._year(year))
            case FiscalYear(year):
                return FiscalYear(self._year(year))

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
        row = self.random.choice(self.world.rows)
        found = value(self.world, node.field, row)
        digits = f"{round(found or 0, self.random.choice([0, 1])):.1f}".removesuffix(".0")
        digits = digits.replace("-0", "0") if float(digits) == 0 else digits
        if isinstance(node.value, Percent):
            return Percent(digits, node.value.unit)
        assert isinstance(node.value, Number)
        return Number(digits, None, node.value.unit)

    def _year(self, year: int) -> int:
        assert self.years is not None
        return self.years[year % len(self.years)]
