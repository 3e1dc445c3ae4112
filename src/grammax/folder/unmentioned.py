"""What logical forms have and their queries do not mention: names that must be, and numbers.

Goes in: the pairs of a split. Comes out: the share of names that queries mention, and a warning
with file and line for each token that they do not. Numbers are compared generously, so that a
warning is worth reading: "half past six pm" mentions 18, 1830, 6 and 30.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Final, final

from grammax.errors import Location, Problem, VocabularyError
from grammax.folder.data import Line
from grammax.folder.domain import FolderDomain
from grammax.folder.repeats import SHOWN
from grammax.folder.settings import SETTINGS
from grammax.language.domain import Pair, Tokens
from grammax.reading.names import NameMatcher
from grammax.reading.spelling import Spelling
from grammax.reading.words import split
from grammax.text import fold_text

_NAMES: Final = 4  # of a token, in a message
_FREQUENT: Final = 3  # occurrences of a number from which its pairs show whether queries say it
_NUMBER: Final = re.compile(r"""['"]?(-?\d+(?:\.\d+)?)(?::\w+)?['"]?""")
_IMPLIED: Final = frozenset(map(Decimal, (-1, 0, 1)))  # counts, articles, absence
_DIGITS: Final = re.compile(r"\d+(?:\.\d+)?")
_SEPARATED: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORDS: Final = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+|[%:]")
_ONES: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_ORDINALS: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
)  # fmt: skip
_SMALL: Final[dict[str, int]] = {
    **{word: value for value, word in enumerate(_ONES)},
    **{word: 20 + 10 * index for index, word in enumerate(_TENS)},
}
_OTHERS: Final[dict[str, tuple[int, ...]]] = {
    **{word: (value,) for value, word in enumerate(_ORDINALS, 1)},
    **{month[:length]: (n,) for n, month in enumerate(_MONTHS, 1) for length in (3, len(month))},
    "sept": (9,),
    "couple": (2,), "pair": (2,), "both": (2,), "twice": (2,), "double": (2,), "dozen": (12,),
    "triple": (3,), "noon": (12, 1200), "midnight": (0, 24, 2400), "half": (30, 50),
    "quarter": (15, 25, 45),
}  # fmt: skip
_SCALES: Final[dict[str, Decimal]] = {
    "k": Decimal(10**3), "m": Decimal(10**6), "mn": Decimal(10**6), "bn": Decimal(10**9),
    "b": Decimal(10**9), "hundred": Decimal(100), "thousand": Decimal(10**3),
    "grand": Decimal(10**3), "lakh": Decimal(10**5), "million": Decimal(10**6),
    "crore": Decimal(10**7), "billion": Decimal(10**9), "%": Decimal("0.01"),
    "percent": Decimal("0.01"), "dozen": Decimal(12),
}  # fmt: skip
_MEANINGS: Final = 8  # of some words in a row
_HALF_DAY: Final = 12
_YEAR: Final = 2  # digits of a year without its century
_CENTURIES: Final = (1900, 2000)


@final
class NamedTokens:
    """The tokens of the kinds in `must_be_named`, and whether queries name them."""

    def __init__(self, domain: FolderDomain) -> None:
        vocabulary = domain.vocabulary
        try:
            self._kinds = frozenset(map(vocabulary.kind_number, domain.must_be_named))
        except VocabularyError as error:
            raise VocabularyError(f"{domain.folder / SETTINGS}: must_be_named: {error}") from None
        self._vocabulary = vocabulary
        self._wordings = domain.wordings
        self._names = NameMatcher(
            vocabulary, domain.wordings, Spelling(1), must_be_named=self._kinds
        )

    def check(self, lines: Sequence[Line], path: Path) -> tuple[float | None, list[Problem]]:
        """The share of these tokens that queries name, None if there are none, and the others."""
        problems: list[Problem] = []
        named = wanted = 0
        for number, pair in lines:
            found, missing = self._found(pair)
            named += len(found) - len(missing)
            wanted += len(found)
            where = Location(str(path), number, 1)
            problems += [
                self._problem(pair.query, token, where) for token in dict.fromkeys(missing)
            ]
        return named / wanted if wanted else None, problems

    def _problem(self, query: str, token: str, where: Location) -> Problem:
        kind = self._vocabulary.kinds[self._vocabulary.kinds_by_id[self._id(token)]]
        names = self._wordings(token)
        called = ", ".join(map(repr, names[:_NAMES]))
        more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
        message = f"{query[:SHOWN]!r} does not name {token}, called {called}{more}"
        hint = (
            f"{kind} is in must_be_named: a query that names another token of it cannot get this "
            f"one. Add the name that the query uses to the table, or correct the pair."
        )
        return Problem("unnamed", message, hint, where, "warning")

    def _found(self, pair: Pair) -> tuple[list[str], list[str]]:
        """The tokens of these kinds in a form, and those of them that the query does not name."""
        kind_of = self._vocabulary.kind_of
        found = [t for t in pair.tokens if t in self._vocabulary and kind_of(t) in self._kinds]
        if not found:
            return [], []
        mentioned = self._names.available(split(pair.query), ())
        assert mentioned is not None, "there are such kinds"
        return found, [token for token in found if self._id(token) not in mentioned.ids]

    def _id(self, token: str) -> int:
        return self._vocabulary.id(token)


