"""How people speak of numeric fields: the words of a field, and the patterns of a class of fields.

`Idioms` are the words for one field that do not contain its name: "long" and "shortest" for the
length of a film. A `FieldClass` has patterns that hold for all fields of a class, such as money or
ratings, with the field's own noun: "highest {f}", "no {f}"; `grammax.tables.classes` has the
usual ones. Both are data: what goes into a pattern is marked.

| mark | stands for |
|---|---|
| `{f}` | the noun of the field: "budget" |
| `{a}` | its article with a space, or nothing: "a ", "an " |
| `{is}` | "is" or "are", as the noun demands |
| `{n}`, `{m}` | the number, and the second number of a range |
| `{c}` | a comparison of `FieldClass.compared` or a range of `FieldClass.ranges` |
| `{of c}` | the same after its "of", where it has one: "of at least 5", "above 5" |
| `{e}` | the noun of the rows: "films" |

>>> length = Idioms(more=("long",), most=("longest",), greater=("running over {n}",))
>>> cues(length)
('long', 'longest', 'running')
>>> around("longest", "films"), around("running over {n}", "films"), around("{e} up {n}", "films")
('longest films', 'films running over {n}', 'films up {n}')
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import zip_longest
from typing import Final, final

Patterns = tuple[str, ...]
ByOperator = Mapping[str, Patterns]


@final
@dataclass(frozen=True, slots=True)
class Idioms:
    """How people speak of a numeric field without its name; the likeliest first, in lower case.

    `more` to `least` stand before the noun of the rows, `greater` to `down` after it; signs stand
    where `follows_noun` says. A superlative with "{e}" contains the noun: "best {e} of the year".
    """

    more: Patterns = ()  # adjectives of much of it: "large", "expensive"
    less: Patterns = ()  # adjectives of little of it: "small", "cheap"
    most: Patterns = ()  # superlatives that rank by the maximum: "largest", "best performing"
    least: Patterns = ()  # superlatives that rank by the minimum: "cheapest"
    greater: Patterns = ()  # comparatives (GR): "longer than {n}", "seating more than {n} people"
    smaller: Patterns = ()  # comparatives (LS): "costing less than {n}"
    up: Patterns = ()  # signed fields (GR): "up more than {n}", "that gained over {n}"
    down: Patterns = ()  # signed fields, where the number is negated (LS): "down more than {n}"
    positive: Patterns = ()  # GR 0: "profitable"
    negative: Patterns = ()  # LS 0: "loss-making"
    absent: Patterns = ()  # EQ 0: "ad-free", "without songs"
    verbs: Patterns = ()  # questions and clauses: "earn", "cost"
    agents: Patterns = ()  # nouns that a superlative ranks by the maximum: "earners"
    low_agents: Patterns = ()  # nouns that a superlative ranks by the minimum: "losers"

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Each pattern with the name of its part."""
        for part in fields(self):
            for pattern in getattr(self, part.name):
                yield part.name, pattern


@final
@dataclass(frozen=True, slots=True)
class Signs:
    """What is said of a field that is above, below or at zero; all may follow "with"."""

    positive: Patterns = ()  # GR 0: "positive {f}"
    negative: Patterns = ()  # LS 0: "negative {f}"
    absent: Patterns = ()  # EQ 0: "no {f}"


@final
@dataclass(frozen=True, slots=True)
class Moves:
    """What is said of the change of a field over a period; all may follow "with"."""

    rising: Patterns = ()  # a change above 0: "rising {f}"
    falling: Patterns = ()  # a change below 0: "falling {f}"
    up: Patterns = ()  # a change above a number: "{f} up more than {n}"
    down: Patterns = ()  # a change below the negated number: "{f} down more than {n}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class FieldClass:
    """The patterns of a class of fields: what is said of any budget, any length, any rating.

    Patterns of `compared` and `ranges` fill the marks of `clauses` (after the noun of the rows)
    and `telegraphic` (keywords alone). Those of signs and superlatives follow "with" or "the".
    """

    name: str
    compared: ByOperator  # by LF operator: "above {n}", "of {n} or less"
    ranges: Patterns  # "between {n} and {m}"
    clauses: Patterns  # "with {a}{f} {of c}", "whose {f} {is} {c}"
    telegraphic: Patterns  # "{f} {c}", "{c} {f}"
    symbols: ByOperator = field(default_factory=lambda: SYMBOLS)  # "> {n}"; after {f}, no frame
    most: Patterns = ("highest {f}",)  # top
    least: Patterns = ("lowest {f}",)  # bottom
    more: Patterns = ()  # adjectives of the noun, without a number: "high {f}"
    less: Patterns = ()
    signs: Signs = Signs()
    moves: Moves = Moves()
    asked: Patterns = ()  # questions of one row: "how much {f}", "how many {f}"


