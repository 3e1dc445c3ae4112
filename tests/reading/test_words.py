"""A query as words: any text is read, and what looks alike is read alike."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grammax.reading.words import (
    CONTINUED,
    PADDING,
    UNKNOWN,
    WordVocabulary,
    _words,
    split,
    whole_words,
)

TEXTS = st.text(st.characters(codec=None) | st.sampled_from("0129٣５#_.,$&aÄß\u0301\u200b\ud800"))


def joined(words: list[str]) -> str:
    """Words as a text again: blanks between them, none inside numbers."""
    continued = {CONTINUED + digit for digit in "0123456789"}
    return "".join(word[1:] if word in continued else f" {word}" for word in words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("german steel", ["german", "steel"]),
        ("GERMAN Steel", ["german", "steel"]),
        ("7", ["7"]),
        ("250", ["2", "#5", "#0"]),
        ("2 50", ["2", "5", "#0"]),
        ("2.50", ["2", ".", "5", "#0"]),
        ("1,000", ["1", "#0", "#0", "#0"]),
        ("1,00", ["1", ",", "0", "#0"]),
        ("2019,200", ["2", "#0", "#1", "#9", ",", "2", "#0", "#0"]),
        ("a1b22", ["a", "1", "b", "2", "#2"]),
        ("#5 5", ["#", "5", "5"]),
        (">=$5bn", [">", "=", "$", "5", "bn"]),
        ("S&P's r&d", ["s", "&", "p", "'", "s", "r", "&", "d"]),
        ("a_b", ["a", "_", "b"]),
        ("...", [".", ".", "."]),
        ("日本 株", ["日本", "株"]),
    ],
)
def test_letters_run_on_and_digits_and_signs_stand_alone(text: str, words: list[str]) -> None:
    assert split(text) == words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＳＴＥＥＬ　１２", "steel 12"),
        ("٣٤", "34"),
        ("१२", "12"),
        ("x²", "x2"),
        ("Straße", "STRASSE"),
        ("Nestle\u0301", "NESTLÉ"),
        ("Société Générale", "societe generale"),
        ("Reẖovot", "REH\u0331OVOT"),
        ("ﬁnance", "finance"),
        ("ΠΑΣΟΣ", "πασος"),
        ("a\u00a0b\u2003c\td\ne", "a b c d e"),
    ],
)
def test_what_looks_alike_is_read_alike(one: str, other: str) -> None:
    assert split(one) == split(other)


def test_an_accent_does_not_part_a_word() -> None:
    for word in ("nestlé", "reẖovot", "malmö", "ΐ", "ǰ"):
        assert len(split(word)) == len(split(word.upper())) == 1


def test_each_picture_is_a_word() -> None:
    assert split("👩\u200d💻🚀🚀") == ["👩", "💻", "🚀", "🚀"]


@pytest.mark.parametrize("unseen", ["\x00", "\x07", "\x1b", "\x7f", "\u200b", "\ufeff", "\ud800"])
def test_what_cannot_be_seen_is_no_word(unseen: str) -> None:
    assert split(f"{unseen}german{unseen}steel{unseen}") == ["german", "steel"]
    assert split(unseen * 3) == []


@pytest.mark.parametrize("text", ["", " ", "\t\r\n\v\f\x1c\x85\u2028\u3000"])
def test_blanks_have_no_words(text: str) -> None:
    assert split(text) == []


@given(TEXTS)
@example("ΐ\u0345İ")
@example("\udcff1\ud8002")
def test_any_text_is_split_into_words_that_are_not_empty(text: str) -> None:
    for word in split(text):
        assert word
        assert not any(letter.isspace() for letter in word)


@given(TEXTS)
@example("2,000 1\u0301 a\u0301\u00a0e\u0301\x1cb")
@example("\u00b4a 1\u00a01")
@example("9" * 50 + " " + "long" * 20)
def test_the_words_of_a_text_are_those_of_its_chunks_in_one_pass(text: str) -> None:
    # `_words` reads a chunk; white space in it separates words, too.
    assert split(text) == list(_words(text))


@given(TEXTS)
def test_words_are_split_into_themselves(text: str) -> None:
    words = split(text)
    assert split(joined(words)) == words


@given(st.text(st.characters(max_codepoint=0x24F, exclude_characters="ı")))
def test_capitals_make_no_difference(text: str) -> None:
    assert split(text.swapcase()) == split(text)


def test_the_most_frequent_word_has_the_first_id() -> None:
    words = WordVocabulary.from_queries(["korean steel", "Steel 10", "german steel"])
    assert words.known == ("steel", "#0", "1", "german", "korean")
    assert len(words) == 7
    assert [words.id(word) for word in words.known] == [2, 3, 4, 5, 6]


def test_a_word_that_was_never_seen_is_the_unknown_one() -> None:
    words = WordVocabulary(["steel"])
    assert words.id("Steel") == words.id("stel") == words.id("") == UNKNOWN
    assert PADDING not in {words.id("steel"), UNKNOWN}


def test_ids_do_not_depend_on_the_order_of_queries() -> None:
    queries = ["top 10 banks", "banks not german", "10 steel"]
    assert (
        WordVocabulary.from_queries(queries).known
        == WordVocabulary.from_queries(reversed(queries)).known
    )


def test_what_an_apostrophe_joins_is_shown_whole() -> None:
    words = split("from o'hare to levi’s store in '04, it's iphone 15")
    assert whole_words(words, range(len(words))) == [
        *("from", "o'hare", "to", "levi’s", "store", "in", "'", "04", ",", "it's", "iphone", "15")
    ]
