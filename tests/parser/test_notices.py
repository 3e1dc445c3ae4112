"""What is said of a parse in plain English."""

from __future__ import annotations

from typing import Any

from grammax.parser.parsed import Parsed, Seconds


def a_parsed(words: str, **given: Any) -> Parsed:
    """A parse with these words, and with what is given."""
    values: dict[str, Any] = {
        "text": words, "lf": "", "tokens": (), "confidence": 0.5, "why": None, "uncovered": (),
        "best": (), "permitted": (), "scored": (), "words": tuple(words.split()), "typos": (),
        "sources": (), "seconds": Seconds(0.0, 0.0, 0.0), "version": "",
    }  # fmt: skip
    return Parsed(**values | given)


def test_a_parse_without_doubt_says_nothing() -> None:
    assert a_parsed("swedish drama").notices == ()


def test_the_word_is_named_that_nothing_expresses() -> None:
    found = a_parsed("drama tomorrow", why="inexpressible", uncovered=(1,), concerned=(1,))
    assert found.notices == ('Nothing here can express "tomorrow".',)


def test_a_table_lacks_a_column() -> None:
    given: dict[str, Any] = {"why": "inexpressible", "uncovered": (1,), "concerned": (1,)}
    found = a_parsed("drama snacks", lacks="I have no column about", **given)
    assert found.notices == ('I have no column about "snacks".',)


def test_words_in_doubt_are_named_as_typed() -> None:
    found = a_parsed("sets of dramas", why="unsure", uncovered=(0,), concerned=(0,),
                     typos=((0, "setz"),))  # fmt: skip
    assert found.notices == ('I am not sure about "setz".',)
    answered = a_parsed("lovely funny dramas", uncovered=(0, 1), concerned=(0, 1))
    assert answered.notices == ('I am not sure about "lovely" or "funny".',)


def test_without_a_word_to_blame_nothing_is_clear() -> None:
    assert a_parsed("drama", why="unsure").notices == ("It is not clear what is meant.",)


def test_texts_about_something_else_are_not_taken_apart() -> None:
    found = a_parsed("hello there", why="out of domain", uncovered=(0, 1), concerned=(0, 1))
    assert found.notices == ("This does not look like a query that can be answered here.",)


def test_numbers_that_were_not_used_are_told() -> None:
    found = a_parsed("drama 2023", uncovered=(1,), unused=(1,))
    assert found.notices == ("2023 was not used.",)
    found = a_parsed("drama 2023 5%", uncovered=(1, 2), unused=(1, 2))
    assert found.notices == ("2023 and 5% were not used.",)


def test_numbers_that_could_not_be_read_are_told_once() -> None:
    found = a_parsed("votes 1 . #2 . #3", uncovered=(1, 3, 5), unread=("1.2.3",))
    assert found.notices == ('"1.2.3" could not be read as a number or a time.',)


def test_a_contradiction_is_told() -> None:
    found = a_parsed("votes between 5 and 2", why="unsure", contradictory=True)
    assert found.notices == ("The conditions exclude one another.",)


def test_what_could_not_be_read_is_reason_enough() -> None:
    found = a_parsed("votes 1 . 2 . 3", why="unsure", uncovered=(1, 3, 5), unused=(1, 3, 5),
                     unread=("1.2.3",))  # fmt: skip
    assert found.notices == ('"1.2.3" could not be read as a number or a time.',)


def test_long_lists_are_cut() -> None:
    found = a_parsed("a b c d e f g h", uncovered=tuple(range(8)))
    assert found.notices == ('I am not sure about "a", "b", "c", "d" or 4 more.',)


def test_a_number_is_shown_as_it_was_typed() -> None:
    found = a_parsed("sweden 2 #0 #2 #0", typos=((0, "swden"),))
    assert found.typed((0, 2, 4)) == ("swden", "2020")
