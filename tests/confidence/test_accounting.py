"""Which words a logical form accounts for."""

from __future__ import annotations

from confidence.parses import a_parse, resting_on

from grammax.confidence.accounting import account, unaccounted
from grammax.confidence.usage import Usage
from grammax.reading.name_index import Match

USAGE = Usage(heeded=frozenset({"not", "above", "5"}), plain=frozenset({"show", "me", "the"}))
GERMAN, STEEL = Match(2, 3, (1,)), Match(3, 4, (2,))


def test_each_word_is_in_its_place() -> None:
    text = "show me german steel not above weather"
    parse = a_parse(text, "COU_GERMANY", (GERMAN, STEEL))
    found = account(*parse, resting_on(7, 2, 4), USAGE)
    assert found.named == (2,)
    assert found.heeded == (4,)
    assert found.neglected == (5,)
    assert found.strange == (3, 6)  # steel is a name, and was not said
    assert found.unaccounted == (3, 5, 6)
    assert unaccounted(*parse, resting_on(7, 2, 4), USAGE) == (3, 5, 6)


def test_what_says_nothing_in_training_is_not_listed() -> None:
    parse = a_parse("show me german", "COU_GERMANY", (GERMAN,))
    assert account(*parse, resting_on(3, 2), USAGE).unaccounted == ()


def test_without_attention_nothing_is_neglected() -> None:
    found = account(*a_parse("not above", "COU_GERMANY"), None, USAGE)
    assert (found.heeded, found.neglected) == ((0, 1), ())


def test_half_a_name_is_accounted_for_by_its_token() -> None:
    assert account(*a_parse("swedish things", "COU_SWEDEN"), [], USAGE).strange == (1,)
    assert account(*a_parse("oslo", "COU_SWEDEN"), [], USAGE).strange == (0,)


def test_a_name_that_was_guessed_is_not_named_letter_for_letter() -> None:
    parse = a_parse("me me german", "COU_GERMANY", (GERMAN,), typos=((2, "grman"),))
    found = account(*parse, resting_on(3, 2), USAGE)
    assert (found.named, found.unaccounted) == ((), ())
