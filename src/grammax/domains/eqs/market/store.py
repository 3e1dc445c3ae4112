"""The market as a `Store`: the one that grammax builds, or the user's own tables.

with open_market() as market:              # built on first use, in a few seconds
    market.answer(read("(AND (FLD_INDEX EQ IDX_SP500) (top 5 FLD_MKT_CAP))"))
with connect_market(Path("tables.toml")) as market:
    ...

The market is answered from arrays, without Ibis and DuckDB, which take a second to import. Those of
the market in the cache are generated; from the first question on they are written to a file in
the background, and mapped from then on. A damaged file is made again.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final, final

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
    remove_old_markets,
    require_catalogue,
)
from grammax.files import CacheError, locked
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.memory.columns import Columns, NoColumns
from grammax.tables.memory.engine import ArrayRunner
from grammax.tables.memory.source import QuarterlyArrays
from grammax.tables.memory.values import Numbers
from grammax.tables.query.formulas import Formulas
from grammax.tables.query.source import Source
from grammax.tables.query.store import Store

if TYPE_CHECKING:
    from grammax.domains.eqs.market.build import MarketData

_LOGGER: Final = logging.getLogger("grammax.cache")
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
    file = path or Path("The market")
    if path is None:
        columns = _cached_columns(catalogue.base)
    else:
        market_file(catalogue, path, progress)
        try:
            columns = _columns(path, catalogue.base)
        except OSError:  # its folder is not writable, so DuckDB answers
            from grammax.domains.eqs.market.database import open_database

            return open_database(path, catalogue)
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


def _cached_columns(catalogue: Catalogue) -> Columns:
    """The arrays of the market in the cache, shared by all stores of the process."""
    try:
        path = market_path(catalogue, _digest()).with_suffix(".columns")
    except CacheError:
        return _generated(catalogue)
    with _opening:
        found = _opened.get(path)
        if found is None:
            _opened.clear()
            found = _opened[path] = _stored_or_generated(path, catalogue)
        return found


_opening: Final = Lock()
_opened: Final[dict[Path, Columns]] = {}


def _stored_or_generated(path: Path, catalogue: Catalogue) -> Columns:
    again = partial(_generated, catalogue)
    try:
        found = Columns.read(path)
    except NoColumns as error:
        if path.exists():
            _LOGGER.warning("%s. It is made again.", error)
        made = again()
        return replace(made, series=_WrittenSeries(made, path, again))
    series = _RepairedSeries(found.series, path, lambda: again().series)
    return replace(found, series=series)


def _generated(catalogue: Catalogue) -> Columns:
    from grammax.domains.eqs.market.arrays import generated_columns
    from grammax.domains.eqs.market.build import market_model

    return generated_columns(market_model(equities_file.load_equities(), catalogue))


@final
class _WrittenSeries(Mapping[str, Numbers]):
    """Series that are generated, and written to a file once the first of them is asked for."""

    def __init__(self, made: Columns, path: Path, again: Callable[[], Columns]) -> None:
        self._made: Columns | None = made
        self._again = again
        self._series: Mapping[str, Numbers] = made.series
        self._path = path
        self._starting = Lock()

    def __getitem__(self, token: str) -> Numbers:
        found = self._series[token]
        with self._starting:
            made, self._made = self._made, None
        if made is not None:  # a program waits at its end until the file is there
            Thread(target=self._write, args=(made,), name="write the market").start()
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._series)

    def __len__(self) -> int:
        return len(self._series)

    def _write(self, made: Columns) -> None:
        path = self._path
        try:
            with locked(path):
                stored: Columns | None = None
                with suppress(NoColumns):
                    stored = Columns.read(path)  # another process may have written it meanwhile
                if stored is None:
                    made.write(path)
                    stored = Columns.read(path)
                remove_old_markets(path)
        except (OSError, NoColumns) as error:
            _LOGGER.warning(
                "The market cannot be stored, so the next start is slow, too: %s", error
            )
            return
        self._series = _RepairedSeries(stored.series, path, lambda: self._again().series)


@final
class _RepairedSeries(Mapping[str, Numbers]):
    """Series of a file; if one is damaged, all are made again, and the file is removed."""

    def __init__(
        self, stored: Mapping[str, Numbers], path: Path, again: Callable[[], Mapping[str, Numbers]]
    ) -> None:
        self._stored, self._path, self._again = stored, path, again

    def __getitem__(self, token: str) -> Numbers:
        try:
            return self._stored[token]
        except NoColumns as error:
            _LOGGER.warning("%s. %s is made again.", error, self._path)
            self._path.unlink(missing_ok=True)
            self._stored = self._again()
            return self._stored[token]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)


def _columns(file: Path, catalogue: Catalogue) -> Columns:
    """The arrays of a DuckDB file, beside it; they are read from it if it has changed."""
    from grammax.domains.eqs.market.arrays import read_columns

    path = file.with_suffix(".columns")
    state = file.stat()
    of = f"{state.st_size} {state.st_mtime_ns}"

    def current() -> Columns | None:
        with suppress(NoColumns):
            found = Columns.read(path)
            if found.info.get(_FILE) == of:
                return found
        return None

    found = current()
    if found is None:
        with locked(path):
            found = current()  # another process may have read them meanwhile
            if found is None:
                read_columns(file, catalogue, {_FILE: of}).write(path)
                found = Columns.read(path)
    series = _RepairedSeries(
        found.series, path, lambda: read_columns(file, catalogue, {_FILE: of}).series
    )
    return replace(found, series=series)


def _make(catalogue: Catalogue, progress: Progress) -> MarketData:
    from grammax.domains.eqs.market.build import generate

    return generate(equities_file.load_equities(), catalogue, progress=progress)


def _digest() -> str:
    """A short hash of the equities, which identifies the market."""
    return blake2b(equities_file.FILE.read_bytes(), digest_size=4).hexdigest()
