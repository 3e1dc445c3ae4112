"""The formula of every numeric field of a catalogue: stored, derived, or a variant of another."""

from __future__ import annotations

from typing import Final, TypeVar

from grammax.domains.eqs.accounts import DERIVED, FLOWS
from grammax.errors import VocabularyError
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.formulas import (
    YEAR,
    Algebra,
    Average,
    Change,
    Formula,
    Growth,
    Named,
    Operation,
    Percent,
    Stored,
    evaluate,
)
from grammax.tables.query.moments import Moment

X = TypeVar("X")
PREFIX: Final = "FLD_"
NUMBER_TYPES: Final = ("MONEY", "PER_SHARE", "RATIO", "PERCENT", "COUNT")


class Formulas:
    """The formula of every numeric field of a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._fields = catalogue.fields
        self._known: dict[str, Formula] = {}

    def __getitem__(self, token: str) -> Formula:
        """The formula of a field, over stored series and other fields."""
        if token not in self._known:
            self._known[token] = self._make(token)
        return self._known[token]

    def named(self, name: str) -> Formula:
        """The formula of a field by token without prefix, as formulas name each other."""
        return self[PREFIX + name]

    def value(self, token: str, moment: Moment, algebra: Algebra[X]) -> X:
        """A field at a moment."""
        return evaluate(self.named, self[token], moment, algebra)

    def is_flow(self, token: str) -> bool:
        """Whether the field is an amount of a period: its year is the sum of four quarters."""
        return token.removeprefix(PREFIX) in FLOWS

    def stored(self) -> tuple[str, ...]:
        """The tokens of the fields that a market has to store, for all numeric fields."""
        found: dict[str, None] = {}
        waiting = [self[f.token] for f in self._fields.values() if f.type in NUMBER_TYPES]
        seen: set[Formula] = set()
        while waiting:
            formula = waiting.pop()
            if formula in seen:
                continue
            seen.add(formula)
            match formula:
                case Stored(column):
                    found[PREFIX + column.upper()] = None
                case Named(name):
                    waiting.append(self.named(name))
                case Operation(_, left, right):
                    waiting += [left, right]
                case Percent(inner) | Growth(inner) | Change(inner) | Average(inner):
                    waiting.append(inner)
        return tuple(sorted(found))

    def _make(self, token: str) -> Formula:
        name = token.removeprefix(PREFIX)
        if name in DERIVED:
            return DERIVED[name]
        field = self._fields.get(token)
        if field and field.base and field.variant and field.variant != "FORWARD":
            return self._variant(Named(field.base.removeprefix(PREFIX)), field.variant)
        return Stored(column_of(token), YEAR if self.is_flow(token) else 1)

    def _quarterly(self, formula: Formula) -> Formula:
        """The formula with flows of one quarter instead of a year."""
        match formula:
            case Stored(column):
                return Stored(column)
            case Named(name):
                return self._quarterly(self.named(name))
            case Operation(sign, left, right):
                return Operation(sign, self._quarterly(left), self._quarterly(right))
            case Percent(share):
                return Percent(self._quarterly(share))
            case _:
                return formula

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


def column_of(token: str) -> str:
    """The name of the column that stores a field."""
    return token.removeprefix(PREFIX).lower()
