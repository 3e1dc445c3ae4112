"""Grammars made of logical forms: they accept what they were made of, and what is like it."""

from __future__ import annotations

from pathlib import Path

import pytest
from folder.public_data import DATA, needs_data
from hypothesis import given, reject
from hypothesis import strategies as st
from typer.testing import CliRunner

from grammax import Grammar, lr
from grammax.cli.app import app
from grammax.folder import write_example
from grammax.folder.coverage import coverage
from grammax.folder.data import read_pairs
from grammax.folder.domain import exact_automaton
from grammax.folder.induce import induce, propose
from grammax.folder.induce.proposal import without_tree
from grammax.folder.induce.trees import NoTree, is_prefix, tree
from grammax.folder.settings import read_settings
from grammax.language.domain import Tokens


def forms(*texts: str) -> list[Tokens]:
    return [tuple(text.split()) for text in texts]


def accepted(train: list[Tokens], test: list[Tokens]) -> float:
    return coverage(test, lr(Grammar.read(induce(train)))).accepted


def accepted_exactly(train: list[Tokens]) -> float:
    """The share of its own forms that an induced grammar accepts, be it LR(1) or not."""
    return coverage(train, exact_automaton(Grammar.read(induce(train)))[1]).accepted


def test_what_was_met_in_one_place_may_stand_for_each_other() -> None:
    seen = forms(
        "( lambda $0 e ( and ( state $0 ) ( next_to $0 s0 ) ) )",
        "( lambda $0 e ( city $0 ) )",
        "( lambda $0 e ( state $0 ) )",
        "( lambda $0 e ( and ( river $0 ) ( loc $0 s1 ) ( big $0 ) ) )",
    )
    like = forms(
        "( lambda $1 e ( and ( city $1 ) ( loc $1 s2 ) ) )",
        "( lambda $0 e ( and ( river $0 ) ( city $0 ) ( state $0 ) ( big $0 ) ) )",
    )
    assert accepted(seen, [*seen, *like]) == 1
    unlike = forms("( lambda $0 e s0 )", "( and ( state $0 ) )", "( lambda $0 e ( city $0 s0 ) )")
    assert accepted(seen, unlike) == 0


def test_calls_operators_and_groups() -> None:
    seen = forms(
        r"job ( ANS ) , loc ( ANS , locid0 ) , \+ req_exp ( ANS ) , req_exp ( ANS )",
        r"job ( ANS ) , ( ( language ( ANS , languageid0 ) ) ; ( loc ( ANS , locid1 ) ) )",
    )
    like = forms(r"language ( ANS , languageid2 ) , \+ loc ( ANS , locid1 ) ; job ( ANS )")
    assert accepted(seen, [*seen, *like]) == 1
    assert accepted(seen, forms("job ( ANS , ANS )", "ANS")) == 0


def test_first_arguments_that_are_heads_of_their_own() -> None:
    seen = forms(
        "( call filter ( call all en.man ) ( string height ) )",
        "( call all ( call size ( call all en.block ) ) )",
    )
    grammar = induce(seen)
    assert '"call" "filter"' in grammar
    assert accepted(seen, forms("( call filter en.man )")) == 0


@pytest.mark.parametrize("text", ["( a", "( a ) )", ")"])
def test_brackets_that_do_not_match_are_told(text: str) -> None:
    with pytest.raises(NoTree):
        tree(tuple(text.split()), prefix=True)


@pytest.mark.parametrize("text", ["f (", "f ( a ,", ", a", "f ( a ) )"])
def test_calls_that_do_not_match_are_told(text: str) -> None:
    with pytest.raises(NoTree):
        tree(tuple(text.split()), prefix=False)


def test_brackets_that_are_too_deep_are_told() -> None:
    with pytest.raises(NoTree, match="brackets are 5,000 deep; 150 is the most"):
        induce([("(", "f") * 5_000 + (")",) * 5_000])
    deepest = ("(", "f") * 150 + (")",) * 150
    assert accepted([deepest], [deepest]) == 1


def test_lines_without_a_tree_are_told_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text("query\tlf\none\t( a )\ntwo\t( a\nthree\t( b ) )\n", encoding="utf-8")
    told = without_tree(read_pairs(path, "spaces")[0], path)
    assert [problem.location.line for problem in told] == [3, 4]
    assert "still open" in told[0].message


