"""The files of the market: their paths, and their atomic construction.

It is built on first use in a temporary file in the same folder and then renamed, so an interrupted
build leaves no incomplete market. A lock lets one process build; others wait and use its file.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from grammax.files import CACHE_VARIABLE, SCRATCH_SUFFIX, cache_folder, locked, replacing
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.source import StoreError

if TYPE_CHECKING:
    from grammax.domains.eqs.market.build import MarketData

Progress: TypeAlias = Callable[[str, float], None]
"""Called with the name of the next step, and the share of the work that is done."""
Make: TypeAlias = "Callable[[Progress], MarketData]"

MODEL_VERSION: Final = 3
_MARKETS: Final = 3  # that are not removed, the newest
STALE_AFTER: Final = 3600  # seconds; older temporary files were left by interrupted builds
ROW_GROUP: Final = 4096
"""Rows per group of DuckDB, about four months: a query reads only the years it needs."""


class MarketError(StoreError):
    """A market that cannot be built, opened or asked."""


def no_progress(step: str, share: float) -> None:
    """Report nothing."""
    del step, share


def no_data_of(token: str) -> MarketError:
    """The error for a field that is not one of the market's."""
    return MarketError(
        f"{token} was added to the catalogue, and the market has no data of it.\n"
        "Describe tables of your own that have it (see docs/equity-search.md)."
    )


def connected(path: Path) -> Any:
    """A connection to a market, which only reads it."""
    import duckdb

    config: dict[str, Any] = {"threads": 1, "enable_external_access": False}
    try:
        return duckdb.connect(str(path), read_only=True, config=config)
    except (duckdb.Error, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise MarketError(
            f"{path} cannot be opened as a market: {reason}\n"
            "Remove the file, and it will be built again."
        ) from error


def info_of(connection: Any, path: Path) -> dict[str, str]:
    """What a market says of itself."""
    import duckdb

    try:
        rows = connection.execute("SELECT key, value FROM info").fetchall()
        info = {str(key): str(value) for key, value in rows}
        datetime.date.fromisoformat(info["today"])
        info.setdefault("note", "")
    except (duckdb.Error, KeyError, ValueError) as error:
        raise MarketError(
            f"{path} is a DuckDB file, but not a market of grammax.\n"
            "Give another path, or describe your own tables in a mapping file (connect_market)."
        ) from error
    return info


def require_catalogue(info: Mapping[str, str], catalogue: Catalogue, path: Path) -> None:
    """Raise `MarketError` if a market is that of another catalogue."""
    if info.get("catalogue") != catalogue.version:
        raise MarketError(
            f"{path} was built for the catalogue {info.get('catalogue')}, and this one is "
            f"{catalogue.version}.\nRemove the file, and it will be built again."
        )


def market_path(catalogue: Catalogue, equities: str) -> Path:
    """The path of a market, named after the versions of catalogue, equities and model."""
    return cache_folder() / f"market-{catalogue.version}-{equities}-{MODEL_VERSION}.duckdb"


def remove_old_markets(newest: Path) -> None:
    """Remove the files of all but the newest markets of the cache, of any version."""
    _remove_stale(newest)
    ages: dict[str, float] = {}
    for path in newest.parent.glob("market-*"):
        with suppress(OSError):
            ages[path.name.split(".")[0]] = max(
                ages.get(path.name.split(".")[0], 0.0), path.stat().st_mtime
            )
    for name in sorted(ages, key=ages.__getitem__)[:-_MARKETS]:
        for path in newest.parent.glob(f"{name}.*"):
            with suppress(OSError):
                path.unlink()


def ensure_market(path: Path, make: Make, progress: Progress) -> Path:
    """The path of the market, which is built first if necessary; `make` generates its tables."""
    if path.exists():
        return path
    try:
        with locked(path):
            if not path.exists():  # another process may have built it while this one waited
                _remove_stale(path)
                _build(path, make, progress)
    except OSError as error:
        raise MarketError(_unbuilt(path, error)) from error
    return path


def write_market(data: MarketData, path: Path, progress: Progress) -> None:
    """Write the tables into a new DuckDB file."""
    import duckdb  # here, because arrays answer without it

    with duckdb.connect() as connection:
        target = str(path).replace("'", "''")
        connection.execute(f"ATTACH '{target}' AS market (ROW_GROUP_SIZE {ROW_GROUP})")
        for name in (field.name for field in fields(data)):
            progress(f"writing {name}", 0.98 if name in ("exchange_rate", "info") else 0.6)
            connection.register("given", getattr(data, name))
            connection.execute(f"CREATE TABLE market.{name} AS FROM given")
            connection.unregister("given")
        connection.execute("DETACH market")


def _build(path: Path, make: Make, progress: Progress) -> None:
    import duckdb

    try:
        with replacing(path) as scratch:
            write_market(make(progress), scratch, progress)
    except duckdb.Error as error:
        raise MarketError(_unbuilt(path, error)) from error
    progress("done", 1.0)


def _unbuilt(path: Path, error: Exception) -> str:
    reason = str(error).partition("\n")[0]
    return (
        f"The market could not be built at {path}: {reason}\n"
        f"It needs about 370 MB in a folder that is writable; set ${CACHE_VARIABLE} to one."
    )


def _remove_stale(path: Path) -> None:
    """Remove the temporary files of interrupted builds of any version."""
    for left in path.parent.glob(f"market-*{SCRATCH_SUFFIX}*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > STALE_AFTER:
                left.unlink()
