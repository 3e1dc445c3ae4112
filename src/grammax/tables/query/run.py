"""Running a query: read-only, within a time limit, on DuckDB, PostgreSQL or any other store."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDone
from threading import Event, Lock, Thread, Timer
from typing import Any, Final, Protocol, TypeAlias, final

import duckdb

from grammax.domains.eqs.market.file import MarketError
from grammax.language.answer import AnswerTooSlow

Row: TypeAlias = Sequence[object]
_SHORTEST: Final = 0.001  # seconds; PostgreSQL takes 0 for no limit


class TooSlow(MarketError, AnswerTooSlow):
    """A query that was stopped at its time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The query was stopped after {seconds:g} seconds.\n"
            "Ask for fewer fields, or allow more time (seconds=...)."
        )
        self.seconds = seconds


class Runner(Protocol):
    """Where queries run: a store in production, canned rows in a test."""

    def compile(self, expression: Any) -> Any:
        """What `run` takes: a query in the store's own words."""

    def run(self, compiled: Any, seconds: float) -> list[Row]:
        """The rows; `TooSlow` past the limit."""

    def close(self) -> None:
        """Let go of the store."""


def runner_of(connection: Any) -> Runner:
    """The runner for an Ibis connection."""
    if connection.name == "duckdb":
        return DuckRunner(connection)
    return PostgresRunner(connection) if connection.name == "postgres" else AnyRunner(connection)


@final
class DuckRunner:
    """DuckDB in this process, interrupted by a timer; threads may run queries side by side."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._lock = Lock()  # for making cursors

    def compile(self, expression: Any) -> str:
        return str(self._connection.compile(expression))

    def run(self, compiled: str, seconds: float) -> list[Row]:
        with self._lock:
            cursor = self._connection.con.cursor()
        expired, finished = Event(), Event()
        turn = Lock()  # an interrupt must not reach a closed cursor

        def stop() -> None:
            with turn:
                if not finished.is_set():
                    expired.set()
                    cursor.interrupt()

        timer = Timer(max(seconds, 0), stop)
        timer.daemon = True
        timer.start()
        try:
            rows: list[Row] = cursor.execute(compiled).fetchall()
        except duckdb.InterruptException:
            raise TooSlow(seconds) from None
        except duckdb.Error as error:
            raise _failed(error) from error
        finally:
            with turn:
                finished.set()
            timer.cancel()
            cursor.close()
        if expired.is_set():
            raise TooSlow(seconds)
        return rows

    def close(self) -> None:
        self._connection.disconnect()


@final
class PostgresRunner:
    """PostgreSQL, which stops by itself; transactions are read-only."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._lock = Lock()  # one connection serves one query at a time

    def compile(self, expression: Any) -> str:
        return str(self._connection.compile(expression))

    def run(self, compiled: str, seconds: float) -> list[Row]:
        import psycopg

        limit = int(max(seconds, _SHORTEST) * 1000)
        with self._lock:
            raw = self._connection.con
            try:
                with raw.transaction(), raw.cursor() as cursor:
                    cursor.execute("SET TRANSACTION READ ONLY")
                    cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(limit)])
                    cursor.execute(compiled.encode())
                    return list(cursor.fetchall())
            except psycopg.errors.QueryCanceled:
                raise TooSlow(seconds) from None
            except psycopg.Error as error:
                raise _failed(error) from error

    def close(self) -> None:
        self._connection.disconnect()


@final
class AnyRunner:
    """Any other store that Ibis reaches: past the limit its answer is no longer waited for."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def compile(self, expression: Any) -> Any:
        return expression

    def run(self, compiled: Any, seconds: float) -> list[Row]:
        found: Future[list[Row]] = Future()

        def work() -> None:
            try:
                table = self._connection.to_pyarrow(compiled)
                found.set_result([tuple(row.values()) for row in table.to_pylist()])
            except Exception as error:
                found.set_exception(error)

        Thread(target=work, daemon=True).start()
        try:
            return found.result(timeout=max(seconds, 0))
        except NotDone:
            raise TooSlow(seconds) from None
        except Exception as error:
            raise _failed(error) from error

    def close(self) -> None:
        self._connection.disconnect()


def _failed(error: Exception) -> MarketError:
    reason = str(error).strip().partition("\n")[0]
    return MarketError(f"The store could not answer: {reason}")
