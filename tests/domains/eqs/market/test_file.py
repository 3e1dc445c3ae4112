"""The file of the market: whole or not there, whatever happens while it is built."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest
from domains.eqs.market.samples import small_data

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market import file as market_store
from grammax.domains.eqs.market.file import MarketError, ensure_market, market_path


def quiet(what: str, share: float) -> None:
    pass


@pytest.fixture(scope="module")
def data():
    return small_data()


def test_a_market_is_built_once(tmp_path, data):
    path = tmp_path / "deep" / "market.duckdb"
    told = []
    ensure_market(path, lambda tell: data, lambda what, share: told.append(share))
    assert told == sorted(told)
    assert told[-1] == 1.0
    ensure_market(path, lambda tell: pytest.fail("built twice"), quiet)
    with duckdb.connect(path, read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM equity").fetchall() == [(60,)]


def test_an_interrupted_build_leaves_nothing(tmp_path, data, monkeypatch):
    path = tmp_path / "market.duckdb"

    def interrupted(data, path, progress):
        path.write_bytes(b"half a market")
        raise KeyboardInterrupt

    monkeypatch.setattr(market_store, "write_market", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ensure_market(path, lambda tell: data, quiet)
    assert [p.name for p in tmp_path.iterdir() if not p.name.endswith(".lock")] == []
    monkeypatch.undo()
    assert ensure_market(path, lambda tell: data, quiet).exists()


def test_what_killed_builds_left_is_removed_after_an_hour(tmp_path, data):
    old = tmp_path / "market-1-1.duckdb.17.building"
    new = tmp_path / "market-1-1.duckdb.18.building"
    for left in (old, new):
        left.write_bytes(b"half a market")
    an_hour_ago = time.time() - market_store.STALE_AFTER - 1
    os.utime(old, (an_hour_ago, an_hour_ago))
    ensure_market(tmp_path / "market.duckdb", lambda tell: data, quiet)
    assert not old.exists()
    assert new.exists()


def test_a_killed_process_leaves_no_market_and_the_next_one_builds_it(tmp_path):
    path = tmp_path / "market.duckdb"
    program = (
        "import os, sys; from pathlib import Path\n"
        "from domains.eqs.market.samples import small_data\n"
        "from grammax.domains.eqs.market.file import ensure_market\n"
        "def tell(what, share):\n"
        "    if what == 'writing exchange_rate' and sys.argv[2] == 'die': os._exit(9)\n"
        "ensure_market(Path(sys.argv[1]), lambda tell: small_data(), tell)\n"
    )
    assert _process(program, path, "die").wait() == 9
    assert not path.exists()
    assert _process(program, path, "live").wait() == 0
    assert _count(path) == 60


def test_two_processes_at_once_build_one_whole_market(tmp_path):
    path = tmp_path / "market.duckdb"
    program = (
        "import sys; from pathlib import Path; from domains.eqs.market.samples import small_data\n"
        "from grammax.domains.eqs.market.file import ensure_market\n"
        "def make(tell):\n"
        "    Path(sys.argv[1]).with_name(f'built-{__import__(\"os\").getpid()}').touch()\n"
        "    return small_data()\n"
        "ensure_market(Path(sys.argv[1]), make, lambda what, share: None)\n"
    )
    processes = [_process(program, path, "") for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    assert _count(path) == 60
    assert len(list(tmp_path.glob("built-*"))) == 1


def _process(program: str, *arguments: object) -> subprocess.Popen[bytes]:
    here = {"PYTHONPATH": str(Path(__file__).parents[3])}
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], env={**os.environ, **here}
    )


def _count(path: Path) -> int:
    with duckdb.connect(path, read_only=True) as connection:
        return connection.execute("SELECT count(*) FROM equity").fetchall()[0][0]


def test_the_market_is_in_the_cache_under_the_version_of_its_catalogue(tmp_path, monkeypatch):
    monkeypatch.setenv("GRAMMAX_CACHE", str(tmp_path / "here"))
    catalogue = load_catalogue()
    path = market_path(catalogue, "abc")
    assert path.parent == tmp_path / "here"
    assert catalogue.version in path.name


def test_a_full_disk_is_an_error_that_says_so(tmp_path, data, monkeypatch):
    def full(data, path, progress):
        raise duckdb.IOException("No space left on device")

    monkeypatch.setattr(market_store, "write_market", full)
    with pytest.raises(MarketError, match=r"(?s)No space left on device.*about 370 MB"):
        ensure_market(tmp_path / "market.duckdb", lambda tell: data, quiet)


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path, data):
    (tmp_path / "file").touch()
    with pytest.raises(MarketError, match="could not be built at"):
        ensure_market(tmp_path / "file" / "market.duckdb", lambda tell: data, quiet)
