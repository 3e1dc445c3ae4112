"""How each numeric field is computed from the quarterly series that a market stores.

A market stores base fundamentals quarter by quarter: flows (revenue) as amounts of the quarter,
everything else (price, debt, employees) as it stood at the quarter's end. All other fields are
formulas: ratios of base fields, and the variants of a field (growth, averages, per share). A
formula is evaluated at a moment by any `Algebra`: one builds a query, another computes in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias, TypeVar, final

from grammax.tables.query.moments import Moment

X = TypeVar("X")
YEAR: Final = 4  # quarters


@dataclass(frozen=True, slots=True)
class _Arithmetic:
    """Formulas are written with + - * /, as below in `DERIVED`."""

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
    """A stored series: its latest known value, or the sum of the last `quarters` of a flow."""

    column: str
    quarters: int = 1


@final
@dataclass(frozen=True, slots=True)
class Named(_Arithmetic):
    """Another field, by token without prefix."""

    name: str


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

    share: Formula


@final
@dataclass(frozen=True, slots=True)
class Growth(_Arithmetic):
    """Change over some quarters in percent; compound a year where it spans `years` of them."""

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


Formula: TypeAlias = Stored | Named | Operation | Percent | Growth | Change | Average


class Algebra(Protocol[X]):
    """What a formula is computed with; every operation on nothing known gives nothing known."""

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
        case Named(name):
            return at(named(name), moment)
        case Operation("+", left, right):
            return algebra.add(at(left, moment), at(right, moment))
        case Operation("-", left, right):
            return algebra.subtract(at(left, moment), at(right, moment))
        case Operation("*", left, right):
            return algebra.multiply(at(left, moment), at(right, moment))
        case Operation(_, left, right):
            return algebra.divide(at(left, moment), at(right, moment))
        case Percent(share):
            return algebra.multiply(at(share, moment), algebra.number(100))
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
