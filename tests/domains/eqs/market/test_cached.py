"""The market in the cache: generated, written in the background, and made again if damaged."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from domains.eqs.market.samples import build_small, some_equities

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market import store
from grammax.domains.eqs.market.arrays import generated_columns, read_columns
from grammax.domains.eqs.market.build import market_model
from grammax.domains.eqs.market.store import open_market
from grammax.tables.form.text import read
from grammax.tables.memory.columns import Columns


def test_generated_arrays_are_those_of_the_tables(tmp_path: Path) -> None:
    made = generated_columns(market_model(some_equities(), load_catalogue(), 7))
    stored = read_columns(build_small(tmp_path / "market.duckdb"), load_catalogue(), {})
    every = np.arange(made.count)
    assert (made.count, made.first, made.info) == (stored.count, stored.first, stored.info)
    assert made.fiscal.tolist() == stored.fiscal.tolist()
    for kind in ("series", "rates"):
        mine, theirs = getattr(made, kind), getattr(stored, kind)
        assert [*mine] == [*theirs]
        for name in theirs:
            assert np.array_equal(mine[name], theirs[name], equal_nan=True), name
    assert {t: v.cells(every) for t, v in made.texts.items()} == {
        t: v.cells(every) for t, v in stored.texts.items()
    }
    for token, lists in stored.lists.items():
        assert made.lists[token].joined.cells(every) == lists.joined.cells(every)


@pytest.fixture
def cached_market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """The first rows of the market of a new process, and then its file is there."""
    monkeypatch.setenv("GRAMMAX_CACHE", str(tmp_path))
    monkeypatch.setattr(store.equities_file, "load_equities", some_equities)

    def rows() -> Any:
        store._opened.clear()
        with open_market() as market:
            found = market.answer(read("(top 5 FLD_MKT_CAP)")).rows
        for thread in threading.enumerate():
            if thread.name == "write the market":
                thread.join()
        return found

    return rows


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def flip_a_price(file: Path) -> None:
    price = Columns.read(file).series["FLD_PRICE"].tobytes()
    content = file.read_bytes()
    at = content.index(price) + len(price) // 2
    file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])


def write_another(file: Path) -> None:
    file.write_bytes(b"another program's" * 99)


@pytest.mark.parametrize("damage", [cut, flip_a_price, write_another])
def test_a_damaged_market_is_made_again(
    cached_market: Callable[[], Any],
    tmp_path: Path,
    damage: Callable[[Path], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    rows = cached_market()
    (file,) = tmp_path.glob("market-*.columns")
    assert not caplog.text
    damage(file)
    assert cached_market() == rows
    assert "is made again" in caplog.text
    caplog.clear()
    for _ in range(2):
        assert cached_market() == rows
    Columns.read(file)
    assert not caplog.text
    assert not [*tmp_path.glob("market-*.duckdb")]


def test_markets_of_old_versions_are_removed(
    cached_market: Callable[[], Any], tmp_path: Path
) -> None:
    for number in range(4):
        for ending in ("duckdb", "columns", "columns.lock"):
            old = tmp_path / f"market-old{number}-1.{ending}"
            old.touch()
            os.utime(old, (number, number))
    cached_market()
    left = {path.name.split(".")[0] for path in tmp_path.glob("market-*")}
    assert len(left) == 3
    assert {"market-old2-1", "market-old3-1"} < left
