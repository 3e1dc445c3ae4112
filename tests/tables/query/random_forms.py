"""Random logical forms: what the translation and the oracle are compared on.

Forms are drawn from the typed grammar, then their years, counts, numbers and values are moved to
where the data are, so that conditions are neither always true nor always false.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tables.query.brute_force import World, value

from grammax.grammar import Rule, Sampler
from grammax.tables import grammar as grammars
from grammax.tables.form.operands import quoted
from grammax.tables.form.text import from_tokens
from grammax.tables.form.times import Unit
from grammax.tables.form.tree import (
    Aggregate,
    And,
    Change,
    Date,
    Display,
    EnumValue,
    FieldRef,
    FiscalYear,
    Function,
    Group,
    Last,
    LogicalForm,
    Measure,
    Month,
    Not,
    Number,
    Op,
    Or,
    Percent,
    Period,
    Quarter,
    Rank,
    Ratio,
    Relational,
    Text,
    Time,
    Year,
)
from grammax.tables.form.walk import fold


class FormGenerator:
    """Draws forms that fit a world; without `years`, neither fields nor rows have times."""

    def __init__(
        self,
        world: World,
        random: Random,
        years: range | None = None,
        texts: Sequence[str] = (),
    ) -> None:
        self.world, self.random, self.years, self.texts = world, random, years, texts
        grammar = grammars.grammar(world.catalogue.lexicon)
        fields = world.catalogue.fields
        numbers = world.catalogue.schema.number_types
        self._dates = sorted(world.catalogue.dates or ())
        self._history = world.catalogue.schema.history
        self._numbers = [
            token
            for token, field in fields.items()
            if field.type in numbers and token not in self._dates
        ]
        self._enums = [token for token, field in fields.items() if field.type not in numbers]
        texts = {field for text in world.catalogue.lexicon.texts for field in text.fields}
        self._texts = frozenset(texts)
        self._grouping = self._enums if self._history else [t for t in fields if t not in texts]
        self.sampler = Sampler(grammar, self._weight, max_depth=5, max_tokens=40)

    def _weight(self, rule: Rule) -> float:
        """Half of the atoms are relational, and half of those numeric; `draw` adds the rest."""
        if any(symbol.endswith(("aggregate", "count", '"by"')) for symbol in rule.symbols):
            return 0.01
        if rule.name == "relational":
            numeric = any(symbol.endswith(("_number", "share")) for symbol in rule.symbols)
            return (4 if numeric else 1) * (0.3 if "at" in rule.symbols else 1)
        if rule.name == "constraint":
            is_display = '"display"' in rule.symbols or "RANK" in rule.symbols
            return 0.4 if is_display else 4.0 if "relational" in rule.symbols else 1.5
        return 1.0

    def draw(self) -> LogicalForm:
        """One form, a quarter of them summaries."""
        drawn = [
            quoted(self.random.choice(self.texts)) if token.startswith("TEXT#") else token
            for token in self.sampler.draw(self.random)
        ]
        lf = fold(from_tokens(drawn, self.world.catalogue), self._moved)
        if self.texts and self.random.random() < 0.3:
            lf = And((lf, self._searching()))
        if self.random.random() < 0.75:
            return lf
        parts = [lf, *self._summary()]
        self.random.shuffle(parts)
        return And(tuple(parts)) if len(parts) > 1 else lf

    def _searching(self) -> LogicalForm:
        """A text that a row contains, does not contain, or one of two."""
        one, other = (
            Relational(FieldRef(field), "CONTAINS", Text(self.random.choice(self.texts)))
            for field in self.random.choices(self.world.catalogue.lexicon.searched, k=2)
        )
        return self.random.choice((one, Not(one), Or((one, other)), Not(Or((one, other)))))

    def _moved(self, node: LogicalForm, below: Any) -> LogicalForm:
        match node:
            case Relational(FieldRef() as ref):
                node = replace(node, field=self._ref(ref))
                return replace(node, value=self._operand(node))
            case Relational(Ratio() | Change() as measure):
                return self._compared(self._measure(measure), node.op)
            case Rank(direction, count, FieldRef() | Ratio() | Change() as measure):
                count = None if self.random.random() < 0.2 else 1 + (count or 0) % 8
                return Rank(direction, count, self._measure(measure))
            case Display(measure, order):  # stores sort texts by rules of their own
                return Display(self._measure(measure), None if self._is_text(measure) else order)
            case Not():
                return Not(below[0])
            case And():
                return And(tuple(below))
            case Or():
                return Or(tuple(below))
        return self._some_bound()  # `draw` adds summaries to whole forms

    def _measure(self, given: Measure) -> Measure:
        """The measure with other times, or a ratio or a change in place of a field."""
        if isinstance(given, Ratio):
            return Ratio(self._ref(given.numerator), self._ref(given.denominator))
        ref = self._ref(given.field if isinstance(given, Change) else given)
        if ref.token not in self._numbers or (given == ref and self.random.random() < 0.7):
            return ref
        if self._history and self.years is not None and self.random.random() < 0.5:
            return Change(FieldRef(ref.token, ref.time or self._some_time()))
        return Ratio(ref, FieldRef(self._number_field()))

    def _some_bound(self) -> Relational:
        """A comparison of any numeric field."""
        ops: tuple[Op, ...] = ("EQ", "NEQ", "LS", "LE", "GR", "GE")
        of = self.random.choice(self._dates) if self._asks_dates() else self._number_field()
        bound = Relational(FieldRef(of), self.random.choice(ops), Number("1"))
        return replace(bound, value=self._operand(bound))

    def _asks_dates(self) -> bool:
        return bool(self._dates) and self.random.random() < 0.4

    def _moment(self) -> Any:
        """A time that a date is compared with; a year is a number."""
        time = self._some_time()
        return Number(str(time)) if isinstance(time, Year) else time

    def _some_time(self) -> Time:
        assert self.years is not None
        random, year = self.random, self.random.choice(self.years)
        units: tuple[Unit, ...] = ("DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
        month = random.randint(1, 12)
        times: list[Time] = [
            *(Year(year), Month(year, month), Date(year, month, 15), Quarter(1 + month % 4, year)),
            *(FiscalYear(year), Last(random.choice([None, 1, 2, 3]), random.choice(units))),
        ]
        return random.choice(times)

    def _is_text(self, measure: Measure) -> bool:
        return isinstance(measure, FieldRef) and measure.token in self._texts

    def _compared(self, measure: Measure, op: Op) -> Relational:
        """A comparison of a ratio or a change."""
        digits = f"{self.random.uniform(-2, 5):.1f}"
        if isinstance(measure, Change):
            return Relational(measure, op, Percent(f"{float(digits) * 30:.1f}"))
        if isinstance(measure, FieldRef):
            return Relational(measure, op, Number(digits))
        percent = self.random.random() < 0.5
        return Relational(measure, op, Percent(digits) if percent else Number(digits))

    def _summary(self) -> list[LogicalForm]:
        """Aggregates, groups, and ranks and filters of groups."""
        random = self.random
        parts: list[LogicalForm] = [self._aggregate() for _ in range(random.choice([0, 1, 1, 2]))]
        periods: list[Period] = ["QUARTER", "YEAR"] if self.years else []
        periods += [] if self._history or not periods else ["MONTH"]
        for _ in range(random.choice([0, 1, 1, 1, 2])):
            if periods and random.random() < 0.3:
                parts.append(Group(random.choice(periods)))
                periods = []
            else:
                parts.append(Group(FieldRef(random.choice(self._grouping))))
        if random.random() < 0.4:
            count = random.choice([None, 1, 2, 5])
            parts.append(Rank(random.choice(("top", "bottom")), count, self._aggregate()))
        if random.random() < 0.3:
            parts.append(self._bound())
        return parts or [Aggregate("count")]

    def _aggregate(self) -> Aggregate:
        if self.random.random() < 0.3:
            return Aggregate("count")
        if not self._history and self.random.random() < 0.3:
            return Aggregate("count", FieldRef(self.random.choice(self._grouping)))
        if self._asks_dates():
            return Aggregate(
                self.random.choice(("min", "max")), FieldRef(self.random.choice(self._dates))
            )
        return self._function_of(self._number_field())

    def _function_of(self, token: str) -> Aggregate:
        functions: tuple[Function, ...] = ("sum", "average", "median", "min", "max")
        if token in self._dates:
            functions = ("min", "max")
        return Aggregate(self.random.choice(functions), FieldRef(token))

    def _bound(self) -> Relational:
        ops: tuple[Op, ...] = ("LS", "LE", "GR", "GE")
        of, number = self._aggregate(), Number(f"{self.random.randint(0, 9)}.25")
        is_date = of.function != "count" and of.field and of.field.token in self._dates
        return Relational(of, self.random.choice(ops), self._moment() if is_date else number)

    def _number_field(self) -> str:
        return self.random.choice(self._numbers)

    def _ref(self, ref: FieldRef) -> FieldRef:
        if ref.time is None or self.years is None or not self._history:
            return FieldRef(ref.token)
        other = self.random.random() < 0.5
        return FieldRef(ref.token, self._some_time() if other else self._time(ref.time))

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
            case Text():
                return node.value
            case EnumValue(token):
                choices = catalogue.values_of(catalogue.values[token].type)[:40]
                near = EnumValue(self.random.choice(choices))
                return near if self.random.random() < 0.9 else node.value
        assert isinstance(node.field, FieldRef)
        token = node.field.token
        if not self._history and self.random.random() < 0.2:
            return self._function_of(token)
        if token in self._dates:
            return self._moment()
        if isinstance(node.value, Aggregate):
            return self._function_of(token)
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
