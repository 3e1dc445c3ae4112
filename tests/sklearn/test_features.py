"""What a classifier sees: prefixes, the names still to be said, classes by their places."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("scipy", reason="the package needs scikit-learn")

from grammax import Vocabulary
from grammax.reading.name_index import Match
from grammax.sklearn import Prefix, Words
from grammax.sklearn.classes import RARE, UNSEEN, Classes, label_of, large_kinds
from grammax.sklearn.features import Columns, Features, StepTable
from grammax.sklearn.prefix import Brackets

FILMS = [f"film{n}" for n in range(20)]
VOCABULARY = Vocabulary({"FILM": FILMS, "SIGN": ["(", ")"], "WORD": ["or", "not"]})
LARGE = large_kinds(VOCABULARY)
QUERY = Words(
    ("film3", "or", "film5"),
    (Match(0, 1, (3,)), Match(2, 3, (5, 7))),
)


def after(*tokens: str, query: Words = QUERY) -> Prefix:
    return reduce(Prefix.after, VOCABULARY.ids(tokens), Prefix(query, Brackets.of(VOCABULARY)))


def test_a_token_uses_the_first_name_that_it_has() -> None:
    prefix = after("(", "or", "film7")
    assert prefix.used == {1}
    assert prefix.at == 1
    assert [name.ids for name in prefix.unused] == [(3,)]
    again = prefix.after(VOCABULARY.id("film5"))  # it has no name left
    assert again.used == {1}


def test_the_path_has_the_first_token_of_each_open_bracket() -> None:
    of = VOCABULARY.id
    assert after("(", "or", "(", "not").path == (of("or"), of("not"))
    assert after("(", "or", "(").path == (of("or"), of("("))
    assert after("(", "or", "(", "not", ")", "film3").path == (of("or"),)
    assert Prefix(QUERY).after(of("(")).path == ()
    assert Brackets.of(Vocabulary({"A": ["a"]})) is None


def test_names_of_a_large_kind_are_classes_by_their_places() -> None:
    kind = VOCABULARY.kind_number("FILM")
    assert {kind} == LARGE
    prefix = after()
    assert [label_of(prefix, row, VOCABULARY, LARGE) for row in (3, 5, 7, 9)] == [
        (kind, 0),
        (kind, 1),
        (kind, 2),
        (-1, 9),
    ]
    prefix = after("film3")
    assert label_of(prefix, 5, VOCABULARY, LARGE) == (kind, 0)
    assert label_of(prefix, 3, VOCABULARY, LARGE) == (kind, -2)  # it was used
    assert label_of(prefix, VOCABULARY.id("or"), VOCABULARY, LARGE) == (-1, VOCABULARY.id("or"))
    end = len(VOCABULARY)
    assert label_of(prefix, end, VOCABULARY, LARGE) == (-1, end)


def test_rare_names_share_a_class_and_unseen_tokens_have_none() -> None:
    kind, word = VOCABULARY.kind_number("FILM"), VOCABULARY.id("or")
    labels = [(kind, 0)] * 5 + [(-1, 11)] * RARE + [(-1, 12), (-1, word), (-1, len(VOCABULARY))]
    classes = Classes(labels, VOCABULARY, LARGE)
    assert len(classes) == 5
    assert [classes.name(number) for number in range(5)] == [
        "FILM, name 1 of the query",
        "film11",
        "another FILM",
        "or",
        "the end",
    ]
    rows = np.arange(len(VOCABULARY) + 1)
    found = classes.of(after(), rows)
    assert found[[3, 11, 12, 2, word, len(VOCABULARY)]].tolist() == [0, 1, 2, 2, 3, 4]
    assert found[[5, VOCABULARY.id("not")]].tolist() == [UNSEEN, UNSEEN]
    some = np.array([2, 3, 11])
    assert classes.of(after(), some).tolist() == [2, 0, 1]
    assert [classes.number(label) for label in [(kind, 0), (-1, 2), (kind, 3)]] == [0, 2, UNSEEN]


def test_without_a_grammar_each_class_is_the_row_that_it_means_here() -> None:
    kind = VOCABULARY.kind_number("FILM")
    labels = [(kind, 0)] * 5 + [(-1, 3)] * 5 + [(-1, 11)] * 5 + [(kind, 2)]
    classes = Classes(labels, VOCABULARY, LARGE)
    rows, numbers = classes.rows(after())
    assert rows.tolist() == [3, 7, 11]  # film3 is the first name now, and not the token
    assert [classes.labels[number] for number in numbers] == [(kind, 0), (kind, 2), (-1, 11)]
    rows, numbers = classes.rows(after("film5"))
    assert rows.tolist() == [3, 11]
    rows, numbers = classes.rows(after("film3", "film5"))  # no name is left
    assert rows.tolist() == [11]


def test_features_do_not_tell_apart_the_names_of_a_large_kind_that_were_predicted() -> None:
    features, permitted = Features(VOCABULARY, LARGE), VOCABULARY.permitted({0, 1})
    plain = Words(("film3",))
    one, other = (after("(", film, query=plain) for film in ("film1", "film2"))
    assert features.of(one, permitted) == features.of(other, permitted)
    third = after("(", "not", query=plain)
    assert {*features.of(one, permitted)} != {*features.of(third, permitted)}
    narrowed = permitted.narrowed([1, 2])
    assert {*features.of(one, permitted)} - {*features.of(one, narrowed)} == {"g=0 1", "k=1"}


def test_features_have_the_words_that_are_still_to_be_said() -> None:
    features, permitted = Features(VOCABULARY, LARGE), VOCABULARY.permitted({0})
    before, later = (features.of(after(*tokens), permitted) for tokens in ((), ("film3",)))
    assert {"w=or", "b=film3 or", "left=2", "r=film3", "n0=FILM", "m0=3"} <= {*before}
    assert {"w=film3", "left=1", "r=or", "g1=or", "last=FILM"} <= {*later}
    assert "r=film3" not in later
    assert features.of(Prefix(Words(())), permitted)


def test_columns_are_the_features_of_enough_steps() -> None:
    table = StepTable([["a", "b", "b"], ["b", "c"], ["c", "a"], []])
    columns, indices, ends = table.columns(2)
    assert columns.names == ("a", "b", "c")
    rows = [sorted(indices[a:b].tolist()) for a, b in pairwise(ends.tolist())]
    assert rows == [[0, 1], [1, 2], [0, 2], []]
    assert len(table) == 4
    assert Columns.of_steps([["a"], ["a", "b"]], common=2).names == ("a",)
