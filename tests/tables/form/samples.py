"""A small catalogue with real names, and strategies for logical forms over it or over any names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from hypothesis import strategies as st

from grammax.domains.eqs.schema import EQUITIES
from grammax.tables import lexicon as words
from grammax.tables.form.tree import (
    OPERATORS,
    Aggregate,
    And,
    Change,
    Date,
    Display,
    EnumValue,
    FieldRef,
    FiscalYear,
    Group,
    Last,
    LogicalForm,
    Month,
    Not,
    Number,
    Or,
    Percent,
    Quarter,
    Rank,
    Ratio,
    Relational,
    Year,
)
from grammax.tables.lexicon import EnumTokens, Lexicon, NumberTokens
from grammax.tables.schema import Schema


@dataclass(frozen=True, slots=True)
class Field:
    token: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    token: str
    type: str
    name: str
    parent: str | None = None


@dataclass(frozen=True)
class Catalogue:
    fields: dict[str, Field]
    values: dict[str, Value]
    units: dict[str, Value]
    schema: Schema = EQUITIES

    def descendants(self, token: str) -> tuple[str, ...]:
        below = [value.token for value in self.values.values() if value.parent == token]
        return (token, *(inner for one in below for inner in self.descendants(one)))

    @cached_property
    def lexicon(self) -> Lexicon:
        def fields(type_: str) -> tuple[str, ...]:
            return tuple(field.token for field in self.fields.values() if field.type == type_)

        def values(type_: str) -> tuple[str, ...]:
            return tuple(value.token for value in self.values.values() if value.type == type_)

        ordered = ("MOODY", "OUTLOOK")
        enums = {value.type: value.type in ordered for value in self.values.values()}
        return Lexicon(
            enums=tuple(EnumTokens(t, fields(t), values(t), o) for t, o in enums.items()),
            numbers=(
                NumberTokens("MONEY", fields("MONEY"), denominations=True, units=True),
                NumberTokens("PER_SHARE", fields("PER_SHARE"), denominations=True, units=True),
                NumberTokens("RATIO", fields("RATIO"), percentages=True),
                NumberTokens("PERCENT", fields("PERCENT"), percentages=True),
                NumberTokens("COUNT", fields("COUNT"), denominations=True),
            ),
            units=tuple(self.units),
        )


def _by_token(items):
    return {item.token: item for item in items}


CATALOGUE = Catalogue(
    fields=_by_token(
        Field(*row)
        for row in [
            ("FLD_DOMICILE", "COUNTRY", "Country of domicile"),
            ("FLD_COUNTRY_OF_RISK", "COUNTRY", "Country of risk"),
            ("FLD_EQS_SECTOR", "SECTOR", "Sector"),
            ("FLD_INDEX", "INDEX", "Index membership"),
            ("FLD_EXCHANGE", "EXCHANGE", "Exchange"),
            ("FLD_MOODY", "MOODY", "Moody's rating"),
            ("FLD_MKT_CAP", "MONEY", "Market cap"),
            ("FLD_SALES_REV_TURN", "MONEY", "Revenue"),
            ("FLD_TOTAL_ASSETS", "MONEY", "Total assets"),
            ("FLD_PRICE", "PER_SHARE", "Price"),
            ("FLD_EPS", "PER_SHARE", "EPS"),
            ("FLD_PE_RATIO", "RATIO", "P/E ratio"),
            ("FLD_PB_RATIO", "RATIO", "P/B ratio"),
            ("FLD_RETURN_ON_CAP", "PERCENT", "Return on capital"),
            ("FLD_EMPLOYEES", "COUNT", "Employees", ("number of employees",)),
            ("FLD_ISSUER", "ISSUER", "Company"),
            ("FLD_OUTLOOK", "OUTLOOK", "Moody's outlook"),
            ("FLD_SALES_GROWTH_1Y", "PERCENT", "Revenue growth, 1 year"),
        ]
    ),
    values=_by_token(
        Value(*row)
        for row in [
            ("COU_EUROPE", "COUNTRY", "Europe"),
            ("COU_WESTERN_EUROPE", "COUNTRY", "Western Europe", "COU_EUROPE"),
            ("COU_GERMANY", "COUNTRY", "Germany", "COU_WESTERN_EUROPE"),
            ("COU_FRANCE", "COUNTRY", "France", "COU_WESTERN_EUROPE"),
            ("COU_UNITED_STATES", "COUNTRY", "United States"),
            ("SEC_GICS_MATERIALS", "SECTOR", "Materials"),
            ("SEC_GICS_STEEL", "SECTOR", "Steel", "SEC_GICS_MATERIALS"),
            ("SEC_GICS_INFORMATION_TECHNOLOGY", "SECTOR", "Information Technology"),
            ("IDX_SP500", "INDEX", "S&P 500"),
            ("IDX_DAX", "INDEX", "DAX"),
            ("EXC_XNYS", "EXCHANGE", "New York Stock Exchange"),
            ("EXC_XETR", "EXCHANGE", "Xetra"),
            ("MDY_AAA", "MOODY", "Aaa"),
            ("MDY_BAA3", "MOODY", "Baa3"),
            ("ISS_APPLE", "ISSUER", "Apple Inc"),
            ("OUT_POSITIVE", "OUTLOOK", "Positive outlook"),
        ]
    ),
    units=_by_token(
        Value(f"CUR_{code}", "CURRENCY", name)
        for code, name in [("USD", "US Dollar"), ("EUR", "Euro"), ("CHF", "Swiss Franc")]
    ),
)

_years = st.integers(0, 9999)
_months = st.integers(1, 12)
times = st.one_of(
    st.builds(Year, _years),
    st.builds(Month, _years, _months),
    st.builds(Date, _years, _months, st.integers(0, 99)),
    st.builds(Quarter, st.integers(1, 4), _years),
    st.builds(FiscalYear, _years),
    st.builds(Last, st.none() | st.integers(0, 10**30), st.sampled_from(words.UNITS)),
)
_strange = st.sampled_from(["FDL_X", "Ä_1", "a,b", "COU_ÅLAND", "x'\"-.5", "日本", "FLD_", "_"])
_fields = st.sampled_from([*CATALOGUE.fields, "FLD_UNKNOWN"])
field_refs = st.builds(FieldRef, _fields | _strange, st.none() | times)
_digits = st.from_regex(r"-?[0-9]{1,12}(\.[0-9]{1,6})?", fullmatch=True)
operands = st.one_of(
    st.builds(EnumValue, st.sampled_from([*CATALOGUE.values, "CUR_USD"])),
    st.builds(EnumValue, _strange.filter(lambda name: not name.startswith("FLD_"))),
    st.builds(
        Number,
        _digits,
        st.none() | st.sampled_from(words.DENOMINATIONS),
        st.none() | st.sampled_from(["CUR_USD", "CUR_CHF", "CUR_XXX"]),
    ),
    st.builds(Percent, _digits, st.sampled_from(words.PERCENTAGES)),
    st.builds(FieldRef, _fields, st.none() | times),
)
measures = st.one_of(
    field_refs,
    st.builds(Ratio, field_refs, field_refs),
    st.builds(Change, st.builds(FieldRef, _fields | _strange, times)),
)
aggregates = st.one_of(
    st.just(Aggregate("count")),
    st.builds(Aggregate, st.sampled_from(words.AGGREGATES[1:]), field_refs),
)
groups = st.builds(Group, field_refs | st.sampled_from(words.PERIODS))
ranks = st.builds(
    Rank, st.sampled_from(words.RANKS), st.none() | st.integers(0, 10**30), measures | aggregates
)
atoms = st.one_of(
    st.builds(Relational, measures | aggregates, st.sampled_from(OPERATORS), operands),
    st.builds(Display, measures, st.none() | st.sampled_from(words.ORDERS)),
    ranks,
    aggregates,
    groups,
)


def compounds(parts: st.SearchStrategy[LogicalForm]) -> st.SearchStrategy[LogicalForm]:
    return st.one_of(
        st.builds(Not, parts),
        st.builds(And, st.lists(parts, min_size=2, max_size=4).map(tuple)),
        st.builds(Or, st.tuples(parts, parts)),
    )


logical_forms = st.recursive(atoms, compounds, max_leaves=8)


def nested_nots(count: int, last: LogicalForm) -> LogicalForm:
    for _ in range(count):
        last = Not(last)
    return last


def alternating(count: int, last: LogicalForm) -> LogicalForm:
    """AND and OR in turn, which no rule of simplification makes shallower."""
    for number in range(count):
        sibling = Relational(FieldRef("FLD_PRICE"), "GR", Number(str(number)))
        last = (Or if number % 2 else And)((sibling, last))
    return last
