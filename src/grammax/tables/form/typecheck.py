"""Type checking: finds all type errors of a logical form.

The untyped grammar permits `(FLD_GENRE GE 2)`, as the paper's does; here it is an error, whose
message names the field, its type and the values that it admits. A logical form that the typed
grammar accepts is well typed, except that a number, a count or a date may be impossible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, final

from grammax.tables import lexicon as words
from grammax.tables.form.tree import (
    OPERATORS,
    Atom,
    Date,
    Display,
    EnumValue,
    FieldRef,
    Last,
    LogicalForm,
    LogicalFormError,
    Number,
    Percent,
    Rank,
    Relational,
    Time,
)
from grammax.tables.form.walk import walk
from grammax.tables.lexicon import EnumTokens, Lexicon, NumberTokens
from grammax.tables.schema import Schema
from grammax.text import did_you_mean, nearest


class NamedValue(Protocol):
    """An enum value or a unit."""

    @property
    def token(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def name(self) -> str: ...


class NamedField(NamedValue, Protocol):
    """A field: its type is the name of an enum type or of a number type of the lexicon."""

    @property
    def aliases(self) -> Sequence[str]: ...


class CatalogueView(Protocol):
    """The view of a catalogue that type checking and paraphrasing use."""

    @property
    def fields(self) -> Mapping[str, NamedField]: ...
    @property
    def values(self) -> Mapping[str, NamedValue]: ...
    @property
    def units(self) -> Mapping[str, NamedValue]: ...
    @property
    def lexicon(self) -> Lexicon: ...
    @property
    def schema(self) -> Schema: ...

    def descendants(self, token: str) -> Iterable[str]:
        """The values that lie within one: the countries of Western Europe."""


Code = Literal[
    "unknown-field", "unknown-value", "unknown-unit", "operator", "value-type", "unit",
    "rank", "count", "time", "number",
]  # fmt: skip

LARGEST_COUNT: Final = 1_000_000_000
MOST_DIGITS: Final = 30
A_CENTURY: Final = {"DAY": 36_525, "WEEK": 5_218, "MONTH": 1_200, "QUARTER": 400, "YEAR": 100}
_SHOWN: Final = 20
_SUGGESTIONS: Final = 10  # the search for a misspelt name among 56,209 takes a tenth of a second


@final
@dataclass(frozen=True, slots=True)
class Judgement:
    """A type error: the constraint, the words in it, and what is permitted."""

    code: Code
    message: str
    hint: str
    part: Atom
    given: str
    nearest: tuple[str, ...] = ()

    def __str__(self) -> str:
        text, given = str(self.part), self.given
        if len(text) > 160:
            return f"{self.message}\n    {text[:160]} ...\n{self.hint}"
        found = re.search(rf"(?<![^\s()]){re.escape(given)}(?![^\s()])", text)
        marks = " " * (found.start() if found else 0) + "^" * len(given)
        return f"{self.message}\n    {text}\n    {marks}\n{self.hint}"


class IllTyped(LogicalFormError):
    """A logical form that is grammatical but ill-typed; `judgements` holds every reason."""

    def __init__(self, judgements: Iterable[Judgement]) -> None:
        self.judgements: tuple[Judgement, ...] = tuple(judgements)
        shown = [str(judgement) for judgement in self.judgements[:_SHOWN]]
        if len(self.judgements) > _SHOWN:
            shown.append(f"... and {len(self.judgements) - _SHOWN} more")
        super().__init__("\n\n".join(shown))

    def __reduce__(self) -> tuple[type[IllTyped], tuple[tuple[Judgement, ...]]]:
        return IllTyped, (self.judgements,)


def check(lf: LogicalForm, names: CatalogueView) -> tuple[Judgement, ...]:
    """All type errors of a logical form, in the order of its text."""
    judge = _Judge(names)
    for part in walk(lf):
        if isinstance(part, Relational | Rank | Display):
            judge.atom(part)
    return tuple(judge.found)


def require_well_typed(lf: LogicalForm, names: CatalogueView) -> None:
    """Raise `IllTyped` if the logical form is ill-typed."""
    found = check(lf, names)
    if found:
        raise IllTyped(found)


class _Judge:
    """Collects judgements, one constraint after the other."""

    def __init__(self, names: CatalogueView) -> None:
        lexicon = names.lexicon
        self._names = names
        types: list[EnumTokens | NumberTokens] = [*lexicon.enums, *lexicon.numbers]
        self._types = {type_.name: type_ for type_ in types}
        unit = names.schema.unit
        self._unit = "unit" if unit is None else unit.label
        self._suggested: dict[tuple[str, str], tuple[str, ...]] = {}
        self._part: Atom
        self.found: list[Judgement] = []

    def atom(self, part: Atom) -> None:
        self._part = part
        field = self._field(part.field)
        if isinstance(part, Rank):
            self._rank(part, field)
        elif isinstance(part, Relational):
            self._relational(part, field)

    def _field(self, ref: FieldRef) -> NamedField | None:
        """The field of a reference, if it exists; its time is checked, too."""
        if ref.time is not None:
            self._time(ref.time)
        field = self._names.fields.get(ref.token)
        if field is None:
            close = self._nearest(ref.token, "fields", self._names.fields)
            hint = (
                did_you_mean(close, sentence=True)
                or "Fields are looked up by what they mean with `grammax catalogue search`."
            )
            self._add("unknown-field", f"There is no field {ref.token}.", hint, ref.token, close)
        return field

    def _time(self, time: Time) -> None:
        if isinstance(time, Last):
            most = A_CENTURY[time.unit]
            if time.count is not None and not 1 <= time.count <= most:
                message = f"LAST {str(time.count)[:40]} {time.unit} is not a possible span of time."
                self._add("time", message, f"Permitted: 1 to {most:,} {time.unit}.", str(time))
        elif time.year == 0 or (isinstance(time, Date) and time.calendar_day is None):
            self._add(
                "time", f"{time} is not in the calendar.", "Give a day that exists.", str(time)
            )

    def _rank(self, part: Rank, field: NamedField | None) -> None:
        if not 1 <= part.count <= LARGEST_COUNT:
            message = f"{part.direction} {str(part.count)[:40]} is not a possible number of rows."
            self._add("count", message, f"Permitted: 1 to {LARGEST_COUNT:,}.", str(part.count))
        if field is not None and not self._is_ordered(field):
            message = f"{part.direction} needs an order, and {_described(field)}, which has none."
            self._add(
                "rank",
                message,
                "Rank by a number or by a field with an ordered scale.",
                field.token,
            )

    def _relational(self, part: Relational, field: NamedField | None) -> None:
        type_ = None if field is None else self._types.get(field.type)
        if field is not None and part.op in words.COMPARISON and not self._is_ordered(field):
            message = f"{part.op} needs an order, and {_described(field)}, which has none."
            self._add("operator", message, self._admits(field), part.op)
        value = part.value
        if isinstance(value, EnumValue):
            self._enum_value(value, field)
        elif isinstance(value, FieldRef):
            other = self._field(value)
            if field is not None and other is not None:
                self._compared(field, other)
        else:
            self._digits(value)
            if isinstance(type_, EnumTokens) and field is not None:
                message = f"{str(value)[:40]} is a number, and {_described(field)}."
                self._add("value-type", message, self._admits(field), str(value))
            elif isinstance(type_, NumberTokens) and field is not None:
                self._units(value, field, type_)
            if isinstance(value, Number) and value.unit:
                self._known_unit(value.unit)

    def _enum_value(self, value: EnumValue, field: NamedField | None) -> None:
        token = value.token
        admits = "" if field is None else self._admits(field)
        known = self._names.values.get(token) or self._names.units.get(token)
        type_ = None if field is None else self._types.get(field.type)
        alike = type_.values if isinstance(type_, EnumTokens) else ()
        if known is None:
            close = self._nearest(token, type_.name, alike) if type_ else ()
            close = close or self._nearest(token, "values", self._names.values)
            hint = f"{did_you_mean(close, sentence=True)} {admits}".strip()
            self._add("unknown-value", f"There is no value {token}.", hint, token, close)
        elif field is not None and known.type != field.type:
            close = self._nearest(token, field.type, alike)
            message = (
                f"{token} ({known.name}) is of the type {known.type}, and {_described(field)}."
            )
            hint = f"{did_you_mean(close, sentence=True)} {admits}".strip()
            self._add("value-type", message, hint, token, close)

    def _compared(self, field: NamedField, other: NamedField) -> None:
        if isinstance(self._types.get(field.type), EnumTokens):
            message = f"{other.token} is a field, and {_described(field)}."
            self._add("value-type", message, self._admits(field), other.token)
        elif other.type != field.type:
            message = f"{_described(other)}, and {_described(field)}."
            self._add("value-type", message, self._admits(field), other.token)

    def _units(self, value: Number | Percent, field: NamedField, type_: NumberTokens) -> None:
        given: list[tuple[str | None, bool]]
        if isinstance(value, Percent):
            given = [(value.unit, type_.percentages)]
        else:
            given = [(value.denomination, type_.denominations), (value.unit, type_.units)]
        for unit, permitted in given:
            if unit and not permitted:
                message = f"{unit} cannot follow the number, for {_described(field)}."
                self._add("unit", message, self._admits(field), unit)

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

    def _is_ordered(self, field: NamedField) -> bool:
        type_ = self._types.get(field.type)
        return type_.ordered if isinstance(type_, EnumTokens) else True

    def _admits(self, field: NamedField) -> str:
        """The operators and values that a field admits, in a sentence."""
        operators = OPERATORS if self._is_ordered(field) else words.EQUALITY
        admits = f"{field.token} admits {', '.join(operators)} with"
        type_ = self._types.get(field.type)
        if isinstance(type_, EnumTokens):
            examples = ", ".join(type_.values[:3])
            return f"{admits} a value of the type {type_.name}, such as {examples}."
        units = []
        if isinstance(type_, NumberTokens):
            units += [
                f"{words.DENOMINATIONS[0]} to {words.DENOMINATIONS[-1]}"
            ] * type_.denominations
            units += [f"a {self._unit}"] * type_.units
            units += [" or ".join(words.PERCENTAGES)] * type_.percentages
        after = f" (then, if need be, {' and '.join(units)})" if units else ""
        return f"{admits} a number{after} or a field of the type {field.type}."

    def _nearest(self, given: str, where: str, choices: Iterable[str]) -> tuple[str, ...]:
        key = (given, where)
        if key not in self._suggested and len(self._suggested) < _SUGGESTIONS:
            self._suggested[key] = nearest(given, choices)
        return self._suggested.get(key, ())

    def _add(
        self, code: Code, message: str, hint: str, given: str, close: tuple[str, ...] = ()
    ) -> None:
        self.found.append(Judgement(code, message, hint, self._part, given, close))


def _described(field: NamedField) -> str:
    return f"{field.token} ({field.name}) is of the type {field.type}"
