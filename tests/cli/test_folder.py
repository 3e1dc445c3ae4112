"""`grammax new`, `check`, `grammar induce`, `bench` and `ask` for a domain that is a folder."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grammax.cli.app import app
from grammax.language.domain import Domain, Tokens

BOOKED = [{"room": "attic", "by": "Ada"}, {"room": "cedar", "by": "Bo", "since": 9}]


def grammax(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def rooms(tmp_path: Path) -> Path:
    assert grammax("new", tmp_path / "rooms").exit_code == 0
    return tmp_path / "rooms"


@pytest.fixture
def elsewhere(rooms: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of data, with the pairs of the rooms in it."""
    monkeypatch.delenv("GRAMMAX_DATA", raising=False)
    (tmp_path / "data" / "booked").mkdir(parents=True)
    for name in ("train.tsv", "test.tsv"):
        (rooms / name).rename(tmp_path / "data" / "booked" / name)
    with_setting(rooms, 'data = "$GRAMMAX_DATA/booked"')
    return tmp_path / "data"


def replaced(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")


def with_setting(folder: Path, line: str) -> None:
    settings = folder / "domain.toml"
    settings.write_text(f"{line}\n{settings.read_text('utf-8')}", "utf-8")


def test_new_says_what_it_wrote_and_leaves_alone_what_is_there(rooms: Path) -> None:
    again = grammax("new", rooms)
    assert again.exit_code == 1
    assert "not empty" in again.stderr
    other = json.loads(grammax("new", rooms.parent / "other", "--json").stdout)
    assert str(rooms.parent / "other" / "grammar.lark") in other["files"]


def test_check_prints_what_is_accepted_and_permitted(rooms: Path) -> None:
    result = grammax("check", rooms)
    assert result.exit_code == 0
    train = next(line for line in result.stdout.splitlines() if line.startswith("train"))
    assert train.split()[-2:] == ["100.00", "2.19"]
    assert "17 tokens of 9 kinds; grammars superset, lr" in result.stdout


def test_check_fails_with_file_line_token_and_what_was_permitted(rooms: Path) -> None:
    with (rooms / "test.tsv").open("a", encoding="utf-8") as file:
        file.write("one column\nlate\t( find ( day room:attic ) )\n")
    lines = len((rooms / "test.tsv").read_text("utf-8").splitlines())
    result = grammax("check", rooms)
    assert result.exit_code == 1
    assert f"test.tsv:{lines - 1}:1: error: there must be two columns" in result.stderr
    assert f"test.tsv:{lines}:1: error: token 5 of the logical form" in result.stderr
    assert "Permitted here: DAY (5: monday" in result.stderr
    report = json.loads(grammax("check", rooms, "--json").stdout)
    assert [problem["location"]["line"] for problem in report["problems"]] == [lines - 1, lines]


def test_data_is_given_or_set_or_missed(elsewhere: Path, rooms: Path) -> None:
    for command in (["check"], ["grammar", "induce", "-o", str(rooms / "made.lark")], ["bench"]):
        result = grammax(*command, rooms)
        assert result.exit_code == 1
        assert "Set it to the folder that has booked, or give that with --data" in result.stderr
    assert grammax("check", rooms, "--data", elsewhere).exit_code == 0
    there = {"GRAMMAX_DATA": str(elsewhere)}
    assert CliRunner(env=there).invoke(app, ["check", str(rooms)]).exit_code == 0
    missing = grammax("check", rooms, "--data", rooms)
    assert missing.exit_code == 1
    assert "there is no such file" in missing.stderr


@pytest.mark.parametrize(
    "command", ["train", "evaluate", "parse", "ask", "check", "bench", "grammar induce"]
)
def test_data_is_an_option_wherever_a_domain_is_named(command: str) -> None:
    assert "--data" in grammax(*command.split(), "--help").stdout


def test_data_says_nothing_to_a_domain_that_has_its_own(rooms: Path) -> None:
    result = grammax("check", rooms, "--data", rooms)
    assert result.exit_code == 1
    assert "data is '.', which is not in $GRAMMAX_DATA" in result.stderr


def test_induce_prints_what_is_accepted_and_permitted(elsewhere: Path, rooms: Path) -> None:
    grammar = rooms / "made.lark"
    result = grammax("grammar", "induce", rooms, "--data", elsewhere, "-o", grammar)
    assert result.exit_code == 0
    test = next(line for line in result.stdout.splitlines() if line.startswith("test"))
    assert test.split()[1:3] == ["22", "100.00"]
    again = grammax("grammar", "induce", rooms, "--data", elsewhere, "-o", grammar)
    assert again.exit_code == 1
    assert "--overwrite" in again.stderr
    report = grammax(
        "grammar", "induce", rooms, "--data", elsewhere, "-o", grammar, "--overwrite", "--json"
    )
    measured = json.loads(report.stdout)["splits"]["test"]
    assert measured["accepted"] == 1
    assert 1 < measured["permitted"] < 5
    shown = grammax("grammar", "induce", rooms, "--data", elsewhere, "-o", "-")
    assert shown.stdout.strip() == grammar.read_text("utf-8").strip()


def test_induce_fails_if_its_grammar_refuses_a_training_pair(
    rooms: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 'query: "(" "find" day ")"\nday: "(" "day" DAY ")"\nDAY: "monday"'
    monkeypatch.setattr("grammax.folder.induce.proposal.written", lambda *_: made)
    for output in (rooms / "made.lark", "-"):
        result = grammax("grammar", "induce", rooms, "-o", output)
        assert result.exit_code == 1
        assert "refuses 88 of its training pairs" in result.stderr
        assert "train.tsv:2:1: error: token" in result.stderr


def test_pairs_alone_become_a_domain_with_what_each_command_says(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    pairs = "one\tf(a, b)\ntwo\tf(a)\nthree\tf(a, b, c)\n"
    (folder / "train.tsv").write_text(pairs, encoding="utf-8")
    assert f"`grammax new {folder}`" in grammax("check", folder).stderr
    assert "Next: grammax grammar induce" in grammax("new", folder).stderr
    assert f"`grammax grammar induce {folder}`" in grammax("check", folder).stderr
    assert grammax("grammar", "induce", folder).exit_code == 0
    assert grammax("check", folder).exit_code == 0


def test_a_folder_with_training_pairs_only_has_nothing_to_evaluate(trained: Path) -> None:
    replaced(trained / "domain.toml", 'test = "test.tsv"', "")
    result = grammax("evaluate", trained)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "rooms has no split to evaluate, only train. Name a file of pairs" in result.stderr


@pytest.mark.parametrize("exact", ["lr", "glr"])
def test_bench_has_the_rows_that_there_are_and_keeps_its_network(
    rooms: Path, monkeypatch: pytest.MonkeyPatch, exact: str
) -> None:
    pytest.importorskip("torch", reason="the table is measured with PyTorch")
    from evaluation.paper.small import SHORT, SMALL

    from grammax.training.trainer import Trainer

    begun: list[Domain] = []
    if exact == "glr":
        with (rooms / "grammar.lark").open("a", encoding="utf-8") as file:
            file.write('again: "(" "day" DAY ")"\n')
        replaced(rooms / "grammar.lark", "condition: room", "condition: again | room")

    def new_trainer(domain: Domain, device: str) -> Trainer:
        begun.append(domain)
        return Trainer(domain, SMALL, replace(SHORT, grammar=exact), device)

    monkeypatch.setattr("grammax.evaluation.paper.network.new_trainer", new_trainer)
    monkeypatch.setenv("GRAMMAX_CACHE", str(rooms / "cache"))
    for _ in range(2):
        report = json.loads(grammax("bench", rooms, "--quick", "--runs", "1", "--json").stdout)
    assert report["benchmark"] == "bench rooms"
    names = ["NSP", "NSP-M", "NSP-G(all)", "NSP-GC(all)", "Spans, superset", f"Spans, {exact}"]
    assert [row["name"] for row in report["rows"]] == names
    assert {row["queries"] for row in report["rows"]} == {12}
    assert all(claim["met"] for claim in report["claims"])
    assert len(begun) == 1
    assert [path.name for path in (rooms / "run").iterdir()] == [
        f"bench-{begun[0].version}.safetensors"
    ]
    assert not (rooms / "cache").exists()


def booked(tokens: Tokens) -> list[dict[str, object]]:
    """The bookings, whatever is asked."""
    return BOOKED if tokens else []


@pytest.fixture
def trained(rooms: Path) -> Path:
    pytest.importorskip("torch", reason="networks are trained with PyTorch")
    options = ("--epochs", "2", "--held-out", "0", "--threads", "1")
    assert grammax("train", rooms, *options).exit_code == 0
    return rooms


OTHER = [
    f"{verb} {thing}"
    for verb in ("cook", "paint", "sing me", "who wrote", "how tall is", "translate")
    for thing in ("pasta with basil", "a violin sonata", "mount everest", "the second symphony")
]


def test_a_folder_learns_to_abstain_on_out_of_domain_texts(rooms: Path) -> None:
    pytest.importorskip("torch", reason="networks are trained with PyTorch")
    with_setting(rooms, 'out_of_domain = "other.txt"')
    (rooms / "other.txt").write_text("\n".join(OTHER), encoding="utf-8")
    assert grammax("check", rooms).exit_code == 0
    options = ("--epochs", "12", "--held-out", "0.2", "--threads", "1")
    assert grammax("train", rooms, *options).exit_code == 0
    report = json.loads(grammax("evaluate", rooms, "--calibration", "--json").stdout)
    assert report["out_of_domain"] == len(OTHER) // 2
    assert report["out_of_domain_abstained"] >= 10
    assert report["calibration"]["least_query"] > 0  # it is 0 where training had no such texts


def test_ask_needs_something_that_answers(
    trained: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRAMMAX_CACHE", str(tmp_path / "cache"))
    ask = ("ask", "--domain", trained, "attic friday")
    result = grammax(*ask)
    assert result.exit_code == 1
    assert "'rooms' has no data to answer from" in result.stderr
    with_setting(trained, 'answers = "bookings"')
    result = grammax(*ask)
    assert result.exit_code == 1
    assert "entry point of that name in the group grammax.answers" in result.stderr
    points = EntryPoints([EntryPoint("bookings", f"{__name__}:booked", "grammax.answers")])
    monkeypatch.setattr("grammax.folder.answers.entry_points", lambda group: points)
    result = grammax(*ask)
    assert result.exit_code == 0
    assert result.stdout.startswith("( find")
    assert ["cedar", "Bo", "9"] in [line.split() for line in result.stdout.splitlines()]
    report = json.loads(grammax(*ask, "--rows", "1", "--json").stdout)
    labels = [column["label"] for column in report["answer"]["columns"]]
    assert [dict(zip(labels, row, strict=True)) for row in report["answer"]["rows"]] == [
        {**BOOKED[0], "since": None}
    ]
    assert (report["answer"]["total"], report["answer"]["more"]) == (2, True)
    assert report["lf"].startswith("( find")
    result = grammax(*ask, "--csv", "-")
    assert result.stdout.splitlines() == ["room,by,since", "attic,Ada,", "cedar,Bo,9"]


def test_names_are_added_and_removed_and_kept_in_the_folder(rooms: Path) -> None:
    new = rooms.parent / "new.tsv"
    new.write_text("token\tkind\taliases\nroom:ochre\tROOM\tochre|the ochre room\n", "utf-8")
    added = json.loads(grammax("catalogue", "add", new, "--domain", rooms, "--json").stdout)
    assert [value["name"] for value in added["added"]] == ["ochre"]
    assert added["file"] == str(rooms / "changes.jsonl")
    assert grammax("catalogue", "remove", "room:attic", "--domain", rooms).exit_code == 0
    listed = json.loads(grammax("catalogue", "list", "--domain", rooms, "--json").stdout)
    assert ([value["token"] for value in listed["added"]], listed["removed"]) == (
        ["room:ochre"],
        ["room:attic"],
    )
    assert listed["domain"] == "rooms"
    found = json.loads(grammax("catalogue", "search", "ochre", "--domain", rooms, "--json").stdout)
    assert [(each["token"], each["added"]) for each in found["found"]] == [("room:ochre", True)]
    back = rooms.parent / "back.csv"
    back.write_text("kind,name,aliases\nroom,attic,the attic|top floor\n", "utf-8")
    report = json.loads(grammax("catalogue", "add", back, "--domain", rooms, "--json").stdout)
    assert (report["added"], report["back"]) == ([], ["room:attic"])
    assert grammax("catalogue", "remove", "room:ochre", "--domain", rooms).exit_code == 0
    base = json.loads(grammax("check", rooms, "--json").stdout)["version"]
    search = grammax("catalogue", "search", "attic", "--domain", rooms, "--json")
    assert json.loads(search.stdout)["version"] == base


def test_a_table_of_names_with_mistakes_changes_nothing(rooms: Path) -> None:
    bad = rooms.parent / "bad.csv"
    bad.write_text(
        "kind,name,token\nroom,ochre,\nroms,teal,\nroom,amber,\nroom,,\nfind,x,\nroom,y,friday\n",
        "utf-8",
    )
    result = grammax("catalogue", "add", bad, "--domain", rooms)
    assert (result.exit_code, result.stdout) == (1, "")
    lines = result.stderr.splitlines()
    assert [line.partition(": ")[0].rpartition("line ")[2] for line in lines[1:]] == list("34567")
    assert "did you mean ROOM?" in lines[1]
    assert not (rooms / "changes.jsonl").exists()
    other = rooms.parent / "other.jsonl"
    other.write_text('{"format": "grammax-changes 1", "domain": "halls", "base": "1"}\n')
    refused = grammax("catalogue", "list", "--domain", rooms, "--catalogue", other)
    assert refused.exit_code == 1
    assert "changes of the domain 'halls', not of 'rooms'" in refused.stderr
