"""A mapping → the tables that queries are made of, as Ibis expressions over the user's own."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from functools import reduce
from typing import Any, Final, TypeAlias, final

import ibis

from grammax.domains.eqs.market.file import MarketError
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.columns import DOLLARS
from grammax.tables.query.field_formulas import Formulas, column_of
from grammax.tables.query.formulas import YEAR, Formula, Stored
from grammax.tables.query.mapping import MappingError, MarketMapping
from grammax.tables.query.run import Runner
from grammax.tables.query.sources import Needs
from grammax.tables.query.translate import Tables

Table: TypeAlias = Any
Value: TypeAlias = Any
_PREFIX: Final = "CUR_"


def connect_url(mapping: MarketMapping) -> Any:
    """The Ibis connection of a mapping's URL; a DuckDB file is opened read-only."""
    options = {"read_only": True} if mapping.url.startswith("duckdb:") else {}
    try:
        return ibis.connect(mapping.url, **options)
    except Exception as error:
        reason = str(error).partition("\n")[0]
        scheme = mapping.url.partition(":")[0]
        raise MarketError(
            f"{mapping.path} names a store that cannot be reached ({scheme}): {reason}\n"
            f"Check url; the driver may be missing: pip install 'ibis-framework[{scheme}]'."
        ) from error


def try_tables(mapping: MarketMapping, runner: Runner, seconds: float) -> None:
    """Reads no row of every table, so that a name that is not there is told of at once."""
    problems = []
    for name, columns in _all_columns(mapping).items():
        try:
            table = _table(name, dict.fromkeys(columns, "string"))
            named = {f"column_{i}": table[column] for i, column in enumerate(columns)}
            runner.run(runner.compile(table.select(**named).limit(0)), seconds)
        except MarketError as error:
            problems.append(f"{name}: {error}")
    if problems:
        runner.close()
        raise MappingError(mapping.path, problems)


def _all_columns(mapping: MarketMapping) -> dict[str, list[str]]:
    """Every column that the mapping names, by table."""
    found: dict[str, list[str]] = {}
    for place in mapping.fields.values():
        source = mapping.tables[place.table]
        dated = [source.date] if source.date else []
        found.setdefault(place.table, [source.key, *dated]).append(place.column)
    for section in (mapping.equity, mapping.rates):
        if section is not None:
            columns = [column for key, column in section.items() if key != "table"]
            found.setdefault(section["table"], []).extend(columns)
    return found


@final
class MappedFormulas(Formulas):
    """Formulas that take a field as stored where the mapping has a column for it."""

    def __init__(self, catalogue: Catalogue, mapping: MarketMapping) -> None:
        super().__init__(catalogue)
        self._mapping = mapping

    def __getitem__(self, token: str) -> Formula:
        place = self._mapping.fields.get(token)
        if place is None:
            return super().__getitem__(token)
        quarterly = self._mapping.tables[place.table].period == "quarter"
        return Stored(column_of(token), YEAR if quarterly and self.is_flow(token) else 1)


