"""Which words a logical form covers, and what training queries tell about words."""

from __future__ import annotations

from confidence.parses import a_parse, resting_on

from grammax.confidence.coverage import (
    Usage,
    attended_positions,
    named_positions,
    word_coverage,
)
from grammax.reading.name_index import Match

GERMAN, STEEL, NEXT = Match(2, 3, (1,)), Match(4, 5, (2,)), Match(3, 4, (2,))
USAGE = Usage(attended=frozenset({"not", "above", "5"}), plain=frozenset({"show", "me", "the"}))


def test_words_are_attended_if_choices_nearly_always_attend_to_them() -> None:
    parse = a_parse("show me german not steel", "COU_GERMANY SEC_STEEL", (GERMAN, STEEL))
    usage = Usage.from_watched([(*parse, resting_on(5, 3, 2))] * 20)
    assert usage.attended == {"not"}
    assert usage.plain == {"show", "me"}  # covered names are no words of the language


def test_a_word_must_have_been_met_some_times_to_be_attended() -> None:
    parse = a_parse("german not steel", "COU_GERMANY")
    assert not Usage.from_watched([(*parse, resting_on(3, 0, 1, 2))] * 7).attended
    assert Usage.from_watched([(*parse, resting_on(3, 0, 1, 2))] * 8).attended == {
        "german",
        "not",
        "steel",
    }


def test_a_name_that_is_not_covered_is_no_name() -> None:
    parse = a_parse("a b german not steel", "SEC_STEEL", (GERMAN, STEEL))
    assert named_positions(*parse) == {4}


def test_attention_rests_where_a_choice_has_much_of_it() -> None:
    assert attended_positions(resting_on(4, 1, 3)) == {1, 3}
    assert attended_positions([]) == set()


def test_usage_is_kept_as_json() -> None:
    usage = Usage(frozenset({"not", "above"}), frozenset({"the"}))
    assert Usage.from_json(usage.to_json()) == usage
    assert "the" in usage
    assert "not" in usage
    assert "weather" not in usage


def test_each_word_is_in_its_place() -> None:
    text = "show me german steel not above weather"
    parse = a_parse(text, "COU_GERMANY", (GERMAN, NEXT))
    found = word_coverage(*parse, resting_on(7, 2, 4), USAGE)
    assert found.named == (2,)
    assert found.attended == (4,)
    assert found.ignored == (5,)
    assert found.unknown == (3, 6)  # steel is a name, and is not covered
    assert found.uncovered == (3, 5, 6)


def test_what_says_nothing_in_training_is_not_listed() -> None:
    parse = a_parse("show me german", "COU_GERMANY", (GERMAN,))
    assert word_coverage(*parse, resting_on(3, 2), USAGE).uncovered == ()


def test_without_attention_nothing_is_ignored() -> None:
    found = word_coverage(*a_parse("not above", "COU_GERMANY"), None, USAGE)
    assert (found.attended, found.ignored) == ((0, 1), ())


def test_half_a_name_is_covered_by_its_token() -> None:
    assert word_coverage(*a_parse("swedish clouds", "COU_SWEDEN"), [], USAGE).unknown == (1,)
    assert word_coverage(*a_parse("oslo", "COU_SWEDEN"), [], USAGE).unknown == (0,)


def test_a_name_that_was_guessed_is_not_named_letter_for_letter() -> None:
    parse = a_parse("me me german", "COU_GERMANY", (GERMAN,), typos=((2, "grman"),))
    found = word_coverage(*parse, resting_on(3, 2), USAGE)
    assert (found.named, found.uncovered) == ((), ())


def test_a_number_that_is_not_used_is_told_apart() -> None:
    parse = a_parse("show me german <number>", "COU_GERMANY", (GERMAN, Match(3, 4, (4,))))
    found = word_coverage(*parse, resting_on(4, 2), USAGE)
    assert (found.unused, found.unknown, found.uncovered) == ((3,), (), (3,))
    used = a_parse("show me german <number>", "COU_GERMANY GR", (GERMAN, Match(3, 4, (4,))))
    assert word_coverage(*used, resting_on(4, 2), USAGE).unused == ()


def test_function_words_and_signs_are_no_content() -> None:
    parse = a_parse("would german ? weather", "COU_GERMANY", (Match(1, 2, (1,)),))
    found = word_coverage(*parse, resting_on(4, 1), USAGE)
    assert (found.odd, found.unknown, found.uncovered) == ((0,), (3,), (3,))


def test_plain_words_may_be_added() -> None:
    usage = USAGE.with_plain({"kindly", "not"})
    assert usage.plain == USAGE.plain | {"kindly"}  # "not" is attended
    assert usage.attended == USAGE.attended
