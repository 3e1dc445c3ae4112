"""An index of phrases: it finds what a plain dictionary finds, also once it was kept as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grammax.reading.name_index import Match, NameIndex, Phrase

Names = Sequence[Sequence[Phrase]]

WORDS = st.sampled_from(["a", "b", "ab", "5", "#0", "é", "東京", "\U0001f600", "\ud800"])
PHRASES = st.lists(WORDS, max_size=4).map(tuple)
NAMES = st.lists(st.lists(PHRASES, max_size=3, unique=True), max_size=6)
QUERIES = st.lists(WORDS, max_size=9)


def plainly(names: Names, words: Sequence[str]) -> list[Match]:
    """All names that are there and inside no other, in order."""
    called: dict[Phrase, list[int]] = {}
    for token, phrases in enumerate(names):
        for phrase in phrases:
            if phrase:
                called.setdefault(phrase, []).append(token)
    places = range(len(words) + 1)
    there = [(a, b) for a in places for b in places if tuple(words[a:b]) in called]
    return [
        Match(a, b, tuple(called[tuple(words[a:b])]))
        for a, b in there
        if not any((c, d) != (a, b) and c <= a and b <= d for c, d in there)
    ]


def kept(index: NameIndex) -> NameIndex:
    """The index after its arrays were written and read."""
    arrays = {}
    for name, array in index.arrays.items():
        file = BytesIO()
        np.save(file, array, allow_pickle=False)
        file.seek(0)
        arrays[name] = np.load(file, allow_pickle=False)
    return NameIndex(arrays)


@given(NAMES, QUERIES)
@example([[("a",)], [("a", "b")], [("b", "a")]], ["a", "b", "a"])  # two overlap, none is inside
@example([[("a", "b", "ab")], [("b",)]], ["a", "b", "b"])  # begins like a longer one
@example([[("\ud800", "東京"), ("\ud800",)]], ["\ud800", "東京", "\ud800"])
def test_names_are_found_as_in_a_dictionary_and_kept_as_arrays(
    names: Names, words: list[str]
) -> None:
    index = NameIndex.from_names(names)
    assert index.find(words) == plainly(names, words)
    assert kept(index).find(words) == index.find(words)


@given(NAMES, PHRASES)
def test_an_index_has_the_phrases_that_it_finds_alone(names: Names, phrase: Phrase) -> None:
    whole = [match for match in plainly(names, phrase) if match[:2] == (0, len(phrase))]
    for index in (NameIndex.from_names(names), kept(NameIndex.from_names(names))):
        assert (phrase in index) == bool(whole)


@given(NAMES, QUERIES)
@example([[("a",)], [("a", "b")], [("5",)]], ["a", "b", "5", "#0"])
def test_named_tokens_are_those_of_all_names_that_end_in_no_number(
    names: Names, words: list[str]
) -> None:
    places = range(len(words) + 1)
    whole = [b for b in places if words[b : b + 1] != ["#0"]]
    there = {tuple(words[a:b]) for a in places for b in whole if a < b}
    wanted = {token for token, phrases in enumerate(names) if there & set(phrases)}
    assert set(NameIndex.from_names(names).named(words)) == wanted


@pytest.mark.parametrize("names", [[], [[]], [[()]]], ids=["none", "uncalled", "empty"])
def test_an_empty_index_finds_nothing(names: Names) -> None:
    index = NameIndex.from_names(names)
    assert index.find(["5", "a"]) == kept(index).find(["5", "a"]) == []
    assert index.find([]) == []


def test_names_come_and_go() -> None:
    index = NameIndex.from_names(
        [[("korea",)], [("south", "korea"), ("korean",)], [("7",), ("peru",)]]
    )
    changed = index.changed(
        removed=[(1, [("south", "korea"), ("korean",)]), (2, [("7",), ("peru",)])],
        added=[(1, [("peru",), ("7",)]), (5, [("korean",), ("great", "korea", "of", "old")])],
    )
    again = changed.changed(removed=[(5, [("korean",)])], added=[(4, [("korea",)])])

    def found(names: NameIndex, text: str) -> list[tuple[int, int, tuple[int, ...]]]:
        return [tuple(match) for match in names.find(text.split())]

    assert found(changed, "south korea") == [(1, 2, (0,))]
    assert found(changed, "korean 7 peru") == [(0, 1, (5,)), (1, 2, (1,)), (2, 3, (1,))]
    assert found(changed, "great korea of old korea") == [(0, 4, (5,)), (4, 5, (0,))]
    assert found(again, "korean great korea of old korea") == [(1, 5, (5,)), (5, 6, (0, 4))]
    assert found(index, "south korea peru korean") == [(0, 2, (1,)), (2, 3, (2,)), (3, 4, (1,))]
    assert again.words() >= {"south", "korea", "great", "old", "peru"}
    assert "great" not in index.words()
    assert ("korean",) in changed
    assert ("korean",) not in again


KINDS = st.lists(st.integers(0, 2), min_size=6, max_size=6)


@given(NAMES, KINDS, QUERIES, st.frozensets(st.integers(0, 2)))
def test_a_phrase_names_the_first_token_of_each_kind_with_owners(
    names: Names, kinds: list[int], words: list[str], owned: frozenset[int]
) -> None:
    index = NameIndex.from_names(names)
    everyone = index.find(words)
    owners = index.with_owners(kinds, owned).find(words)
    assert [match[:2] for match in owners] == [match[:2] for match in everyone]
    for match, whole in zip(owners, everyone, strict=True):
        wanted = [
            token
            for at, token in enumerate(whole.ids)
            if kinds[token] not in owned or kinds[token] not in [kinds[t] for t in whole.ids[:at]]
        ]
        assert list(match.ids) == wanted


def test_a_name_whose_owner_goes_belongs_to_the_next() -> None:
    index = NameIndex.from_names([[("crime",)], [("crime",)], [("crime",)]])
    owned = index.with_owners([0, 0, 1, 0], {0, 1})
    assert owned.find(["crime"]) == [Match(0, 1, (0, 2))]
    left = owned.changed([(0, [("crime",)])], [(3, [("crime",)])])
    assert left.find(["crime"]) == [Match(0, 1, (1, 2))]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("true crimes", 0),
        ("true - crime", 0),
        ("true crime ' s", 0),
        ("film makers", 1),
        ("film maker", 1),
        ("filmmaker", None),
        ("sci fiction", 2),
        ("rock & roll", 3),
        ("rock and roll", 3),
        ("rock roll", 3),
        ("p / g", 4),
        ("colors", 5),
        ("colour", 5),
    ],
)
def test_variants_of_a_name_are_found(text: str, name: int | None) -> None:
    names = ["true crime", "film makers", "scifiction", "rock & roll inc", "pg", "colour"]
    phrases = [[tuple(each.split())] for each in names]
    phrases[3].append(("rock", "roll"))
    words = text.split()
    found = NameIndex.from_names(phrases).find(words)
    assert found == ([] if name is None else [Match(0, len(words), (name,))])


def test_a_name_as_typed_comes_before_the_variant_of_another() -> None:
    index = NameIndex.from_names([[("wars",)], [("war",)], [("star", "wars")]])
    assert index.find(["wars"]) == [Match(0, 1, (0,))]
    assert index.find(["war"]) == [Match(0, 1, (1, 0))]
    assert index.with_owners([0, 0, 0], {0}).find(["war"]) == [Match(0, 1, (1,))]
    assert index.find(["star", "war"]) == [Match(0, 2, (2,))]


@given(NAMES, QUERIES)
def test_spans_that_are_left_out_show_the_names_inside(names: Names, words: list[str]) -> None:
    index = NameIndex.from_names(names)
    whole = {match[:2] for match in index.find(words)}
    inside = index.find(words, whole)
    assert not whole & {match[:2] for match in inside}
    everything = {match[:2]: match.ids for match in index.all(words)}
    assert all(match.ids == everything.get(match[:2], match.ids) for match in inside)


@given(NAMES)
def test_the_words_of_wanted_tokens_are_those_of_their_names(names: Names) -> None:
    wanted = np.array([token % 2 == 0 for token in range(len(names))], bool)
    expected = {w for token in range(0, len(names), 2) for phrase in names[token] for w in phrase}
    assert NameIndex.from_names(names).words_of(wanted) == expected
