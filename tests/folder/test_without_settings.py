"""Folders without a `domain.toml`: what they are taken for, and what their messages say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grammax.domains import UnknownDomain, load_domain
from grammax.errors import FileFormatError
from grammax.folder import check_folder, write_example
from grammax.folder.new import next_step
from grammax.folder.settings import SETTINGS, read_settings
from grammax.folder.without_settings import what_to_do
from grammax.language.pair_files import is_language, pair_files
from grammax.tables.data_files import names_data

PAIRS = "one\tf(a, b)\ntwo\tf(a)\n"


def folder_of(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"train_tsv": PAIRS}, True),
        ({"train_tsv": "query\tlf\none\tcount\n"}, True),
        ({"train_jsonl": '{"query": "one", "lf": "f(a)"}\n', "notes_txt": "x"}, True),
        ({"train_tsv": PAIRS, "rooms_tsv": "token\tkind\naliases\n"}, True),
        ({"my_lark": "query: A", "rooms_csv": "token,kind\n"}, True),
        ({"train_tsv": PAIRS, "films_csv": "title,year\nAmelie,2001\n"}, False),
        ({"train_csv": "id,price\n1,2\n", "test_csv": "id,price\n3,4\n"}, False),
        ({"train_tsv": "city\tinhabitants\nParis\t2000000\n"}, False),
        ({"train_tsv": PAIRS, "schema_toml": ""}, False),
        ({"films_csv": "title,year\n"}, False),
        ({"notes_txt": ""}, False),
    ],
)
def test_pairs_are_no_table_to_ask_about(
    tmp_path: Path, files: dict[str, str], expected: bool
) -> None:
    folder = folder_of(tmp_path / "mine", **files)
    assert is_language(folder) == expected
    has_tables = any(not name.endswith(("txt", "lark", "jsonl")) for name in files)
    assert names_data(str(folder)) == (has_tables and not expected)


def test_a_folder_of_pairs_is_told_its_next_two_commands(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "mine", train_tsv=PAIRS, test_jsonl="")
    for call in (lambda: load_domain(str(folder)), lambda: check_folder(folder)):
        with pytest.raises((UnknownDomain, FileFormatError)) as caught:
            call()
        told = str(caught.value)
        assert (
            f"{folder} is not a domain yet: it has train.tsv, test.jsonl but no domain.toml" in told
        )
        assert f"`grammax new {folder}`" in told
        assert f"`grammax grammar induce {folder}`" in told


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, "`grammax new {}` writes an example"),
        ({"notes_txt": ""}, "`grammax new {}` writes a domain.toml for the files there"),
        ({"films_csv": "title,year\n"}, "has tables: `grammax ask {} "),
        ({"schema_toml": ""}, "describes a table: it has a schema.toml"),
        ({"train_tsv": PAIRS, "my_lark": ""}, "it has train.tsv and my.lark but no domain.toml"),
    ],
)
def test_each_folder_is_told_what_it_is(tmp_path: Path, files: dict[str, str], told: str) -> None:
    folder = folder_of(tmp_path / "mine", **files)
    assert told.format(folder) in what_to_do(folder)


def test_what_is_no_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"there is no folder .*`grammax new "):
        read_settings(tmp_path / "none")
    (tmp_path / "train.tsv").write_text(PAIRS, "utf-8")
    with pytest.raises(FileFormatError, match=r"train\.tsv is a file, not the folder of a domain"):
        read_settings(tmp_path / "train.tsv")


def test_settings_name_the_tables_and_the_grammar_that_are_there(tmp_path: Path) -> None:
    write_example(tmp_path / "rooms")
    (tmp_path / "rooms" / SETTINGS).unlink()
    (tmp_path / "rooms" / "grammar.lark").rename(tmp_path / "rooms" / "my.lark")
    write_example(tmp_path / "rooms")
    assert check_folder(tmp_path / "rooms").problems == ()
    settings = read_settings(tmp_path / "rooms")
    assert [path.name for path in (settings.grammar, *settings.tables)] == ["my.lark", "rooms.tsv"]


def test_pairs_under_another_name_are_mentioned(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "mine", questions_tsv=PAIRS)
    write_example(folder)
    assert "or name questions.tsv in [splits]" in next_step(folder)


def test_of_two_files_of_a_split_the_plain_one_counts(tmp_path: Path) -> None:
    folder_of(tmp_path, train_tsv=PAIRS, train_jsonl="", dev_jsonl="")
    assert pair_files(tmp_path) == {"train": "train.tsv", "dev": "dev.jsonl"}


def test_a_table_that_is_missing_is_told_with_the_setting_that_names_it(tmp_path: Path) -> None:
    write_example(tmp_path / "rooms")
    (tmp_path / "rooms" / "rooms.tsv").unlink()
    with pytest.raises(FileFormatError, match=r"rooms\.tsv: there is no such file; `tables` in"):
        check_folder(tmp_path / "rooms")


def test_a_split_that_is_missing_is_told_with_what_to_write(tmp_path: Path) -> None:
    write_example(tmp_path / "rooms")
    (tmp_path / "rooms" / "test.tsv").unlink()
    (problem,) = check_folder(tmp_path / "rooms").problems
    assert "there is no such file" in str(problem)
    assert "an utterance, a tab and its logical form" in str(problem)


def test_a_file_with_commas_is_one_problem(tmp_path: Path) -> None:
    write_example(tmp_path / "rooms")
    train = tmp_path / "rooms" / "train.tsv"
    train.write_text(train.read_text("utf-8").replace("\t", ","), "utf-8")
    (problem,) = check_folder(tmp_path / "rooms").problems
    assert "no tab in any line" in str(problem)
    assert "CSV has to be saved with tabs" in str(problem)


def test_a_head_in_any_order_that_is_no_token_is_told(tmp_path: Path) -> None:
    write_example(tmp_path / "rooms")
    settings = tmp_path / "rooms" / SETTINGS
    settings.write_text(settings.read_text("utf-8").replace('["and"]', '["And"]'), "utf-8")
    (problem,) = check_folder(tmp_path / "rooms").problems
    assert (problem.severity, problem.hint) == ("warning", "Did you mean and?")


def test_a_separator_of_conditions_that_is_no_token_is_told(tmp_path: Path) -> None:
    write_example(tmp_path / "rooms")
    settings = tmp_path / "rooms" / SETTINGS
    settings.write_text("joined_by = ';'\n" + settings.read_text("utf-8"), "utf-8")
    (problem,) = check_folder(tmp_path / "rooms").problems
    assert "joined_by has ';', which is not a token of the grammar" in str(problem)


def test_the_package_runs_as_a_module() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "grammax", "--version"], capture_output=True, text=True, check=False
    )
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.startswith("grammax ")


def test_sql_and_brackets_that_touch_are_told(tmp_path: Path) -> None:
    folder = folder_of(
        tmp_path,
        train_tsv="one\tselect a from b\n",
        domain_toml="name = 'x'\nsplits = {train = 'train.tsv'}\n",
        grammar_lark='query: "select" "a" "from" "b"',
    )
    (problem,) = check_folder(folder).problems
    assert (problem.severity, "--sql FILE --schema SCHEMA" in problem.hint) == ("warning", True)
    folder_of(tmp_path, train_tsv="one\tf(a, b)\n", grammar_lark='query: "f(a," "b)"')
    (problem,) = check_folder(folder).problems
    assert problem.hint == 'If a bracket is a token of its own, set notation = "calls".'
