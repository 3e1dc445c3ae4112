"""Names of tokens in a query: the longest that are there, and what they tell of its words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammax import Vocabulary
from grammax.reading.coverage import covered_after
from grammax.reading.name_index import Match
from grammax.reading.names import NameMatcher
from grammax.reading.spelling import Spelling
from grammax.reading.words import split, whole_words

CALLED = {
    "COU_KOREA": ["Korea"],
    "COU_SOUTH_KOREA": ["South Korea", "korean"],
    "COU_SOUTH_AFRICA": ["South Africa"],
    "EXC_KOREA": ["Korea Exchange", "Korea"],
    "SEC_STEEL": ["Steel"],
    "SEC_RETAIL": ["Consumer Retail", "retail"],
    "FLD_PRICE": ["price", "retail price"],
    "IDX_DAX": ["DAX 40", "DAX"],
    "5": ["5"],
    "(": ["("],
    "UNCALLED": [],
}
VOCABULARY = Vocabulary(
    {
        "COUNTRY": ["COU_KOREA", "COU_SOUTH_KOREA", "COU_SOUTH_AFRICA"],
        "EXCHANGE": ["EXC_KOREA"],
        "SECTOR": ["SEC_STEEL", "SEC_RETAIL"],
        "FIELD": ["FLD_PRICE"],
        "INDEX": ["IDX_DAX"],
        "OTHER": ["5", "(", "UNCALLED"],
    }
)
SIZE = 64
NAMES = NameMatcher(VOCABULARY, CALLED.__getitem__, Spelling(SIZE))


def found(text: str) -> list[tuple[str, set[str]]]:
    """The names in a text with their tokens."""
    words = split(text)
    return [
        (" ".join(words[start:stop]), {VOCABULARY.tokens[token] for token in ids})
        for start, stop, ids in NAMES.find(words)
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("steel", ["steel"]),
        ("STEEL in South Africa", ["steel", "south africa"]),
        ("south korea", ["south korea"]),
        ("korea south", ["korea"]),
        ("south steel korea", ["steel", "korea"]),
        ("steel steel", ["steel", "steel"]),
        ("dax 40", ["dax 4 #0"]),
        ("dax 4", ["dax"]),
        ("dax 400", ["dax 4 #0"]),
        ("nothing of the kind", []),
    ],
)
def test_the_longest_name_is_found(text: str, names: list[str]) -> None:
    assert [name for name, _ in found(text)] == names


def test_names_that_overlap_are_both_found() -> None:
    assert [name for name, _ in found("south korea exchange")] == ["south korea", "korea exchange"]
    assert [name for name, _ in found("consumer retail price")] == [
        "consumer retail",
        "retail price",
    ]


def test_one_name_may_be_of_several_tokens() -> None:
    assert found("korea") == [("korea", {"COU_KOREA", "EXC_KOREA"})]
    assert found("korea exchange") == [("korea exchange", {"EXC_KOREA"})]


def test_a_digit_names_nothing_and_nor_does_what_is_called_nothing() -> None:
    assert found("5 uncalled") == []


@settings(max_examples=50)
@given(st.lists(st.sampled_from(["south", "korea", "korean", "exchange", "retail", "price", "a"])))
def test_every_name_is_found_unless_it_is_inside_another(words: list[str]) -> None:
    names = {tuple(split(text)) for texts in CALLED.values() for text in texts}
    places = range(len(words) + 1)
    there = {(a, b) for a in places for b in places if tuple(words[a:b]) in names}
    alone = {
        (a, b)
        for a, b in there
        if not any((c, d) != (a, b) and c <= a and b <= d for c, d in there)
    }
    assert {(start, stop) for start, stop, _ in NAMES.find(words)} == alone


def test_a_name_is_said_once_however_often_its_token_comes() -> None:
    names = NAMES.find(["korea", "steel", "korea"])
    token = VOCABULARY.id("EXC_KOREA")
    first, second = Match(0, 1, (0, token)), Match(2, 3, (0, token))
    assert covered_after(names, [token], frozenset()) == {first}
    assert covered_after(names, [token], frozenset({first})) == {first, second}
    assert covered_after(names, [token, token], frozenset()) == {first, second}
    for run, said in [([token], frozenset(names)), ([VOCABULARY.id("FLD_PRICE")], frozenset())]:
        assert covered_after(names, run, said) is said


def described(text: str) -> np.ndarray:
    words = split(text)
    return NAMES.describe(words, NAMES.find(words))


def marks(text: str) -> list[tuple[set[str], set[str]]]:
    """For each word the kinds that it is in a name of, and those that it begins a name of."""
    kinds = VOCABULARY.kinds
    table = described(text)[:, SIZE:]
    assert set(np.unique(table)) <= {0, 1}
    inside, begins = table[:, : len(kinds)], table[:, len(kinds) :]
    return [
        ({kinds[k] for k in np.flatnonzero(a)}, {kinds[k] for k in np.flatnonzero(b)})
        for a, b in zip(inside, begins, strict=True)
    ]


def test_features_mark_the_kinds_of_names_and_where_they_begin() -> None:
    assert marks("the south korea price") == [
        (set(), set()),
        ({"COUNTRY"}, {"COUNTRY"}),
        ({"COUNTRY"}, set()),
        ({"FIELD"}, {"FIELD"}),
    ]
    assert marks("korea") == [({"COUNTRY", "EXCHANGE"}, {"COUNTRY", "EXCHANGE"})]
    assert marks("south korea exchange")[1] == ({"COUNTRY", "EXCHANGE"}, {"EXCHANGE"})


def test_there_is_a_feature_for_each_number_that_describes_a_word() -> None:
    assert described("a korea").shape == (2, NAMES.features)


@pytest.mark.parametrize("token", ["COU_SOUTH_KOREA", "EXC_KOREA", "SEC_RETAIL", "FLD_PRICE"])
def test_the_words_of_a_name_point_to_the_row_of_its_token(token: str) -> None:
    rows = NAMES.rows()
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    for vector in described(CALLED[token][0])[:, :SIZE]:
        assert VOCABULARY.tokens[int(np.argmax(rows @ vector))] == token


def test_a_name_of_very_many_tokens_is_read_all_the_same() -> None:
    tokens = [f"FND_{number}" for number in range(300)]
    names = NameMatcher(Vocabulary({"FUND": tokens}), lambda token: ("fund",), Spelling(SIZE))
    (match,) = names.find(["fund"])
    assert match.ids == tuple(range(300))
    assert np.isfinite(names.describe(["fund"], [match])).all()


def test_a_vocabulary_without_names_finds_none() -> None:
    names = NameMatcher(VOCABULARY, lambda token: (), Spelling(SIZE))
    assert names.find(["steel", "korea"]) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("route 66 motels", [("route 66", "Route 66")]),
        ("motels on route 660", []),
        ("route 6", [("route 6", "Route 6")]),
        ("route 600", []),
        ("an iphone 15 case", [("iphone 15", "iPhone 15")]),
        ("an iphone 150 case", [("iphone", "iPhone")]),
        ("an iphone15", [("iphone 15", "iPhone 15")]),
        ("a 737", [("737", "737")]),
        ("a 7370", []),
        ("flights to o'hare", [("o'hare", "O'Hare")]),
        ("flights to ohare", [("ohare", "O'Hare")]),
        ("levi’s jeans", [("levi’s", "Levi's")]),
    ],
)
def test_names_with_digits_and_apostrophes_are_found_whole(
    query: str, found: list[tuple[str, str]]
) -> None:
    names = ["Route 66", "Route 6", "iPhone 15", "iPhone", "737", "O'Hare", "Levi's"]
    vocabulary = Vocabulary({"NAME": names})
    matcher = NameMatcher(vocabulary, lambda name: [name], Spelling(8), whole_numbers=True)
    words = split(query)
    told = [
        (" ".join(whole_words(words, range(match.start, match.stop))), names[match.ids[0]])
        for match in matcher.find(words)
    ]
    assert told == found
