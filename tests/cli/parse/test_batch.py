"""`grammax parse --file`: a JSON line for each query, and going on where it was interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.cli.parse import batch as parse_batch
from grammax.cli.parse.files import LONGEST, read_lines
from grammax.cli.parse.workers import NoWorkers, in_processes
from grammax.errors import GrammaxError
from grammax.parser import Parser
from grammax.parser.each import parse_each

EXAMPLES = Path(__file__).parents[3] / "examples"
QUERIES = ("steel japan", "return on capital sp500", "largest german banks", "french auto")
LONG = b"x" * (LONGEST + 5)


@pytest.fixture(autouse=True)
def _loaded_once(parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grammax.cli.parse.command.load_parser", lambda *_: parser)


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    path = tmp_path / "queries.txt"
    path.write_text("".join(f"{query}\n" for query in QUERIES * 2))
    return path


def run(*arguments: str | Path, stdin: bytes | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["parse", *map(str, arguments)], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_each_line_has_its_row_in_order(queries: Path, tmp_path: Path) -> None:
    code, out, err = run("--file", queries, "-o", tmp_path / "out.jsonl")
    assert (code, out) == (0, "")
    assert err.startswith("8 queries in ")
    assert "per second): 0 abstained, 0 with an error\n" in err
    found = rows((tmp_path / "out.jsonl").read_text())
    assert [(row["line"], row["text"]) for row in found] == [*enumerate(QUERIES * 2, 1)]
    assert found[0].keys() == {
        "line", "text", "lf", "confidence", "abstains", "why", "not_understood", "notices",
        "version", "model",
    }  # fmt: skip
    assert found[1]["lf"] == (
        "(AND (FLD_INDEX EQ enumValue(IDX_SP500)) (display FLD_RETURN_ON_CAP))"
    )
    assert not list(tmp_path.glob("*.tmp"))


def test_a_line_that_is_no_query_is_an_error_and_the_rest_goes_on() -> None:
    given = b"\xef\xbb\xbfsteel\r\n\n \t\ncaf\xe9\n\x00\x1b\nwhat is the meaning of life\njapan"
    code, out, err = run("--file", "-", "-o", "-", stdin=given)
    assert code == 0
    assert ": 1 abstained, 4 with an error\n" in err
    found = rows(out)
    assert [row["line"] for row in found] == [1, 2, 3, 4, 5, 6, 7]
    errors = {row["line"]: row["error"] for row in found if "error" in row}
    assert errors.keys() == {2, 3, 4, 5}
    assert errors[2] == errors[3] == "the line is empty"
    assert errors[4] == "not UTF-8: byte 0xe9 at position 4"
    assert "there is no word, digit or sign in it" in errors[5]
    assert (found[0]["text"], found[3]["text"]) == ("steel", "caf\\xe9")
    assert found[5]["abstains"]
    assert {"meaning", "life"} & set(found[5]["not_understood"])
    assert found[5]["notices"]
    assert found[6]["notices"] == []
    assert "COU_JAPAN" in found[6]["lf"]


def test_lines_are_read_whole_whatever_they_hold() -> None:
    given = b"a\n" + LONG + LONG + b"\nb\x0cc\xe2\x80\xa8d\ne"
    found = list(read_lines(BytesIO(given)))
    assert [line.number for line in found] == [1, 2, 3, 4]
    assert found[1].problem == f"longer than {LONGEST:,} bytes"
    assert found[2].text == "b\x0cc\u2028d"
    assert sum(line.size for line in found) == len(given)


def test_a_line_of_the_longest_length_is_one() -> None:
    for end in (b"", b"\n"):
        [line] = read_lines(BytesIO(b"x" * LONGEST + end))
        assert (len(line.text), line.problem) == (LONGEST, "")
    first, second = read_lines(BytesIO(b"x" * LONGEST + b"\n" + b"y"))
    assert (len(first.text), second.text) == (LONGEST, "y")


@pytest.mark.parametrize("cut", [0, 5, 200, 1_200])
def test_an_interrupted_run_goes_on(queries: Path, tmp_path: Path, cut: int) -> None:
    out = tmp_path / "out.jsonl"
    run("--file", queries, "-o", out)
    whole = out.read_bytes()
    out.write_bytes(whole[:cut])
    there = whole[:cut].count(b"\n")
    code, _, err = run("--file", queries, "-o", out)
    assert code == 0
    assert f"{8 - there} queries" in err
    assert (f"; {there} were there already" in err) == (there > 0)
    before, after = rows(whole.decode()), rows(out.read_text())
    assert [row["lf"] for row in after] == [row["lf"] for row in before]
    assert [row["line"] for row in after] == [*range(1, 9)]


def test_nothing_is_done_twice(queries: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    run("--file", queries, "-o", out)
    before = out.read_bytes()
    code, _, err = run("--file", "-", "-o", out, stdin=queries.read_bytes())
    assert (code, out.read_bytes()) == (0, before)
    assert err.startswith("0 queries in ")
    run("--file", queries, "-o", out, "--overwrite")
    assert len(rows(out.read_text())) == 8


def test_what_does_not_fit_is_refused_and_left_alone(queries: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    run("--file", queries, "-o", out)
    whole = out.read_bytes()
    other = tmp_path / "other.txt"
    for text, told in (
        ("steel japan\nbanks\n", "its line 2 is of 'return on capital sp500', and the query is"),
        ("steel japan\n", "there are 1 queries, and it has more lines"),
        ("", "there are 0 queries, and it has more lines"),
    ):
        other.write_text(text)
        code, _, err = run("--file", other, "-o", out)
        assert (code, told in err, out.read_bytes()) == (1, True, whole)
        assert "--overwrite to start again" in err
    code, _, err = run("--file", queries, "-o", out, "--best", "2")
    assert (code, out.read_bytes()) == (1, whole)
    assert "another model, catalogue or --best" in err


@pytest.mark.parametrize(
    "there", [b"hello", b"a,b\n1,2\n", b"[1]\n", b"\xff\x00", b"[" * 99_999 + b"\n"]
)
def test_a_file_of_something_else_is_refused_and_left_alone(
    queries: Path, tmp_path: Path, there: bytes
) -> None:
    out = tmp_path / "notes.txt"
    out.write_bytes(there)
    code, _, err = run("--file", queries, "-o", out)
    assert (code, out.read_bytes()) == (1, there)
    assert f"{out}, line 1: `grammax parse` did not write this" in err


def test_the_queries_are_not_overwritten(queries: Path, tmp_path: Path) -> None:
    before = queries.read_bytes()
    link = tmp_path / "link"
    link.symlink_to(queries)
    for output in (queries, link):
        code, _, err = run("--file", queries, "-o", output, "--overwrite")
        assert (code, queries.read_bytes()) == (1, before)
        assert "is the file of queries itself" in err


def test_two_processes_do_not_write_to_one_file(queries: Path, tmp_path: Path) -> None:
    import fcntl

    out = tmp_path / "out.jsonl"
    with out.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        code, _, err = run("--file", queries, "-o", out)
    assert (code, err) == (1, f"{out}: another process is writing to it.\n")


def test_several_forms_of_each_query() -> None:
    _, out, _ = run("--file", "-", "--best", "3", stdin=b"steel japan\n\x00\n")
    first, second = rows(out)
    assert len(first["best"]) == 3
    assert first["best"][0]["lf"] == first["lf"]
    assert "there is no word" in second["error"]


def test_a_bad_query_spoils_no_other(parser: Parser) -> None:
    texts = ["steel", "\x00", "japan", "banks", "\x1b"]
    found = parse_each(parser, texts)
    assert [isinstance(one, str) for one in found] == [False, True, False, False, True]
    assert parse_each(parser, []) == []
    with pytest.raises(GrammaxError):
        parser.parse_batch(texts)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give one query, or a file"),
        (["steel", "--file", "x"], "give one query, or a file"),
        (["steel", "-o", "x"], "--output and --overwrite go with --file"),
        (["steel", "--overwrite"], "--output and --overwrite go with --file"),
        (["--file", "x", "--explain"], "--explain is for one query"),
        (["--file", "x", "--overwrite"], "--overwrite goes with the file"),
        (["steel", "--device", "cpu"], "--device goes with --file"),
        (["--file", "x", "--device", "cpu", "--best", "2"], "--device goes with --file, and not"),
    ],
)
def test_options_that_do_not_go_together(arguments: list[str], told: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert told in " ".join(err.split())


def test_several_processes_give_the_same_rows(
    queries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse_batch, "_CHUNK", 2)
    _, alone, _ = run("--file", queries)
    code, out, err = run("--file", queries, "--workers", "2")
    assert (code, out) == (0, alone)
    assert err.startswith("8 queries in ")


def test_a_device_gives_the_same_forms(queries: Path) -> None:
    pytest.importorskip("torch", reason="devices decode with PyTorch")
    pytest.importorskip("numba", reason="devices use the tables of compiled searches")
    _, alone, _ = run("--file", queries)
    code, out, err = run("--file", queries, "--device", "cpu")
    assert code == 0
    assert [row["lf"] for row in rows(out)] == [row["lf"] for row in rows(alone)]
    assert err.startswith("8 queries in ")


def test_a_worker_that_ends_is_told() -> None:
    with pytest.raises(NoWorkers, match="a worker was ended"):
        [*in_processes(os._exit, iter([1, 2, 3]), 2)]


def test_only_a_few_items_wait() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    found = in_processes(abs, items(), 2)
    assert [next(found) for _ in range(3)] == [(0, 0), (1, 1), (2, 2)]
    assert len(taken) < 10
    found.close()  # type: ignore[attr-defined]


def test_the_queries_of_the_examples_are_all_understood() -> None:
    code, out, err = run("--file", EXAMPLES / "queries.txt")
    assert (code, len(rows(out))) == (0, 5)
    assert "0 abstained, 0 with an error" in err


def test_an_empty_file_is_done_at_once(tmp_path: Path) -> None:
    (tmp_path / "none").touch()
    code, out, err = run("--file", tmp_path / "none")
    assert (code, out) == (0, "")
    assert err.startswith("0 queries in 0.0 s")


def test_memory_does_not_grow_with_the_file() -> None:
    """Lines come one at a time, and no more than a chunk of them is kept."""

    class Endless:
        left = 20_001

        def readline(self, _: int) -> bytes:
            self.left -= 1
            return b"steel in germany\n" if self.left else b""

    tracemalloc.start()
    count = sum(len(chunk) for chunk in parse_batch._chunks(read_lines(Endless())))  # type: ignore[arg-type]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 500_000


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path) -> None:
    source, out = tmp_path / "queries.txt", tmp_path / "out.jsonl"
    source.write_text("steel western europe not german\n" * 20_000)
    command = [sys.executable, "-m", "grammax.cli.main", "parse", "--file", source, "-o", out]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not out.exists() or not out.stat().st_size:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert err.startswith("Interrupted after ")
    assert "The same command continues from here." in err
    assert "Traceback" not in err
    assert 0 < len(rows(out.read_text())) < 20_000


@pytest.mark.slow
def test_the_script_of_the_examples_runs(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", EXAMPLES / "batch.sh"], cwd=tmp_path, env={**os.environ, "PATH": path},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert json.loads(done.stdout.splitlines()[0])["line"] == 1
    assert done.stdout.splitlines()[-1] == "the parser would rather not say"
