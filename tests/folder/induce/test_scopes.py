"""Variables where they are bound only, and when a grammar with them is proposed."""

from __future__ import annotations

from pathlib import Path

import pytest
from folder.public_data import DATA, needs_data
from hypothesis import given
from hypothesis import strategies as st

from grammax import Grammar, lr
from grammax.folder.coverage import coverage
from grammax.folder.data import read_pairs
from grammax.folder.domain import exact_automaton
from grammax.folder.induce import propose
from grammax.folder.induce.proposal import Tried
from grammax.folder.induce.rules import observe, scopes_of, written
from grammax.folder.settings import read_settings
from grammax.language.domain import Tokens

NESTED = (
    "( lambda $0 e ( and ( state $0 ) ( next_to $0 s0 ) ) )",
    "( lambda $0 e ( exists $1 ( and ( river $1 ) ( loc $1 $0 ) ) ) )",
    "( lambda $0 e ( and ( city $0 ) ( loc $0 s1 ) ) )",
)


def forms(*texts: str) -> list[Tokens]:
    return [tuple(text.split()) for text in texts]


def scoped(train: list[Tokens]) -> str:
    observed = observe(train, apart=True)
    found = scopes_of(observed)
    assert found is not None
    return written(observed, found)


def accepted(text: str, some: list[Tokens]) -> float:
    return coverage(some, exact_automaton(Grammar.read(text))[1]).accepted


def test_a_variable_is_used_only_where_it_is_bound() -> None:
    text = scoped(forms(*NESTED))
    assert accepted(text, forms(*NESTED)) == 1
    like = "( lambda $0 e ( exists $1 ( and ( city $0 ) ( loc $1 s2 ) ) ) )"
    assert accepted(text, forms(like)) == 1
    unbound = (
        "( lambda $0 e ( and ( state $1 ) ( next_to $0 s0 ) ) )",
        "( lambda $0 e ( exists $1 ( and ( river $2 ) ( loc $1 $0 ) ) ) )",
        "( lambda $1 e ( and ( state $1 ) ( next_to $1 s0 ) ) )",
    )
    for form in unbound:
        assert accepted(text, forms(form)) == 0
        assert accepted(written(observe(forms(*NESTED))), forms(form)) == 1


def test_where_one_variable_is_bound_only_it_is_permitted() -> None:
    automaton = lr(Grammar.read(scoped(forms(*NESTED))))
    state = automaton.read(forms("( lambda $0 e ( and ( state")[0])
    assert list(automaton.next_tokens(state).tokens) == ["$0"]


def test_levels_deeper_than_those_seen_may_come() -> None:
    deeper = "( lambda $0 e ( exists $1 ( exists $2 ( and ( river $2 ) ( loc $1 $0 ) ) ) ) )"
    assert accepted(scoped(forms(*NESTED)), forms(deeper)) == 1


def test_a_type_after_a_colon_is_part_of_the_token_that_binds() -> None:
    text = scoped(forms("( lambda $0:e ( loc:t $0 s0 ) )", "( lambda $0:e ( state:t $0 ) )"))
    assert accepted(text, forms("( lambda $0:e ( state:t $0 ) )")) == 1
    assert accepted(text, forms("( lambda $1:e ( state:t $1 ) )")) == 0


@pytest.mark.parametrize(
    "text",
    [
        "( f $0 a )",  # nothing binds
        "( answer ( and ( state $0 ) ( loc $1 s0 ) ) )",
        "( lambda $0 ( loc $0 $1 ) )",  # used unbound
        "( f a )",
    ],
)
def test_forms_without_binders_have_no_scopes(text: str) -> None:
    assert scopes_of(observe(forms(text))) is None


BODY = st.recursive(
    st.sampled_from(["( state {} )", "( loc {} s0 )", "s1"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: f"( and {two[0]} {two[1]} )"),
        inner.map(lambda one: f"( exists [{one}] )"),
    ),
    max_leaves=6,
)


def bound(text: str, depth: int = 0) -> str:
    """The text with a variable of the right depth in each place."""
    found = []
    for sign in text:
        depth += (sign == "[") - (sign == "]")
        found.append(f"${depth} " if sign == "[" else "" if sign == "]" else sign)
    return "".join(found).replace("{}", "$0")


@given(st.lists(BODY, min_size=1, max_size=6))
def test_all_that_was_seen_is_accepted_with_scopes(bodies: list[str]) -> None:
    seen = forms(*(f"( lambda $0 e {bound(body)} )" for body in bodies))
    observed = observe(seen)
    found = scopes_of(observed)
    if found is not None:
        assert accepted(written(observed, found), seen) == 1


def folder_of(folder: Path, *texts: str, settings: str = "") -> Path:
    rows = "".join(f"query {number}\t{text}\n" for number, text in enumerate(texts))
    (folder / "train.tsv").write_text(rows, "utf-8")
    text = f"name = 'x'\n{settings}\n[splits]\ntrain = 'train.tsv'\n"
    (folder / "domain.toml").write_text(text, "utf-8")
    return folder


def scopes_tried(folder: Path) -> Tried:
    (found,) = (each for each in propose(read_settings(folder)).tried if each.way.scopes)
    return found


