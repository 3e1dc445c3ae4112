"""`grammax new`: the example, and settings for files that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammax.errors import FileFormatError, GrammaxError
from grammax.folder import FolderDomain, check_folder, write_example
from grammax.folder.induce import propose
from grammax.folder.new import next_step
from grammax.folder.settings import read_settings


def test_the_example_is_sound(rooms: Path) -> None:
    checked = check_folder(rooms)
    assert checked.problems == ()
    assert checked.grammars == ("superset", "lr")
    assert checked.splits["train"].pairs > 60
    assert checked.splits["test"].unseen == 0
    assert read_settings(rooms).training == {"epochs": 30}


def test_a_folder_that_is_there_is_left_alone(rooms: Path) -> None:
    with pytest.raises(GrammaxError, match="not empty"):
        write_example(rooms)


def test_a_file_is_no_place_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "rooms").write_text("", encoding="utf-8")
    with pytest.raises(GrammaxError, match="is a file"):
        write_example(tmp_path / "rooms")


def test_new_completes_a_folder_and_overwrites_nothing(rooms: Path) -> None:
    (rooms / "domain.toml").unlink()
    (rooms / "dev.jsonl").write_text('{"query": "x", "lf": "y"}', encoding="utf-8")
    before = {path: path.read_bytes() for path in rooms.iterdir()}
    with pytest.raises(FileFormatError, match=r"`grammax new .*` writes one"):
        FolderDomain(rooms)
    assert write_example(rooms) == [rooms / "domain.toml"]
    assert {path: path.read_bytes() for path in before} == before
    splits = {"train": "train.tsv", "dev": "dev.jsonl", "test": "test.tsv"}
    assert read_settings(rooms).splits == splits
    assert read_settings(rooms).training == {}
    assert "grammax check" in next_step(rooms)


@pytest.mark.parametrize(
    ("form", "notation"),
    [
        ("( a ( b c ) )", "spaces"),
        ("(a (b c))", "brackets"),
        ("a(b, c)", "calls"),
        ("answer ( a , b )", "spaces"),
    ],
)
def test_pairs_alone_become_a_domain_in_two_steps(tmp_path: Path, form: str, notation: str) -> None:
    (tmp_path / "train.tsv").write_text(f"one\t{form}\n", encoding="utf-8")
    write_example(tmp_path)
    settings = read_settings(tmp_path)
    assert settings.notation == notation
    assert "grammax grammar induce" in next_step(tmp_path)
    settings.grammar.write_text(propose(settings).text, encoding="utf-8")
    assert check_folder(tmp_path).problems == ()


def test_a_folder_without_pairs_is_told_to_write_them(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    write_example(tmp_path)
    assert f"write pairs into {tmp_path / 'train.tsv'}" in next_step(tmp_path)


@pytest.mark.parametrize(
    ("folder", "name"), [("Rooms", "rooms"), ("1-a b", "a-b"), ("42", "mine"), ("über", "ber")]
)
def test_a_domain_has_the_name_of_its_folder(tmp_path: Path, folder: str, name: str) -> None:
    (tmp_path / folder / ".git").mkdir(parents=True)
    assert len(write_example(tmp_path / folder)) == 5
    assert read_settings(tmp_path / folder).name == name
