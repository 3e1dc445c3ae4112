"""Type checking: finds all type errors of a logical form.

The untyped grammar permits `(FLD_GENRE GE 2)`, as the paper's does; here it is an error, whose
message names the field, its type and the values that it admits. A logical form that the typed
grammar accepts is well typed, except that a number, a count or a date may be impossible, and that
an aggregate may stand where it cannot: what summarises rows (aggregates, their comparisons and
ranks, and groups) says something of the whole answer, so it stands in the outermost AND.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from grammax.tables import lexicon as words
from grammax.tables.form.cursor import TIMES
from grammax.tables.form.judgement import CatalogueView as CatalogueView
from grammax.tables.form.judgement import Code, NamedField
from grammax.tables.form.judgement import IllTyped as IllTyped
from grammax.tables.form.judgement import Judgement as Judgement
from grammax.tables.form.tree import (
    OPERATORS,
    Aggregate,
    Atom,
    Change,
    Date,
    Display,
    EnumValue,
    FieldRef,
    Group,
    Last,
    LogicalForm,
    Measure,
    Number,
    Percent,
    Rank,
    Ratio,
    Relational,
    Text,
    Time,
)
from grammax.tables.form.walk import placed
from grammax.tables.lexicon import EnumTokens, NumberTokens, TextTokens
from grammax.text import did_you_mean, nearest

LARGEST_COUNT: Final = 1_000_000_000
MOST_DIGITS: Final = 30
A_CENTURY: Final = {"DAY": 36_525, "WEEK": 5_218, "MONTH": 1_200, "QUARTER": 400, "YEAR": 100}
_SUGGESTIONS: Final = 10  # the search for a misspelt name among 56,209 takes a tenth of a second
_RATIO: Final = NumberTokens("ratio", (), percentages=True)
_CHANGE: Final = NumberTokens("change", (), percentages=True)
_COUNT: Final = NumberTokens("count", (), denominations=True)


def check(lf: LogicalForm, names: CatalogueView) -> tuple[Judgement, ...]:
    """All type errors of a logical form, in the order of its text."""
    judge = _Judge(names)
    for atom, is_outermost in placed(lf):
        judge.atom(atom, is_outermost)
    return tuple(judge.found)


def require_well_typed(lf: LogicalForm, names: CatalogueView) -> None:
    """Raise `IllTyped` if the logical form is ill-typed."""
    found = check(lf, names)
    if found:
        raise IllTyped(found)


def summarises(part: Atom) -> bool:
    """Whether a constraint is about groups of rows: an aggregate, a group, or a use of one.

    >>> from grammax.tables.form.text import read
    >>> summarises(read("(top 3 (count))")), summarises(read("(top 3 FLD_VOTES)"))
    (True, False)
    """
    return isinstance(part, Aggregate | Group) or isinstance(part.field, Aggregate)


@final
@dataclass(frozen=True, slots=True)
class _Typed:
    """The left side of a comparison and its type; None if a field in it is unknown."""

    text: str
    described: str
    type: EnumTokens | NumberTokens | TextTokens | None
    field: NamedField | None = None

    @property
    def is_ordered(self) -> bool:
        return True if isinstance(self.type, NumberTokens | None) else self.type.ordered


def _has_dates(typed: _Typed) -> bool:
    return isinstance(typed.type, NumberTokens) and typed.type.dates


class _Judge:
    """Collects judgements, one constraint after the other."""

    def __init__(self, names: CatalogueView) -> None:
        self._names = names
        self._types = {type_.name: type_ for type_ in names.lexicon.types}
        unit = names.schema.unit
        self._unit = "unit" if unit is None else unit.label
        self._suggested: dict[tuple[str, str], tuple[str, ...]] = {}
        self._period: str | None = None
        self._part: Atom
        self.found: list[Judgement] = []

    def atom(self, part: Atom, is_outermost: bool) -> None:
        self._part = part
        if summarises(part) and not is_outermost:
            message = f"{part} summarises the whole answer, so it cannot stand inside OR or NOT."
            hint = "Put it into the outermost AND, beside the constraints on rows."
            self._add("summary", message, hint, str(part))
        if isinstance(part, Group):
            self._group(part)
        elif isinstance(part, Aggregate):
            self._typed(part)
        elif isinstance(part, Rank):
            self._rank(part, self._typed(part.field))
        elif isinstance(part, Display):
            self._typed(part.field)
        else:
            self._relational(part, self._typed(part.field))

    def _typed(self, given: Measure | Aggregate) -> _Typed | None:
        """The type of what is compared, ranked or shown; its fields are checked, too."""
        if isinstance(given, FieldRef):
            return self._field(given)
        if isinstance(given, Ratio):
            for ref in (given.numerator, given.denominator):
                self._numeric(ref, "ratio divides numbers")
            return _Typed(str(given), f"{given} is a ratio", _RATIO)
        if isinstance(given, Change):
            self._numeric(given.field, "change compares numbers")
            return _Typed(str(given), f"{given} is a change in percent", _CHANGE)
        if given.field is None:
            return _Typed(str(given), f"{given} is a number of rows", _COUNT)
        if given.function == words.COUNT:
            return self._distinct(given, given.field)
        inner = self._numeric(given.field, f"{given.function} needs numbers")
        if inner is None:
            return None
        type_ = self._types[inner.type]
        if isinstance(type_, NumberTokens) and type_.dates and given.function not in words.EXTREMES:
            message = f"{given.function} needs numbers, and {inner.token} has dates."
            self._add("measure", message, f"Permitted: {' or '.join(words.EXTREMES)}.", str(given))
        return _Typed(str(given), f"{given} is of the type {inner.type}", self._types[inner.type])

    def _distinct(self, given: Aggregate, ref: FieldRef) -> _Typed | None:
        """The number of different values of a field."""
        self._field(ref)
        if self._names.lexicon.history:
            message = f"{words.COUNT} counts rows here, and takes no field."
            self._add("measure", message, f"Write ({words.COUNT}).", str(given))
        return _Typed(str(given), f"{given} is a number of values", _COUNT)

    def _numeric(self, ref: FieldRef, needs: str) -> NamedField | None:
        """The field, if it exists and is numeric."""
        typed = self._field(ref)
        if typed is None or isinstance(typed.type, NumberTokens):
            return typed and typed.field
        message = f"{needs}, and {typed.described}."
        self._add("measure", message, f"Permitted: {self._some_numbers()}.", ref.token)
        return None

    def _field(self, ref: FieldRef) -> _Typed | None:
        """The field of a reference, if it exists; its time is checked, too."""
        if ref.time is not None:
            self._time(ref.time)
            if not self._names.lexicon.history:
                message = f"{ref.token} has no values of other times."
                self._add("time", message, f"Write {ref.token} alone.", str(ref))
        field = self._names.fields.get(ref.token)
        if field is not None:
            described = f"{field.token} ({field.name}) is of the type {field.type}"
            return _Typed(field.token, described, self._types.get(field.type), field)
        close = self._nearest(ref.token, "fields", self._names.fields)
        hint = (
            did_you_mean(close, sentence=True)
            or "Fields are looked up by what they mean with `grammax catalogue search`."
        )
        self._add("unknown-field", f"There is no field {ref.token}.", hint, ref.token, close)
        return None

    def _time(self, time: Time) -> None:
        if isinstance(time, Last):
            most = A_CENTURY[time.unit]
            least = 1 if self._names.lexicon.history else 0  # the current period
            if time.count is not None and not least <= time.count <= most:
                message = f"LAST {str(time.count)[:40]} {time.unit} is not a possible span of time."
                self._add(
                    "time", message, f"Permitted: {least} to {most:,} {time.unit}.", str(time)
                )
        elif time.year == 0 or (isinstance(time, Date) and time.calendar_day is None):
            self._add(
                "time", f"{time} is not in the calendar.", "Give a day that exists.", str(time)
            )

    def _group(self, part: Group) -> None:
        if isinstance(part.field, str):
            if self._period not in (None, part.field):
                message = f"Rows are grouped by {self._period} already, not by {part.field}, too."
                self._add("group", message, "Keep one of the periods.", part.field)
            self._period = self._period or part.field
            return
        typed = self._field(part.field)
        if part.field.time is not None:
            message = f"Groups are those of the latest values, and {part.field} has a time."
            self._add("time", message, f"Write (by {part.field.token}).", str(part.field))
        history = self._names.lexicon.history
        if history and typed is not None and isinstance(typed.type, NumberTokens):
            message = f"by needs a field with named values, and {typed.described}."
            fields = [field for enum in self._names.lexicon.enums for field in enum.fields]
            hint = f"Permitted: fields such as {', '.join(fields[:3])}, or MONTH, QUARTER, YEAR."
            self._add("group", message, hint, part.field.token)

    def _rank(self, part: Rank, typed: _Typed | None) -> None:
        if part.count is not None and not 1 <= part.count <= LARGEST_COUNT:
            message = f"{part.direction} {str(part.count)[:40]} is not a possible number of rows."
            self._add("count", message, f"Permitted: 1 to {LARGEST_COUNT:,}.", str(part.count))
        if typed is not None and not typed.is_ordered:
            message = f"{part.direction} needs an order, and {typed.described}, which has none."
            hint = "Rank by a number or by a field with an ordered scale."
            self._add("rank", message, hint, typed.text)

    def _relational(self, part: Relational, typed: _Typed | None) -> None:
        if typed is not None and part.op in words.COMPARISON and not typed.is_ordered:
            message = f"{part.op} needs an order, and {typed.described}, which has none."
            self._add("operator", message, self._admits(typed), part.op)
        if part.op == words.CONTAINS:
            self._searched(part, typed)
            return
        if typed is not None and isinstance(typed.type, TextTokens):
            message = f"{part.op} compares values, and {typed.described}, a text."
            self._add("operator", message, self._admits(typed), part.op)
            return
        value = part.value
        if isinstance(value, EnumValue):
            self._enum_value(value, typed)
        elif isinstance(value, FieldRef | Aggregate):
            other = self._typed(value)
            if typed is not None and other is not None:
                self._compared(typed, other)
        elif isinstance(value, Number) and typed is not None and _has_dates(typed):
            self._year(value, typed)
        elif not isinstance(value, Number | Percent):
            assert not isinstance(value, Text), "a text follows CONTAINS alone"
            self._moment(value, typed)
        else:
            self._amount(value, typed)

    def _searched(self, part: Relational, typed: _Typed | None) -> None:
        """Only fields of texts are searched, and of these not all."""
        if typed is None or typed.text in self._names.lexicon.searched:
            return
        message = f"{part.op} searches texts, and {typed.described}."
        self._add("operator", message, self._admits(typed), part.op)

    def _amount(self, value: Number | Percent, typed: _Typed | None) -> None:
        self._digits(value)
        if typed is not None and isinstance(typed.type, EnumTokens):
            message = f"{str(value)[:40]} is a number, and {typed.described}."
            self._add("value-type", message, self._admits(typed), str(value))
        elif typed is not None and isinstance(typed.type, NumberTokens):
            self._units(value, typed, typed.type)
        if isinstance(value, Number) and value.unit:
            self._known_unit(value.unit)

    def _enum_value(self, value: EnumValue, typed: _Typed | None) -> None:
        token = value.token
        known = self._names.values.get(token) or self._names.units.get(token)
        type_ = None if typed is None else typed.type
        alike = type_.values if isinstance(type_, EnumTokens) else ()
        if known is None:
            close = self._nearest(token, type_.name, alike) if type_ else ()
            close = close or self._nearest(token, "values", self._names.values)
            message = f"There is no value {token}."
        elif typed is None or (typed.field is not None and typed.field.type == known.type):
            return
        else:
            close = self._nearest(token, type_.name if type_ else "", alike)
            message = f"{token} ({known.name}) is of the type {known.type}, and {typed.described}."
        admits = "" if typed is None else self._admits(typed)
        hint = f"{did_you_mean(close, sentence=True)} {admits}".strip()
        self._add("unknown-value" if known is None else "value-type", message, hint, token, close)

    def _year(self, value: Number, typed: _Typed) -> None:
        """A number that a date is compared with must be a year."""
        if not (value.digits.isdecimal() and len(value.digits) == 4) or str(value) != value.digits:
            message = f"{str(value)[:40]} is a number, and {typed.described}."
            self._add("value-type", message, self._admits(typed), str(value))

    def _moment(self, value: Time, typed: _Typed | None) -> None:
        self._time(value)
        if typed is not None and not _has_dates(typed):
            message = f"{value} is a time, and {typed.described}."
            self._add("value-type", message, self._admits(typed), str(value))

    def _compared(self, typed: _Typed, other: _Typed) -> None:
        if typed.field is None or isinstance(typed.type, EnumTokens):
            what = "a field" if other.field else "an aggregate"
            message = f"{other.text} is {what}, and {typed.described}."
            self._add("value-type", message, self._admits(typed), other.text)
        elif other.type is not typed.type:
            message = f"{other.described}, and {typed.described}."
            self._add("value-type", message, self._admits(typed), other.text)

    def _units(self, value: Number | Percent, typed: _Typed, type_: NumberTokens) -> None:
        given: list[tuple[str | None, bool]]
        if isinstance(value, Percent):
            given = [(value.unit, type_.percentages)]
        else:
            given = [(value.denomination, type_.denominations), (value.unit, type_.units)]
        for unit, permitted in given:
            if unit and not permitted:
                message = f"{unit} cannot follow the number, for {typed.described}."
                self._add("unit", message, self._admits(typed), unit)

    def _known_unit(self, token: str) -> None:
        if token not in self._names.units:
            close = self._nearest(token, "units", self._names.units)
            some = ", ".join(list(self._names.units)[:3])
            hint = did_you_mean(close, sentence=True) or (
                f"Permitted: {some} ..." if some else "Leave it out."
            )
            self._add("unknown-unit", f"There is no {self._unit} {token}.", hint, token, close)

    def _digits(self, value: Number | Percent) -> None:
        count = sum(character.isdigit() for character in value.digits)
        if count > MOST_DIGITS:
            message = f"{value.digits[:20]}... is a number of {count:,} digits."
            self._add("number", message, f"Permitted: up to {MOST_DIGITS} digits.", value.digits)

    def _admits(self, typed: _Typed) -> str:
        """The operators and values that a field, ratio, change or aggregate admits."""
        if isinstance(typed.type, TextTokens):
            shown = f"Texts are shown: (display {typed.text})"
            searched = typed.text in self._names.lexicon.searched
            also = f', or searched: ({typed.text} {words.CONTAINS} "star")' if searched else ""
            return f"{shown}{also}."
        operators = OPERATORS if typed.is_ordered else words.EQUALITY
        admits = f"{typed.text} admits {', '.join(operators)} with"
        if _has_dates(typed):
            return f"{admits} {TIMES}."
        if isinstance(typed.type, EnumTokens):
            examples = ", ".join(typed.type.values[:3])
            return f"{admits} a value of the type {typed.type.name}, such as {examples}."
        units = []
        if isinstance(typed.type, NumberTokens):
            scales = f"{words.DENOMINATIONS[0]} to {words.DENOMINATIONS[-1]}"
            units += [scales] * typed.type.denominations
            units += [f"a {self._unit}"] * typed.type.units
            units += [" or ".join(words.PERCENTAGES)] * typed.type.percentages
        after = f" (then, if need be, {' and '.join(units)})" if units else ""
        field = f" or a field of the type {typed.field.type}" if typed.field else ""
        return f"{admits} a number{after}{field}."

    def _some_numbers(self) -> str:
        fields = [field for number in self._names.lexicon.numbers for field in number.fields]
        return f"numeric fields such as {', '.join(fields[:3])}" if fields else "numeric fields"

    def _nearest(self, given: str, where: str, choices: Iterable[str]) -> tuple[str, ...]:
        key = (given, where)
        if key not in self._suggested and len(self._suggested) < _SUGGESTIONS:
            self._suggested[key] = nearest(given, choices)
        return self._suggested.get(key, ())

    def _add(
        self, code: Code, message: str, hint: str, given: str, close: tuple[str, ...] = ()
    ) -> None:
        self.found.append(Judgement(code, message, hint, self._part, given, close))
