"""WikiSQL as a domain: what its prepare.py makes of pairs, and the grammar over that."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest
from folder.public_data import needs_data

from grammax.errors import VocabularyError
from grammax.folder import FolderDomain, check_folder
from grammax.folder.coverage import coverage
from grammax.model.config import ModelConfig
from grammax.model.header import new_reader
from grammax.reading.words import WordVocabulary

FOLDER = Path(__file__).parents[2] / "examples" / "domains" / "wikisql"
PAIRS = (  # written for this test, in the format of the data
    ("Which rivers are longer than 500 km?", "SELECT NONE COL:RIVER WHERE COL:LENGTH > VAL:500"),
    ("How many rivers flow through Peru?", "SELECT COUNT COL:RIVER WHERE COL:COUNTRY = VAL:Peru"),
    ("What is the longest river?", "SELECT MAX COL:LENGTH"),
    ("Where does the Rio Negro rise?", "SELECT NONE COL:SOURCE WHERE COL:RIVER = VAL:Rio Negro"),
)


@pytest.fixture(scope="module")
def prepare() -> ModuleType:
    """The script, as a module."""
    spec = util.spec_from_file_location("wikisql_prepare", FOLDER / "prepare.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tokens(form: str) -> list[str]:
    """The tokens of one of the forms above: a value is the last, blanks and all."""
    head, value, named = form.partition("VAL:")
    return [*head.split(), *([value + named] if value else [])]


@pytest.fixture
def domain(tmp_path: Path) -> FolderDomain:
    """The domain over a few pairs, its tables prepared by the script."""
    data, folder = tmp_path / "data" / "wikisql", tmp_path / "domain"
    data.mkdir(parents=True)
    folder.mkdir()
    lines = [json.dumps({"question": q, "table": "1", "lf": tokens(form)}) for q, form in PAIRS]
    # Seven times: what is seen that often is what a column is known for.
    splits = {"train": lines * 7, "dev": lines[:1], "test": lines}
    for name, some in splits.items():
        with gzip.open(data / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write("\n".join(some))
    for name in ("domain.toml", "grammar.lark"):
        shutil.copy(FOLDER / name, folder)
    given = ["--data", str(data.parent), "--output", str(folder / "tables")]
    subprocess.run([sys.executable, str(FOLDER / "prepare.py"), *given], check=True)
    return FolderDomain(folder, data.parent)


@pytest.mark.parametrize(
    ("value", "sort"),
    [
        ("500", "NUMBER"),
        ("-1,234.5%", "NUMBER"),
        ("$ 12", "NUMBER"),
        ("1994", "YEAR"),
        ("May 3, 1994", "DATE"),
        ("3-2", "CODE"),
        ("4th place", "MIXED"),
        ("Rio Negro", "TEXT"),
        ("", "TEXT"),
    ],
)
def test_a_value_is_of_the_sort_that_it_is_written_as(
    prepare: ModuleType, value: str, sort: str
) -> None:
    assert prepare.type_of(value) == sort


def test_a_script_without_data_says_what_to_give(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, str(FOLDER / "prepare.py"), "--data", str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert found.returncode == 1
    assert f"no wikisql/train.jsonl.gz in {tmp_path}" in found.stderr


# One sort is missing from so few pairs, and a grammar whose kinds have no token is none.
@pytest.fixture
def loose(domain: FolderDomain) -> FolderDomain:
    """The same, its grammar cut down to the kinds that are there."""
    grammar = domain.folder / "grammar.lark"
    grammar.write_text(
        """
        query: "SELECT" AGGREGATE column ("WHERE" condition ("AND" condition)*)?
        column: NUMBER_COLUMN | TEXT_COLUMN | OPEN_COLUMN
        condition: NUMBER_COLUMN OPERATOR NUMBER | TEXT_COLUMN OPERATOR TEXT
                 | OPEN_COLUMN OPERATOR (NUMBER | TEXT)
        AGGREGATE: "NONE" | "COUNT" | "MIN" | "MAX" | "SUM" | "AVG"
        OPERATOR: "=" | "<" | ">"
        """
    )
    settings = domain.folder / "domain.toml"
    text = settings.read_text()
    start = text.index("must_be_named")
    settings.write_text(
        text[:start] + 'must_be_named = ["NUMBER", "TEXT"]' + text[text.index("\n", start) :]
    )
    return FolderDomain(domain.folder, domain.settings.root.parent)  # type: ignore[union-attr]


def test_columns_take_values_of_the_sort_that_they_are_known_for(loose: FolderDomain) -> None:
    automaton = loose.automaton("lr")
    forms = [pair.tokens for pair in loose.pairs("test")]
    assert coverage(forms, automaton).accepted == 1.0
    state = automaton.read(["SELECT", "NONE", "COL:RIVER", "WHERE", "COL:LENGTH", ">"])
    assert automaton.next_tokens(state).kinds == ("NUMBER",)
    assert loose.wordings("COL:LENGTH") == ("LENGTH",)
    assert loose.wordings("VAL:Rio Negro") == ("Rio Negro",)


def test_questions_mention_their_values(loose: FolderDomain) -> None:
    reader = new_reader(
        ModelConfig(), loose, WordVocabulary.from_queries(p.query for p in loose.pairs("train"))
    )
    for query, form in PAIRS:
        mentioned = reader.read(query).available
        assert mentioned is not None
        named = {loose.vocabulary.tokens[token] for token in mentioned.ids}
        assert named == {token for token in tokens(form) if token.startswith("VAL:")}


def test_what_must_be_named_is_checked(loose: FolderDomain) -> None:
    data = loose.settings.root.parent  # type: ignore[union-attr]
    assert check_folder(loose.folder, data).splits["test"].named == 1.0
    settings = loose.folder / "domain.toml"
    settings.write_text(settings.read_text().replace('"TEXT"]', '"TXT"]'))
    with pytest.raises(
        VocabularyError, match="must_be_named: there is no kind 'TXT'; did you mean TEXT"
    ):
        check_folder(loose.folder, data)


@needs_data
@pytest.mark.slow
def test_the_grammar_accepts_nearly_all_test_forms(tmp_path: Path) -> None:
    for name in ("domain.toml", "grammar.lark", "prepare.py"):
        shutil.copy(FOLDER / name, tmp_path)
    subprocess.run([sys.executable, str(tmp_path / "prepare.py")], check=True)
    domain = FolderDomain(tmp_path)
    assert len(domain.vocabulary) == 66_969
    forms = [pair.tokens for pair in domain.pairs("test")]
    assert coverage(forms, domain.automaton("lr")).accepted > 0.995
