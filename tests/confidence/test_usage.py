"""What training says of words."""

from __future__ import annotations

from confidence.parses import a_parse, resting_on

from grammax.confidence.usage import Usage, rested_places, said_places
from grammax.reading.name_index import Match

GERMAN, STEEL = Match(2, 3, (1,)), Match(4, 5, (2,))


def test_words_are_heeded_if_choices_nearly_always_rest_on_them() -> None:
    parse = a_parse("show me german not steel", "COU_GERMANY SEC_STEEL", (GERMAN, STEEL))
    usage = Usage.of([(*parse, resting_on(5, 3, 2))] * 20)
    assert usage.heeded == {"not"}
    assert usage.plain == {"show", "me"}  # names that were said are no words of the language


def test_a_word_must_have_been_met_some_times_to_be_heeded() -> None:
    parse = a_parse("german not steel", "COU_GERMANY")
    assert not Usage.of([(*parse, resting_on(3, 0, 1, 2))] * 7).heeded
    assert Usage.of([(*parse, resting_on(3, 0, 1, 2))] * 8).heeded == {"german", "not", "steel"}


def test_a_name_that_was_not_said_is_no_name() -> None:
    parse = a_parse("a b german not steel", "SEC_STEEL", (GERMAN, STEEL))
    assert said_places(*parse) == {4}


def test_attention_rests_where_a_choice_has_much_of_it() -> None:
    assert rested_places(resting_on(4, 1, 3)) == {1, 3}
    assert rested_places([]) == set()


def test_usage_is_kept_as_json() -> None:
    usage = Usage(frozenset({"not", "above"}), frozenset({"the"}))
    assert Usage.from_json(usage.to_json()) == usage
    assert "the" in usage
    assert "not" in usage
    assert "weather" not in usage