def unmentioned_numbers(lines: Sequence[Line], path: Path) -> list[Problem]:
    """A warning for each number of a form that is not in the query, where others like it are.

    A number that most of its queries leave out is part of the language, such as the current year.
    """
    missing: list[tuple[int, Pair, str]] = []
    counts: Counter[str] = Counter()
    for number, pair in lines:
        wanted = numbers_of(pair.tokens)
        counts.update(wanted.keys())
        said = mentioned_numbers(pair.query) if wanted else frozenset()
        missing += [(number, pair, t) for t, value in wanted.items() if value not in said]
    left_out = Counter(token for _, _, token in missing)
    hint = "Correct the pair; a parser can only guess what a query does not say."
    return [
        Problem(
            "number",
            f"{pair.query[:SHOWN]!r} does not mention {token}, which its logical form has",
            hint,
            Location(str(path), number, 1),
            "warning",
        )
        for number, pair, token in missing
        if counts[token] < _FREQUENT or 2 * left_out[token] <= counts[token]
    ]


def numbers_of(form: Tokens) -> dict[str, Decimal]:
    """The tokens of a form that are numbers, with their values; 0, 1 and -1 are left out.

    >>> numbers_of(("(", ">", "50000:i", ")", "(", "count", "0", ")"))
    {'50000:i': Decimal('50000')}
    """
    found = {t: Decimal(match[1]) for t in form if (match := _NUMBER.fullmatch(t))}
    return {token: abs(value) for token, value in found.items() if value not in _IMPLIED}


def mentioned_numbers(query: str) -> frozenset[Decimal]:
    """All values that the digits and words of a query may stand for.

    >>> sorted(map(int, mentioned_numbers("over 1,500 at 6:30 pm")))
    [6, 15, 18, 30, 630, 1500, 1830, 1930, 2030]
    >>> sorted(map(int, mentioned_numbers("twenty five hundred")))
    [5, 20, 25, 100, 500, 2500]
    """
    text = _SEPARATED.sub("", fold_text(query))
    found: set[Decimal] = set()
    current: list[Decimal] = []  # what the words so far may stand for
    for word in _WORDS.findall(text):
        if _DIGITS.fullmatch(word):
            current = [Decimal(word)]
            if len(word) == _YEAR:
                found.update(century + Decimal(word) for century in _CENTURIES)
        elif word in _SMALL:
            value = Decimal(_SMALL[word])
            current = [value, *(n + value for n in current if n % 10 == 0 and value < 100)]
        elif word in _SCALES:
            current = [_SCALES[word], *(n * _SCALES[word] for n in current)]
        elif word != "and":
            current = []
        current = current[:_MEANINGS]
        found.update(current)
        found.update(map(Decimal, _OTHERS.get(word, ())))
    return frozenset(found | set(_clock_times(text)))


_CLOCK: Final = re.compile(r"(\d{1,2})(?::|\.)?(\d\d)?\s*([ap])?\.?\s*m?\b")


def _clock_times(text: str) -> Iterator[Decimal]:
    """The hours of a text, and its times as hours and minutes: 1830 for "6:30 pm"."""
    for match in _CLOCK.finditer(text):
        hours, minutes, half = int(match[1]), int(match[2] or 0), match[3]
        for hour in (hours, hours % _HALF_DAY + _HALF_DAY) if half == "p" else (hours,):
            if half or match[2]:
                yield Decimal(hour)
                yield Decimal(100 * hour + minutes)
