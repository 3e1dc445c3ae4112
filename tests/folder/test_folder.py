"""A domain as a folder: read, checked, trained and parsed; and all that can be wrong with one."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from time import process_time

import pytest

from grammax.domains import load_domain, trained_model
from grammax.errors import FileFormatError, GrammarError, GrammaxError, VocabularyError
from grammax.folder import FolderDomain, check_folder, write_example
from grammax.folder.data import read_form, read_pairs, read_tables
from grammax.folder.domain import in_order
from grammax.folder.induce import propose
from grammax.folder.new import next_step
from grammax.folder.settings import read_settings


@pytest.fixture
def rooms(tmp_path: Path) -> Path:
    folder = tmp_path / "rooms"
    write_example(folder)
    return folder


BAD = ('{"query": 3, "lf": "a"}', '{"query": "x", "lf": ["a", ""]}', '{"query": "x", "lf": 3}')


def problems(path: Path) -> list[str]:
    return [str(problem) for problem in read_pairs(path, "spaces")[1]]


def test_the_example_is_sound(rooms: Path) -> None:
    checked = check_folder(rooms)
    assert checked.problems == ()
    assert checked.grammars == ("superset", "lr")
    assert checked.splits["train"].pairs > 60
    assert checked.splits["test"].unseen == 0


def test_a_check_tells_what_it_is_at(rooms: Path) -> None:
    told: list[str] = []
    check_folder(rooms, progress=lambda what, done: told.append(what))
    files = ["checking train.tsv", "checking test.tsv"]
    assert told == ["reading the grammar and its tables", *files]


def test_a_folder_is_a_domain_by_its_path(rooms: Path) -> None:
    domain = load_domain(str(rooms))
    assert isinstance(domain, FolderDomain)
    assert domain.name == "rooms"
    assert all(domain.grammatical(pair.tokens) for pair in domain.pairs("train"))
    assert list(domain.wordings("room:attic")) == ["attic", "the attic", "top floor"]
    assert list(domain.wordings("next_to:t")) == ["next to t"]
    with pytest.raises(GrammaxError, match="grammax train"):
        trained_model(domain)


def test_children_in_any_order_are_the_same(rooms: Path) -> None:
    domain = FolderDomain(rooms)
    one = read_form("( find ( and ( day friday ) ( room room:attic ) ) )", "spaces")
    other = read_form("( find ( and ( room room:attic ) ( day friday ) ) )", "spaces")
    assert domain.same(one, other)
    assert not domain.same(one, other[:-1])
    assert in_order(("(", "and", "b"), {"and"}) == ("(", "and", "b")
    assert in_order(("a", ")", "("), {"and"}) == ("a", ")", "(")


def test_a_folder_that_is_there_is_left_alone(rooms: Path) -> None:
    with pytest.raises(GrammaxError, match="not empty"):
        write_example(rooms)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nmae = 'x'", "Did you mean name"),
        ("name = 3", "must be a text"),
        ("name = 'No Name'", "small letters"),
        ("name = ", "no TOML"),
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


def test_a_file_is_no_place_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "rooms").write_text("", encoding="utf-8")
    with pytest.raises(GrammaxError, match="is a file"):
        write_example(tmp_path / "rooms")


def test_pairs_without_a_grammar_are_sent_to_induce(rooms: Path) -> None:
    (rooms / "grammar.lark").unlink()
    told = rf"grammar\.lark is missing\. Run `grammax grammar induce {rooms}`"
    with pytest.raises(FileFormatError, match=told):
        check_folder(rooms)
    assert "grammax grammar induce" in next_step(rooms)


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


def test_data_is_not_needed_to_parse(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (rooms / "domain.toml").open("r+", encoding="utf-8") as file:
        text = file.read()
        file.seek(0)
        file.write("data = '$GRAMMAX_DATA'\n" + text)
    monkeypatch.delenv("GRAMMAX_DATA", raising=False)
    assert FolderDomain(rooms).grammatical(read_form("( find ( day friday ) )", "spaces"))
    with pytest.raises(GrammaxError, match="the pairs of 'eqs' come with it"):
        load_domain("eqs", rooms)


def test_a_byte_order_mark_mixed_ends_and_compression(tmp_path: Path) -> None:
    data = "\ufeffquery\tlf\r\none\t( a )\rtwo\t( b )\n\n".encode()
    (tmp_path / "pairs.tsv").write_bytes(data)
    (tmp_path / "pairs.tsv.gz").write_bytes(gzip.compress(data))
    for name in ("pairs.tsv", "pairs.tsv.gz"):
        found, wrong = read_pairs(tmp_path / name, "spaces")
        assert wrong == []
        assert [line.pair.query for line in found] == ["one", "two"]
        assert [line.number for line in found] == [2, 3]


def test_each_bad_line_is_told_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(b"one\t( a )\nonly one column\nthree\t( a )\tmore\n\xff\t( a )\n\t( a )\n")
    found = problems(path)
    assert [line.split(":")[1] for line in found] == ["2", "3", "4", "5"]
    assert "there are 1" in found[0]
    assert "UTF-8" in found[2]


def test_json_lines_with_tokens_that_have_spaces(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    rows = [
        {"question": "notes?", "lf": ["SELECT", "VAL:SOUTH AUSTRALIA"]},
        {"query": "x", "lf": "a b"},
    ]
    lines = [json.dumps(row) for row in rows]
    path.write_text("\n".join([*lines, "{}", "nonsense", *BAD]), "utf-8")
    found, wrong = read_pairs(path, "spaces")
    assert [line.pair.tokens for line in found] == [("SELECT", "VAL:SOUTH AUSTRALIA"), ("a", "b")]
    assert [problem.location.line for problem in wrong] == [3, 4, 5, 6, 7]


def test_files_that_are_not_there_or_empty(rooms: Path, tmp_path: Path) -> None:
    assert "no such file" in problems(tmp_path / "none.tsv")[0]
    (tmp_path / "empty.tsv").write_bytes(b"")
    assert "no pairs" in problems(tmp_path / "empty.tsv")[0]
    (rooms / "test.tsv").unlink()
    assert check_folder(rooms).errors == 1
    with pytest.raises(GrammarError, match="no such file"):
        FolderDomain(rooms).pairs("test")


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


def test_a_grammar_with_a_conflict_works_and_is_told(rooms: Path) -> None:
    grammar = (rooms / "grammar.lark").read_text(encoding="utf-8")
    grammar = grammar.replace("condition: room", "condition: room | again").replace(
        "day: ", 'again: "(" "room" ROOM ")"\nday: '
    )
    (rooms / "grammar.lark").write_text(grammar, encoding="utf-8")
    checked = check_folder(rooms)
    assert checked.grammars == ("superset", "earley")
    assert [problem.code for problem in checked.problems] == ["conflict"]
    assert checked.errors == 0


def test_out_of_domain_texts_are_halved_for_training_and_testing(rooms: Path) -> None:
    assert FolderDomain(rooms).out_of_domain("train") == ()
    settings = rooms / "domain.toml"
    settings.write_text('out_of_domain = "other.txt"\n' + settings.read_text("utf-8"), "utf-8")
    with pytest.raises(FileFormatError, match=r"other\.txt: there is no such file"):
        FolderDomain(rooms).out_of_domain("train")
    (rooms / "other.txt").write_bytes("\ufeffone\n\n two \r\nthree\n".encode())
    domain = FolderDomain(rooms)
    assert domain.out_of_domain("train") == ("one", "three")
    assert domain.out_of_domain("test") == ("two",)
    assert check_folder(rooms).problems == ()
    (rooms / "other.txt").write_bytes(b"\xff")
    with pytest.raises(FileFormatError, match="not UTF-8"):
        domain.out_of_domain("test")


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


def test_tables(tmp_path: Path) -> None:
    (tmp_path / "one.tsv").write_text("token\tkind\taliases\na\tK\tone | two\nb\tK\t\n", "utf-8")
    (tmp_path / "two.csv").write_text('token,kind\n"c,d",K\n', "utf-8")
    found = read_tables([tmp_path / "one.tsv", tmp_path / "two.csv"])
    assert found.tokens == {"K": ("a", "b", "c,d")}
    assert found.aliases == {"a": ("one", "two")}
    (tmp_path / "bad.tsv").write_text("tok\tkind\n", "utf-8")
    with pytest.raises(VocabularyError, match="columns"):
        read_tables([tmp_path / "bad.tsv"])


def test_a_table_of_parquet(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "kinds.parquet"
    duckdb.sql("SELECT 'a' token, 'K' kind, 'one|two' aliases").write_parquet(str(path))
    assert read_tables([path]) == ({"K": ("a",)}, {"a": ("one", "two")})
    path.write_bytes(b"no parquet")
    with pytest.raises(VocabularyError, match="Parquet"):
        read_tables([path])


def with_rooms(folder: Path, count: int) -> Path:
    rows = (f"room:{number}\tROOM\troom number {number}\n" for number in range(count))
    with (folder / "rooms.tsv").open("a", encoding="utf-8") as file:
        file.writelines(rows)
    return folder


def test_a_kind_of_very_many_tokens(rooms: Path) -> None:
    domain = FolderDomain(with_rooms(rooms, 50_000))
    assert len(domain.vocabulary) > 50_000
    assert list(domain.wordings("room:777")) == ["room number 777"]


@pytest.mark.slow
def test_a_kind_of_a_million_tokens_is_checked_in_seconds(rooms: Path) -> None:
    with_rooms(rooms, 1_000_000)
    begun = process_time()
    checked = check_folder(rooms)
    assert checked.vocabulary > 1_000_000
    assert checked.problems == ()
    assert process_time() - begun < 30  # it takes 3


@pytest.mark.parametrize(
    ("notation", "tokens"),
    [
        ("spaces", ("f(a,", "'b", "c')")),
        ("brackets", ("f", "(", "a,", "'b c'", ")")),
        ("calls", ("f", "(", "a", ",", "'b c'", ")")),
    ],
)
def test_notations(notation: str, tokens: tuple[str, ...]) -> None:
    assert read_form("f(a, 'b c')", notation) == tokens  # type: ignore[arg-type]
