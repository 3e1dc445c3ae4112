"""What `import grammax` gives: these names and no more; and what reading a grammar imports."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import grammax

PUBLIC = {
    "Automaton", "Dfa", "Grammar", "GrammaxError", "Machine", "Permitted", "Sampler", "Vocabulary",
    "earley", "finite", "load_automaton", "lr", "save_automaton", "superset", "unrolled",
}  # fmt: skip
LAZY = {  # imported when they are first used
    "CachedRows", "EveryRow", "GatheredRows", "MaskedRows", "NewValue",
    "OutputLayer", "Parsed", "Parser", "Spans", "decode", "load",
}  # fmt: skip


def test_public_names_are_exactly_these() -> None:
    found = {name for name, value in vars(grammax).items() if not isinstance(value, ModuleType)}
    assert {name for name in found if not name.startswith("_")} == PUBLIC
    assert grammax.__version__
    assert {name for name in dir(grammax) if name in LAZY} == LAZY
    assert all(getattr(grammax, name) for name in LAZY)


def imported_by(statement: str) -> set[str]:
    """The top-level modules that a statement imports, in a process of its own."""
    code = f"{statement}; import sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


HEAVY = {"torch", "typer", "rich", "duckdb", "ibis", "hypothesis", "pytest"}


def test_reading_a_grammar_imports_lark_and_nothing_heavy() -> None:
    modules = imported_by("import grammax; grammax.Grammar.read('start: \"x\"')")
    assert {"grammax", "numpy", "lark"} <= modules
    assert not modules & HEAVY


def test_a_heavy_import_would_be_seen() -> None:
    assert imported_by("import grammax, hypothesis") & HEAVY == {"hypothesis"}
