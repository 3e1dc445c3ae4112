"""Vectors by spelling: fixed for ever, alike for words that are spelt alike."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.reading.spelling import Spelling, _sums, document_frequencies
from grammax.reading.words import split

WORDS = [
    "germany",
    "german",
    "france",
    "japan",
    "korea",
    "steel",
    "banks",
    "banking",
    "software",
    "automobiles",
    "cars",
    "revenue",
    "margin",
    "dividend",
    "ev",
]
SIGNS = {
    "steel": "++-++-++++-+-+--+--+-+-+",
    "ev": "-+---++-++--+---++-++++-",
    "=COU_GERMANY": "-+-+-+--++--++-++-+-+--+",
}
STEEL = [-0.216338, 0.216338, -0.216338, 0.216338, 0.256939, 0.256939, 0.452976, -0.689615]


def rows(spelling: Spelling, called: list[list[str]]) -> np.ndarray:
    """The rows of tokens by their names."""
    words = [[split(name) for name in names] for names in called]
    return spelling.rows(words, document_frequencies(words), len(words))


def cosine(one: str, other: str, dimensions: int = 128) -> float:
    first, second = Spelling(dimensions).words([one, other])
    return float(first @ second)


@pytest.mark.parametrize("text", SIGNS)
def test_the_hash_is_as_it_was_when_models_were_trained(text: str) -> None:
    """A change of the hash makes all trained models worthless: raise `checkpoint.FORMAT`."""
    drawn = Spelling(128).signs([text])[0]
    assert "".join("+" if sign > 0 else "-" for sign in drawn[:24]) == SIGNS[text]


def test_a_vector_of_a_word_is_as_it_was_when_models_were_trained() -> None:
    assert Spelling(8).words(["steel"])[0] == pytest.approx(STEEL, abs=1e-5)


def test_all_instances_spell_alike_whatever_they_spelt_before() -> None:
    one, other = Spelling(64), Spelling(64)
    one.words(["banks", "steel"])
    assert np.array_equal(one.words(WORDS), other.words(WORDS))
    assert np.array_equal(other.words(WORDS[::-1])[::-1], one.words(WORDS))


def test_another_process_spells_alike() -> None:
    code = (
        "from grammax.reading.spelling import Spelling, document_frequencies;"
        "print(Spelling(16).words(['steel', 'ev']).tobytes().hex())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "4321"},
    )
    assert done.stdout.strip() == Spelling(16).words(["steel", "ev"]).tobytes().hex()


@pytest.mark.parametrize("dimensions", [7, 128, 513, 1_500])
def test_every_word_has_a_vector_of_length_1(dimensions: int) -> None:
    words = [*WORDS, "5", "#5", "#", "é", "日本", "\ud800", "x" * 5_000]
    vectors = Spelling(dimensions).words(words)
    assert vectors.shape == (len(words), dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_different_words_are_nearly_orthogonal() -> None:
    apart = [word for word in WORDS if word not in ("germany", "banking")]
    products = Spelling(1_024).words(apart) @ Spelling(1_024).words(apart).T
    others = np.abs(products[~np.eye(len(apart), dtype=bool)])
    assert others.mean() < 0.05
    assert others.max() < 0.35


@pytest.mark.parametrize(
    ("word", "like", "unlike"),
    [
        ("bank", "banks", "steel"),
        ("german", "germany", "japan"),
        ("automobile", "automobiles", "software"),
        ("semiconductors", "semiconducters", "automobiles"),
    ],
)
def test_words_that_are_spelt_alike_are_closer(word: str, like: str, unlike: str) -> None:
    assert cosine(word, like) > 0.25
    assert cosine(word, like) > cosine(word, unlike) + 0.2


def test_short_words_are_like_none_but_themselves() -> None:
    assert abs(cosine("ev", "eve", 4_096)) < 0.1
    assert abs(cosine("us", "uk", 4_096)) < 0.1


def test_a_digit_is_spelt_alike_wherever_it_stands() -> None:
    assert cosine("#5", "5") == pytest.approx(1)
    assert abs(cosine("#", "5", 4_096)) < 0.1


def test_tokens_are_nearest_to_the_words_of_their_own_names() -> None:
    names = [["Germany", "german"], ["South Korea", "korean"], ["steel"], ["banks", "banking"]]
    spelling = Spelling(128)
    found = rows(spelling, names)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1, abs=1e-5)
    for token, words in enumerate(["germany german", "south korea korean", "steel", "bank banks"]):
        for vector in spelling.words(words.split()):
            assert int(np.argmax(found @ vector)) == token


def test_a_word_that_few_tokens_have_tells_more() -> None:
    names = [[f"{country} bank"] for country in ("german", "french", "korean", "dutch", "irish")]
    spelling = Spelling(512)
    own, shared = rows(spelling, names)[0] @ spelling.words(["german", "bank"]).T
    assert own > shared + 0.2


def test_wordings_have_the_same_weight_however_long_they_are() -> None:
    spelling = Spelling(2_048)
    long = "international business machines corporation"
    row = rows(spelling, [["ibm", long], ["steel"]])[0]
    whole = rows(spelling, [[long], ["steel"]])[0]
    assert float(row @ spelling.words(["ibm"])[0]) == pytest.approx(float(row @ whole), abs=0.05)


def test_a_token_that_is_called_nothing_has_zeros() -> None:
    found = rows(Spelling(16), [["steel"], [], ["", " "]])
    assert np.linalg.norm(found, axis=1).tolist() == pytest.approx([1, 0, 0], abs=1e-5)
    assert rows(Spelling(16), [[], []]).tolist() == [[0] * 16] * 2


def test_many_tokens_are_composed_as_few_are() -> None:
    names = [[f"fund {number}", "bank"] for number in range(5_000)]
    names[7] = []
    found = rows(Spelling(8), names)
    assert found.shape == (5_000, 8)
    assert not found[7].any()
    lengths = np.linalg.norm(np.delete(found, 7, 0), axis=1)
    assert lengths == pytest.approx(1, abs=1e-5)


def test_many_words_are_spelt_as_each_alone() -> None:
    words = [f"{word}{number}" for word in WORDS for number in range(100)]
    alone = [Spelling(128).words([word])[0] for word in words]
    assert np.array_equal(Spelling(128).words(words), alone)


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=6), min_size=1, max_size=8))
def test_sums_are_those_of_the_vectors_one_by_one(groups: list[list[int]]) -> None:
    vectors = np.arange(-15, 15, dtype=np.int8).reshape(10, 3)
    numbers = np.array([number for group in groups for number in group])
    expected = [vectors[group].sum(0) for group in groups]
    assert np.array_equal(_sums(vectors, numbers, [len(group) for group in groups]), expected)