@final
class MappedTables:
    """Tables of the shape that queries expect, made from the user's as far as a query needs."""

    def __init__(self, mapping: MarketMapping, catalogue: Catalogue) -> None:
        self.formulas: Formulas = MappedFormulas(catalogue, mapping)
        self.today: datetime.date = mapping.today
        self._mapping = mapping

    def tables(self, needs: Needs) -> Tables:
        self._require_mapped(needs)
        return Tables(
            equity=self._equity(needs.enums),
            membership=self._membership(needs.several),
            fundamental=self._fundamental(needs.columns),
            exchange_rate=self._rates(),
            today=self.today,
        )

    def _require_mapped(self, needs: Needs) -> None:
        fields = self._mapping.fields
        enums = (*needs.enums, *needs.several)
        missing: dict[str, tuple[str, ...]] = {t: (t,) for t in enums if t not in fields}
        for token, columns in needs.numbers.items():
            absent = tuple(t for t in (f"FLD_{c.upper()}" for c in columns) if t not in fields)
            missing |= {token: absent} if absent else {}
        if missing:
            lines = [
                f"    {token}" + ("" if of == (token,) else f" is computed from {', '.join(of)}")
                for token, of in missing.items()
            ]
            raise MarketError(
                f"{self._mapping.path} does not map what this query needs:\n"
                + "\n".join(lines)
                + '\nAdd a line under [fields], such as FLD_PRICE = "table.column".'
            )
        if needs.currencies and self._mapping.rates is None:
            raise MarketError(
                f"{self._mapping.path} has no [exchange_rates], so amounts in "
                f"{', '.join(needs.currencies)} cannot be compared.\nAdd them, or ask in CUR_USD."
            )

    def _equity(self, enums: Iterable[str]) -> Table:
        m = self._mapping.equity
        home = {t: p.column for t, p in self._places(enums).items() if p.table == m["table"]}
        columns = dict.fromkeys([m["key"], m["ticker"], m["name"], *home.values()], "string")
        base = _table(m["table"], columns)
        found = {"id": base[m["key"]], "ticker": base[m["ticker"]], "name": base[m["name"]]}
        found |= {column_of(t): self._tokens(t, base[column]) for t, column in home.items()}
        equity = base.select(**found)
        for token, place in self._places(enums).items():
            if token not in home:
                key = self._mapping.tables[place.table].key
                other = _table(place.table, {key: "string", place.column: "string"})
                value = self._tokens(token, other[place.column])
                other = other.select(equity_id=other[key], **{column_of(token): value})
                equity = equity.left_join(other, equity.id == other.equity_id).drop("equity_id")
        return equity

    def _places(self, tokens: Iterable[str]) -> dict[str, Any]:
        return {token: self._mapping.fields[token] for token in tokens}

    def _tokens(self, token: str, column: Value) -> Value:
        """The catalogue's tokens for what the store writes; what is not listed stays as it is."""
        values = self._mapping.values.get(token)
        if not values:
            return column
        return column.cases(*((given, value) for value, given in values.items()), else_=column)

    def _membership(self, several: Iterable[str]) -> Table:
        parts = []
        for token, place in self._places(several).items():
            key = self._mapping.tables[place.table].key
            table = _table(place.table, {key: "string", place.column: "string"})
            value = self._tokens(token, table[place.column])
            field = ibis.literal(column_of(token))
            parts.append(table.select(equity_id=table[key], field=field, value=value))
        empty = {"equity_id": "string", "field": "string", "value": "string"}
        return reduce(lambda a, b: a.union(b), parts) if parts else ibis.table(empty, name="none")

    def _fundamental(self, columns: Iterable[str]) -> Table:
        """All dated tables in one: a row for each equity and quarter, by the last date in it."""
        fields = {c: self._mapping.fields[f"FLD_{c.upper()}"] for c in columns}
        parts = [self._quarters(name, fields) for name in {p.table for p in fields.values()}]
        if not parts:
            return ibis.table(dict.fromkeys(_SHAPE, "int64"), name="none")
        rows = reduce(lambda a, b: a.union(b), parts)
        latest = {column: rows[column].max() for column in fields}
        rows = rows.group_by("equity_id", "calendar_quarter").aggregate(**latest)
        return self._with_rates(rows)

    def _quarters(self, name: str, fields: dict[str, Any]) -> Table:
        source = self._mapping.tables[name]
        here = {c: p.column for c, p in fields.items() if p.table == name}
        date = str(source.date)
        schema = {source.key: "string", date: "date", **dict.fromkeys(here.values(), "float64")}
        table = _table(name, schema)
        quarter = _quarter(table[date])
        # A row counts if no later one of its quarter has the value.
        by_quarter = ibis.window(
            group_by=[table[source.key], quarter], order_by=ibis.desc(table[date])
        )
        dated = table.select(
            equity_id=table[source.key],
            calendar_quarter=quarter,
            place=ibis.row_number().over(by_quarter),
            **{c: table[here[c]] if c in here else ibis.null("float64") for c in fields},
        )
        return dated.filter(dated.place == 0).drop("place")

    def _with_rates(self, rows: Table) -> Table:
        """With the fiscal quarter, and the value of the equity's currency in dollars."""
        m = self._mapping.equity
        optional = {"currency": "string", "fiscal_end_month": "int64"}
        schema = {m[name]: type_ for name, type_ in optional.items() if name in m}
        base = _table(m["table"], {m["key"]: "string", **schema})
        month = base[m["fiscal_end_month"]] if "fiscal_end_month" in m else ibis.literal(12)
        currency = _currency(base[m["currency"]]) if "currency" in m else ibis.literal("CUR_USD")
        of = base.select(company=base[m["key"]], month=month, money=currency)
        rows = rows.left_join(of, rows.equity_id == of.company).drop("company")
        rows = rows.mutate(fiscal_quarter=_fiscal(rows.calendar_quarter, rows.month))
        if self._mapping.rates is None:
            return rows.mutate(**{DOLLARS.column: ibis.literal(1.0)})
        rates = self._rates().rename(at="calendar_quarter")
        joined = rows.left_join(
            rates, (rows.money == rates.currency) & (rows.calendar_quarter == rates["at"])
        )
        dollar = ibis.ifelse(joined.money == "CUR_USD", 1.0, joined.usd)
        return joined.mutate(**{DOLLARS.column: dollar}).drop("currency", "at", "usd")

    def _rates(self) -> Table:
        m = self._mapping.rates
        if m is None:
            empty = {"currency": "string", "calendar_quarter": "int64", "usd": "float64"}
            return ibis.table(empty, name="none")
        table = _table(
            m["table"], {m["currency"]: "string", m["date"]: "date", m["usd"]: "float64"}
        )
        currency, quarter = _currency(table[m["currency"]]), _quarter(table[m["date"]])
        window = ibis.window(group_by=[currency, quarter], order_by=ibis.desc(table[m["date"]]))
        rated = table.select(
            currency=currency,
            calendar_quarter=quarter,
            usd=table[m["usd"]],
            place=ibis.row_number().over(window),
        )
        return rated.filter(rated.place == 0).drop("place")


_SHAPE: Final = ("equity_id", "calendar_quarter", "fiscal_quarter")


def _table(name: str, schema: dict[str, str]) -> Table:
    """A table of the store, by name or as `schema.table`."""
    database, _, table = name.rpartition(".")
    return ibis.table(schema, name=table, database=database or None)


def _quarter(date: Value) -> Value:
    return (date.year() * 4 + (date.month() - 1) // 3).cast("int64")


def _fiscal(calendar: Value, month: Value) -> Value:
    """As `_periods` of the model: the fiscal quarter of the period that ends in a calendar one."""
    last = calendar % 4 * 3 + (month - 1) % 3 + 1
    year = calendar // 4 + ibis.ifelse(last > month, 1, 0)
    return (year * 4 + (last - month + 11) % 12 // 3).cast("int64")


def _currency(code: Value) -> Value:
    return ibis.ifelse(code.startswith(_PREFIX), code, ibis.literal(_PREFIX) + code)
