"""Any other store that Ibis supports; after the time limit its answer is discarded."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDone
from threading import Thread
from typing import Any, final

from grammax.tables.query.source import Row, TooSlow
from grammax.tables.sql.stores.compile import to_sql
from grammax.tables.sql.stores.failures import failed
from grammax.tables.sql.stores.functions import rewritten


@final
class AnyRunner:
    """Any other store that Ibis supports; after the time limit its answer is discarded."""

    instant = False

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def compile(self, expression: Any) -> Any:
        """The expression, once it is known that the store can express it."""
        to_sql(self._connection, expression)
        return rewritten(expression, self._connection.name)

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
            raise failed(error) from error

    def close(self) -> None:
        self._connection.disconnect()