@final
@dataclass(frozen=True, slots=True)
class Threshold:
    """A named threshold on an ordered type: "family-friendly" is a grade of PG or better.

    Each of the words may stand before the noun of the rows, or after "that are" or "rated".
    """

    words: Patterns
    field: str
    op: str  # GE, GR, LE or LS; of two values the better one is the greater one
    value: str


SYMBOLS: Final[ByOperator] = {
    "GR": ("> {n}", ">{n}", "over {n}", "above {n}"),
    "GE": (">= {n}", "min {n}", "{n}+", "{n} min", "minimum {n}", ">={n}"),
    "LS": ("< {n}", "<{n}", "under {n}", "below {n}"),
    "LE": ("<= {n}", "max {n}", "{n} max", "maximum {n}", "<={n}"),
    "EQ": ("= {n}", "{n}", "={n}", "equal to {n}"),
}
"""Comparisons in keyword style, after the field."""

AFTER_NOUN: Final = frozenset(
    ("with", "without", "that", "which", "whose", "no", "not", "in", "on", "at", "of", "by", "from",
     "having", "up", "down", "above", "below", "over", "under")
)  # fmt: skip
"""The first words of idioms that follow the noun of the rows."""

AGENT_MOST: Final = ("biggest", "largest", "top")
AGENT_LEAST: Final = ("smallest",)
"""The superlatives that rank agents: "biggest earners"."""

_MARK: Final = re.compile(r"\{[^}]*\}")
_FUNCTION_WORDS: Final = frozenset(
    ("a", "an", "the", "and", "or", "of", "in", "on", "at", "by", "to", "for", "from", "with",
     "without", "that", "which", "whose", "is", "are", "was", "were", "be", "been", "has", "have",
     "having", "their", "its", "it", "no", "not", "any", "more", "less", "fewer", "greater", "than",
     "over", "under", "above", "below", "at least", "at most", "least", "most", "between", "as",
     "much", "many", "do", "does", "don't", "only", "some", "upwards", "beyond", "exceeding",
     "almost", "about", "there", "among")
)  # fmt: skip


def follows_noun(pattern: str) -> bool:
    """Whether an idiom stands after the noun of the rows: "without songs", "winning prizes"."""
    first, _, rest = pattern.partition(" ")
    return "{n}" in pattern or first in AFTER_NOUN or (first.endswith("ing") and rest != "")


def around(pattern: str, noun: str) -> str:
    """An idiom with the noun of the rows, in its place."""
    if "{e}" in pattern:
        return pattern.replace("{e}", noun)
    return f"{noun} {pattern}" if follows_noun(pattern) else f"{pattern} {noun}"


@cache
def cues(idioms: Idioms) -> tuple[str, ...]:
    """The words by which a reader recognises a field: runs of words that mean something.

    Marks and function words separate the runs: "seating more than {n} people" has the cues
    "seating" and "people". "Most" and "least" belong to the word that they precede.
    """
    found: dict[str, None] = {}
    for _, pattern in idioms:
        for piece in _MARK.split(pattern):
            found.update(dict.fromkeys(_runs(piece)))
    return tuple(found)


def _runs(text: str) -> Iterator[str]:
    """The longest runs of words in which no function word stands; "most shorted" is one run."""
    run: list[str] = []
    words = text.split()
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        degree = word in ("most", "least") and following not in ("", *_FUNCTION_WORDS)
        if word in _FUNCTION_WORDS and not degree:
            if run:
                yield " ".join(run)
            run = []
        else:
            run.append(word)
    if run:
        yield " ".join(run)
