"""The rules of the house: which room imports which, how large rooms are, and what they speak of.

Rooms are the modules and packages right below `grammax`, in the order of the data. `ORDER` lists
them; a new one has to be put there. Each rule has a test which shows that it can fail.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from grammax.grammar.productions import components

SOURCE = Path(__file__).parent.parent / "src" / "grammax"
TESTS = Path(__file__).parent

ORDER = (
    "errors", "text", "files", "vocabulary", "grammar", "automaton", "head", "search",
    "subwords", "transformers", "sklearn", "language", "reading", "model", "runtime",
    "confidence", "training", "evaluation", "tables", "folder",
    "base_model", "domains", "parser", "ray", "service", "cli",
)  # fmt: skip
CORE = ("errors", "vocabulary", "grammar", "automaton")
LARGEST_FOLDER = 15  # modules, `__init__` not counted

FILES = sorted(SOURCE.rglob("*.py"))


# What a file imports


@cache
def imports(text: str, at_start: bool = False) -> tuple[str, ...]:
    """The modules that a source imports; `at_start` leaves out what its functions import.

    What is imported for type checking alone is always left out. A name imported from a package is
    given as `package.name`, be it a module or not.
    """
    return tuple(_imports(_statements(ast.parse(text), at_start)))


def _imports(statements: Iterable[ast.AST]) -> Iterator[str]:
    for node in statements:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{name.name}" for name in node.names)


def _statements(tree: ast.AST, at_start: bool) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if at_start and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        yield node
        yield from _statements(node, at_start)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def room_of(path: Path) -> str:
    """The module or package right below `grammax` that a file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def module_of(path: Path) -> str:
    """The module's name; a package is named by its `__init__`."""
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


# Imports go upwards


SOURCES = {path.relative_to(SOURCE).as_posix(): text_of(path) for path in FILES}


def downward(room: str, text: str) -> list[str]:
    """Imports of rooms that come later in the order; `grammax` itself may import all."""
    if room in ("__init__", "__main__"):
        return []
    later = ORDER[ORDER.index(room) + 1 :]
    inside = [name for name in imports(text) if name.startswith("grammax.")]
    return [name for name in inside if name.split(".")[1] in later]


def unlisted(rooms: Iterable[str]) -> set[str]:
    """Rooms that the order does not have."""
    return {*rooms} - {*ORDER, "__init__", "__main__"}


def test_every_room_is_in_the_order() -> None:
    assert unlisted(map(room_of, FILES)) == set()
    assert unlisted(["automaton", "helpers", "__init__"]) == {"helpers"}


def test_imports_go_upwards_only() -> None:
    found = {name: downward(room_of(SOURCE / name), text) for name, text in SOURCES.items()}
    wrong = {name: names for name, names in found.items() if names}
    assert wrong == {}


def test_an_import_that_goes_downwards_is_noticed() -> None:
    assert downward("grammar", "from grammax.automaton.lr.engine import LrEngine") == [
        "grammax.automaton.lr.engine.LrEngine"
    ]
    assert downward("automaton", "def f():\n    import grammax.domains.eqs") == [
        "grammax.domains.eqs"
    ]
    assert downward("automaton", "from grammax import head") == ["grammax.head"]
    assert downward("head", "from grammax import automaton") == []


# Imports have no cycles, and go one way between the parts of a package


def graph(texts: Mapping[str, str], at_start: bool) -> dict[str, set[str]]:
    """For each module the others that it imports, packages that it is in left out."""
    return {
        module: {
            found
            for name in imports(text, at_start)
            if (found := _module(name, texts)) is not None
            and found != module
            and not module.startswith(f"{found}.")
        }
        for module, text in texts.items()
    }


def _module(name: str, modules: Mapping[str, str]) -> str | None:
    """The module that is imported: the name itself, or what it is a name of."""
    if name in modules:
        return name
    package = name.rpartition(".")[0]
    return package if package in modules else None


def cycles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """Groups of nodes that lead to each other."""
    nodes = sorted({*edges, *(target for targets in edges.values() for target in targets)})
    number = {node: index for index, node in enumerate(nodes)}
    successors = [[number[target] for target in edges.get(node, ())] for node in nodes]
    return [sorted(nodes[n] for n in group) for group in components(successors) if len(group) > 1]


