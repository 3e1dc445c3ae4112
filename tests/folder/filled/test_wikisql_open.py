"""WikiSQL with values as open text: no value is listed, and each is found in its question."""

from __future__ import annotations

import shutil
from importlib import util
from pathlib import Path

import pytest
from folder.public_data import needs_data

from grammax.errors import GrammaxError
from grammax.folder import read_folder
from grammax.folder.open import OpenFolder
from grammax.model.config import ModelConfig
from grammax.model.header import new_reader
from grammax.reading.words import WordVocabulary

EXAMPLES = Path(__file__).parents[3] / "examples" / "domains"
COLUMNS = (
    "token\tkind\taliases",
    "COL:RIVER\tTEXT_COLUMN\tRIVER",
    "COL:LENGTH\tOPEN_COLUMN\tLENGTH",
)
PAIRS = {
    "Where does the rio negro rise?": "VAL:Rio Negro",
    "which is longer than 500 km, the Rhine?": "VAL:500",
}


@pytest.fixture
def domain(tmp_path: Path) -> OpenFolder:
    """The settings and the grammar of the example, with a few columns."""
    for name in ("domain.toml", "grammar.lark"):
        (tmp_path / "open").mkdir(exist_ok=True)
        shutil.copy(EXAMPLES / "wikisql-open" / name, tmp_path / "open")
    tables = tmp_path / "wikisql" / "tables"
    tables.mkdir(parents=True)
    kinds = ("NUMBER", "DATE", "CODE")
    others = [f"COL:{kind}\t{kind}_COLUMN\t{kind}" for kind in kinds]
    (tables / "columns.tsv").write_text("\n".join((*COLUMNS, *others)) + "\n")
    found = read_folder(tmp_path / "open")
    assert isinstance(found, OpenFolder)
    return found


def test_values_are_words_of_their_questions(domain: OpenFolder) -> None:
    assert not any(token.startswith("VAL:") for token in domain.vocabulary.tokens)
    reader = new_reader(ModelConfig(filled=True), domain, WordVocabulary(()))
    for question, value in PAIRS.items():
        form = ("SELECT", "NONE", "COL:RIVER", "WHERE", "COL:LENGTH", "=", value)
        query = reader.read(question)
        pieces = query.written_pieces(query.filled(form))
        assert domain.same(tuple(token for piece in pieces for token in piece), form)


@pytest.mark.slow
@needs_data
def test_no_form_of_the_test_set_needs_a_list_of_values(tmp_path: Path) -> None:
    spec = util.spec_from_file_location("prepare", EXAMPLES / "wikisql" / "prepare.py")
    assert spec is not None
    assert spec.loader is not None
    prepare = util.module_from_spec(spec)
    spec.loader.exec_module(prepare)
    folder = tmp_path / "wikisql-open"
    shutil.copytree(EXAMPLES / "wikisql-open", folder)
    domain = read_folder(folder)
    tables = tmp_path / "wikisql" / "tables"
    tables.mkdir(parents=True)
    columns, _ = prepare.tables(domain.settings.root)
    prepare.write(tables / "columns.tsv", columns)
    reader = new_reader(ModelConfig(filled=True), domain, WordVocabulary(()))
    missing = 0
    pairs = domain.pairs("test")[::20]
    for pair in pairs:
        try:
            reader.read(pair.query).filled(pair.tokens)
        except GrammaxError:
            missing += 1
    assert missing <= 0.002 * len(pairs)
