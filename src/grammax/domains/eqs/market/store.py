"""The market as a `Store`: the one that grammax builds, or the user's own tables.

with open_market() as market:              # built on first use, in a few seconds
    market.answer(read("(AND (FLD_INDEX EQ IDX_SP500) (top 5 FLD_MKT_CAP))"))
with connect_market(Path("tables.toml")) as market:
    ...

The market is answered from arrays, without Ibis and DuckDB, which take a second to import.
"""

from __future__ import annotations

import datetime
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grammax.domains.eqs.accounts import ACCOUNTS
from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market import equities as equities_file
from grammax.domains.eqs.market.equities import REAL
from grammax.domains.eqs.market.file import (
    Progress,
    ensure_market,
    market_path,
    no_data_of,
    no_progress,
    require_catalogue,
)
from grammax.files import locked
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.memory.columns import Columns, NoColumns
from grammax.tables.memory.engine import ArrayRunner
from grammax.tables.memory.source import QuarterlyArrays
from grammax.tables.query.formulas import Formulas
from grammax.tables.query.source import Source
from grammax.tables.query.store import Store

if TYPE_CHECKING:
    from grammax.domains.eqs.market.build import MarketData

_FILE: Final = "file"  # says which DuckDB file the arrays were read from
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
    file = market_file(catalogue, path, progress)
    try:
        columns = _columns(file, catalogue.base)
    except OSError:  # its folder is not writable, so DuckDB answers
        from grammax.domains.eqs.market.database import open_database

        return open_database(file, catalogue)
    require_catalogue(columns.info, catalogue.base, file)
    today = datetime.date.fromisoformat(columns.info["today"])

    def described() -> Source:
        from grammax.domains.eqs.market.database import described_source

        return described_source(catalogue, today)

    formulas = Formulas(catalogue.base, ACCOUNTS)
    return Store(
        QuarterlyArrays(catalogue, columns, formulas, today, no_data_of),
        ArrayRunner(),
        catalogue,
        synthetic=lambda token: token not in REAL,
        note=columns.info["note"],
        described=described,
    )


def market_file(
    catalogue: Catalogue, path: Path | None = None, progress: Progress | None = None
) -> Path:
    """The market's DuckDB file, built if it is not there yet."""
    base = catalogue.base
    file = market_path(base, _digest()) if path is None else path
    return ensure_market(file, lambda tell: _make(base, tell), progress or no_progress)


def connect_market(mapping: Path, catalogue: Catalogue | None = None) -> Store:
    """The user's own tables; `tables.sql.mapping` describes the mapping file."""
    from grammax.tables.sql.mapped import connect_store

    return connect_store(mapping, catalogue or load_catalogue(), ACCOUNTS, _RENAMED)


def _columns(file: Path, catalogue: Catalogue) -> Columns:
    """The arrays of a DuckDB file, beside it; they are read from it if it has changed."""
    path = file.with_suffix(".columns")
    state = file.stat()
    of = f"{state.st_size} {state.st_mtime_ns}"
    with suppress(NoColumns):
        found = Columns.read(path)
        if found.info.get(_FILE) == of:
            return found
    from grammax.domains.eqs.market.arrays import read_columns

    with locked(path):
        with suppress(NoColumns):
            found = Columns.read(path)
            if found.info.get(_FILE) == of:  # another process has read them meanwhile
                return found
        read_columns(file, catalogue, {_FILE: of}).write(path)
    return Columns.read(path)


def _make(catalogue: Catalogue, progress: Progress) -> MarketData:
    from grammax.domains.eqs.market.build import generate

    return generate(equities_file.load_equities(), catalogue, progress=progress)


def _digest() -> str:
    """A short hash of the equities, which identifies the market."""
    return blake2b(equities_file.FILE.read_bytes(), digest_size=4).hexdigest()
