"""The market: logical form → query → answer, on grammax's own store or on the user's tables.

    market = Market.open()                     # built on first use, in a few seconds
    answer = market.answer(read("(AND (FLD_INDEX EQ IDX_SP500) (top 5 FLD_MKT_CAP))"))
    market.sql(lf, dialect="postgres")         # for any dialect, without a connection

Every logical form is judged before it runs, so an ill-typed one gives its judgement as the error.
Queries are Ibis expressions, never pasted strings; they only read, within a limit of time and rows.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from time import perf_counter
from types import TracebackType
from typing import Any, Final, Self, final

import duckdb
import ibis
from ibis.common.exceptions import IbisError

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market import equities as equities_file
from grammax.domains.eqs.market.build import NOTE, MarketData, Progress, generate
from grammax.domains.eqs.market.companies import REAL
from grammax.domains.eqs.market.file import MarketError as MarketError
from grammax.domains.eqs.market.file import ensure_market, market_path
from grammax.language.answer import ANSWER_SECONDS, Answer, Column
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.tree import LogicalForm
from grammax.tables.form.typecheck import require_well_typed
from grammax.tables.query.answer import answer_columns, answer_rows
from grammax.tables.query.run import Row, Runner, runner_of
from grammax.tables.query.run import TooSlow as TooSlow
from grammax.tables.query.sources import OwnTables, Source, needs_of
from grammax.tables.query.translate import Query, translate

LIMIT: Final = 100
SECONDS: Final = ANSWER_SECONDS
_KEPT: Final = 256


@final
@dataclass(frozen=True)
class Prepared:
    """A query with the columns of its answer, compiled for the store."""

    query: Query
    columns: tuple[Column, ...]
    rows: Any
    runner: Runner

    @cached_property
    def count(self) -> Any:
        """How many rows there would be without a limit, compiled when it is first asked."""
        return self.runner.compile(self.query.expression.aggregate(n=ibis._.count()))


@final
class Market:
    """A store of equities that answers logical forms; threads may share it."""

    def __init__(
        self,
        source: Source,
        runner: Runner,
        catalogue: Catalogue,
        real: Iterable[str] | None = None,
        note: str = "",
    ) -> None:
        self.catalogue = catalogue
        self.note = note
        """What to say wherever synthetic columns are shown."""
        self._source, self._runner = source, runner
        self._real = None if real is None else frozenset(real)
        self._kept: dict[tuple[LogicalForm, int], Prepared] = {}  # a cache, the oldest first
        self._lock = Lock()

    @classmethod
    def open(
        cls,
        path: Path | str | None = None,
        progress: Progress | None = None,
        catalogue: Catalogue | None = None,
    ) -> Self:
        """The market of grammax, built where it is not there yet: at `path`, or in the cache.

        Of values that were added to the catalogue it has no equities.
        """
        catalogue = load_catalogue() if catalogue is None else catalogue
        base = catalogue.base
        place = market_path(base, _digest()) if path is None else Path(path)
        ensure_market(place, lambda tell: _make(base, tell), progress or _tell_nobody)
        connection = _connect(place)
        info = _info(connection, place)
        if info.get("catalogue") != base.version:
            raise MarketError(
                f"{place} was built for the catalogue {info.get('catalogue')}, and this one is "
                f"{base.version}.\nRemove the file, and it will be built again."
            )
        today = datetime.date.fromisoformat(info["today"])
        note = info.get("note", NOTE)
        return cls(OwnTables(base, today), runner_of(connection), catalogue, REAL, note)

    @classmethod
    def connect(cls, mapping_path: Path | str, catalogue: Catalogue | None = None) -> Self:
        """A market over the user's own tables; `market_mapping` describes the mapping file."""
        from grammax.tables.query.mapping import read_mapping
        from grammax.tables.query.mapping_tables import MappedTables, connect_url, try_tables

        catalogue = load_catalogue() if catalogue is None else catalogue
        mapping = read_mapping(Path(mapping_path), catalogue)
        runner = runner_of(connect_url(mapping))
        try_tables(mapping, runner, SECONDS)
        return cls(MappedTables(mapping, catalogue), runner, catalogue)

    @property
    def today(self) -> datetime.date:
        """The market's own date: what "latest" and "last quarter" refer to."""
        return self._source.today

    def query(self, lf: LogicalForm) -> Query:
        """The query of a logical form: `IllTyped`, with judgements, if it makes no sense."""
        require_well_typed(lf, self.catalogue)
        formulas = self._source.formulas
        tables = self._source.tables(needs_of(lf, self.catalogue, formulas))
        return translate(lf, self.catalogue, formulas, tables)

    def sql(self, lf: LogicalForm, dialect: str = "duckdb") -> str:
        """The query as SQL of a dialect that Ibis knows: duckdb, postgres, trino, snowflake ..."""
        expression = self.query(lf).expression
        try:
            return str(ibis.to_sql(expression, dialect=dialect))
        except IbisError as error:
            reason = str(error).partition("\n")[0]
            raise MarketError(f"The dialect {dialect} cannot say this query: {reason}") from error
        except (AttributeError, ValueError):
            raise MarketError(
                f"There is no dialect {dialect!r}.\nPermitted: the stores of Ibis, such as "
                "bigquery, clickhouse, duckdb, mysql, postgres, snowflake, trino."
            ) from None

    def answer(self, lf: LogicalForm, limit: int = LIMIT, seconds: float = SECONDS) -> Answer:
        """The answer, of `limit` rows at most; `TooSlow` if it takes longer than `seconds`."""
        begin = perf_counter()
        prepared = self.prepare(lf, limit)
        rows = self.run(prepared, seconds)
        more = len(rows) > limit
        left = seconds - (perf_counter() - begin)
        total = self._count(prepared, left) if more else len(rows)
        cells, named = answer_rows(prepared.columns, rows[:limit], self.catalogue)
        return Answer(prepared.columns, named, cells, total, more, perf_counter() - begin)

    def prepare(self, lf: LogicalForm, limit: int = LIMIT) -> Prepared:
        """All that comes before running; the last ones are kept, for people ask again."""
        if limit < 0:
            raise MarketError(f"The limit is {limit}; permitted: 0 rows or more.")
        key = (lf, limit)
        with self._lock:
            found = self._kept.pop(key, None)
        if found is None:
            query = self.query(lf)
            columns = answer_columns(query, self.catalogue, self._real)
            rows = self._runner.compile(query.expression.limit(limit + 1))
            found = Prepared(query, columns, rows, self._runner)
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > _KEPT:
                del self._kept[next(iter(self._kept))]
        return found

    def run(self, prepared: Prepared, seconds: float = SECONDS) -> list[Row]:
        """The rows as the store gives them, one more than the limit if there are more."""
        return self._runner.run(prepared.rows, seconds)

    def forget(self) -> None:
        """Drop the queries that are kept."""
        with self._lock:
            self._kept.clear()

    def _count(self, prepared: Prepared, seconds: float) -> int | None:
        """How many rows there are in all, if that is quickly known."""
        try:
            [[total]] = self._runner.run(prepared.count, seconds)
        except TooSlow:
            return None
        return int(str(total))

    def close(self) -> None:
        """Let go of the store."""
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _make(catalogue: Catalogue, progress: Progress) -> MarketData:
    return generate(equities_file.load_equities(), catalogue, progress=progress)


def _digest() -> str:
    """A short hash of the equities, so that other equities are another market."""
    return blake2b(equities_file.FILE.read_bytes(), digest_size=4).hexdigest()


def _connect(path: Path) -> Any:
    try:
        return ibis.duckdb.connect(path, read_only=True, threads=1, enable_external_access=False)
    except (duckdb.Error, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise MarketError(
            f"{path} cannot be opened as a market: {reason}\n"
            "Remove the file, and it will be built again."
        ) from error


def _info(connection: Any, path: Path) -> dict[str, str]:
    try:
        rows = connection.con.execute("SELECT key, value FROM info").fetchall()
        info = {str(key): str(value) for key, value in rows}
        datetime.date.fromisoformat(info["today"])
    except (duckdb.Error, KeyError, ValueError) as error:
        raise MarketError(
            f"{path} is a DuckDB file, but no market of grammax.\n"
            "Give another path, or describe your own tables in a mapping file (Market.connect)."
        ) from error
    return info


def _tell_nobody(what: str, share: float) -> None:
    del what, share
