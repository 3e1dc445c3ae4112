"""Changes: what is left of all that was added and removed, in files and in tables of people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Thread

import pytest

from grammax.errors import FileFormatError
from grammax.files import HOME_VARIABLE, locked
from grammax.language.changes import ChangeProblem, Changes, ChangesRefused, NewValue
from grammax.language.changes_file import read_changes, write_changes
from grammax.language.changes_table import read_table
from grammax.tables.data_files import user_file

ONE = NewValue("One", "A", ("uno", "eins"), "a_one")
TWO = NewValue("Two", "B", (), "b_two")
HEAD = '{"format": "grammax-changes 1", "domain": "eqs"}'


def test_what_was_added_and_removed_again_is_no_change() -> None:
    changes = Changes().adding([ONE, TWO]).removing(["a_one", "a_old"])
    assert changes == Changes((TWO,), ("a_old",))
    assert changes.restoring(["a_old"]) == Changes((TWO,))
    assert not changes.restoring(["a_old"]).removing(["b_two"])
    assert Changes().adding([ONE, TWO]).by_kind() == {"A": ["a_one"], "B": ["b_two"]}


def test_changes_since_others_lead_from_one_to_the_other() -> None:
    before = Changes((ONE,), ("a_old",))
    assert before.since(Changes()) == before
    assert before.since(before) == Changes()
    assert Changes((TWO,), ("a_old", "b_old")).since(before) == Changes((TWO,), ("a_one", "b_old"))
    assert Changes((ONE,)).since(before) is None  # what was removed is back


def test_a_digest_is_of_what_was_changed_and_not_of_the_order() -> None:
    one, other = Changes((ONE, TWO), ("x", "y")), Changes((TWO, ONE), ("y", "x"))
    assert one.digest == other.digest
    others = [
        Changes((ONE,), ("x", "y")),
        Changes((ONE, TWO), ("x",)),
        Changes((ONE, TWO)),
        Changes((NewValue("One", "A", ("uno",), "a_one"), TWO), ("x", "y")),
        Changes((), ("a_one", "b_two", "x", "y")),
    ]
    assert len({one.digest, *(changes.digest for changes in others)}) == 6


def test_many_problems_are_cut_in_the_message_and_kept_in_the_error() -> None:
    error = ChangesRefused(ChangeProblem(n, "x", f"wrong {n}") for n in range(50))
    assert len(error.problems) == 50
    assert str(error).splitlines()[0] == "nothing was changed:"
    assert str(error).splitlines()[1] == "number 1: wrong 0"
    assert str(error).splitlines()[-1] == "... and 30 more"


# Files in which changes are kept


@pytest.mark.parametrize("changes", [Changes(), Changes((ONE, TWO), ("x", "日本 \ud800"))])
def test_what_is_written_is_read(tmp_path: Path, changes: Changes) -> None:
    path = tmp_path / "new folder" / "kept.jsonl"
    for _ in range(2):
        write_changes(path, "eqs", "v1", changes)
        assert read_changes(path, "eqs") == changes
    assert [file.name for file in path.parent.iterdir()] == ["kept.jsonl"]
    assert path.read_bytes().isascii()


def test_a_write_that_fails_leaves_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.jsonl"
    write_changes(path, "eqs", "v1", Changes((ONE,)))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_changes(path, "eqs", "v1", Changes((TWO,)))
    assert read_changes(path, "eqs") == Changes((ONE,))
    assert [file.name for file in tmp_path.iterdir()] == ["kept.jsonl"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("no json", 1),
        ("[]", 1),
        ('{"format": "grammax-changes 9", "domain": "eqs"}', 1),
        (f'{HEAD}\n{{"keep": 1}}', 2),
        (f"{HEAD}\n{'[' * 5_000}", 2),
        (f'{HEAD}\n{{"add": {{"name": "x"}}}}', 2),
        (f'{HEAD}\n{{"remove": "x"}}\n{{"rem', 3),
        (f'{HEAD}\n{{"add": {{"name": 1, "kind": "x", "aliases": [], "token": "t"}}}}', 2),
    ],
)
def test_a_damaged_file_is_told_by_its_line(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=f"kept.jsonl, line {line}: not a change"):
        read_changes(path, "eqs")


def test_changes_of_another_domain_are_refused(tmp_path: Path) -> None:
    write_changes(tmp_path / "kept.jsonl", "tiny", "v1", Changes())
    with pytest.raises(FileFormatError, match="changes of the domain 'tiny', not of 'eqs'"):
        read_changes(tmp_path / "kept.jsonl", "eqs")


def test_changes_are_kept_with_the_users_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, "/data/of/mine")
    assert user_file("eqs", "changes") == Path("/data/of/mine/eqs-changes.jsonl")
    monkeypatch.delenv(HOME_VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", "/xdg")
    assert user_file("eqs", "changes") == Path("/xdg/grammax/eqs-changes.jsonl")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert user_file("eqs", "changes").name == "eqs-changes.jsonl"


def test_changes_at_the_same_time_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    write_changes(path, "eqs", "v1", Changes())

    def remove(token: str) -> None:
        with locked(path):
            changes = read_changes(path, "eqs")
            write_changes(path, "eqs", "v1", changes.removing([token]))

    threads = [Thread(target=remove, args=(f"t{number}",)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {*read_changes(path, "eqs").removed} == {f"t{number}" for number in range(20)}


# Tables that people write

VALUES = [
    NewValue("Wakanda", "country", ("wakandan", "wakandans"), "COU_WAKANDA"),
    NewValue("Vibranium, Inc.", "company"),
    NewValue("東京 🚀", "city", ("عربي",)),
]
TABLES = {
    "values.tsv": (
        "kind\tname\taliases\ttoken\n"
        "country\tWakanda\twakandan | wakandans\tCOU_WAKANDA\n"
        "company\tVibranium, Inc.\n"
        "\n"
        "city\t東京 🚀\tعربي\t\n"
    ),
    "values.csv": (
        "\ufeffToken,Type,Name,Aliases\r\n"
        "COU_WAKANDA,country,Wakanda,wakandan|wakandans\r\n"
        ',company,"Vibranium, Inc.",\r\n'
        ",city,東京 🚀,عربي\r\n"
    ),
    "values.jsonl": (
        '{"kind": "country", "name": "Wakanda", "aliases": ["wakandan", "wakandans"], '
        '"token": "COU_WAKANDA"}\n\n'
        '{"type": "company", "name": "Vibranium, Inc."}\n'
        '{"kind": "city", "name": "東京 🚀", "aliases": "عربي", "token": null}\n'
    ),
}


@pytest.mark.parametrize("suffix", ["", ".txt"], ids=["by its name", "by its content"])
@pytest.mark.parametrize("name", TABLES)
def test_tables_are_read(tmp_path: Path, name: str, suffix: str) -> None:
    path = tmp_path / f"{name}{suffix}"
    path.write_text(TABLES[name], encoding="utf-8", newline="")
    table = read_table(path)
    assert list(table.values) == VALUES
    assert table.problems == ()
    assert table.apply(list) == VALUES


def told(path: Path, text: str | bytes) -> list[str]:
    """All that is wrong with a table, without the folder."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def refuse(values: Sequence[NewValue]) -> None:
        bad = [n for n, value in enumerate(values) if value.name == "bad"]
        if bad:
            raise ChangesRefused(ChangeProblem(n, "bad", "bad it is") for n in bad)

    with pytest.raises(ChangesRefused) as refused:
        read_table(path).apply(refuse)
    return [str(problem).removeprefix(f"{path.parent}/") for problem in refused.value.problems]