def between_parts(package: str, edges: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Imports between the modules and packages right below a package."""
    found: dict[str, set[str]] = {}
    for module, targets in edges.items():
        part = _part(package, module)
        if part is not None:
            parts = {other for target in targets if (other := _part(package, target)) is not None}
            found.setdefault(part, set()).update(parts - {part})
    return found


def _part(package: str, module: str) -> str | None:
    inside = module.startswith(f"{package}.")
    return f"{package}.{module[len(package) + 1 :].partition('.')[0]}" if inside else None


TEXTS = {module_of(path): text_of(path) for path in FILES}
PACKAGES = sorted(module_of(path) for path in FILES if path.name == "__init__.py")


def test_no_import_leads_back_to_where_it_came_from() -> None:
    assert cycles(graph(TEXTS, at_start=True)) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_one_way_between_the_parts_of_a_package(package: str) -> None:
    assert cycles(between_parts(package, graph(TEXTS, at_start=False))) == []


def test_a_cycle_is_noticed() -> None:
    texts = {
        "g.a": "from g.b import x",
        "g.b": "if x:\n    import g.c.d",
        "g.c": "",
        "g.c.d": "from g import a",
        "g.e": "def f():\n    import g.a\nif TYPE_CHECKING:\n    import g.b",
        "g.a.x": "import g.e",
    }
    assert cycles(graph(texts, at_start=True)) == [["g.a", "g.b", "g.c.d"]]
    parts = between_parts("g", graph(texts, at_start=False))
    assert cycles(parts) == [["g.a", "g.b", "g.c", "g.e"]]


# Rooms are small


def crowded(modules: Iterable[Path], most: int) -> dict[str, int]:
    """Folders with more modules than they should have."""
    counts = Counter(path.parent for path in modules if path.name != "__init__.py")
    return {str(folder): count for folder, count in counts.items() if count > most}


def test_no_folder_has_more_than_fifteen_modules() -> None:
    assert crowded([*FILES, *TESTS.rglob("*.py")], LARGEST_FOLDER) == {}


def test_a_crowded_folder_is_noticed() -> None:
    many = [Path("a/__init__.py"), *(Path(f"a/m{n}.py") for n in range(4)), Path("b/x.py")]
    assert crowded(many, 3) == {"a": 4}
    assert crowded(many, 4) == {}


# Generic rooms know no equity, in code or in text

EQUITY = re.compile(
    r"(?i:(?<![a-z])(compan(y|ies)|tickers?|equit(y|ies)|stocks?|market[ _-]?caps?|mcap|issuers?"
    r"|dividends?|earnings|fundamentals?|shareholders?|portfolios?|investors?|nasdaq|nysex?|gics"
    r"|moody)(?![a-z]))"
    r"|\b(ISS|COU|IDX|GIC|EXC)_|\bFLD_(MKT|DOMICILE|INDEX|EQS|PRICE|EPS|RETURN|SALES|REV)"
)
"""Words of the trade and tokens of its catalogue.

By default any schema spells a field with FLD_, and a unit of money with CUR_.
"""

EQUITY_ROOMS = ("domains/eqs/", "cli/eqs/")
ALLOWED = {
    "parser/__init__.py": "its example parses with the domain that ships",
    "tables/wording/cues.py": "an organisation of any table may be called a company",
}
"""Files of generic rooms that may speak of equities, and why."""


def equity_words(path: str, text: str) -> list[str]:
    """The lines of a file of a generic room that speak of equities."""
    if path.startswith(EQUITY_ROOMS):
        return []
    lines = enumerate(text.splitlines(), 1)
    return [f"{path}:{number}: {line.strip()}" for number, line in lines if EQUITY.search(line)]


def texts_of_rooms() -> Iterator[tuple[str, str]]:
    """All sources and pages below `grammax`, by path."""
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix in (".py", ".js", ".html", ".css", ".toml", ".lark"):
            yield path.relative_to(SOURCE).as_posix(), text_of(path)


def test_generic_rooms_speak_of_no_equity() -> None:
    found = {path: lines for path, text in texts_of_rooms() if (lines := equity_words(path, text))}
    assert [line for path in found if path not in ALLOWED for line in found[path]] == []
    assert {*ALLOWED} <= {*found}, "what no longer speaks of equities need not be allowed to"


def test_speaking_of_equities_is_noticed() -> None:
    for text in ("the Company's name", "# FLD_MKT_CAP", '"market caps"', "n_stocks", "COU_GERMANY"):
        assert equity_words("service/app.py", f"x = 1\n{text}") == [f"service/app.py:2: {text}"]
        assert equity_words("domains/eqs/words.py", text) == []
    for text in ("accompany", "stockpile", "films of 1999", "inequity", "exc_info", "FLD_GENRE"):
        assert equity_words("service/app.py", text) == []


def knows_equities(path: str, text: str) -> bool:
    """Whether a file of a generic room imports the equity domain."""
    if path.startswith(EQUITY_ROOMS):
        return False
    return any(name.startswith("grammax.domains.eqs") for name in imports(text))


def test_nothing_outside_the_domain_imports_it() -> None:
    found = [name for name, text in SOURCES.items() if knows_equities(name, text)]
    assert found == []


def test_importing_the_domain_is_noticed() -> None:
    assert knows_equities("domains/wikisql/x.py", "from grammax.domains.eqs import grammars")
    assert knows_equities("cli/grammar.py", "def f():\n    import grammax.domains.eqs.domain")
    assert not knows_equities("cli/eqs/run.py", "import grammax.domains.eqs.domain")


# What is imported from elsewhere


def test_the_core_imports_numpy_and_lark_at_most() -> None:
    allowed = sys.stdlib_module_names | {"numpy", "lark", "grammax"}
    for path in FILES:
        if room_of(path) in CORE:
            names = {name.split(".")[0] for name in imports(text_of(path))}
            assert names <= allowed, path


@pytest.mark.parametrize("room", ["search", "reading", "runtime", "language", "tables", "parser"])
def test_what_decodes_knows_no_torch(room: str) -> None:
    for path in FILES:
        if room_of(path) == room and DEVICE not in path.parents:
            assert not any(name.startswith("torch") for name in imports(text_of(path))), path


DEVICE = SOURCE / "runtime" / "device"  # decodes on an accelerator, in PyTorch
LOADS_DEVICE = "runtime/parser.py"  # where a device is asked for, in a function


def test_what_decodes_on_a_device_is_imported_on_demand_only() -> None:
    for path in FILES:
        if DEVICE not in path.parents:
            at_start, ever = (
                [n for n in imports(text_of(path), begin) if n.startswith("grammax.runtime.device")]
                for begin in (True, False)
            )
            assert not at_start, path
            assert not ever or path == SOURCE / LOADS_DEVICE, path
    assert any("grammax.runtime.device" in n for n in imports(text_of(SOURCE / LOADS_DEVICE)))


@pytest.mark.parametrize(
    "module",
    [
        "grammax",
        "grammax.search",
        "grammax.cli.app",
        "grammax.tables.query.store",
        "grammax.runtime.parser",
        "grammax.parser",
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
