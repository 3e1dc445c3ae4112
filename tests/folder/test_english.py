"""What people see of a folder: labels, chips, completions, search and samples."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammax.errors import GrammaxError
from grammax.folder import FolderDomain, write_example
from grammax.folder.english import IncompleteForm
from grammax.language.capabilities import Explainable

FORM = "( find ( and ( room room:attic ) ( day friday ) ) )"


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> FolderDomain:
    folder = tmp_path_factory.mktemp("own") / "rooms"
    write_example(folder)
    return FolderDomain(folder)


def test_a_folder_explains_its_forms(rooms: FolderDomain) -> None:
    assert isinstance(rooms, Explainable)
    tokens = rooms.read(FORM)
    assert rooms.paraphrase(tokens) == FORM
    assert rooms.label("room:attic") == "attic"
    assert rooms.label("(") == "("


def test_chips_tell_values_from_operators_and_count_brackets(rooms: FolderDomain) -> None:
    chips = {chip.token: chip for chip in rooms.chips(rooms.read(FORM))}
    assert (chips["room:attic"].role, chips["room:attic"].depth) == ("value", 3)
    assert (chips["find"].role, chips["find"].depth) == ("operator", 1)
    assert chips["("].role == "bracket"
    assert chips["room:attic"].kind == "ROOM"
    assert rooms.chips((")", "unknown"))[1].kind == ""


def test_forms_without_meaning_are_refused(rooms: FolderDomain) -> None:
    rooms.require_meaning(rooms.read(FORM))
    with pytest.raises(IncompleteForm, match="only the beginning"):
        rooms.require_meaning(rooms.read("( find"))
    with pytest.raises(GrammaxError, match="cannot follow"):
        rooms.require_meaning(rooms.read("find"))


def test_names_are_searched_and_completed(rooms: FolderDomain) -> None:
    assert rooms.search("ATTIC", 5)[0].token == "room:attic"
    assert {entry.token for entry in rooms.search("room", 9)} >= {"room:library", "room"}
    assert [found.text for found in rooms.completions("is the at", 5)] == ["is the attic"]
    assert rooms.completions("is the at", 5)[0].added == "tic"
    assert rooms.completions("is the ", 5) == []
    assert len(rooms.search("", 3)) == 3


def test_kinds_are_found_by_name(rooms: FolderDomain) -> None:
    assert rooms.kind_named(" room ") == "ROOM"
    assert rooms.kind_named("nothing") is None


def test_samples_are_queries_of_the_last_split(rooms: FolderDomain, tmp_path: Path) -> None:
    assert rooms.samples == tuple(pair.query for pair in rooms.pairs("test")[:5])
    write_example(tmp_path / "rooms")
    (tmp_path / "rooms" / "test.tsv").unlink()
    assert FolderDomain(tmp_path / "rooms").samples == ()
