"""A folder as a domain."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from grammax.domains import load_domain, trained_model
from grammax.errors import FileFormatError, GrammaxError
from grammax.folder import FolderDomain, check_folder
from grammax.folder.data import read_form
from grammax.folder.forms.order import in_order
from grammax.folder.new import next_step
from grammax.language.domain import Tokens


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


def test_groups_nested_in_any_order_are_the_same(rooms: Path) -> None:
    def form(*rests: str, inside: str = "films") -> Tokens:
        for rest in rests:
            inside = f"( call filter {inside} {rest} )"
        return tuple(inside.split())

    def key(tokens: Tokens) -> Tokens:
        return in_order(tokens, {"or"}, {("call", "filter")})

    one, two, three = "( year 1999 )", "( genre ( or drama comedy ) )", "long"
    assert key(form(one, two, three)) == key(form(three, one, "( genre ( or comedy drama ) )"))
    assert key(form(one, two)) != key(form(one, three))
    assert key(form(one, one, two)) != key(form(one, two, two))
    other = "( call best ( call filter films long ) )"  # not nested directly
    assert key(form(one, inside=other)) != key(form("long", inside=f"( call best {form(one)} )"))
    settings = rooms / "domain.toml"
    text = "nested_any_order = ['call filter']\n" + settings.read_text("utf-8")
    settings.write_text(text, "utf-8")
    assert FolderDomain(rooms).same(form(one, two), form(two, one))
    told = [problem.message for problem in check_folder(rooms).problems]
    assert "nested_any_order has 'call', which is not a token of the grammar" in told


def test_pairs_without_a_grammar_are_sent_to_induce(rooms: Path) -> None:
    (rooms / "grammar.lark").unlink()
    told = rf"grammar\.lark is missing\. Run `grammax grammar induce {rooms}`"
    with pytest.raises(FileFormatError, match=told):
        check_folder(rooms)
    assert "grammax grammar induce" in next_step(rooms)


def test_data_is_not_needed_to_parse(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (rooms / "domain.toml").open("r+", encoding="utf-8") as file:
        text = file.read()
        file.seek(0)
        file.write("data = '$GRAMMAX_DATA'\n" + text)
    monkeypatch.delenv("GRAMMAX_DATA", raising=False)
    assert FolderDomain(rooms).grammatical(read_form("( find ( day friday ) )", "spaces"))
    with pytest.raises(GrammaxError, match="the pairs of 'eqs' come with it"):
        load_domain("eqs", rooms)


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
