"""The user's own tables as a market: a mapping file says which column holds which field.

A TOML file. Any URL that Ibis takes; `today` is the market's date, by default the current one:

    url = "postgres://reader@db.example.com/research"
    today = 2025-11-14

    [equity]                            # one row an equity
    table = "securities"
    key = "isin"                        # what the other tables name it by
    ticker = "symbol"
    name = "company"
    currency = "ccy"                    # EUR or CUR_EUR; without it, amounts are in US dollars
    fiscal_end_month = "fye"            # 1 to 12; without it, 12

    [tables.accounts]                   # every other table: its key, and its date if it has one
    key = "isin"
    date = "period_end"
    period = "quarter"                  # amounts are of a quarter; "year": of the last four

    [tables.members]
    key = "isin"

    [exchange_rates]                    # needed where there are currencies
    table = "fx"
    currency = "code"
    date = "day"
    usd = "rate"                        # dollars for one unit

    [fields]                            # field = "table.column"
    FLD_DOMICILE = "securities.country"
    FLD_INDEX = "members.index_name"
    FLD_SALES_REV_TURN = "accounts.revenue"
    FLD_MKT_CAP = "accounts.market_cap"

    [values.FLD_DOMICILE]               # how the store writes values, where not as tokens
    COU_GERMANY = "DE"

Enum fields lie in the table of equities or in one with a key and no date; numeric fields in one
with a date, of which the last row in a quarter counts. A field that follows from others, such as a
ratio, is computed from them unless it is mapped itself.
"""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, final

from grammax.domains.eqs.market.file import MarketError
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.text import did_you_mean, nearest

_EQUITY: Final = ("table", "key", "ticker", "name")
_RATES: Final = ("table", "currency", "date", "usd")
_SECTIONS: Final = ("url", "today", "equity", "tables", "exchange_rates", "fields", "values")


class MappingError(MarketError):
    """A mapping file that cannot be used; `problems` lists all that is wrong."""

    def __init__(self, path: Path, problems: list[str]) -> None:
        self.path, self.problems = path, tuple(problems)
        lines = "".join(f"\n    {problem}" for problem in problems)
        super().__init__(
            f"The mapping file {path} cannot be used:{lines}\n"
            "The format is described in grammax.tables.query.mapping."
        )


@final
@dataclass(frozen=True, slots=True)
class Place:
    """Where a field lies."""

    table: str
    column: str


@final
@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table of the user's: its key, and the date and period of its rows if it has them."""

    key: str
    date: str | None = None
    period: Literal["quarter", "year"] = "quarter"


@final
@dataclass(frozen=True, slots=True)
class MarketMapping:
    """A mapping file, read and checked."""

    path: Path
    url: str
    today: datetime.date
    equity: Mapping[str, str]
    tables: Mapping[str, SourceTable]
    fields: Mapping[str, Place]
    rates: Mapping[str, str] | None
    values: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))


def read_mapping(path: Path, catalogue: Catalogue) -> MarketMapping:
    """The mapping of a file; `MappingError` lists everything that is wrong with it."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MarketError(f"The mapping file {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MappingError(path, [f"It is not TOML: {error}."]) from error
    return _Reader(path, given, catalogue).mapping()


class _Reader:
    """Collects problems while it reads."""

    def __init__(self, path: Path, given: dict[str, Any], catalogue: Catalogue) -> None:
        self._path, self._given, self._catalogue = path, given, catalogue
        self._problems: list[str] = []

    def mapping(self) -> MarketMapping:
        for name in self._given:
            if name not in _SECTIONS:
                self._add(f"{name} is not known; permitted: {', '.join(_SECTIONS)}.")
        url = self._given.get("url")
        if not isinstance(url, str) or not url:
            self._add('url is missing, such as url = "duckdb:///data/market.duckdb".')
        equity = self._section("equity", _EQUITY)
        rates = self._section("exchange_rates", _RATES) if "exchange_rates" in self._given else None
        tables = self._tables(equity)
        fields = self._fields(tables, equity)
        if "currency" in equity and rates is None:
            self._add("[equity] has a currency, so there must be [exchange_rates].")
        values = self._values(fields)
        today = self._today()
        if self._problems:
            raise MappingError(self._path, self._problems)
        return MarketMapping(self._path, str(url), today, equity, tables, fields, rates, values)

    def _add(self, problem: str) -> None:
        self._problems.append(problem)

    def _today(self) -> datetime.date:
        today = self._given.get("today", datetime.date.today())
        if type(today) is not datetime.date:
            self._add(f"today is {today!r}; permitted: a date without quotes, as 2025-11-14.")
            return datetime.date.max
        return today

    def _section(self, name: str, needed: tuple[str, ...]) -> Mapping[str, str]:
        section = self._given.get(name, {})
        section = section if isinstance(section, dict) else {}
        for key in needed:
            if key not in section:
                self._add(f"[{name}] has no {key}; it needs {', '.join(needed)}.")
        for key, value in section.items():
            if not isinstance(value, str):
                self._add(f"[{name}] {key} is {value!r}; permitted: a name in quotes.")
        return MappingProxyType(section)

    def _tables(self, equity: Mapping[str, str]) -> dict[str, SourceTable]:
        found: dict[str, SourceTable] = {}
        for name, section in self._given.get("tables", {}).items():
            try:
                found[name] = SourceTable(**section)
            except TypeError:
                self._add(f"[tables.{name}] needs a key, and may have a date and a period.")
                continue
            if found[name].period not in ("quarter", "year"):
                period = found[name].period
                self._add(f"[tables.{name}] period is {period!r}; permitted: quarter, year.")
        if {"table", "key"} <= set(equity):
            found.setdefault(equity["table"], SourceTable(equity["key"]))
        return found

    def _fields(
        self, tables: Mapping[str, SourceTable], equity: Mapping[str, str]
    ) -> dict[str, Place]:
        found: dict[str, Place] = {}
        for token, where in self._given.get("fields", {}).items():
            if token not in self._catalogue.fields:
                close = nearest(token, self._catalogue.fields)
                hint = did_you_mean(close, sentence=True)
                self._add(f"[fields] {token} is no field of the catalogue. {hint}".rstrip())
                continue
            table, dot, column = str(where).rpartition(".")
            if not dot or table not in tables:
                known = ", ".join(tables) or "none"
                self._add(f'[fields] {token} = "{where}" is no "table.column"; tables: {known}.')
                continue
            numeric = self._catalogue.fields[token].type not in self._catalogue.value_types
            if numeric != (tables[table].date is not None):
                has = "must have a date" if numeric else "must have none, for it is an enum field"
                self._add(f"[fields] {token} lies in {table}, whose rows {has}.")
            found[token] = Place(table, column)
        if not found and equity:
            self._add("[fields] is empty; map at least one field.")
        return found

    def _values(self, fields: Mapping[str, Place]) -> dict[str, Mapping[str, str]]:
        found: dict[str, Mapping[str, str]] = {}
        for token, section in self._given.get("values", {}).items():
            if token not in fields:
                self._add(f"[values.{token}] is for a field that [fields] does not map.")
            for value in section:
                if value not in self._catalogue.values:
                    self._add(f"[values.{token}] {value} is no value of the catalogue.")
            found[token] = MappingProxyType({str(k): str(v) for k, v in section.items()})
        return found
