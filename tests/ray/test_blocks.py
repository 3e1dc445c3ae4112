"""Blocks of files: every row is in one of them, and an output is taken up where it fits."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")
if find_spec("ray") is None:
    pytest.skip("needs Ray", allow_module_level=True)

import pyarrow.parquet as pq  # noqa: E402
from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from grammax.ray.blocks import (  # noqa: E402
    NoQueries,
    OtherOutput,
    blocks_of,
    remove_scratch,
    remove_written,
    unfinished,
    write_block,
)
from grammax.ray.columns import NoSuchInput, texts_of  # noqa: E402

VERSION = {"version": "1", "model": "a"}


def parquet(path: Path, count: int, group: int = 7) -> Path:
    table = pa.table({"id": range(count), "query": [f"query {n}" for n in range(count)]})
    pq.write_table(table, path, row_group_size=group)
    return path


@given(st.integers(1, 50), st.integers(1, 20), st.integers(1, 30))
def test_every_row_is_in_one_block(
    tmp_path_factory: pytest.TempPathFactory, count: int, group: int, rows: int
) -> None:
    folder = tmp_path_factory.mktemp("blocks")
    path = parquet(folder / "a.parquet", count, group)
    found = [b.table("query")["query"].to_pylist() for b in blocks_of(str(path), rows)]
    assert [text for block in found for text in block] == [f"query {n}" for n in range(count)]
    assert all(0 < len(block) <= rows for block in found)
    lines = folder / "a.txt"
    lines.write_bytes(b"".join(f"query {n}\r\n".encode() for n in range(count)))
    found = [b.table("query")["query"].to_pylist() for b in blocks_of(str(lines), rows)]
    assert [text for block in found for text in block] == [f"query {n}" for n in range(count)]


def test_files_of_one_name_have_outputs_of_their_own(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        parquet(tmp_path / name / "a.parquet", 3)
    found = blocks_of(str(tmp_path / "*" / "a.parquet"))
    assert len({block.output for block in found}) == 2
    assert [block.output for block in blocks_of(str(tmp_path / "x"))] == ["a.00000.parquet"]


def test_what_is_there_is_skipped_if_it_fits(tmp_path: Path) -> None:
    path, out = parquet(tmp_path / "a.parquet", 10), tmp_path / "out"
    out.mkdir()
    blocks = blocks_of(str(path), 5)
    assert unfinished(out, blocks, VERSION) == blocks
    write_block(out, blocks[0], blocks[0].table("query"), VERSION)
    assert unfinished(out, blocks, VERSION) == blocks[1:]
    with pytest.raises(OtherOutput, match="is not of these queries, this model"):
        unfinished(out, blocks, {**VERSION, "model": "b"})
    parquet(path, 11)
    with pytest.raises(OtherOutput, match="--overwrite"):
        unfinished(out, blocks_of(str(path), 5), VERSION)
    remove_written(out)
    assert unfinished(out, blocks_of(str(path), 5), VERSION) == blocks_of(str(path), 5)


def test_files_of_something_else_are_refused_and_kept(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", 10)
    (tmp_path / "cut.parquet").write_bytes(b"PAR1")
    with pytest.raises(OtherOutput, match="is not of these queries"):
        unfinished(tmp_path, blocks_of(str(path)), VERSION)
    remove_written(tmp_path)
    assert len([*tmp_path.iterdir()]) == 2


def test_what_a_lost_process_was_writing_is_removed(tmp_path: Path, monkeypatch) -> None:
    path = parquet(tmp_path / "a.parquet", 3)
    [block] = blocks_of(str(path))
    (tmp_path / ".a.00000.parquet.1234.building").write_bytes(b"half")
    remove_scratch(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_block(tmp_path, block, block.table("query"), VERSION)
    assert [each.name for each in tmp_path.iterdir()] == ["a.parquet"]


def test_what_has_no_queries_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoQueries, match=r"There is no file .*gone"):
        blocks_of(str(tmp_path / "gone*.parquet"))
    (tmp_path / "a.parquet").write_bytes(b"no parquet")
    with pytest.raises(NoQueries, match="cannot be read as Parquet"):
        blocks_of(str(tmp_path / "a.parquet"))
    (tmp_path / "a.txt").touch()
    with pytest.raises(NoQueries, match="has no queries"):
        blocks_of(str(tmp_path / "a.txt"))


def test_a_column_that_is_not_there_is_told() -> None:
    table = pa.table({"text": ["a"], "id": [1]})
    with pytest.raises(NoSuchInput, match=r"no column 'query'. Its columns are text, id\."):
        texts_of(table, "query")
    with pytest.raises(NoSuchInput, match="holds int64, and queries are texts"):
        texts_of(table, "id")
