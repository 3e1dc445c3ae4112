"""The market's arrays answer as its database does, and as the brute force does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from math import isclose
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pyarrow
import pytest
from domains.eqs.market.samples import build_small
from domains.eqs.market.world import ASKED, TODAY, MarketWorld, random_world
from domains.eqs.shared import eqs
from tables.query.brute_groups import answer, is_summary
from tables.query.random_forms import FormGenerator
from variants import THOROUGH, some

from grammax.domains.eqs.accounts import ACCOUNTS
from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market.arrays import read_columns
from grammax.domains.eqs.market.database import open_database
from grammax.domains.eqs.market.file import MarketError, no_data_of
from grammax.domains.eqs.market.store import market_file, open_market
from grammax.errors import GrammaxError
from grammax.language.changes import NewValue
from grammax.tables.form.text import read
from grammax.tables.form.tree import LogicalForm
from grammax.tables.memory.engine import ArrayRunner
from grammax.tables.memory.source import QuarterlyArrays
from grammax.tables.query.formulas import Formulas
from grammax.tables.query.store import Store

TABLES = ("equity", "membership", "fundamental", "exchange_rate")
CHUNKS, FORMS_IN_A_CHUNK = 40, 50  # 2,000 forms
AT_ONCE = 3  # of the chunks; the others are for `make test-slow`
SPLITS = ("train", "test", "unseen_values", "unseen_fields", "unseen_compositions")
A_FEW = 12  # pairs of a split
MANY = 400 if THOROUGH else 40  # of each split: the database takes 60 ms for each


def some_chunks(at_once: int) -> list[Any]:
    chunks = some(range(at_once, CHUNKS), 4)
    slow = [pytest.param(chunk, marks=pytest.mark.slow) for chunk in chunks]
    return [*range(at_once), *slow]


# A random market, against plain Python


@pytest.fixture(scope="module")
def world() -> MarketWorld:
    return random_world(load_catalogue(2000), 40, Random(0))


@pytest.fixture(scope="module")
def arrays(world: MarketWorld, tmp_path_factory: pytest.TempPathFactory) -> Store:
    path = tmp_path_factory.mktemp("arrays") / "market.duckdb"
    info = {"today": TODAY.isoformat(), "note": "", "catalogue": world.catalogue.version}
    with duckdb.connect(path) as connection:
        for name in TABLES:
            connection.register("given", pyarrow.Table.from_pylist(list(getattr(world, name))))
            connection.execute(f"CREATE TABLE {name} AS FROM given")
            connection.unregister("given")
        connection.execute("CREATE TABLE info (key VARCHAR, value VARCHAR)")
        connection.executemany("INSERT INTO info VALUES (?, ?)", list(info.items()))
    columns = read_columns(path, world.catalogue, {})
    formulas = Formulas(world.catalogue, ACCOUNTS)
    source = QuarterlyArrays(world.catalogue, columns, formulas, TODAY, no_data_of)
    return Store(source, ArrayRunner(), world.catalogue)


@pytest.mark.parametrize("chunk", some_chunks(AT_ONCE))
def test_arrays_answer_as_brute_force_does(chunk: int, world: MarketWorld, arrays: Store) -> None:
    generator = FormGenerator(world, Random(1_000 + chunk), ASKED)
    for _ in range(FORMS_IN_A_CHUNK):
        lf = generator.draw()
        rows = arrays.run(arrays.prepare(lf, 1_000))
        found = [tuple(row) if is_summary(lf) else (row[0], *row[2:]) for row in rows]
        wanted = answer(world, lf)
        assert len(found) == len(wanted), f"another number of rows for {lf}"
        for one, other in zip(found, wanted, strict=True):
            assert all(map(same_cell, one, other)), f"{one} is not {other} for {lf}"


def same_cell(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float | int):
        return isclose(one, other, rel_tol=1e-9)
    return bool(one == other)


# The corpus, against the database


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Store, Store]]:
    catalogue = eqs().catalogue
    with (
        open_market(catalogue=catalogue) as arrays,
        open_database(market_file(catalogue), catalogue) as database,
    ):
        yield arrays, database


def assert_same(both: tuple[Store, Store], lf: LogicalForm, limit: int) -> None:
    """Headings, numbers of rows, notes and cells, or the same error."""
    found, wanted = (_answered(store, lf, limit) for store in both)
    assert found[0] == wanted[0], lf
    for one, other in zip(found[1], wanted[1], strict=True):
        assert all(map(same_cell, one, other)), f"{one} is not {other} for {lf}"


def _answered(store: Store, lf: LogicalForm, limit: int) -> tuple[Any, tuple[Any, ...]]:
    try:
        found = store.answer(lf, limit, 60)
    except GrammaxError as error:
        return (type(error), str(error)), ()
    told = (found.columns, found.total, found.more, found.notes, found.summary)
    return told, (*found.rows, *found.token_rows)


@pytest.mark.parametrize("split", SPLITS)
def test_arrays_answer_the_corpus_as_the_database_does(
    split: str, both: tuple[Store, Store]
) -> None:
    pairs = eqs().corpus.splits[split]
    for pair in Random(split).sample(pairs, A_FEW):
        assert_same(both, pair.lf, 20)


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS)
def test_arrays_answer_many_pairs_as_the_database_does(
    split: str, both: tuple[Store, Store]
) -> None:
    pairs = eqs().corpus.splits[split]
    for pair in Random(f"many/{split}").sample(pairs, min(MANY, len(pairs))):
        assert_same(both, pair.lf, 100)


def test_a_difference_is_noticed(both: tuple[Store, Store]) -> None:
    class Other:
        def answer(self, lf: LogicalForm, limit: int, seconds: float) -> Any:
            return both[1].answer(read("(FLD_PRICE LS 5)"), limit, seconds)

    with pytest.raises(AssertionError):
        assert_same((both[0], Other()), read("(FLD_PRICE GR 5)"), 5)  # type: ignore[arg-type]


# The file of the arrays


def test_the_arrays_are_read_once_and_again_if_the_market_has_changed(tmp_path: Path) -> None:
    path = build_small(tmp_path / "market.duckdb")
    with open_market(path) as market:
        rows = market.answer(read("(top 5 FLD_MKT_CAP)")).rows
    file = path.with_suffix(".columns")
    written = file.stat().st_mtime_ns
    with open_market(path):
        assert file.stat().st_mtime_ns == written
    file.write_bytes(b"damaged")
    with open_market(path) as market:
        assert market.answer(read("(top 5 FLD_MKT_CAP)")).rows == rows
    path.touch()
    open_market(path).close()
    assert file.stat().st_mtime_ns != written


def test_where_no_arrays_can_be_written_the_database_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = build_small(tmp_path / "market.duckdb")

    def full(columns: object, path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("grammax.tables.memory.columns.Columns.write", full)
    with open_market(path) as market:
        assert not market.instant
        assert len(market.answer(read("(top 5 FLD_MKT_CAP)"))) == 5


def test_added_fields_and_values_have_no_data(tmp_path: Path) -> None:
    path = build_small(tmp_path / "market.duckdb")
    new = [
        NewValue("Atlantis", "COUNTRY_VALUE"),
        NewValue("Charm", "MONEY_FIELD"),
    ]
    catalogue = load_catalogue().with_values(new)
    stores = (open_market(path, catalogue=catalogue), open_database(path, catalogue))
    for store in stores:
        with store:
            assert store.answer(read("(FLD_DOMICILE EQ COU_ATLANTIS)")).total == 0
            with pytest.raises(MarketError, match="FLD_CHARM was added to the catalogue"):
                store.answer(read("(FLD_CHARM GR 5)"))


def test_a_period_without_data_is_refused_alike(both: tuple[Store, Store]) -> None:
    assert_same(both, read("(AND (count) (by MONTH))"), 5)


def test_answering_from_arrays_imports_neither_ibis_nor_a_database(tmp_path: Path) -> None:
    path = build_small(tmp_path / "market.duckdb")
    open_market(path).close()
    program = (
        "import sys; from pathlib import Path\n"
        "from grammax.domains.eqs.market.store import open_market\n"
        "from grammax.tables.form.text import read\n"
        "market = open_market(Path(sys.argv[1]))\n"
        "assert market.answer(read('(top 5 FLD_MKT_CAP)')).rows\n"
        "print([m for m in ('ibis', 'duckdb', 'pyarrow', 'torch') if m in sys.modules])\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
