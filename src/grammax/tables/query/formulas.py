"""Formulas: compute numeric fields from series that are stored by quarter.

A series is either a flow, stored as the amount of each quarter (rent received), or a level, stored
as the value at the end of the quarter (rooms). Other fields are derived from these: ratios, growth,
averages. A domain defines them in `Derivations`. A formula is evaluated at a moment by an
`Algebra`: one builds a query, another computes in Python.

>>> Named("FLD_RENT") / Named("FLD_ROOMS")
Operation(sign='/', left=Named(token='FLD_RENT'), right=Named(token='FLD_ROOMS'))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias, TypeVar, final

from grammax.errors import VocabularyError
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.moments import Moment
from grammax.tables.query.source import column_name

X = TypeVar("X")
YEAR: Final = 4  # quarters


@dataclass(frozen=True, slots=True)
class _Arithmetic:
    """The operators + - * / of formulas."""

    def __add__(self, other: Formula) -> Formula:
        return Operation("+", self, other)  # type: ignore[arg-type]

    def __sub__(self, other: Formula) -> Formula:
        return Operation("-", self, other)  # type: ignore[arg-type]

    def __mul__(self, other: Formula) -> Formula:
        return Operation("*", self, other)  # type: ignore[arg-type]

    def __truediv__(self, other: Formula) -> Formula:
        return Operation("/", self, other)  # type: ignore[arg-type]


@final
@dataclass(frozen=True, slots=True)
class Stored(_Arithmetic):
    """A field's own series: its latest known value, or the sum of the last `quarters` of a flow."""

    token: str
    quarters: int = 1

    @property
    def column(self) -> str:
        """The column of the store that holds the series."""
        return column_name(self.token)


@final
@dataclass(frozen=True, slots=True)
class Named(_Arithmetic):
    """Another field."""

    token: str


@final
@dataclass(frozen=True, slots=True)
class Operation(_Arithmetic):
    """Arithmetic on two formulas; a division by zero has no value."""

    sign: Literal["+", "-", "*", "/"]
    left: Formula
    right: Formula


@final
@dataclass(frozen=True, slots=True)
class Percent(_Arithmetic):
    """A share as a percentage."""

    inner: Formula


@final
@dataclass(frozen=True, slots=True)
class Growth(_Arithmetic):
    """Change over some quarters in percent; annualised where it spans several `years`."""

    inner: Formula
    quarters: int
    years: int = 1


@final
@dataclass(frozen=True, slots=True)
class Change(_Arithmetic):
    """Difference from some quarters ago."""

    inner: Formula
    quarters: int


@final
@dataclass(frozen=True, slots=True)
class Average(_Arithmetic):
    """Mean of the values at the ends of the last years, of those that are known."""

    inner: Formula
    years: int


@final
@dataclass(frozen=True, slots=True)
class Quarterly(_Arithmetic):
    """A formula with the flows of one quarter in place of a year's."""

    inner: Formula


@final
@dataclass(frozen=True, slots=True)
class Trailing(_Arithmetic):
    """A formula whose flows are those of a year, also where a quarter is asked for."""

    inner: Formula


Formula: TypeAlias = (
    Stored | Named | Operation | Percent | Growth | Change | Average | Quarterly | Trailing
)


class Algebra(Protocol[X]):
    """The operations of formulas; an operation on an unknown value is unknown."""

    def stored(self, series: Stored, moment: Moment) -> X: ...
    def number(self, value: float) -> X: ...
    def add(self, a: X, b: X) -> X: ...
    def subtract(self, a: X, b: X) -> X: ...
    def multiply(self, a: X, b: X) -> X: ...
    def divide(self, a: X, b: X) -> X: ...
    def absolute(self, a: X) -> X: ...
    def root(self, a: X, degree: int) -> X: ...
    def mean(self, values: Sequence[X]) -> X: ...


def evaluate(
    named: Callable[[str], Formula], formula: Formula, moment: Moment, algebra: Algebra[X]
) -> X:
    """The value of a formula at a moment; `named` gives the formula of another field."""

    def at(inner: Formula, when: Moment) -> X:
        return evaluate(named, inner, when, algebra)

    match formula:
        case Stored():
            return algebra.stored(formula, moment)
        case Named(token):
            return at(named(token), moment)
        case Operation("+", left, right):
            return algebra.add(at(left, moment), at(right, moment))
        case Operation("-", left, right):
            return algebra.subtract(at(left, moment), at(right, moment))
        case Operation("*", left, right):
            return algebra.multiply(at(left, moment), at(right, moment))
        case Operation(_, left, right):
            return algebra.divide(at(left, moment), at(right, moment))
        case Quarterly(inner):
            return at(_of_one_quarter(inner, named), moment)
        case Trailing(inner):
            return at(inner, moment)
        case Percent(inner):
            return algebra.multiply(at(inner, moment), algebra.number(100))
        case Change(inner, quarters):
            return algebra.subtract(at(inner, moment), at(inner, moment.before(quarters)))
        case Growth(inner, quarters, 1):
            now, then = at(inner, moment), at(inner, moment.before(quarters))
            change = algebra.divide(algebra.subtract(now, then), algebra.absolute(then))
            return algebra.multiply(change, algebra.number(100))
        case Growth(inner, quarters, years):
            ratio = algebra.divide(at(inner, moment), at(inner, moment.before(quarters)))
            yearly = algebra.subtract(algebra.root(ratio, years), algebra.number(1))
            return algebra.multiply(yearly, algebra.number(100))
        case Average(inner, years):
            moments = [moment.before(YEAR * ago) for ago in range(years)]
            return algebra.mean([at(inner, when) for when in moments])


