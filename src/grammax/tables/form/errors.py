"""`LogicalFormError`, and the checks that raise it when a logical form is built or read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from grammax.errors import GrammaxError
from grammax.tables import lexicon as words

ENUM_VALUE: Final = "enumValue"
RESERVED: Final = frozenset({*words.FIXED_TOKENS, words.CONTAINS, ENUM_VALUE})
"""Reserved words: no field or value may have such a name."""

COUNT_LIMIT: Final = 10**1000
"""Counts are below this: Python itself refuses to print integers of more than 4,300 digits."""

_NAME = re.compile(r"[^\W\d][^\s()]*")
_DIGITS = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_BLANK = re.compile(r"[\s\x00-\x1f\x7f\ud800-\udfff]+")  # also what no data store can hold


class LogicalFormError(GrammaxError):
    """The given text, tokens or values are not a logical form.

    `position` counts characters of a text, or tokens, from 0; it is None for a value built in
    Python. `excerpt` shows the position with a caret, `hint` says what is permitted.
    """

    def __init__(
        self, problem: str, *, hint: str = "", position: int | None = None, excerpt: str = ""
    ) -> None:
        super().__init__("\n".join(line for line in (problem, excerpt, hint) if line))
        self.problem = problem
        self.hint = hint
        self.position = position
        self.excerpt = excerpt


def is_name(word: str) -> bool:
    """Whether a word can be the name of a field or a value."""
    return word not in RESERVED and _NAME.fullmatch(word) is not None


def check_integer(given: object, lowest: int, highest: int, what: str) -> None:
    """Raise unless the value is an integer within the bounds."""
    if type(given) is not int or not lowest <= given <= highest:
        raise LogicalFormError(
            f"{given!r:.60} is not {what}.", hint=f"Permitted: integers {lowest} to {highest}."
        )


def check_count(given: object) -> None:
    """Raise unless the value is a natural number that can be written."""
    if type(given) is not int or not 0 <= given < COUNT_LIMIT:
        shown = repr(given)[:60] if type(given) is not int else "An integer out of range"
        raise LogicalFormError(
            f"{shown} is not a count.", hint="Permitted: integers from 0, of up to 1,000 digits."
        )


def check_name(given: object, what: str) -> None:
    """Raise unless the value can be the name of a field or a value."""
    if not isinstance(given, str) or not is_name(given):
        raise LogicalFormError(
            f"{given!r:.60} is not the name of {what}.",
            hint="Names begin with a letter, have no spaces or parentheses, and are not words of "
            "the language such as AND, EQ, JAN.",
        )


def check_word(given: object, permitted: Sequence[str], what: str) -> None:
    """Raise unless the word is permitted."""
    if given not in permitted:
        raise LogicalFormError(
            f"{given!r:.60} is not {what}.", hint=f"Permitted: {', '.join(permitted)}."
        )


def check_digits(given: object) -> None:
    """Raise unless the value is a number in plain digits."""
    if not isinstance(given, str) or not _DIGITS.fullmatch(given):
        raise LogicalFormError(
            f"{given!r:.60} is not a number.",
            hint='Write numbers as a string of digits, such as "100", "-2" or "1.50".',
        )


def without_blanks(text: str) -> str:
    """The text with one space for each run of white space and control characters.

    >>> without_blanks("  the\tlong  goodbye ")
    'the long goodbye'
    """
    return _BLANK.sub(" ", text).strip()


def check_text(given: object) -> None:
    """Raise unless the value is a text that can be searched for."""
    if not isinstance(given, str) or not given or without_blanks(given) != given:
        raise LogicalFormError(
            f"{given!r:.60} is not a text to search for.",
            hint="Write some characters, with single spaces between words.",
        )


def check_type(given: object, permitted: Any, what: str) -> None:
    """Raise unless the value has one of the permitted classes."""
    if not isinstance(given, permitted):
        raise LogicalFormError(
            f"{given!r:.60} stands where {what} must.",
            hint="Build it from the classes of grammax.tables.form.",
        )
