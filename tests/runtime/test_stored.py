"""Compiled code is used as it was written, or not at all."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="code is compiled with Numba")

from grammax.runtime.compiled.stored import is_stored, write_mark


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A mark beside some code."""
    code = tmp_path / "compiled" / "version" / "module"
    code.mkdir(parents=True)
    for number in range(3):
        (code / f"function.{number}.nbc").write_bytes(bytes(range(100)))
    (code / "function.nbi").write_bytes(pickle.dumps("0.68") + pickle.dumps(((1.0, 2), {})))
    found = code.parent / "types.stored"
    write_mark(found)
    return found


def test_code_is_stored_once_it_was_compiled(mark: Path, tmp_path: Path) -> None:
    assert is_stored(mark)
    assert not is_stored(tmp_path / "other.stored")


@pytest.mark.parametrize("name", ["function.1.nbc", "function.nbi"])
@pytest.mark.parametrize("how", ["cut", "flip", "remove"])
def test_damaged_code_is_removed(
    mark: Path, name: str, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    file = mark.parent / "module" / name
    content = file.read_bytes()
    if how == "cut":
        file.write_bytes(content[: len(content) // 2])
    elif how == "flip":
        file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    else:
        file.unlink()
    if (name, how) == ("function.nbi", "remove"):
        assert is_stored(mark)  # Numba compiles what it does not find
        return
    assert not is_stored(mark)
    assert [path.suffix for path in mark.parent.iterdir()] in ([], [".lock"])
    assert "is compiled again" in caplog.text


def test_code_that_was_added_later_is_none_of_its_business(mark: Path) -> None:
    (mark.parent / "module" / "function.3.nbc").write_bytes(b"later")
    assert is_stored(mark)


def test_the_code_of_old_versions_is_removed(mark: Path) -> None:
    every = mark.parent.parent
    for number in range(5):
        (every / f"old-{number}").mkdir()
        os.utime(every / f"old-{number}", (number, number))
    write_mark(mark)
    assert {path.name for path in every.iterdir()} == {"version", "old-3", "old-4"}
