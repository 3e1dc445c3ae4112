"""Slips of the finger that are put right, and words that are left alone."""

from __future__ import annotations

import time

import pytest
from model.tiny import a_reader

from grammax.reading.name_index import NameIndex
from grammax.reading.support import NameClasses
from grammax.reading.typos import TypoCorrector
from grammax.reading.words import WordVocabulary


def test_a_reader_puts_right_what_nobody_knows() -> None:
    query = a_reader().read("Softwere in Frnace")
    assert query.words == ("software", "in", "france")
    assert query.typos == ((0, "softwere"), (2, "frnace"))
    assert len(query.names) == 2
    assert query.text == "Softwere in Frnace"


def test_a_word_that_is_known_is_never_changed() -> None:
    query = a_reader().read("british banking cars")
    assert query.words == ("british", "banking", "cars")
    assert query.typos == ()


GENRE, FILM = 0, 1
NAMES = ["documentary", "thriller", "western", "metropolis", "amadeus", "drama", "vertigo"]
KINDS = [GENRE, GENRE, GENRE, FILM, FILM, GENRE, FILM]
CORRECTOR = TypoCorrector(
    WordVocabulary.from_queries(["films with a budget", "films in norway", "films"]),
    NameIndex.from_names([[(name,)] for name in NAMES]),
    KINDS,
    NameClasses(open_kinds=frozenset((FILM,)), closed_kinds=frozenset((GENRE,)), known=2),
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("thrller", "thriller"),  # a letter left out
        ("thrilller", "thriller"),
        ("thriler", "thriller"),
        ("thirller", "thriller"),  # two swapped
        ("norwey", "norway"),
        ("budgte", "budget"),
        ("documantery", "documentary"),  # two edits of a long word
        ("metropolls", "metropolis"),  # a well-known name
        ("vertgo", None),  # a name that is less known
        ("wetsern", "western"),
        ("westnre", None),  # two edits of a short word
        ("darma", "drama"),
        ("bugdet5", None),
        ("wooden", None),  # an English word
        ("dramas", None),  # a plural
        ("thrillers", None),
        ("dra", None),
        ("amedaus", None),
        ("x" * 40, None),
        ("", None),
        ("ärger", None),
    ],
)
def test_a_typo_has_one_clear_correction_or_none(typed: str, meant: str | None) -> None:
    assert CORRECTOR.meant(typed) == meant


def test_a_new_name_is_no_typo_of_an_old_one_and_is_meant_by_typos_of_its_own() -> None:
    assert CORRECTOR.meant("thrillor") == "thriller"  # everything is built
    assert CORRECTOR.meant("thriler") == "thriller"
    row = len(NAMES)
    new = [(row, [("thriler",), ("grand", "guignol")]), (row + 1, [("amadeos",)])]
    index = NameIndex.from_names([*([(name,)] for name in NAMES), *(names for _, names in new)])
    made = CORRECTOR.over(index, [*KINDS, GENRE, FILM], new)
    assert made.meant("thriler") is None
    assert made.meant("amadeos") is None
    assert made.meant("guignoll") == "guignol"
    assert made.meant("thrillor") == "thriller"
    assert CORRECTOR.meant("guignoll") is None
    fresh = TypoCorrector(CORRECTOR._words, index, [*KINDS, GENRE, FILM], CORRECTOR._classes)
    assert made._common == fresh._common
    assert fresh.over(index, [*KINDS, GENRE, FILM], new)._common == fresh._common


def test_common_words_come_before_names_in_open_classes() -> None:
    words = WordVocabulary.from_queries(["stream"])
    index = NameIndex.from_names([[("streak",)]])
    corrector = TypoCorrector(words, index, [FILM], NameClasses(frozenset((FILM,))))
    assert corrector.meant("streab") == "stream"


def test_a_word_and_its_plural_are_one_word() -> None:
    corrector = TypoCorrector(
        WordVocabulary.from_queries(["banks", "banks bank"]), NameIndex.from_names([])
    )
    assert corrector.meant("bankz") == "banks"


def test_words_of_numbers_and_times_are_left_alone() -> None:
    assert CORRECTOR.corrected(["norwey", "norwey"], {1}) == (
        ["norway", "norwey"],
        ((0, "norwey"),),
    )


def test_short_words_are_never_taken_for_names_in_open_classes() -> None:
    index = NameIndex.from_names([[("jaws",)], [("heat",)]])
    corrector = TypoCorrector(
        WordVocabulary([]), index, [FILM, GENRE], NameClasses(frozenset((FILM,)))
    )
    assert corrector.meant("jawz") is None
    assert corrector.meant("haet") == "heat"


def test_a_typo_takes_less_than_a_millisecond() -> None:
    CORRECTOR.meant("docummantary")
    start = time.perf_counter()
    for number in range(26):
        CORRECTOR.meant(f"documen{chr(97 + number)}xry")
    assert (time.perf_counter() - start) / 26 < 0.005  # with room for a busy machine
