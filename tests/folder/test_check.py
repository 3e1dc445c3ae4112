"""What a check reports: refused forms, repeats, conflicts, and the figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grammax import earley
from grammax.errors import GrammarError
from grammax.folder import check_folder
from grammax.folder.domain import FolderDomain


def test_a_check_tells_what_it_is_at(rooms: Path) -> None:
    told: list[str] = []
    check_folder(rooms, progress=lambda what, done: told.append(what))
    files = ["checking train.tsv", "checking test.tsv"]
    assert told == ["reading the grammar and its tables", *files]


def test_an_empty_split_is_an_error_with_its_file(rooms: Path) -> None:
    (rooms / "test.tsv").write_text("query\tlf\n\n", encoding="utf-8")
    checked = check_folder(rooms)
    assert [problem.location.file for problem in checked.problems] == [str(rooms / "test.tsv")]
    assert checked.errors == 1
    assert (checked.splits["test"].pairs, checked.splits["test"].accepted) == (0, 0.0)


def test_tokens_with_spaces_are_checked_like_others(rooms: Path) -> None:
    with (rooms / "rooms.tsv").open("a", encoding="utf-8") as file:
        file.write("room:the great hall\tROOM\tgreat hall\n")
    row = {"query": "great hall", "lf": ["(", "find", "(", "room", "room:the great hall", ")", ")"]}
    (rooms / "test.jsonl").write_text(json.dumps(row), encoding="utf-8")
    settings = rooms / "domain.toml"
    settings.write_text(settings.read_text("utf-8").replace("test.tsv", "test.jsonl"), "utf-8")
    assert check_folder(rooms).problems == ()
    cut = json.dumps(row).replace("great hall", "great")
    (rooms / "test.jsonl").write_text(cut, encoding="utf-8")
    assert "room:the great is not in the vocabulary" in str(check_folder(rooms).problems[0])


def test_refused_forms_are_told_with_the_token_and_what_is_permitted(rooms: Path) -> None:
    with (rooms / "test.tsv").open("a", encoding="utf-8") as file:
        file.write(
            "bad\t( find ( day room:attic ) )\nshort\t( find\nstrange\t( find ( day noday ) )\n"
        )
    checked = check_folder(rooms)
    told = [str(problem) for problem in checked.problems]
    assert checked.errors == len(told) == 3
    assert "token 5" in told[0]
    assert "Permitted here: friday" in told[0] or "monday" in told[0]
    assert "not complete" in told[1]
    assert "noday" in told[2]


def test_leaks_and_repeats_are_told(rooms: Path) -> None:
    line = (rooms / "train.tsv").read_text(encoding="utf-8").splitlines()[1]
    with (rooms / "test.tsv").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    with (rooms / "train.tsv").open("a", encoding="utf-8") as file:
        file.write(f"{line.upper().split(chr(9))[0]}\t{line.split(chr(9))[1]}\n")
    checked = check_folder(rooms)
    assert checked.errors == 0
    assert [problem.code for problem in checked.problems] == ["twice", "leak"]


def test_a_grammar_with_a_conflict_works(rooms: Path) -> None:
    grammar = (rooms / "grammar.lark").read_text(encoding="utf-8")
    grammar = grammar.replace("condition: room", "condition: room | again").replace(
        "day: ", 'again: "(" "room" ROOM ")"\nday: '
    )
    (rooms / "grammar.lark").write_text(grammar, encoding="utf-8")
    checked = check_folder(rooms)
    assert checked.grammars == ("superset", "glr")
    assert not checked.problems


def test_a_model_that_was_trained_under_earley_is_read_under_glr(rooms: Path) -> None:
    grammar = (rooms / "grammar.lark").read_text(encoding="utf-8")
    grammar = grammar.replace("condition: room", 'condition: room | "(" "room" ROOM ")"')
    (rooms / "grammar.lark").write_text(grammar.replace("room: ", "room: again | "), "utf-8")
    with (rooms / "grammar.lark").open("a", encoding="utf-8") as file:
        file.write('again: "(" "room" ROOM ")"\n')
    domain = FolderDomain(rooms)
    assert domain.exact == "glr"
    automaton = domain.automaton("earley")
    assert automaton.name == "glr"
    assert automaton.vocabulary.tokens == earley(domain.grammar).vocabulary.tokens


def test_out_of_domain_texts_are_not_queries_of_pairs(rooms: Path) -> None:
    settings = rooms / "domain.toml"
    settings.write_text('out_of_domain = "other.txt"\n' + settings.read_text("utf-8"), "utf-8")
    (rooms / "other.txt").write_text("what is the time\nAttic Friday\n", encoding="utf-8")
    [problem] = check_folder(rooms).problems
    assert (problem.code, problem.location.file) == ("in-domain", str(rooms / "other.txt"))
    assert "'Attic Friday'" in problem.message


def test_a_broken_grammar_is_told_with_its_place(rooms: Path) -> None:
    (rooms / "grammar.lark").write_text("query: nothing", encoding="utf-8")
    with pytest.raises(GrammarError, match=r"grammar\.lark:1"):
        check_folder(rooms)
