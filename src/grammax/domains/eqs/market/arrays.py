"""The market's columns as arrays: generated, or read from a DuckDB file.

Of a market that is generated, a series is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from grammax.domains.eqs.accounts import ACCOUNTS
from grammax.domains.eqs.market.build import QUARTERS, MarketModel, fiscal_quarters
from grammax.domains.eqs.market.file import connected, info_of
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.memory.columns import Columns
from grammax.tables.memory.gather import QuarterlyRows, in_order
from grammax.tables.memory.values import Lists, Numbers, Texts
from grammax.tables.query.formulas import Formulas
from grammax.tables.query.quarterly import UNIT_RATE
from grammax.tables.query.source import column_name

_BATCH: Final = 32  # series that are read at once: 30 MB


def generated_columns(model: MarketModel) -> Columns:
    """All columns of a market that is generated."""
    order = in_order([equity.ticker for equity in model.equities])
    count = len(order)
    number_of = np.empty(count, np.intp)
    number_of[order] = np.arange(count)
    texts = model.texts()
    lists: list[list[str]] = [[] for _ in range(count)]
    for company, index in model.members():
        lists[number_of[company]].append(index)
    calendar = np.full(count, model.first, np.int64)
    ahead = (fiscal_quarters(calendar, model.months) - calendar).astype(np.intp)
    (many,) = model.catalogue.schema.many
    names = _column_names(model.catalogue)
    return Columns(
        count=count,
        texts={t: Texts.of(texts[name][row] for row in order) for t, name in names.items()},
        lists={many: Lists.of(lists)},
        series=_GeneratedSeries(model, order),
        rates={unit: np.asarray(rates, np.float64) for unit, rates in model.rates.items()},
        first=model.first,
        fiscal=ahead[order],
        info=model.info,
    )


@final
class _GeneratedSeries(Mapping[str, Numbers]):
    """The series by field, computed when they are asked for."""

    def __init__(self, model: MarketModel, order: np.ndarray[Any, Any]) -> None:
        self._model, self._order = model, order
        self._absent = ~model.present[:, order]
        self._tokens = dict.fromkeys((*model.stored, UNIT_RATE.token))

    def __getitem__(self, token: str) -> Numbers:
        if token not in self._tokens:
            raise KeyError(token)
        model = self._model
        values = model.book.anchors.dollars if token == UNIT_RATE.token else model.series(token)
        found = np.broadcast_to(values, (len(self._order), QUARTERS)).T[:, self._order]
        return np.where(self._absent, np.nan, found)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tokens)

    def __len__(self) -> int:
        return len(self._tokens)


def read_columns(path: Path, catalogue: Catalogue, info: Mapping[str, str]) -> Columns:
    """All columns of a market; series are read when they are asked for.

    `info` is added to what the market says of itself.
    """
    tables = connected(path)
    said = info_of(tables, path)
    ids, keys = _lists(tables, "SELECT id, ticker FROM equity")
    order = in_order(keys)
    number_of = np.zeros(max(ids, default=0) + 1, np.intp)
    number_of[np.array(ids)[order]] = np.arange(len(ids))
    quarters = _quarters(tables, len(ids), number_of)
    return Columns(
        count=len(ids),
        texts=_texts(tables, catalogue, order),
        lists=_memberships(tables, catalogue, len(ids), number_of),
        series=_Series(tables, catalogue, quarters),
        rates=_rates(tables, quarters.first),
        first=quarters.first,
        fiscal=quarters.ahead,
        info={**said, **info},
    )


@final
class _Series(Mapping[str, Numbers]):
    """The stored series by field, some read at a time when they are asked for."""

    def __init__(self, tables: Any, catalogue: Catalogue, quarters: QuarterlyRows) -> None:
        self._tables, self._quarters = tables, quarters
        self._columns = {t: column_name(t) for t in Formulas(catalogue, ACCOUNTS).stored()}
        self._columns[UNIT_RATE.token] = "usd_rate"
        self._read: Mapping[str, Any] = {}

    def __getitem__(self, token: str) -> Numbers:
        name = self._columns[token]
        if name not in self._read:
            names = list(self._columns.values())
            batch = names[names.index(name) :][:_BATCH]
            self._read = self._tables.table("fundamental").select(*batch).fetchnumpy()
        column = np.ma.filled(self._read[name].astype(np.float64), np.nan)
        return self._quarters.matrix(column)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def _column_names(catalogue: Catalogue) -> dict[str, str]:
    """The columns of texts by field."""
    schema = catalogue.schema
    names = {name: name for name in schema.entity.columns}
    names |= {
        token: column_name(token)
        for token, field in catalogue.fields.items()
        if field.type in catalogue.value_types and token not in schema.many
    }
    return names


def _texts(tables: Any, catalogue: Catalogue, order: np.ndarray[Any, Any]) -> dict[str, Texts]:
    equity = tables.table("equity")
    found = {}
    for token, name in _column_names(catalogue).items():
        cells = [cell for (cell,) in equity.select(name).fetchall()]
        found[token] = Texts.of(cells[row] for row in order)
    return found


def _memberships(
    tables: Any, catalogue: Catalogue, count: int, number_of: np.ndarray[Any, Any]
) -> dict[str, Lists]:
    fields = {column_name(token): token for token in catalogue.schema.many}
    found: dict[str, list[list[str]]] = {t: [[] for _ in range(count)] for t in fields.values()}
    rows = tables.execute("SELECT equity_id, field, value FROM membership").fetchall()
    for id_, name, value in rows:
        found[fields[name]][number_of[id_]].append(value)
    return {token: Lists.of(lists) for token, lists in found.items()}


def _quarters(tables: Any, count: int, number_of: np.ndarray[Any, Any]) -> QuarterlyRows:
    names = ("equity_id", "calendar_quarter", "fiscal_quarter")
    found = tables.table("fundamental").select(*names).fetchnumpy()
    ids, calendar, fiscal = (np.asarray(found[name]).astype(np.intp) for name in names)
    return QuarterlyRows(count, number_of[ids], calendar, fiscal)


def _rates(tables: Any, first: int) -> dict[str, Numbers]:
    rows = tables.execute("SELECT currency, calendar_quarter, usd FROM exchange_rate").fetchall()
    count = max((quarter for _, quarter, _ in rows), default=first) - first + 1
    found: dict[str, Numbers] = {}
    for unit, quarter, rate in rows:
        found.setdefault(unit, np.full(count, np.nan))[quarter - first] = rate
    return found


def _lists(tables: Any, query: str) -> list[list[Any]]:
    rows = tables.execute(query).fetchall()
    return [list(column) for column in zip(*rows, strict=True)] or [[], []]
