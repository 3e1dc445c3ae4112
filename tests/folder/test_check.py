"""What a check reports: refused forms, repeats, conflicts, and the figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grammax import earley
from grammax.domains import load_domain
from grammax.errors import GrammarError, GrammaxError, VocabularyError
from grammax.folder import check_folder
from grammax.folder.data import Line
from grammax.folder.domain import FolderDomain
from grammax.folder.living.table_problems import table_problems
from grammax.folder.unmentioned import unmentioned_numbers
from grammax.language.domain import Pair


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


def with_pairs(folder: Path, *pairs: str, split: str = "train") -> int:
    """Append pairs to a split; the number of the first new line."""
    file = folder / f"{split}.tsv"
    before = file.read_text("utf-8")
    file.write_text(before + "".join(f"{pair}\n" for pair in pairs), "utf-8")
    return len(before.splitlines()) + 1


def test_contradictions_are_told_with_both_lines_and_what_differs(rooms: Path) -> None:
    first = with_pairs(
        rooms,
        "the attic, please\t( find ( room room:attic ) )",
        "The attic, please\t( find ( not ( room room:attic ) ) )",
    )
    with_pairs(rooms, "the attic, please\t( find ( room room:birch ) )", split="test")
    checked = check_folder(rooms)
    assert checked.errors == 0
    found = [problem for problem in checked.problems if problem.code == "contradiction"]
    assert found[0].location.line == first + 1
    other = f"another logical form in line {first}: token 4 is not here and room there"
    assert other in found[0].message
    assert f"in line {first} of train: token 5 is room:birch here and room:attic" in str(found[1])


def test_forms_that_differ_in_an_order_that_means_nothing_do_not_contradict(rooms: Path) -> None:
    room, day = "( room room:attic )", "( day friday )"
    line = with_pairs(
        rooms,
        f"up on friday\t( find ( and {room} {day} ) )",
        f"up on friday\t( find ( and {day} {room} ) )",
    )
    told = check_folder(rooms).problems
    assert [(problem.code, problem.location.line) for problem in told] == [("twice", line + 1)]


def test_equal_pairs_are_one_warning(rooms: Path) -> None:
    line = with_pairs(rooms, *["up there\t( find ( room room:attic ) )"] * 7)
    (problem,) = check_folder(rooms).problems
    assert problem.location.line == line + 1
    assert problem.message.endswith(
        f"is also in lines {line}, {line + 2}, {line + 3}, {line + 4} and 2 more"
    )


def test_a_query_that_does_not_name_what_must_be_named_is_told(rooms: Path) -> None:
    settings = rooms / "domain.toml"
    settings.write_text(f'must_be_named = ["ROOM"]\n{settings.read_text("utf-8")}', "utf-8")
    assert check_folder(rooms).problems == ()
    line = with_pairs(rooms, "under the roof\t( find ( room room:attic ) )", split="test")
    checked = check_folder(rooms)
    assert checked.errors == 0
    (problem,) = checked.problems
    assert (problem.code, problem.location.line) == ("unnamed", line)
    assert "does not name room:attic, called 'attic', 'the attic', 'top floor'" in str(problem)
    assert checked.splits["test"].named is not None
    assert checked.splits["test"].named < 1


def pairs_of(*texts: str) -> list[Line]:
    pairs = [text.split(" -> ") for text in texts]
    return [Line(n, Pair(query, tuple(form.split()))) for n, (query, form) in enumerate(pairs, 1)]


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("over 50,000", "50000"), ("under 2.5m", "2500000"), ("three", "3"), ("the third", "3"),
        ("twenty-five", "25"), ("two hundred and fifty", "250"), ("at 6:30 pm", "1830"),
        ("at noon", "1200:_ti"), ("on may 2nd", "5"), ("in '04", "2004"), ("a dozen", "'12'"),
        ("losing 5 dollars", "-5"), ("five thousand", "5000:i"), ("half an hour", "30"),
    ],
)  # fmt: skip
def test_numbers_are_mentioned_in_digits_and_words(query: str, number: str) -> None:
    assert unmentioned_numbers(pairs_of(f"{query} -> ( > {number} )"), Path("p")) == []
    (problem,) = unmentioned_numbers(pairs_of(f"{query} -> ( > 77 )"), Path("p"))
    assert "does not mention 77" in str(problem)


def test_numbers_that_queries_never_say_are_part_of_the_language() -> None:
    silent = [f"meetings of {name} -> ( and ( year 2015 ) ( who {name} ) )" for name in "abc"]
    assert unmentioned_numbers(pairs_of(*silent), Path("p")) == []
    said = [f"after {n} -> ( > {n} )" for n in (3, 3, 3)]
    (problem,) = unmentioned_numbers(pairs_of(*said, "after 2 -> ( > 3 )"), Path("p"))
    assert problem.location.line == 4
    assert unmentioned_numbers(pairs_of("is there any -> ( > 0 )"), Path("p")) == []


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


def test_names_in_a_column_that_is_not_aliases_are_told(rooms: Path) -> None:
    table = rooms / "rooms.tsv"
    table.write_text(table.read_text("utf-8").replace("aliases", "alias", 1), "utf-8")
    [problem] = check_folder(rooms).problems
    assert (problem.code, problem.location.line) == ("column", 1)
    assert "'alias'" in problem.message
    assert problem.hint.startswith("Did you mean aliases?")


def test_columns_beside_the_aliases_are_permitted(rooms: Path) -> None:
    table = rooms / "rooms.tsv"
    header, *rows = table.read_text("utf-8").splitlines()
    seats = "\n".join([f"{header}\tseats", *(f"{row}\t4" for row in rows)])
    table.write_text(f"{seats}\n", "utf-8")
    assert check_folder(rooms).problems == ()


def test_a_name_of_two_tokens_of_a_kind_is_told_with_both_and_the_line(rooms: Path) -> None:
    table = rooms / "rooms.tsv"
    table.write_text(table.read_text("utf-8") + "room:loft\tROOM\tloft|The Attic\n", "utf-8")
    [problem] = check_folder(rooms).problems
    lines = table.read_text("utf-8").splitlines()
    first = next(n for n, line in enumerate(lines, 1) if line.startswith("room:attic"))
    assert (problem.code, problem.location.line) == ("same-name", len(lines))
    assert f"room:loft and of room:attic (line {first}), both ROOM" in problem.message


def test_a_name_of_two_tokens_of_parquet_is_told_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rooms.parquet"
    kinds = {"ROOM": ("room:attic", "room:loft")}
    names = {"room:attic": ("attic",), "room:loft": ("loft", "Attic")}
    [problem] = table_problems([path], kinds, names)
    assert problem.location.file == str(path)
    assert "'Attic' is a name of room:loft and of room:attic, both ROOM" in problem.message


def test_a_file_without_out_of_domain_texts_is_told(rooms: Path) -> None:
    settings = rooms / "domain.toml"
    settings.write_text('out_of_domain = "other.txt"\n' + settings.read_text("utf-8"), "utf-8")
    (rooms / "other.txt").write_text("\n", encoding="utf-8")
    [problem] = check_folder(rooms).problems
    assert (problem.code, problem.location.file) == ("no-texts", str(rooms / "other.txt"))


def test_an_empty_table_is_told(rooms: Path) -> None:
    (rooms / "rooms.tsv").write_text("", encoding="utf-8")
    with pytest.raises(VocabularyError, match=r"rooms\.tsv: the file is empty"):
        check_folder(rooms)


def test_a_folder_that_is_not_there_is_told_with_one_that_is_called_nearly_so(rooms: Path) -> None:
    with pytest.raises(GrammaxError, match=r"there is no folder .* Did you mean .*/rooms\?"):
        check_folder(rooms.parent / "roms")
    with pytest.raises(GrammaxError, match=r"unknown domain .* Did you mean .*/rooms\?"):
        load_domain(str(rooms.parent / "roms"))
