"""Grammars made of logical forms: they accept what they were made of, and what is like it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax import Grammar, lr
from grammax.domain import Tokens
from grammax.folder.coverage import coverage
from grammax.folder.induce import induce
from grammax.folder.pairs import read_pairs
from grammax.folder.trees import NoTree, tree

DATA = Path(os.environ.get("GRAMMAX_DATA", Path(__file__).parents[3] / "shared" / "data"))


def forms(*texts: str) -> list[Tokens]:
    return [tuple(text.split()) for text in texts]


def accepted(train: list[Tokens], test: list[Tokens]) -> float:
    return coverage(test, lr(Grammar.read(induce(train)))).accepted


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


@pytest.mark.skipif(not DATA.exists(), reason=f"{DATA} is not there; $GRAMMAX_DATA says where")
@pytest.mark.parametrize(
    ("name", "share"),
    [("geoquery/dl2016", 0.98), ("atis/dl2016", 0.99), ("jobs/dl2016", 0.98)]
    + [(f"overnight/{d}", 1.0) for d in ("basketball", "blocks", "calendar", "housing")],
)
def test_unseen_forms_of_public_sets(name: str, share: float) -> None:
    train, test = (
        [line.pair.tokens for line in read_pairs(DATA / f"{name}_{split}.tsv", "spaces")[0]]
        for split in ("train", "test")
    )
    assert accepted(train, train) == 1
    assert accepted(train, test) >= share