HEADS = st.sampled_from(["and", "or", "not", "loc", "size", "answer"])
TREES = st.recursive(
    st.sampled_from(["$0", "$1", "c0", "s1", "usa:co", '"q"', "\\+"]),
    lambda inner: st.tuples(HEADS, st.lists(inner, max_size=4)).map(
        lambda pair: f"( {pair[0]} {' '.join(pair[1])} )"
    ),
    max_leaves=12,
)


@given(st.lists(TREES.filter(lambda text: text.startswith("(")), min_size=1, max_size=8))
def test_all_that_was_seen_is_accepted(texts: list[str]) -> None:
    seen = forms(*texts)
    assert accepted(seen, seen) == 1


SEPARATORS = st.lists(st.sampled_from([",", ",", ",", ";"]), min_size=4, max_size=4)
CALLED = st.sampled_from(["and", "job", "loc", "a", "f0", "A"])
ARGUMENTS = ["ANS", "A", "B", "C", "f0", "f1", "$0", "usa:co", '"q"', "loc", "tab\there", "\\"]


def separated(parts: list[Tokens], separators: list[str]) -> Tokens:
    found = [*(parts[0] if parts else ())]
    for separator, part in zip(separators, parts[1:], strict=False):
        found += (separator, *part)
    return tuple(found)


def compound(inner: st.SearchStrategy[Tokens]) -> st.SearchStrategy[Tokens]:
    listed = st.builds(separated, st.lists(inner, max_size=4), SEPARATORS)
    groups = listed.map(lambda form: ("(", *form, ")"))
    calls = st.builds(lambda head, form: (head, *form), CALLED, groups)
    operators = st.builds(
        lambda sign, form: (sign, *form), st.sampled_from(["\\+", "-", "not"]), inner
    )
    return st.one_of(calls, calls, groups, operators)


PHRASES = st.recursive(
    st.sampled_from(ARGUMENTS).map(lambda token: (token,)), compound, max_leaves=10
)
CALLS = st.builds(separated, st.lists(PHRASES, min_size=1, max_size=3), SEPARATORS)


@given(st.lists(CALLS, min_size=1, max_size=6))
def test_all_calls_that_were_seen_are_accepted(seen: list[Tokens]) -> None:
    try:
        for form in seen:
            tree(form, is_prefix(seen))
    except NoTree:
        reject()
    assert accepted_exactly(seen) == 1


@pytest.mark.parametrize("arities", [(0, 3), (1, 3), (2, 3, 5), (0, 1), (1, 2), (4,)])
@pytest.mark.parametrize("notation", ["prefix", "calls"])
def test_heads_of_varying_arity_keep_their_head(notation: str, arities: tuple[int, ...]) -> None:
    seen = []
    for arity in arities:
        arguments = [f"x{n}" for n in range(arity)]
        if notation == "calls":
            seen.append(("f", "(", *" , ".join(arguments).split(), ")"))
        else:
            seen.append(("(", "f", *arguments, ")"))
    assert accepted(seen, seen) == 1
    headless = [tuple(token for token in form if token != "f") for form in seen]
    assert accepted(seen, headless) == 0


def test_separators_of_a_call_are_those_that_were_seen() -> None:
    seen = forms("f ( a ; b )", "g ( a , b )")
    assert accepted(seen, seen) == 1
    assert accepted(seen, forms("f ( a , b )", "g ( a ; b )")) == 0


def test_a_proposal_names_each_training_pair_that_its_grammar_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "train.tsv").write_text("one\t( a )\ntwo\t( b c )\n", encoding="utf-8")
    (tmp_path / "domain.toml").write_text("splits = {train = 'train.tsv'}\nname = 'x'", "utf-8")
    sound = propose(read_settings(tmp_path))
    assert sound.problems == ()
    assert sound.splits["train"].accepted == 1
    monkeypatch.setattr("grammax.folder.induce.proposal.written", lambda *_: 'q: "(" "a" ")"')
    told = propose(read_settings(tmp_path)).problems
    assert [problem.location.line for problem in told] == [2]


def test_letters_are_variables_also_those_not_seen() -> None:
    seen = forms(
        "title ( A , ANS ) , job ( A )",
        "loc ( B , ANS ) , job ( B )",
        "job ( X ) , loc ( X , ANS )",
    )
    assert accepted(seen, forms("title ( J , ANS ) , job ( J )")) == 1
    assert accepted(seen[:2], forms("title ( J , ANS ) , job ( J )")) == 0


def test_variables_may_stand_where_they_stood_and_unify_nothing() -> None:
    seen = forms("( f $0 a )", "( g $0 b )", "( h $0 ( f $0 a ) )")
    assert accepted(seen, [*seen, *forms("( f $1 a )")]) == 1
    assert accepted(seen, forms("( f $0 b )", "( f a a )", "( g $0 ( f $0 a ) )")) == 0