def _of_one_quarter(formula: Formula, named: Callable[[str], Formula]) -> Formula:
    match formula:
        case Stored(token):
            return Stored(token)
        case Named(token):
            return _of_one_quarter(named(token), named)
        case Operation(sign, left, right):
            parts = _of_one_quarter(left, named), _of_one_quarter(right, named)
            return Operation(sign, *parts)
        case Percent(inner):
            return Percent(_of_one_quarter(inner, named))
        case _:
            return formula


def _periods_in(formula: Formula, named: Callable[[str], Formula]) -> int | None:
    """The power of the period in a formula: 1 for an amount of a period, 0 for a level.

    None if it has none: a sum of a flow and a level, or a formula with a period of its own.
    """
    match formula:
        case Stored(_, quarters):
            return int(quarters > 1)
        case Named(token):
            return _periods_in(named(token), named)
        case Percent(inner):
            return _periods_in(inner, named)
        case Operation(sign, left, right):
            a, b = _periods_in(left, named), _periods_in(right, named)
            if a is None or b is None:
                return None
            if sign in "+-":
                return a if a == b else None
            return a + b if sign == "*" else a - b
        case _:
            return None


Variant: TypeAlias = Callable[[Named], Formula]
"""The formula of a derived field, given its base: its growth, its average, its share of another."""


@final
@dataclass(frozen=True, slots=True)
class Derivations:
    """The stored and the derived fields of a catalogue.

    `flows` are stored amounts of a period: their year is the sum of four quarters. `formulas` are
    the fields derived from others. `variants` are the formulas by which a catalogue derives fields
    from a base field; None marks a variant that is stored as a series.
    """

    flows: frozenset[str]
    formulas: Mapping[str, Formula]
    variants: Mapping[str, Variant | None]


class Formulas:
    """The formula of every numeric field of a catalogue."""

    def __init__(self, catalogue: Catalogue, derivations: Derivations) -> None:
        self._catalogue = catalogue
        self._derivations = derivations
        self._known: dict[str, Formula] = {}
        self._reads: dict[str, tuple[str, ...]] = {}

    def __getitem__(self, token: str) -> Formula:
        """The formula of a field, over stored series and other fields."""
        if token not in self._known:
            self._known[token] = self._make(token)
        return self._known[token]

    def value(self, token: str, moment: Moment, algebra: Algebra[X], of_quarter: bool = False) -> X:
        """A field at a moment; with `of_quarter`, an amount is that of the quarter alone."""
        formula = self[token]
        if of_quarter and self.is_amount(token):
            formula = Quarterly(formula)
        return evaluate(self.__getitem__, formula, moment, algebra)

    def is_amount(self, token: str) -> bool:
        """Whether the field is an amount of a period: a flow, or computed from flows alone.

        Only numbers with a unit are: a return on assets is a ratio, though it grows with the
        period.
        """
        field = self._catalogue.fields.get(token)
        if field is None or not self._catalogue.schema.number(field.type).units:
            return self.is_flow(token)
        return _periods_in(self[token], self.__getitem__) == 1

    def is_flow(self, token: str) -> bool:
        """Whether the field is an amount of a period: its year is the sum of four quarters."""
        return token in self._derivations.flows

    def reads(self, token: str) -> tuple[str, ...]:
        """The fields whose series the formula of a field reads, in the order of the formula."""
        found = self._reads.get(token)
        if found is None:
            found = self._reads[token] = tuple(self._series([token]))
        return found

    def stored(self) -> tuple[str, ...]:
        """The fields whose series a store needs for all numeric fields of the catalogue."""
        numeric = self._catalogue.schema.number_types
        fields = self._catalogue.fields.values()
        return tuple(sorted(self._series(f.token for f in fields if f.type in numeric)))

    def _series(self, tokens: Iterable[str]) -> dict[str, None]:
        found: dict[str, None] = {}
        waiting = [self[token] for token in tokens][::-1]
        seen: set[Formula] = set()
        while waiting:
            formula = waiting.pop()
            if formula in seen:
                continue
            seen.add(formula)
            match formula:
                case Stored(token):
                    found[token] = None
                case Named(token):
                    waiting.append(self[token])
                case Operation(_, left, right):
                    waiting += [right, left]
                case _:
                    waiting.append(formula.inner)
        return found

    def _make(self, token: str) -> Formula:
        if token in self._derivations.formulas:
            return self._derivations.formulas[token]
        field = self._catalogue.fields.get(token)
        if field and field.base and field.variant:
            vary = self._variant(field.variant, token)
            if vary is not None:
                return vary(Named(field.base))
        return Stored(token, YEAR if self.is_flow(token) else 1)

    def _variant(self, variant: str, token: str) -> Variant | None:
        try:
            return self._derivations.variants[variant]
        except KeyError:
            raise VocabularyError(f"{token} is a variant {variant}, which has no formula") from None
