"""Files from elsewhere: a damaged one is refused with an error that people can act on."""

from __future__ import annotations

import hashlib
import json
import shutil
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fuzz.given import damaged, fuzz, mutated
from hypothesis import strategies as st

import grammax
from grammax import Grammar
from grammax.automaton import load_automaton, save_automaton
from grammax.domains import load_domain
from grammax.errors import FileFormatError, GrammaxError
from grammax.folder import FolderDomain, write_example
from grammax.language.changes import Changes, NewValue
from grammax.language.changes_file import read_changes, write_changes
from grammax.language.changes_table import read_table
from grammax.service import corrections
from grammax.tables.inspect.inspection import inspect
from grammax.tables.inspect.schema_file import SchemaFileError, read_schema, write_schema

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
GRAMMARS = Path(__file__).parents[1] / "fixtures" / "grammars"
FILMS = """title,genre,director,year,length,price,seen
Alien,horror,Ridley Scott,1979,117 min,$3.50,2020-01-03
Fargo,crime,Joel Coen,1996,98 min,$2.00,2021-11-30
Heat,crime,Michael Mann,1995,170 min,"$1,200.00",2022-02-28
Solaris,drama,"Tarkovsky, Andrei",1972,167 min,,
"""


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode(errors="replace"))
    return path


def require_reason(error: Exception) -> None:
    assert str(error).strip()


def test_folders(tmp_path: Path) -> None:
    good, folder = tmp_path / "good", tmp_path / "rooms"
    write_example(good)
    names = sorted(str(path.relative_to(good)) for path in good.rglob("*") if path.is_file())
    texts = {name: (good / name).read_text(encoding="utf-8") for name in names}
    words = [
        "[tables]\n",
        'grammar = "',
        "answers = 3\n",
        "\t",
        "train = []\n",
        "/etc/passwd",
        "{}",
    ]
    edits = [mutated([text], words).map(lambda t, n=name: (n, t)) for name, text in texts.items()]

    def check(edit: tuple[str, str]) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(good, folder)
        written(folder / edit[0], edit[1])
        try:
            domain = FolderDomain(folder)
            for split in domain.splits:
                list(domain.pairs(split))
            domain.automaton(domain.exact)
            list(domain.written_pairs())
        except (GrammaxError, OSError) as error:
            require_reason(error)

    fuzz(st.one_of(edits), check)


def test_schemas(tmp_path: Path) -> None:
    folder = tmp_path / "films"
    folder.mkdir()
    table = inspect(str(written(tmp_path / "films.csv", FILMS)))
    schema = folder / "schema.toml"
    write_schema(schema, table)
    text = schema.read_text(encoding="utf-8")
    words = ["[[columns]]\n", 'class = "money"\n', "= 3\n", "state = 'x'\n", '"""', "[entity]\n"]

    def check(edited: str) -> None:
        written(schema, edited)
        try:
            read_schema(schema)
        except SchemaFileError as error:
            require_reason(error)

    fuzz(mutated([text], words), check)


def test_data_files(tmp_path: Path) -> None:
    def check(edited: str | bytes) -> None:
        path = written(tmp_path / "films.csv", edited)
        try:
            load_domain(str(path)).close()
        except (GrammaxError, OSError) as error:
            require_reason(error)

    given = st.one_of(mutated([FILMS]), damaged(FILMS.encode()), st.binary(max_size=200))
    fuzz(given, check)


def lines_of(kind: str, folder: Path) -> tuple[bytes, Callable[[Path], Any]]:
    """A good file of some kind, and what reads it."""
    if kind == "changes":
        path = folder / "changes.jsonl"
        value = NewValue("Wakanda", "country", aliases=("wakandan",))
        write_changes(path, "eqs", "1", Changes((value,), ("COU_PERU",)))
        return path.read_bytes(), lambda p: read_changes(p, "eqs")
    if kind == "table":
        return b"name,kind,aliases\nWakanda,country,wakandan\n", read_table
    record = {"id": "1", "time": "2026", "query": "q", "lf": "(x)", "tokens": ["x"], "version": "v"}
    return json.dumps(record).encode() + b"\n", corrections.read


@pytest.mark.parametrize("kind", ["changes", "table", "corrections"])
def test_lines(kind: str, tmp_path: Path) -> None:
    content, read = lines_of(kind, tmp_path)
    words = ["{}", "[]", "null", '"name": 3,', '{"name": {}}', "\n\n", "{" * 2_000, "[" * 2_000]

    def check(edited: str | bytes) -> None:
        try:
            read(written(tmp_path / "file.csv", edited))
        except GrammaxError as error:
            require_reason(error)

    fuzz(st.one_of(mutated([content.decode()], words), damaged(content)), check)


@pytest.mark.parametrize("name", ["arithmetic", "ambiguous", "lists"])
def test_saved_automata(name: str, tmp_path: Path) -> None:
    path = tmp_path / "automaton"
    grammar = Grammar.open(GRAMMARS / f"{name}.lark")
    save_automaton(grammax.exact(grammar) if name != "lists" else grammax.superset(grammar), path)
    magic, _, body = path.read_bytes().split(b"\n", 2)
    content = zlib.decompress(body).decode()
    words = ["null", "-1", "[]", "{}", "1e9", "9" * 30, "true", "[[" * 2_000, '"engine"', '"way"']

    def sealed(text: str) -> bytes:
        packed = zlib.compress(text.encode(errors="replace"))
        sums = {"version": 1, "bytes": len(packed), "sha256": hashlib.sha256(packed).hexdigest()}
        return b"\n".join((magic, json.dumps(sums).encode(), packed))

    def check(edited: bytes) -> None:
        with suppress(FileFormatError):
            load_automaton(written(path, edited))

    given = st.one_of(damaged(path.read_bytes(), 300), mutated([content], words).map(sealed))
    fuzz(given, check)


def test_checkpoints(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="makes a checkpoint")
    from model.networks import a_trainer, few
    from model.tiny import TINY

    from grammax.runtime.weights import load_weights
    from grammax.training.checkpoint import save_checkpoint

    path = tmp_path / "model.safetensors"
    save_checkpoint(path, a_trainer(few(16)), [])
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    head = content[8 : 8 + size].decode()
    words = ["null", "-1", "1e400", "[]", "{}", '"F64"', '"model"', "9" * 30, "[[" * 500]

    def with_head(text: str) -> bytes:
        changed = text.encode(errors="replace")
        return len(changed).to_bytes(8, "little") + changed + content[8 + size :]

    def check(edited: bytes) -> None:
        try:
            load_weights(written(path, edited), TINY)
        except GrammaxError as error:
            require_reason(error)

    given = st.one_of(damaged(content, size), mutated([head], words).map(with_head))
    fuzz(given, check)
