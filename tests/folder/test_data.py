"""Files of pairs and tables of tokens, and all that may be wrong with them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from grammax.errors import FileFormatError, GrammarError, VocabularyError
from grammax.folder import FolderDomain, check_folder
from grammax.folder.data import read_form, read_pairs
from grammax.folder.living.tables import read_tables

BAD = ('{"query": 3, "lf": "a"}', '{"query": "x", "lf": ["a", ""]}', '{"query": "x", "lf": 3}')


def problems(path: Path) -> list[str]:
    return [str(problem) for problem in read_pairs(path, "spaces")[1]]


def test_a_byte_order_mark_mixed_ends_and_compression(tmp_path: Path) -> None:
    data = "\ufeffquery\tlf\r\none\t( a )\rtwo\t( b )\n\n".encode()
    (tmp_path / "pairs.tsv").write_bytes(data)
    (tmp_path / "pairs.tsv.gz").write_bytes(gzip.compress(data))
    for name in ("pairs.tsv", "pairs.tsv.gz"):
        found, wrong = read_pairs(tmp_path / name, "spaces")
        assert wrong == []
        assert [line.pair.query for line in found] == ["one", "two"]
        assert [line.number for line in found] == [2, 3]


def test_each_bad_line_is_told_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(b"one\t( a )\nonly one column\nthree\t( a )\tmore\n\xff\t( a )\n\t( a )\n")
    found = problems(path)
    assert [line.split(":")[1] for line in found] == ["2", "3", "4", "5"]
    assert "there are 1" in found[0]
    assert "UTF-8" in found[2]


def test_json_lines_with_tokens_that_have_spaces(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    rows = [
        {"question": "notes?", "lf": ["SELECT", "VAL:SOUTH AUSTRALIA"]},
        {"query": "x", "lf": "a b"},
    ]
    lines = [json.dumps(row) for row in rows]
    path.write_text("\n".join([*lines, "{}", "nonsense", *BAD]), "utf-8")
    found, wrong = read_pairs(path, "spaces")
    assert [line.pair.tokens for line in found] == [("SELECT", "VAL:SOUTH AUSTRALIA"), ("a", "b")]
    assert [problem.location.line for problem in wrong] == [3, 4, 5, 6, 7]


def test_files_that_are_not_there_or_empty(rooms: Path, tmp_path: Path) -> None:
    assert "no such file" in problems(tmp_path / "none.tsv")[0]
    (tmp_path / "empty.tsv").write_bytes(b"")
    assert "no pairs" in problems(tmp_path / "empty.tsv")[0]
    (rooms / "test.tsv").unlink()
    assert check_folder(rooms).errors == 1
    with pytest.raises(GrammarError, match="no such file"):
        FolderDomain(rooms).pairs("test")


def test_tables(tmp_path: Path) -> None:
    (tmp_path / "one.tsv").write_text("token\tkind\taliases\na\tK\tone | two\nb\tK\t\n", "utf-8")
    (tmp_path / "two.csv").write_text('token,kind\n"c,d",K\n', "utf-8")
    found = read_tables([tmp_path / "one.tsv", tmp_path / "two.csv"])
    assert found.tokens == {"K": ("a", "b", "c,d")}
    assert found.aliases == {"a": ("one", "two")}
    (tmp_path / "bad.tsv").write_text("tok\tkind\n", "utf-8")
    with pytest.raises(VocabularyError, match="columns"):
        read_tables([tmp_path / "bad.tsv"])


def test_a_missing_table_is_told_with_one_that_is_called_nearly_so(tmp_path: Path) -> None:
    (tmp_path / "foods.tsv").write_text("token\tkind\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"food\.tsv: .* Did you mean foods\.tsv\?"):
        read_tables([tmp_path / "food.tsv"])


def test_a_header_of_other_names_is_no_pair(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("utterance\tform\none\t( a )\n", encoding="utf-8")
    [problem] = problems(path)
    assert "pairs.tsv:1:1" in problem
    assert "names may be query, question, utterance, text, a tab, and lf, " in problem


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.jsonl", '{"query": "x" "lf": "a"}', "not JSON: Expecting ',' delimiter at column 15"),
        ("p.jsonl", '[{"query": "x", "lf": "a"}]', "each line must be an object, such as {"),
        ("p.json", '[{"query": "x", "lf": "a"}]', "a file whose name ends in .jsonl"),
    ],
)
def test_json_that_is_no_object_on_each_line_is_told(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(f'{content}\n{{"query": "y", "lf": "a"}}\ta\n', encoding="utf-8")
    assert message in problems(path)[0]


def test_a_table_of_parquet(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "kinds.parquet"
    duckdb.sql("SELECT 'a' token, 'K' kind, 'one|two' aliases").write_parquet(str(path))
    assert read_tables([path]) == ({"K": ("a",)}, {"a": ("one", "two")})
    path.write_bytes(b"no parquet")
    with pytest.raises(VocabularyError, match="Parquet"):
        read_tables([path])


@pytest.mark.parametrize(
    ("notation", "tokens"),
    [
        ("spaces", ("f(a,", "'b", "c')")),
        ("brackets", ("f", "(", "a,", "'b c'", ")")),
        ("calls", ("f", "(", "a", ",", "'b c'", ")")),
    ],
)
def test_notations(notation: str, tokens: tuple[str, ...]) -> None:
    assert read_form("f(a, 'b c')", notation) == tokens  # type: ignore[arg-type]
