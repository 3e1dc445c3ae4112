"""One form for the variants of a name, and the words that it stands for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.reading.normal import is_normal, normal_phrase, normal_words, plain_word, variants
from grammax.reading.words import split

TEXTS = st.text(alphabet="abs uand'’.-/&5 ", max_size=24)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("science-fiction", "science fiction"),
        ("film makers", "film maker"),
        ("film maker's", "film maker"),
        ("film makers'", "film maker"),
        ("l'avventura", "lavventura"),
        ("o'brien's", "obrien"),
        ("u.s.", "us"),
        ("u.s.a.", "usa"),
        ("a/b test", "ab test"),
        ("rock and roll", "rock & roll"),
        ("theatres", "theater"),
        ("colours", "color"),
        ("organisation", "organization"),
        ("comedies", "comedy"),
        ("boxes", "box"),
        ("small caps", "small cap"),
        ("mr. smith", "mr smith"),
    ],
)
def test_variants_have_one_form(one: str, other: str) -> None:
    assert normal_phrase(split(one)) == normal_phrase(split(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("us", "u"), ("pes", "pe"), ("mars", "mar"), ("gas", "ga"), ("boss", "bos"),
     ("crisis", "crisi"), ("2-10", "210"), ("crime, drama", "crime drama"), ("-5", "5")],
)  # fmt: skip
def test_others_have_not(one: str, other: str) -> None:
    assert normal_phrase(split(one)) != normal_phrase(split(other))


@given(TEXTS)
def test_the_words_of_normal_forms_are_in_order_and_apart(text: str) -> None:
    words = split(text)
    texts, places = normal_words(words)
    assert len(texts) == len(places)
    ends = [0, *(stop for _, stop in places)]
    assert all(before <= start < stop for before, (start, stop) in zip(ends, places, strict=False))
    assert ends[-1] <= len(words)


@given(TEXTS)
def test_a_normal_form_keeps_words_without_signs(text: str) -> None:
    words = [word for word in split(text) if word.isalpha()]
    assert normal_words(words)[0] == [plain_word(word) for word in words]


@given(st.lists(TEXTS.map(lambda text: tuple(split(text))), max_size=4))
def test_names_of_regular_words_have_no_variants(names: list[tuple[str, ...]]) -> None:
    regular = frozenset(word for name in names for word in name if is_normal(word))
    assert list(variants(names, regular)) == list(variants(names))
