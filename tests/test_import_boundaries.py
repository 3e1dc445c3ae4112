"""Imports go upwards in the order of ARCHITECTURE.md, and the core needs little."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "grammax"

ORDER = (
    "errors", "text", "files", "vocabulary", "grammar", "automaton", "head", "search", "language",
    "reading", "model", "runtime", "confidence", "training", "evaluation", "folder", "tables",
    "domains", "parser", "service", "cli",
)  # fmt: skip
CORE = ("errors", "vocabulary", "grammar", "automaton")


@cache
def imports(text: str) -> tuple[str, ...]:
    """The modules that a source imports when it runs, not those for type checking alone."""
    return tuple(_imports(text))


def _imports(text: str) -> Iterator[str]:
    for node in _statements(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "grammax":
            yield from (f"grammax.{name.name}" for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        yield node
        yield from _statements(node)


def part_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def downward(part: str, text: str) -> list[str]:
    """Imports of parts that come later in the order."""
    if part not in ORDER or part == "tables":  # until its seams are there
        return []
    later = ORDER[ORDER.index(part) + 1 :]
    inside = [name.split(".") for name in imports(text) if name.startswith("grammax.")]
    return [".".join(name) for name in inside if name[1] in later]


FILES = sorted(SOURCE.rglob("*.py"))


def test_imports_go_upwards_only() -> None:
    found = {path: downward(part_of(path), path.read_text(encoding="utf-8")) for path in FILES}
    assert {str(path): names for path, names in found.items() if names} == {}


def test_an_import_that_goes_downwards_is_noticed() -> None:
    assert downward("grammar", "from grammax.automaton.lr.engine import LrEngine") == [
        "grammax.automaton.lr.engine"
    ]
    assert downward("automaton", "def f():\n    import grammax.domains.eqs") == [
        "grammax.domains.eqs"
    ]
    assert downward("automaton", "from grammax import head") == ["grammax.head"]


def knows_equities(path: str, text: str) -> bool:
    """Whether a file outside the domain, and outside its own commands, imports the domain."""
    if path.startswith(("domains/eqs/", "tables/", "cli/eqs")):
        return False
    return any(name.startswith("grammax.domains.eqs") for name in imports(text))


def test_nothing_outside_the_domain_knows_an_equity() -> None:
    texts = {p.relative_to(SOURCE).as_posix(): p.read_text(encoding="utf-8") for p in FILES}
    assert [name for name, text in texts.items() if knows_equities(name, text)] == []


def test_knowing_an_equity_is_noticed() -> None:
    assert knows_equities("domains/wikisql/x.py", "from grammax.domains.eqs import grammars")
    assert knows_equities("cli/grammar.py", "def f():\n    import grammax.domains.eqs.domain")
    assert not knows_equities("cli/eqs.py", "import grammax.domains.eqs.domain")


def test_the_core_imports_numpy_and_lark_at_most() -> None:
    allowed = sys.stdlib_module_names | {"numpy", "lark", "grammax"}
    for path in FILES:
        if part_of(path) in CORE:
            names = {name.split(".")[0] for name in imports(path.read_text(encoding="utf-8"))}
            assert names <= allowed, path


@pytest.mark.parametrize("folder", ["search", "runtime", "evaluation"])
def test_what_decodes_knows_no_torch(folder: str) -> None:
    for path in (SOURCE / folder).glob("*.py"):
        assert not any(n.startswith("torch") for n in imports(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "module",
    [
        "grammax",
        "grammax.search",
        "grammax.cli.app",
        "grammax.tables.query.store",
        "grammax.runtime.parser",
    ],
)
def test_answering_does_not_import_torch(module: str) -> None:
    code = f"import sys, {module}; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_import_grammax_needs_neither_lark_nor_the_command_line() -> None:
    extras = ("lark", "typer", "rich", "ibis", "rapidfuzz", "filelock", "platformdirs")
    code = f"import sys, grammax; print([m for m in {extras} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
