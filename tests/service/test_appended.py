"""Files that only grow: nothing that was acknowledged is lost, and a torn line harms no other."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from service.given import GERMAN, LF

from grammax.service import corrections
from grammax.service.appended import AppendedFile
from grammax.service.corrections import Correction

ONE = Correction("1", "2026-11-16", "german companies", LF, GERMAN, "a43460c2085e")


def test_what_was_appended_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "corrections.jsonl"
    file = AppendedFile(path)
    file.append(ONE.record()).result(10)
    assert corrections.read(path) == ((ONE,), ())
    file.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
def test_what_was_appended_is_for_the_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "corrections.jsonl"
    AppendedFile(path).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_torn_line_is_skipped_and_told(tmp_path: Path) -> None:
    path = tmp_path / "corrections.jsonl"
    whole = json.dumps(ONE.record())
    path.write_text(f"{whole}\n{whole[:40]}")
    file = AppendedFile(path)
    file.append(ONE.record()).result(10)
    file.close()
    found = corrections.read(path)
    assert found.corrections == (ONE, ONE)
    [problem] = found.problems
    assert "line 2: skipped" in problem
    assert "a power cut may have torn it" in problem


def test_a_line_that_is_nested_too_deeply_is_told(tmp_path: Path) -> None:
    path = tmp_path / "corrections.jsonl"
    path.write_text("[" * 5_000)
    assert corrections.read(path).problems[0].startswith(f"{path}, line 1: skipped")


@pytest.mark.parametrize("line", ["[]", "{}", '{"query": 3}', "3", "\ufeff"])
def test_lines_that_are_no_correction_are_told(tmp_path: Path, line: str) -> None:
    path = tmp_path / "corrections.jsonl"
    path.write_text(f"{line}\n{json.dumps(ONE.record())}\n\n", encoding="utf-8")
    found = corrections.read(path)
    assert found.corrections == (ONE,)
    assert len(found.problems) == 1


def test_processes_append_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "corrections.jsonl"
    code = (
        "import sys; from pathlib import Path; from grammax.service.appended import AppendedFile\n"
        "file = AppendedFile(Path(sys.argv[1]))\n"
        "for done in [file.append({'n': sys.argv[2], 'x': 'x' * 5000}) for _ in range(100)]:\n"
        "    done.result(30)\n"
    )
    command = [sys.executable, "-c", code, str(path)]
    both = [subprocess.Popen([*command, name]) for name in "ab"]
    assert [process.wait(60) for process in both] == [0, 0]
    names = [json.loads(line)["n"] for line in path.read_text().splitlines()]
    assert sorted(names) == ["a"] * 100 + ["b"] * 100


def test_a_file_that_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        AppendedFile(tmp_path)
