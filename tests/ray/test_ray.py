"""Real processes of Ray: they write what one parser gives, also if one of them is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pa = pytest.importorskip("pyarrow")
if find_spec("ray") is None:  # not imported yet, see `test_only_this_machine_can_connect`
    pytest.skip("needs Ray", allow_module_level=True)

import pyarrow.parquet as pq  # noqa: E402

import grammax  # noqa: E402
import grammax.ray  # noqa: E402
from grammax.cli.app import app  # noqa: E402
from grammax.ray.files import Progress, _connected  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
ROWS = 40
QUERIES = ["german steel", "banks in japan", "top 5 by market cap", "", "xyzzy", None] * 40


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Ray on this machine with two processes, for all tests."""
    with _connected("local", 2):
        yield


@pytest.fixture(scope="module")
def expected() -> list[str | None]:
    with grammax.load("eqs", compiled=False) as parser:
        lfs = {text: parser.parse(text).lf for text in {*QUERIES} if text}
    return [lfs.get(text) if text else None for text in QUERIES]


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    path = tmp_path / "queries.parquet"
    pq.write_table(pa.table({"id": range(len(QUERIES)), "query": QUERIES}), path)
    return path


def rows_of(folder: Path) -> list[dict[str, Any]]:
    assert not [*folder.glob(".*")]
    tables = [pq.read_table(path) for path in sorted(folder.glob("*.parquet"))]
    found: list[dict[str, Any]] = pa.concat_tables(tables).to_pylist()
    return found


def parser_processes() -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"ray::_Actor" in path.read_bytes() and _mine(int(path.parent.name)):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def _mine(process: int) -> bool:
    """Whether this process started another one, through others or not."""
    while process > 1:
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        if process == os.getpid():
            return True
    return False


def test_a_killed_process_loses_and_doubles_nothing(cluster, queries, tmp_path, expected) -> None:
    out, killed = tmp_path / "out", list[int]()

    def tell(progress: Progress) -> None:
        if progress.blocks == 1 and not killed:
            killed.extend(parser_processes()[:1])
            os.kill(killed[0], signal.SIGKILL)

    done = grammax.ray.parse_files(str(queries), out, workers=2, rows=ROWS, tell=tell)
    assert killed
    assert (done.blocks, done.queries, done.errors) == (6, len(QUERIES), len(QUERIES) // 3)
    found = rows_of(out)
    assert [row["id"] for row in found] == [*range(len(QUERIES))]
    assert [row["lf"] for row in found] == expected
    assert {row["error"] for row in found} == {None, "the query is empty"}

    first = min(out.iterdir())
    times = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    first.unlink()
    again = grammax.ray.parse_files(str(queries), out, workers=2, rows=ROWS)
    assert (again.before, again.queries) == (5, ROWS)
    after = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    assert {name for name, time in after.items() if times[name] != time} == {first.name}
    assert [row["lf"] for row in rows_of(out)] == expected


def test_the_command_says_what_it_did_and_what_is_wrong(cluster, queries, tmp_path) -> None:
    command = ["parse", "--file", str(queries), "-o", str(tmp_path / "out"), "--ray", "local"]
    done = CliRunner().invoke(app, [*command, "--workers", "1"])
    assert done.exit_code == 0, done.stderr
    assert "240 queries" in done.stderr
    assert "1 of 1 blocks are there" in done.stderr
    wrong = CliRunner().invoke(app, [*command, "--column", "text", "--overwrite"])
    assert "has no column 'text'. Its columns are id, query." in " ".join(wrong.stderr.split())


def test_only_this_machine_can_connect(cluster) -> None:
    import ray

    assert [node["NodeManagerAddress"] for node in ray.nodes()] == ["127.0.0.1"]


def test_a_dataset_has_the_columns_of_the_result(cluster, expected) -> None:
    import ray.data

    rows = [{"id": number, "query": text or ""} for number, text in enumerate(QUERIES)]
    dataset = grammax.ray.parse(ray.data.from_items(rows), "eqs", workers=1)
    found = sorted(dataset.take_all(), key=lambda row: row["id"])
    assert [row["lf"] for row in found] == expected
