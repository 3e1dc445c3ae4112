"""`domain.toml`: what may be wrong with it, and where the data are."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammax.errors import FileFormatError
from grammax.folder import FolderDomain
from grammax.folder.settings import read_settings


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nmae = 'x'", "Did you mean name"),
        ("name = 3", "must be a text"),
        ("name = 'No Name'", "lower-case letters"),
        ("name = ", "not valid TOML"),
        ("notation = 'lisp'", "spaces, brackets, calls"),
        ("splits = {test = 'a.tsv'}", "no train"),
        ("tables = 'one.tsv'", "list of texts"),
        ("mentioned = ['ROOM']", "mentioned is called must_be_named now"),
        ("out_of_domain = ['other.txt']", "must be a text"),
    ],
)
def test_settings_that_are_wrong_are_told(rooms: Path, text: str, told: str) -> None:
    (rooms / "domain.toml").write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=told):
        read_settings(rooms)


def test_no_settings_at_all(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="grammax new"):
        FolderDomain(tmp_path)


def test_data_of_the_users(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = rooms / "domain.toml"
    settings.write_text("name = 'x'\ndata = '$GRAMMAX_DATA/there'", encoding="utf-8")
    monkeypatch.setenv("GRAMMAX_DATA", "/data")
    assert read_settings(rooms).path("train") == Path("/data/there/train.tsv")
    assert read_settings(rooms, rooms).path("test") == rooms / "there" / "test.tsv"
    monkeypatch.delenv("GRAMMAX_DATA")
    told = r"GRAMMAX_DATA is not set\. Set it to the folder that has there, or give .* --data"
    with pytest.raises(FileFormatError, match=told):
        FolderDomain(rooms).pairs("train")
    settings.write_text("name = 'x'", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"data is '\.', which is not in \$GRAMMAX_DATA"):
        read_settings(rooms, rooms)
