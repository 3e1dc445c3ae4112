"""ClickHouse: a server over HTTP, or chDB, the same engine in this process.

    clickhouse://reader@db.example.org:8123/films
    chdb:///data/films                              a folder of chDB

Sessions only read, count in UTC, and have SQL's unknown values, which ClickHouse replaces by 0 or
by an empty text unless it is told otherwise. The server enforces the time limit.
"""

from __future__ import annotations

from typing import Any, Final, final
from uuid import uuid4

import ibis

from grammax.tables.query.source import Row, TooSlow
from grammax.tables.sql.stores.compile import to_sql
from grammax.tables.sql.stores.failures import failed
from grammax.tables.sql.stores.limits import limited

_SETTINGS: Final = {
    "readonly": 2,  # reads only; time limits may be set
    "join_use_nulls": 1,
    "aggregate_functions_null_for_empty": 1,
    "transform_null_in": 0,
    "session_timezone": "UTC",
}
_SERVER: Final = {"cancel_http_readonly_queries_on_client_close": 1}
_TIMEOUT: Final = "TIMEOUT_EXCEEDED"
_LATER: Final = 1.0  # seconds after which a query is stopped from here, if the server has not
_CONNECTING: Final = 5  # seconds


def open_clickhouse(url: str) -> Any:
    """The Ibis connection of a URL `clickhouse://…`, or `chdb://…` for a folder of this machine."""
    if url.startswith("chdb:"):
        import clickhouse_connect

        client = clickhouse_connect.get_client(dsn=url, settings=dict(_SETTINGS))
        return ibis.clickhouse.from_connection(client)
    return ibis.connect(
        url,
        settings=_SETTINGS | _SERVER,
        connect_timeout=_CONNECTING,
        autogenerate_session_id=False,  # queries of a session would wait for each other
    )


@final
class ClickHouseRunner:
    """Threads may run queries side by side; the driver has a pool of HTTP connections."""

    instant = False

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def compile(self, expression: Any) -> str:
        return to_sql(self._connection, expression)

    def run(self, compiled: str, seconds: float) -> list[Row]:
        if seconds <= 0:
            raise TooSlow(seconds)
        client, query = self._connection.con, str(uuid4())
        settings = {"max_execution_time": seconds, "query_id": query}

        def stop() -> None:
            client.command("KILL QUERY WHERE query_id = {id:String} ASYNC", {"id": query})

        with limited(seconds + _LATER, stop):
            try:
                return list(client.query(compiled, settings=settings).result_rows)
            except Exception as error:
                if _TIMEOUT in str(error):
                    raise TooSlow(seconds) from None
                raise failed(error) from error

    def close(self) -> None:
        self._connection.con.close()
