"""Errors of drivers → `StoreError`, with what to do next."""

from __future__ import annotations

from typing import Final

from grammax.tables.query.source import StoreDown, StoreError, StoreFailed


def failed(error: Exception) -> StoreError:
    """What went wrong: the store is down, or it could not answer this query."""
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    low = reason.lower()
    if isinstance(error, ConnectionError) or any(word in low for word in _DOWN):
        return StoreDown(reason)
    hint = next((hint for words, hint in _HINTS if any(word in low for word in words)), "")
    return StoreFailed(reason, hint)


_DOWN: Final = (
    "connection failed", "connection is bad", "connection is lost", "connection is closed",
    "connection refused", "connection reset", "connection aborted", "connection timeout",
    "connection timed out", "server closed", "terminating connection", "shutting down",
    "starting up", "could not connect", "could not translate host", "name resolution",
    "max retries exceeded", "network is unreachable", "no route to host", "broken pipe",
    "not yet accepting connections", "sparkcontext was shut down", "stopped sparkcontext",
    "too many clients", "remaining connection slots", "unable to open database file",
)  # fmt: skip
"""Words of drivers, in lower case, for a store that does not answer at all."""
_HINTS: Final = (
    (("does not exist", "no such column", "no such table", "binder error", "catalog error",
      "no files found", "unknown_table", "unknown_identifier", "table_or_view_not_found"),
     "The table may have changed since it was opened. Open it again."),
    (("permission denied", "not enough privileges", "access denied"),
     "Ask for the right to read it (SELECT)."),
)  # fmt: skip
"""Words of drivers, in lower case, and what to do next."""
