"""SECURITY.md names, for each promise, tests that are there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def rows(text: str) -> list[list[str]]:
    """The cells of the table of threats, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines][1:]


def missing(text: str) -> Iterator[str]:
    """Tests that a text names and that are not there."""
    for file, name in _TEST.findall(text):
        path = ROOT / file
        if not path.exists():
            yield file
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        if name and name not in names:
            yield f"{file}::{name}"


@pytest.fixture(scope="module")
def text() -> str:
    return (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_every_threat_has_tests_and_they_are_there(text: str) -> None:
    found = rows(text)
    assert len(found) > 15
    assert [row[0] for row in found if len(row) != 4 or not _TEST.search(row[3])] == []
    assert [*missing(text)] == []


def test_a_test_that_is_gone_is_noticed() -> None:
    gone = "`tests/test_gone.py::test_x` `tests/test_security.py::test_y` `tests/test_files.py`"
    assert [*missing(gone)] == ["tests/test_gone.py", "tests/test_security.py::test_y"]


RUNS = {"eval", "exec", "system", "popen"}
UNPICKLES = {"load", "loads", "Unpickler"}
ALLOWED = {
    "runtime/compiled/stored.py": "reads the index of compiled code as Numba does: the cache",
}


def dangerous(text: str) -> set[str]:
    """Calls that run or unpickle what they are given."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            module, _, name = called.rpartition(".")
            is_pickle = name in UNPICKLES and module in ("pickle", "torch", "marshal", "yaml")
            shell = any(k.arg == "shell" for k in node.keywords)
            allows = any(
                k.arg == "allow_pickle" and ast.unparse(k.value) != "False" for k in node.keywords
            )
            if called in RUNS or (called.startswith("os.") and name in RUNS) or is_pickle:
                found.add(called)
            if shell or allows:
                found.add(ast.unparse(node))
    return found


def test_nothing_is_unpickled_or_evaluated() -> None:
    source = ROOT / "src" / "grammax"
    files = {path.relative_to(source).as_posix(): path for path in source.rglob("*.py")}
    found = {name: calls for name, path in files.items() if (calls := dangerous(path.read_text()))}
    assert {*found} == {*ALLOWED}, found
    assert dangerous("eval(x)\ntorch.load(f)\nos.system(x)\nrun(x, shell=True)") == {
        "eval",
        "torch.load",
        "os.system",
        "run(x, shell=True)",
    }
    assert not dangerous("network.eval()\njson.loads(x)\nnp.load(f, allow_pickle=False)")


def test_the_page_inserts_no_html() -> None:
    scripts = [*(ROOT / "src" / "grammax" / "service" / "page").rglob("*.js")]
    assert len(scripts) > 5
    html = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|Function\(")
    assert [path.name for path in scripts if html.search(path.read_text(encoding="utf-8"))] == []


def test_what_it_says_comes_from_outside_is_what_is_read(text: str) -> None:
    named = " ".join(row[0] for row in rows(text))
    for what in ("queries", "grammars", "logical forms", "folders", "schema.toml", "data files"):
        assert what in named
    assert "checkpoints" in named
    assert "HTTP" in named