def test_what_orders_one_way_orders_the_other() -> None:
    seen = forms("( argmax $0 ( > ( size $0 ) 0:i ) )")
    assert accepted(seen, forms("( argmin $0 ( < ( size $0 ) 0:i ) )")) == 1
    assert "argmin" not in induce(forms("( most $0 )"))


def test_a_grammar_can_be_read_line_by_line() -> None:
    seen = forms(*(f"( predicate{n}x constant{n}x )" for n in range(30)))
    lines = induce(seen).splitlines()
    assert all(len(line) <= 100 for line in lines)
    assert any(line.lstrip().startswith("|") for line in lines)
    assert accepted(seen, seen) == 1


def test_bars_in_tokens_are_no_choice() -> None:
    seen = [("(", f"{n:50} | x", "constant", ")") for n in range(5)]
    assert accepted(seen, seen) == 1


@needs_data
@pytest.mark.parametrize(
    ("name", "share", "permitted"),
    [
        ("geoquery/dl2016", 0.989, 11.3),
        ("atis/dl2016", 0.995, 46.6),
        ("jobs/dl2016", 0.992, 17.0),
        *(
            (f"overnight/{domain}", 1.0, 6.7)
            for domain in (
                "basketball",
                "blocks",
                "calendar",
                "housing",
                "publications",
                "recipes",
                "restaurants",
            )
        ),
    ],
)
def test_unseen_forms_of_public_sets(name: str, share: float, permitted: float) -> None:
    train, test = (
        [line.pair.tokens for line in read_pairs(DATA / f"{name}_{split}.tsv", "spaces")[0]]
        for split in ("train", "test")
    )
    automaton = lr(Grammar.read(induce(train)))
    assert coverage(train, automaton).accepted == 1
    found = coverage(test, automaton)
    assert found.accepted >= share
    assert found.permitted <= permitted


def test_single_tokens_of_one_type_are_one_kind_and_numbers_another() -> None:
    seen = forms(
        "( on monday )", "( on friday )", "( on 5 )", "( on 20 )", "( on c0 )", "( up $0 )"
    )
    lines = induce(seen).splitlines()
    for kind in ('MONDAY: "monday" | "friday"', 'NUMBER: "5" | "20"', 'C: "c0" | "c1" | "c2"'):
        assert kind in lines
    assert any(line.endswith(": MONDAY | NUMBER | C") for line in lines)
    assert accepted(seen, seen) == 1


def test_dates_and_quoted_texts_of_an_argument_are_kinds_of_their_own() -> None:
    found = induce(
        forms(
            "( due 2027-04-30 )", "( due 2027-05 )", "( due 2026-12-01 )", "( due soon )",
            "( note 'stir_it' )", "( note 'feed_the_cat' )",
        )
    )  # fmt: skip
    assert 'DATE: "2027-04-30" | "2027-05" | "2026-12-01"\n' in found
    assert "TEXT: \"'stir_it'\" | \"'feed_the_cat'\"\n" in found


def test_kinds_that_queries_fill_alike_are_advised_to_be_one(tmp_path: Path) -> None:
    write_example(tmp_path)
    pairs = [f"oven {n}\t( oven {n} )\n{n + 5} min\t( minutes {n + 5} )\n" for n in (90, 180, 200)]
    (tmp_path / "train.tsv").write_text("".join(pairs), encoding="utf-8")
    (tmp_path / "domain.toml").write_text('[splits]\ntrain = "train.tsv"\n', encoding="utf-8")
    induced = ["grammar", "induce", str(tmp_path), "--overwrite"]
    told = CliRunner().invoke(app, induced).stderr
    assert told.count("To make one kind of the 2 that are alike") == 1
    assert 'write N = { fill = "number" } instead' in told.replace("\n", " ")
    with (tmp_path / "domain.toml").open("a", encoding="utf-8") as file:
        file.write('[filled]\nN = { fill = "number" }\n')
    assert "alike" not in CliRunner().invoke(app, induced).stderr
    assert "%declare N" in (tmp_path / "grammar.lark").read_text("utf-8")


def test_a_word_with_a_large_number_is_one_of_the_words_beside_it() -> None:
    words = ("unix", "linux", "x86", "vms")
    found = Grammar.read(induce([("(", "on", word, ")") for word in words]))
    assert [tokens for tokens in found.kinds.values() if len(tokens) > 1] == [words]
