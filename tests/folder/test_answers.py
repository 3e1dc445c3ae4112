"""What answers a folder: functions of installed packages, and nothing in the folder."""

from __future__ import annotations

from datetime import date
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from threading import Event

import pytest

from grammax.errors import GrammaxError
from grammax.folder import FolderDomain, write_example
from grammax.folder.answers import GROUP, AnswerFailed, FunctionAnswers, NoSuchAnswers, as_answer
from grammax.language.answer import AnswerTooSlow
from grammax.language.domain import Tokens

FREE = ("attic", "birch", "cedar")


def free_rooms(tokens: Tokens) -> list[str]:
    """The rooms, if the logical form asks for a room."""
    if "monday" in tokens:
        raise ValueError("closed on mondays")
    return list(FREE) if "room" in tokens else []


def installed(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    points = EntryPoints([EntryPoint("rooms", value, GROUP)])
    monkeypatch.setattr(
        "grammax.folder.answers.entry_points", lambda group: points.select(group=group)
    )


@pytest.fixture
def rooms(tmp_path: Path) -> Path:
    folder = tmp_path / "rooms"
    write_example(folder)
    settings = folder / "domain.toml"
    settings.write_text('answers = "rooms"\n' + settings.read_text("utf-8"), "utf-8")
    return folder


def test_a_folder_answers_by_an_entry_point(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, f"{__name__}:free_rooms")
    store = FolderDomain(rooms).answers()
    assert store is not None
    with store as answers:
        found = answers.answer(("(", "room", "r", ")"), limit=2)
        assert found.rows == found.token_rows == (("attic",), ("birch",))
        assert (found.total, found.more) == (3, True)
        assert answers.same(("room", "a"), ("room", "b"))
        assert not answers.same(("room",), ("day",))
        assert not answers.same(("room",), ("monday",))
        with pytest.raises(AnswerFailed, match="ValueError: closed on mondays"):
            answers.answer(("monday",), limit=2)


def test_a_folder_that_names_nothing_has_no_answers(tmp_path: Path) -> None:
    write_example(tmp_path / "rooms")
    assert FolderDomain(tmp_path / "rooms").answers() is None


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("no_such_package:answer", "cannot be loaded: No module"),
        ("grammax.folder.answers:no_such", "cannot be loaded"),
        ("grammax.folder.answers:GROUP", "is not a function"),
    ],
)
def test_entry_points_that_cannot_be_used_are_told(
    rooms: Path, monkeypatch: pytest.MonkeyPatch, value: str, told: str
) -> None:
    installed(monkeypatch, value)
    store = FolderDomain(rooms).answers()
    assert store is not None
    with pytest.raises(NoSuchAnswers, match=told), store:
        pass


def test_nothing_in_the_folder_is_executed(rooms: Path) -> None:
    (rooms / "rooms.py").write_text("raise SystemExit('executed')", "utf-8")
    store = FolderDomain(rooms).answers()
    assert store is not None
    with pytest.raises(GrammaxError, match=r"no installed package.*grammax\.answers"), store:
        pass


def test_an_answer_is_not_waited_for_forever() -> None:
    wait = Event()
    answers = FunctionAnswers(lambda tokens: wait.wait(10))
    with pytest.raises(AnswerTooSlow, match=r"after 0\.05 seconds"):
        answers.answer(("a",), 1, seconds=0.05)
    wait.set()


def test_an_answer_that_is_no_list_is_one_row() -> None:
    found = FunctionAnswers(lambda tokens: len(tokens)).answer(("a", "b"), limit=1)
    assert found.rows == ((2,),)
    assert (found.total, found.more) == (1, False)


def test_rows_of_mappings_have_the_columns_of_all() -> None:
    day = date(2024, 2, 29)
    found = as_answer([{"room": "attic", 1: None}, {"since": day, "seats": 4}], limit=1)
    assert [column.label for column in found.columns] == ["room", "1", "since", "seats"]
    assert found.rows == (("attic", None, None, None),)
    found = as_answer(({"room": ["attic", 2], "seats": 4, "free": True, "since": day},), limit=9)
    assert found.rows == ((("attic", "2"), 4, "yes", "2024-02-29"),)
    assert [column.type for column in found.columns] == ["text", "number", "text", "text"]


def test_a_mapping_is_one_row_and_nothing_is_none() -> None:
    assert as_answer({"room": "attic", "seats": 4}, limit=9).rows == (("attic", 4),)
    assert len(as_answer(None, limit=9)) == len(as_answer([], limit=9)) == 0


def test_rows_that_are_not_all_mappings_are_one_column() -> None:
    found = as_answer([{"room": "attic"}, "cedar", 0.5], limit=9)
    assert [column.label for column in found.columns] == ["answer"]
    assert found.rows == (("{'room': 'attic'}",), ("cedar",), (0.5,))


def test_empty_answers_are_not_the_same() -> None:
    answers = FunctionAnswers(lambda tokens: [])
    assert not answers.same(("a",), ("b",))
    assert answers.same(("a",), ("a",))
