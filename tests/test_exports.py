"""What `import grammax` gives: these names and no more, each with an example that runs."""

from __future__ import annotations

import doctest
import subprocess
import sys
from types import ModuleType

import pytest

import grammax

PUBLIC = {
    "Automaton", "ConflictError", "FileFormatError", "Grammar", "GrammarError", "GrammaxError",
    "Machine", "Permitted", "TokenNotPermitted", "UnknownToken", "Vocabulary", "VocabularyError",
    "earley", "exact", "glr", "lr", "superset", "unrolled",
}  # fmt: skip
LAZY = {  # of packages that a program that only compiles grammars does not need
    "CachedRows", "ChangesRefused", "EveryRow", "GatheredRows", "MaskedRows", "NewValue",
    "OutputLayer", "Parsed", "Parser", "Sampling", "Schema", "Scorer", "Spans", "decode",
    "decode_batch", "load", "rows_in_order", "training_steps",
}  # fmt: skip
NEEDS_TORCH = {
    "CachedRows", "EveryRow", "GatheredRows", "MaskedRows", "OutputLayer", "Spans", "decode",
    "rows_in_order",
}  # fmt: skip


def test_public_names_are_exactly_these() -> None:
    found = {name for name, value in vars(grammax).items() if not isinstance(value, ModuleType)}
    assert {name for name in found if not name.startswith("_")} <= PUBLIC | LAZY
    assert grammax.__version__
    assert {*dir(grammax)} >= PUBLIC | LAZY
    assert {*grammax._LAZY} == PUBLIC | LAZY
    with pytest.raises(AttributeError, match="no attribute 'LivingParser'"):
        _ = grammax.LivingParser


def failures(docstring: str | None) -> str | None:
    """What goes wrong in the examples of a docstring; None if there are some and all are right."""
    test = doctest.DocTestParser().get_doctest(docstring or "", {}, "example", None, None)
    if not test.examples:
        return "there is no example"
    said: list[str] = []
    doctest.DocTestRunner().run(test, out=said.append)
    return "".join(said) or None


@pytest.mark.parametrize("name", sorted(PUBLIC | LAZY))
def test_every_public_name_has_an_example_that_runs(name: str) -> None:
    if name in NEEDS_TORCH:
        pytest.importorskip("torch", reason="heads need PyTorch")
    assert failures(getattr(grammax, name).__doc__) is None


def test_a_missing_or_wrong_example_is_noticed() -> None:
    assert failures(None) == failures("Says something.") == "there is no example"
    assert "Got:\n    2" in (failures(">>> 1 + 1\n3") or "")
    assert failures(">>> 1 + 1\n2") is None


def imported_by(statement: str) -> set[str]:
    """The top-level modules that a statement imports, in a process of its own."""
    code = f"{statement}; import sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


HEAVY = {"torch", "typer", "rich", "duckdb", "ibis", "hypothesis", "pytest"}


def test_reading_a_grammar_imports_lark_and_nothing_heavy() -> None:
    modules = imported_by("import grammax; grammax.Grammar.read('start: \"x\"')")
    assert {"grammax", "lark"} <= modules
    assert not modules & HEAVY


def test_a_heavy_import_would_be_seen() -> None:
    assert imported_by("import grammax, hypothesis") & HEAVY == {"hypothesis"}
