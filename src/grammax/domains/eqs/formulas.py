"""How each numeric field is computed from the quarterly series that a market stores.

A market stores base fundamentals quarter by quarter: flows (revenue) as amounts of the quarter,
everything else (price, debt, employees) as it stood at the quarter's end. All other fields are
formulas: ratios of base fields, and the variants of a field (growth, averages, per share). A
formula is evaluated at a moment by any `Algebra`: one builds a query, another computes in Python.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias, TypeVar, final

from grammax.domains.eqs.catalogue import Catalogue, Field
from grammax.domains.eqs.moments import Moment
from grammax.errors import VocabularyError

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

_F = Named
_EV = _F("ENTERPRISE_VALUE")
_CAP = _F("MKT_CAP")

DERIVED: Final[Mapping[str, Formula]] = {
    "MKT_CAP": _F("PRICE") * _F("SHARES_OUT"),
    "NET_DEBT": _F("TOT_DEBT") - _F("CASH"),
    "NET_CASH": _F("CASH") - _F("TOT_DEBT"),
    "ENTERPRISE_VALUE": _CAP + _F("NET_DEBT"),
    "FREE_CASH_FLOW": _F("CF_OPER") - _F("CAPEX"),
    "WORKING_CAPITAL": _F("CURRENT_ASSETS") - _F("CURRENT_LIABILITIES"),
    "TOT_LIABILITIES": _F("TOT_ASSETS") - _F("TOT_EQUITY"),
    "TOT_CAPITAL": _F("TOT_DEBT") + _F("TOT_EQUITY"),
    "CAPITAL_EMPLOYED": _F("TOT_ASSETS") - _F("CURRENT_LIABILITIES"),
    "TANGIBLE_BOOK_VALUE": _F("TOT_EQUITY") - _F("INTANGIBLES"),
    "DOMESTIC_SALES": _F("SALES_REV_TURN") - _F("FOREIGN_SALES"),
    "PE_RATIO": _F("PRICE") / _F("EPS"),
    "PB_RATIO": _CAP / _F("TOT_EQUITY"),
    "PS_RATIO": _CAP / _F("SALES_REV_TURN"),
    "P_CF": _CAP / _F("CF_OPER"),
    "P_FCF": _CAP / _F("FREE_CASH_FLOW"),
    "P_TANG_BOOK": _CAP / _F("TANGIBLE_BOOK_VALUE"),
    "P_CASH": _CAP / _F("CASH"),
    "P_FFO": _CAP / _F("FFO"),
    "P_NAV": _CAP / _F("NET_ASSET_VALUE"),
    "EV_EBITDA": _EV / _F("EBITDA"),
    "EV_EBIT": _EV / _F("EBIT"),
    "EV_SALES": _EV / _F("SALES_REV_TURN"),
    "EV_FCF": _EV / _F("FREE_CASH_FLOW"),
    "EV_GROSS_PROFIT": _EV / _F("GROSS_PROFIT"),
    "EV_ASSETS": _EV / _F("TOT_ASSETS"),
    "EV_INVESTED_CAP": _EV / _F("INVESTED_CAPITAL"),
    "TOBIN_Q": _EV / _F("TOT_ASSETS"),
    "DEBT_TO_EQUITY": _F("TOT_DEBT") / _F("TOT_EQUITY"),
    "LT_DEBT_TO_EQUITY": _F("LT_DEBT") / _F("TOT_EQUITY"),
    "DEBT_TO_ASSETS": _F("TOT_DEBT") / _F("TOT_ASSETS"),
    "DEBT_TO_CAPITAL": _F("TOT_DEBT") / _F("TOT_CAPITAL"),
    "DEBT_EBITDA": _F("TOT_DEBT") / _F("EBITDA"),
    "DEBT_FCF": _F("TOT_DEBT") / _F("FREE_CASH_FLOW"),
    "NET_DEBT_EQUITY": _F("NET_DEBT") / _F("TOT_EQUITY"),
    "NET_DEBT_EBITDA": _F("NET_DEBT") / _F("EBITDA"),
    "CURRENT_RATIO": _F("CURRENT_ASSETS") / _F("CURRENT_LIABILITIES"),
    "QUICK_RATIO": (_F("CURRENT_ASSETS") - _F("INVENTORIES")) / _F("CURRENT_LIABILITIES"),
    "CASH_RATIO": _F("CASH") / _F("CURRENT_LIABILITIES"),
    "INTEREST_COVERAGE": _F("EBIT") / _F("INTEREST_EXPENSE"),
    "EBITDA_COVERAGE": _F("EBITDA") / _F("INTEREST_EXPENSE"),
    "OCF_TO_DEBT": _F("CF_OPER") / _F("TOT_DEBT"),
    "OCF_CURRENT_LIAB": _F("CF_OPER") / _F("CURRENT_LIABILITIES"),
    "FFO_TO_DEBT": _F("FFO") / _F("TOT_DEBT"),
    "FIN_LEVERAGE": _F("TOT_ASSETS") / _F("TOT_EQUITY"),
    "ASSET_TURNOVER": _F("SALES_REV_TURN") / _F("TOT_ASSETS"),
    "INVENTORY_TURNOVER": _F("COST_OF_REVENUE") / _F("INVENTORIES"),
    "RECEIVABLES_TURNOVER": _F("SALES_REV_TURN") / _F("RECEIVABLES"),
    "PAYABLES_TURNOVER": _F("COST_OF_REVENUE") / _F("PAYABLES"),
    "FIXED_ASSET_TURNOVER": _F("SALES_REV_TURN") / _F("PPE_NET"),
    "CAPEX_DEPREC": _F("CAPEX") / _F("DEPREC_AMORT"),
    "DIVIDEND_COVER": _F("EPS") / _F("DPS"),
    "LOAN_TO_DEPOSIT": _F("TOT_LOANS") / _F("TOT_DEPOSITS"),
    "REV_PER_EMPLOYEE": _F("SALES_REV_TURN") / _F("EMPLOYEES"),
    "PROFIT_PER_EMPLOYEE": _F("NET_INCOME") / _F("EMPLOYEES"),
    "DIVIDEND_YIELD": Percent(_F("DPS") / _F("PRICE")),
    "EARNINGS_YIELD": Percent(_F("EPS") / _F("PRICE")),
    "FCF_YIELD": Percent(_F("FREE_CASH_FLOW") / _CAP),
    "CASH_FLOW_YIELD": Percent(_F("CF_OPER") / _CAP),
    "BUYBACK_YIELD": Percent(_F("BUYBACKS") / _CAP),
    "SHAREHOLDER_YIELD": Percent((_F("DIVIDENDS_PAID") + _F("BUYBACKS")) / _CAP),
    "PAYOUT_RATIO": Percent(_F("DIVIDENDS_PAID") / _F("NET_INCOME")),
    "RETENTION_RATIO": Percent((_F("NET_INCOME") - _F("DIVIDENDS_PAID")) / _F("NET_INCOME")),
    "RETURN_ON_EQUITY": Percent(_F("NET_INCOME") / _F("TOT_EQUITY")),
    "RETURN_ON_TANG_EQUITY": Percent(_F("NET_INCOME") / _F("TANGIBLE_BOOK_VALUE")),
    "RETURN_ON_ASSETS": Percent(_F("NET_INCOME") / _F("TOT_ASSETS")),
    "RETURN_ON_CAP": Percent((_F("NET_INCOME") + _F("INTEREST_EXPENSE")) / _F("TOT_CAPITAL")),
    "ROIC": Percent((_F("EBIT") - _F("INCOME_TAX")) / _F("INVESTED_CAPITAL")),
    "ROCE": Percent(_F("EBIT") / _F("CAPITAL_EMPLOYED")),
    "CASH_ROIC": Percent(_F("FREE_CASH_FLOW") / _F("INVESTED_CAPITAL")),
    "EFFECTIVE_TAX_RATE": Percent(_F("INCOME_TAX") / _F("PRETAX_INCOME")),
    "COST_OF_DEBT": Percent(_F("INTEREST_EXPENSE") / _F("TOT_DEBT")),
    "ACCRUALS": Percent((_F("NET_INCOME") - _F("CF_OPER")) / _F("TOT_ASSETS")),
    "CASH_CONVERSION": Percent(_F("FREE_CASH_FLOW") / _F("NET_INCOME")),
    "GOODWILL_TO_EQUITY": Percent(_F("GOODWILL") / _F("TOT_EQUITY")),
    "NET_INTEREST_MARGIN": Percent(_F("NET_INTEREST_INCOME") / _F("TOT_ASSETS")),
    "NPL_RATIO": Percent(_F("NON_PERF_LOANS") / _F("TOT_LOANS")),
    "TIER1_RATIO": Percent(_F("TIER1_CAPITAL") / _F("RISK_WEIGHTED_ASSETS")),
    "LOSS_RATIO": Percent(_F("CLAIMS") / _F("PREMIUMS_EARNED")),
    "UPSIDE": Percent((_F("TARGET_PRICE") - _F("PRICE")) / _F("PRICE")),
    "FREE_FLOAT_PCT": Percent(_F("SHARES_FLOAT") / _F("SHARES_OUT")),
    "FREE_FLOAT_MKT_CAP": _F("PRICE") * _F("SHARES_FLOAT"),
    "SHORT_INTEREST_PCT": Percent(_F("SHORT_INTEREST") / _F("SHARES_FLOAT")),
    "SHORT_RATIO": _F("SHORT_INTEREST") / _F("AVG_VOLUME_30D"),
    "RETURN_3M": Growth(_F("PRICE"), 1),
    "RETURN_6M": Growth(_F("PRICE"), 2),
    "RETURN_1Y": Growth(_F("PRICE"), YEAR),
    "RETURN_2Y": Growth(_F("PRICE"), 2 * YEAR),
    "RETURN_3Y": Growth(_F("PRICE"), 3 * YEAR),
    "RETURN_5Y": Growth(_F("PRICE"), 5 * YEAR),
}
"""Fields that follow from others, by token without prefix."""


class Formulas:
    """The formula of every numeric field of a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._fields = catalogue.fields
        totals = {f.base for f in catalogue.fields.values() if f.variant == "TTM" and f.base}
        amounts = ("MONEY", "PER_SHARE")
        self._flows = {token for token in totals if catalogue.fields[token].type in amounts}
        self._known: dict[str, Formula] = {}

    def __getitem__(self, token: str) -> Formula:
        """The formula of a field, over stored series and other fields."""
        if token not in self._known:
            self._known[token] = self._make(self._fields[token])
        return self._known[token]

    def is_flow(self, token: str) -> bool:
        """Whether the field is an amount of a period: its year is the sum of four quarters."""
        return token in self._flows

    def stored(self) -> tuple[str, ...]:
        """The tokens of the fields that a market has to store."""
        numeric = [f.token for f in self._fields.values() if f.type in NUMBER_TYPES]
        return tuple(token for token in numeric if self._is_stored(token))

    def _is_stored(self, token: str) -> bool:
        formula = self[token]
        return isinstance(formula, Stored) and formula.column == column_of(token)

    def _quarterly(self, formula: Formula) -> Formula:
        """The formula with flows of one quarter instead of a year."""
        match formula:
            case Stored(column):
                return Stored(column)
            case Named(name):
                return self._quarterly(self[_PREFIX + name])
            case Operation(sign, left, right):
                return Operation(sign, self._quarterly(left), self._quarterly(right))
            case Percent(share):
                return Percent(self._quarterly(share))
            case _:
                return formula

    def _make(self, field: Field) -> Formula:
        name = field.token.removeprefix(_PREFIX)
        if name in DERIVED:
            return DERIVED[name]
        if field.base is not None and field.variant is not None and field.variant != "FORWARD":
            return self._variant(Named(field.base.removeprefix(_PREFIX)), field.variant)
        return Stored(column_of(field.token), YEAR if self.is_flow(field.token) else 1)

    def _variant(self, base: Named, variant: str) -> Formula:
        match variant:
            case "TTM":
                return base
            case "QUARTERLY":
                return self._quarterly(base)
            case "GROWTH_QOQ":
                return Growth(base, 1)
            case "GROWTH_1Y":
                return Growth(base, YEAR)
            case "GROWTH_3Y" | "GROWTH_5Y":
                years = int(variant[-2])
                return Growth(base, years * YEAR, years)
            case "AVG_3Y" | "AVG_5Y":
                return Average(base, int(variant[-2]))
            case "CHANGE_1Y":
                return Change(base, YEAR)
            case "PER_SHARE":
                return base / Named("SHARES_OUT")
            case "TO_SALES":
                return Percent(base / Named("SALES_REV_TURN"))
            case "TO_ASSETS":
                return Percent(base / Named("TOT_ASSETS"))
            case "FORWARD_GROWTH":
                forward = Named(f"{base.name}_FORWARD")
                return Percent((forward - base) / base)
        raise VocabularyError(f"the variant {variant} of {base.name} has no formula")


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


def evaluate(formulas: Formulas, formula: Formula, moment: Moment, algebra: Algebra[X]) -> X:
    """The value of a formula at a moment."""

    def at(inner: Formula, when: Moment) -> X:
        return evaluate(formulas, inner, when, algebra)

    match formula:
        case Stored():
            return algebra.stored(formula, moment)
        case Named(name):
            return at(formulas[_PREFIX + name], moment)
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


def column_of(token: str) -> str:
    """The name of the column that stores a field."""
    return token.removeprefix(_PREFIX).lower()


_PREFIX: Final = "FLD_"
NUMBER_TYPES: Final = ("MONEY", "PER_SHARE", "RATIO", "PERCENT", "COUNT")
