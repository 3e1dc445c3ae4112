"""The market as a `Store`: the one that grammax builds, or the user's own tables.

with open_market() as market:              # built on first use, in a few seconds
    market.answer(read("(AND (FLD_INDEX EQ IDX_SP500) (top 5 FLD_MKT_CAP))"))
with connect_market(Path("tables.toml")) as market:
    ...
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, final

import duckdb
import ibis

from grammax.domains.eqs.accounts import ACCOUNTS
from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market import equities as equities_file
from grammax.domains.eqs.market.build import (
    LATEST,
    NOTE,
    MarketData,
    Progress,
    generate,
    no_progress,
)
from grammax.domains.eqs.market.companies import REAL
from grammax.domains.eqs.market.file import MarketError, ensure_market, market_path
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.formulas import Formulas
from grammax.tables.query.mapped import connect_store
from grammax.tables.query.quarterly import UNIT_RATE, QuarterlySource
from grammax.tables.query.run import runner_for
from grammax.tables.query.source import ROW, Table, Value, column_name
from grammax.tables.query.store import Store

_RENAMED: Final = {
    "equity": "[entity], and `currency` in it is `unit`",
    "exchange_rates": "[units], and `currency` in it is `unit`, `usd` is `rate`",
}


def open_market(
    path: Path | None = None,
    progress: Progress | None = None,
    catalogue: Catalogue | None = None,
) -> Store:
    """The market of grammax at `path`, or in the cache; it is built on first use.

    It has no data for values that were added to the catalogue.
    """
    catalogue = load_catalogue() if catalogue is None else catalogue
    base = catalogue.base
    file = market_path(base, _digest()) if path is None else path
    ensure_market(file, lambda tell: _make(base, tell), progress or no_progress)
    connection = _connect(file)
    info = _info(connection, file)
    if info.get("catalogue") != base.version:
        raise MarketError(
            f"{file} was built for the catalogue {info.get('catalogue')}, and this one is "
            f"{base.version}.\nRemove the file, and it will be built again."
        )
    tables = MarketTables(base, datetime.date.fromisoformat(info["today"]), {LATEST})
    return Store(
        QuarterlySource(catalogue, tables),
        runner_for(connection),
        catalogue,
        synthetic=lambda token: token not in REAL,
        note=info.get("note", NOTE),
    )


def connect_market(mapping: Path, catalogue: Catalogue | None = None) -> Store:
    """The user's own tables; `tables.query.mapping` describes the mapping file."""
    return connect_store(mapping, catalogue or load_catalogue(), ACCOUNTS, _RENAMED)


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
                raise MarketError(
                    f"{token} was added to the catalogue, and the market has no data of it.\n"
                    "Describe tables of your own that have it (see docs/equity-search.md)."
                )

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


def _make(catalogue: Catalogue, progress: Progress) -> MarketData:
    return generate(equities_file.load_equities(), catalogue, progress=progress)


def _digest() -> str:
    """A short hash of the equities, which identifies the market."""
    return blake2b(equities_file.FILE.read_bytes(), digest_size=4).hexdigest()


def _connect(path: Path) -> Any:
    try:
        return ibis.duckdb.connect(path, read_only=True, threads=1, enable_external_access=False)
    except (duckdb.Error, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise MarketError(
            f"{path} cannot be opened as a market: {reason}\n"
            "Remove the file, and it will be built again."
        ) from error


def _info(connection: Any, path: Path) -> dict[str, str]:
    try:
        rows = connection.con.execute("SELECT key, value FROM info").fetchall()
        info = {str(key): str(value) for key, value in rows}
        datetime.date.fromisoformat(info["today"])
    except (duckdb.Error, KeyError, ValueError) as error:
        raise MarketError(
            f"{path} is a DuckDB file, but not a market of grammax.\n"
            "Give another path, or describe your own tables in a mapping file (connect_market)."
        ) from error
    return info
