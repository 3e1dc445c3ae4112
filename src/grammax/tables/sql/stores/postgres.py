"""PostgreSQL: a pool of connections; the server enforces the time limit, transactions only read."""

from __future__ import annotations

from typing import Any, Final, final

from grammax.tables.query.source import Row, StoreDown, TooSlow
from grammax.tables.sql.stores.compile import to_sql
from grammax.tables.sql.stores.failures import failed
from grammax.tables.sql.stores.limits import limited
from grammax.tables.sql.stores.pool import Pool

_SHORTEST: Final = 0.001  # seconds; PostgreSQL takes 0 for no limit
_LATER: Final = 1.0  # seconds after which a query is stopped from here, if the server has not
CONNECTING: Final[dict[str, Any]] = {"connect_timeout": 5}  # seconds


@final
class PostgresRunner:
    """Threads may run queries side by side, each with a connection of its own.

    The connection of Ibis describes tables only.
    """

    instant = False

    def __init__(self, connection: Any) -> None:
        self._connection, about = connection, connection.con.info
        self._dsn, self._password = about.dsn, about.password
        [[self._path]] = connection.con.execute("SHOW search_path").fetchall()
        connection.con.commit()
        self._pool: Pool[Any] = Pool(self._opened, _is_usable, _close)

    def compile(self, expression: Any) -> str:
        return to_sql(self._connection, expression)

    def run(self, compiled: str, seconds: float) -> list[Row]:
        import psycopg

        try:
            try:
                return self._run(compiled, seconds)
            except psycopg.Error as error:
                if not isinstance(failed(error), StoreDown):
                    raise
            self._renew()
            return self._run(compiled, seconds)
        except psycopg.errors.QueryCanceled:
            raise TooSlow(seconds) from None
        except psycopg.Error as error:
            raise failed(error) from error

    def _run(self, compiled: str, seconds: float) -> list[Row]:
        limit = int(max(seconds, _SHORTEST) * 1000)
        with (
            self._pool.connection(seconds) as raw,
            limited(seconds + _LATER, raw.cancel_safe),
            raw.transaction(),
            raw.cursor() as cursor,
        ):
            cursor.execute("SET TRANSACTION READ ONLY")
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(limit)])
            cursor.execute(compiled.encode())
            return list(cursor.fetchall())

    def _opened(self) -> Any:
        import psycopg

        raw = psycopg.connect(self._dsn, password=self._password or None, **CONNECTING)
        with raw.cursor() as cursor:  # as Ibis does it
            cursor.execute("SET TIMEZONE = UTC")
            cursor.execute("SELECT set_config('search_path', %s, false)", [self._path])
        raw.commit()
        return raw

    def _renew(self) -> None:
        """Use the server again, which went away and may be back."""
        self._pool.drop_idle()
        renew(self._connection)

    def close(self) -> None:
        self._pool.close()
        self._connection.disconnect()


def renew(connection: Any) -> bool:
    """Connect again if the connection of Ibis is broken; returns whether it was."""
    if connection.name != "postgres" or _is_usable(connection.con):
        return False
    connection.reconnect()
    return True


def _is_usable(raw: Any) -> bool:
    return not (raw.closed or raw.broken)


def _close(raw: Any) -> None:
    raw.close()
