"""What takes long to make of equity search, once for all tests of a process."""

from __future__ import annotations

from functools import cache

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.domain import equity_search, load
from grammax.tables.domain import TableDomain


@cache
def eqs() -> TableDomain:
    """The default domain, whose corpus takes ten seconds or more; not to be changed."""
    return load()


@cache
def some_queries() -> tuple[str, ...]:
    """60 queries, for tests that can do with any."""
    small = equity_search(load_catalogue(), train=1, test=60, hard=0)
    return tuple(pair.query for pair in small.pairs("test"))
