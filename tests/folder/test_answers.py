"""What answers a folder: functions of installed packages, and nothing in the folder."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from threading import Event

import pytest

from grammax.errors import GrammaxError
from grammax.folder import FolderDomain, write_example
from grammax.folder.answers import GROUP, AnswerFailed, FunctionAnswers, NoSuchAnswers
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
        assert answers.answer(("(", "room", "r", ")"), limit=2) == ["attic", "birch"]
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
        ("grammax.folder.answers:GROUP", "is no function"),
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


def test_answers_that_are_no_lists_are_given_as_they_are() -> None:
    assert FunctionAnswers(lambda tokens: len(tokens)).answer(("a", "b"), limit=1) == 2