def test_every_line_that_is_wrong_is_told_in_order(tmp_path: Path) -> None:
    text = "kind,name\ncity,bad\ncity,a,b,c\ncity,fine\ncity,bad\n"
    assert told(tmp_path / "t.csv", text) == [
        "t.csv, line 2: bad it is",
        "t.csv, line 3: there are 4 cells, and 2 columns: kind, name.",
        "t.csv, line 5: bad it is",
    ]
    long = told(tmp_path / "t.csv", f'kind,name\ncity,"{"x" * 200_000}\ncity,bad\n')
    assert [message.partition(" (")[0] for message in long] == [
        "t.csv, line 2: this line cannot be read"
    ]
    deep = told(tmp_path / "t.jsonl", '{"kind": ' + "[" * 5_000)
    assert [message.partition(" (")[0] for message in deep] == ["t.jsonl, line 1: this is not JSON"]
    lines = '{"kind": "city", "name": "bad"}\nnope\n[]\n{"kind": 3, "name": "x"}\n{"nam": 1}\n'
    assert [message.partition(". ")[0] for message in told(tmp_path / "t.jsonl", lines)] == [
        "t.jsonl, line 1: bad it is",
        "t.jsonl, line 2: this is not JSON (Expecting value: line 1 column 1 (char 0))",
        "t.jsonl, line 3: this is not a JSON object",
        "t.jsonl, line 4: the kind is 3, not a text.",
        "t.jsonl, line 5: there is no column 'nam'; did you mean name?",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the columns are none; a kind and a name are needed"),
        ("kind,name\n", "there is no line with a value in it"),
        ("name,aliases\nx,y\n", "the columns are name, aliases; a kind and a name are needed"),
        ("kind,type,name\n", "the columns kind, type, name name one thing twice"),
        ("kind,name,name\n", "the columns kind, name, name name one thing twice"),
        ("kind,colour\n", "there is no column 'colour'; there are kind, type"),
        (b"kind,name\ncity,K\xf6ln\n", "is not in UTF-8"),
        ('{"kind": "city", "name": "x", "aliases": [1]}', "the aliases are [1], not a list"),
    ],
)
def test_a_table_that_cannot_be_read_is_told(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    (found,) = told(tmp_path / "t.txt", text)
    assert message in found