def test_scopes_are_proposed_with_what_they_gain(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, *NESTED * 4)
    found = scopes_tried(folder)
    assert found.proposed
    assert found.after["train"].permitted < found.before["train"].permitted
    assert propose(read_settings(folder)).splits == found.after
    plain = propose(read_settings(folder), scopes=False)
    assert plain.splits == found.before
    assert not any(each.way.scopes for each in plain.tried)


def test_scopes_that_refuse_forms_left_out_are_not_proposed(tmp_path: Path) -> None:
    odd = [
        f"( lambda ${n} e ( and ( state ${n} ) ( exists ${m} ( loc ${m} ${n} ) ) ) )"
        for n, m in [(0, 1), (0, 2), (3, 1), (1, 0), (2, 3), (3, 2)]
    ]
    folder = folder_of(tmp_path, *odd)
    found = scopes_tried(folder)
    assert not found.proposed
    assert found.left_out[1] < found.left_out[0]
    assert propose(read_settings(folder)).splits == found.before


def test_a_split_dev_decides_where_there_is_one(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, *NESTED * 4)
    (folder / "dev.tsv").write_text(
        "odd\t( lambda $0 e ( and ( state $1 ) ( loc $0 s0 ) ) )\n", "utf-8"
    )
    with (folder / "domain.toml").open("a", encoding="utf-8") as file:
        file.write("dev = 'dev.tsv'\n")
    found = scopes_tried(folder)
    assert (found.left_out, found.proposed) == ((1, 0), False)


def test_kinds_of_tables_and_kinds_that_queries_fill_stay(tmp_path: Path) -> None:
    folder = folder_of(
        tmp_path,
        "( in paris )", "( in rome )", "( over 5 )", "( over 17 )",
        settings="tables = ['cities.tsv']",
    )  # fmt: skip
    with (folder / "domain.toml").open("a", encoding="utf-8") as file:
        file.write("[filled]\nNUMBER = 'integer'\n")
    rows = ["token\tkind", "rome\tCITY", "paris\tCITY", "berlin\tCITY", "x\tOTHER"]
    (folder / "cities.tsv").write_text("\n".join(rows), "utf-8")
    found = propose(read_settings(folder))
    assert found.text.splitlines()[-1] == "%declare CITY NUMBER"
    assert '"(" "in" CITY ")"' in found.text
    assert '"(" "over" NUMBER ")"' in found.text
    grammar = Grammar.read(found.text, {"CITY": ["rome", "paris", "berlin"], "NUMBER": ["5"]})
    assert coverage(forms("( in berlin )"), lr(grammar)).accepted == 1


def test_whole_forms_may_be_of_two_types() -> None:
    seen = forms("( count ( state s0 ) )", "( state s0 )", "( not ( state s0 ) )")
    like = forms("( not ( count ( state s1 ) ) )")
    for apart, share in ((False, 1), (True, 0)):
        text = written(observe(seen, apart=apart))
        assert accepted(text, seen) == 1
        assert accepted(text, like) == share


def test_types_of_whole_forms_are_apart_if_forms_left_out_are_accepted(tmp_path: Path) -> None:
    states = [f"( next ( state s{n % 4} ) )" for n in range(12)]
    counts = [f"( count ( next ( state s{n % 4} ) ) )" for n in range(12)]
    found = propose(read_settings(folder_of(tmp_path, *states, *counts)))
    assert [(str(each.way), each.proposed) for each in found.tried] == [
        ("types of whole forms apart", True)
    ]
    nested = [f"( not {'( not ' * (n % 4)}( state s{n % 3} ){' )' * (n % 4)} )" for n in range(12)]
    deep = propose(read_settings(folder_of(tmp_path, *nested, "( state s0 )")))
    assert deep.splits["train"].accepted == 1
    assert not any(each.proposed for each in deep.tried)


def test_pairs_that_merge_types_are_named(tmp_path: Path) -> None:
    states = [f"( loc s{n % 3} )" for n in range(6)]
    rents = [f"( rent d{n % 3} )" for n in range(6)]
    assert propose(read_settings(folder_of(tmp_path, *states, *rents))).merged == ()
    odd = propose(read_settings(folder_of(tmp_path, *states, "( loc d1 )", *rents)))
    (problem,) = odd.merged
    assert problem.location.line == 7
    assert problem.message == (
        "argument 1 of loc is d1 only here, which makes one type of s0 and of d1"
    )
    often = propose(read_settings(folder_of(tmp_path, *states, *["( loc d1 )"] * 3, *rents)))
    assert often.merged == ()


@needs_data
@pytest.mark.parametrize(
    ("name", "notation", "share", "permitted"),
    [
        ("geoquery/dl2016", "spaces", 0.989, 9.7),
        ("geoquery/lambda", "brackets", 0.914, 22.0),
        ("atis/dl2016", "spaces", 0.995, 39.3),
        ("jobs/lambda", "brackets", 0.885, 7.3),
    ],
)
def test_unseen_forms_of_public_sets(
    name: str, notation: str, share: float, permitted: float
) -> None:
    train, test = (
        [line.pair.tokens for line in read_pairs(DATA / f"{name}_{split}.tsv", notation)[0]]
        for split in ("train", "test")
    )
    automaton = exact_automaton(Grammar.read(scoped(train)))[1]
    assert coverage(train, automaton).accepted == 1
    found = coverage(test, automaton)
    assert found.accepted >= share
    assert found.permitted <= permitted
