"""The market's DuckDB file as a store: Ibis makes the queries, DuckDB runs them.

Arrays answer a hundred times as fast (`store.open_market`); this way writes the SQL that people
see, and is the oracle for the other.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import final

import ibis

from grammax.domains.eqs.accounts import ACCOUNTS
from grammax.domains.eqs.market.build import LATEST
from grammax.domains.eqs.market.equities import REAL
from grammax.domains.eqs.market.file import (
    connected,
    info_of,
    no_data_of,
    require_catalogue,
)
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.engine import Table, Value
from grammax.tables.query.formulas import Formulas
from grammax.tables.query.quarterly import UNIT_RATE
from grammax.tables.query.source import column_name
from grammax.tables.query.store import Store
from grammax.tables.sql.expressions import ROW
from grammax.tables.sql.quarters import QuarterlySource
from grammax.tables.sql.run import runner_for


def open_database(path: Path, catalogue: Catalogue) -> Store:
    """The market of a file, answered by DuckDB."""
    connection = connected(path)
    info = info_of(connection, path)
    require_catalogue(info, catalogue.base, path)
    return Store(
        described_source(catalogue, datetime.date.fromisoformat(info["today"])),
        runner_for(ibis.duckdb.from_connection(connection)),
        catalogue,
        synthetic=lambda token: token not in REAL,
        note=info["note"],
    )


def described_source(catalogue: Catalogue, today: datetime.date) -> QuarterlySource:
    """The tables of the market by name and type, from which SQL is written."""
    return QuarterlySource(catalogue, MarketTables(catalogue.base, today, {LATEST}))


@final
class MarketTables:
    """The tables of the market that grammax builds, as `QuarterlyTables`."""

    def __init__(
        self, catalogue: Catalogue, today: datetime.date, latest: Collection[str] = ()
    ) -> None:
        self.formulas = Formulas(catalogue, ACCOUNTS)
        self.today = today
        self.latest = latest
        self._fields = catalogue.fields

    def has(self, token: str) -> bool:
        return token in self._fields

    def require(self, plain: Iterable[str], series: Mapping[str, tuple[str, ...]]) -> None:
        for token in (*plain, *series):
            if token not in self._fields:
                raise no_data_of(token)

    def entities(self, tokens: Iterable[str]) -> Table:
        columns = {token: column_name(token) for token in tokens}
        types = {"id": "int32", "ticker": "string", "name": "string"}
        types |= {c: "float64" if t in self.latest else "string" for t, c in columns.items()}
        table = ibis.table(types, name="equity")
        fields = {token: table[column] for token, column in columns.items()}
        return table.select("ticker", "name", **{ROW: table.id}, **fields)

    def members(self, token: str) -> Table:
        types = {"equity_id": "int32", "field": "string", "value": "string"}
        table = ibis.table(types, name="membership")
        table = table.filter(table.field == column_name(token))
        return table.select("value", **{ROW: table.equity_id})

    def series(self, columns: Iterable[str]) -> Table:
        # Few of hundreds of columns are read; dropping the others early halves the time to build
        # the query.
        axes = {"calendar_quarter": "int32", "fiscal_quarter": "int32"}
        names = {"usd_rate" if c == UNIT_RATE.column else c: c for c in columns}
        types = {name: axes.get(name, "float64") for name in names}
        table = ibis.table({"equity_id": "int32", **types}, name="fundamental")
        found = {as_: table[name] for name, as_ in names.items()}
        return table.select(**{ROW: table.equity_id}, **found)

    def rate(self, unit: str, quarter: int) -> Value:
        types = {"currency": "string", "calendar_quarter": "int32", "usd": "float64"}
        rates = ibis.table(types, name="exchange_rate")
        wanted = (rates.currency == unit) & (rates.calendar_quarter == quarter)
        return rates.filter(wanted).usd.max().as_scalar()
