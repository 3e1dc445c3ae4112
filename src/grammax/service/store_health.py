"""`StoreHealth`: whether the store that answers can be reached, as its last queries have shown.

While it is down, requests are refused at once, and one in a while tries it again; so threads do not
wait for connections that nobody accepts, parsing goes on, and answers are back when the store is.
"""

from __future__ import annotations

from time import monotonic
from typing import Any, Final, final

from grammax.service.http.errors import RequestRefused, store_busy, store_down, store_failed
from grammax.service.log import LOGGER
from grammax.tables.query.source import StoreBusy, StoreDown, StoreError, StoreFailed

RETRY_SECONDS: Final = 2.0  # between two requests that try a store that is down


@final
class StoreHealth:
    """Belongs to the event loop; `gauge` is 1 while the store is down."""

    def __init__(self, gauge: Any) -> None:
        self._gauge = gauge
        self._down_since: float | None = None
        self._next_try = 0.0

    def require(self) -> None:
        """Refuse a request while the store is down, unless it is time to try again."""
        if self._down_since is None:
            return
        now = monotonic()
        if now < self._next_try:
            raise store_down()
        self._next_try = now + RETRY_SECONDS

    def worked(self) -> None:
        """A query was answered."""
        if self._down_since is not None:
            LOGGER.info("The store is back after %.1f s.", monotonic() - self._down_since)
            self._down_since = None
            self._gauge.set(0)

    def refusal(self, error: StoreError) -> RequestRefused | None:
        """The refusal for an error of the store; None if the query is to blame."""
        if isinstance(error, StoreDown):
            if self._down_since is None:
                LOGGER.error("The store is down: %s", " ".join(error.reason.split()))
                self._down_since = monotonic()
                self._gauge.set(1)
            self._next_try = monotonic() + RETRY_SECONDS
            return store_down()
        if isinstance(error, StoreFailed):
            LOGGER.error("The store failed: %s", " ".join(error.reason.split()))
            return store_failed()
        if isinstance(error, StoreBusy):
            return store_busy()
        return None
