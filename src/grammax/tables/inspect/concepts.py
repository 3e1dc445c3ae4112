"""Concepts of columns: what a name such as `unit_price` or `runtime (min)` is about, and its unit.

The concepts, with the names that columns and people use for them, are in `concepts.tsv`.

>>> find(("unit", "price"), {SemanticClass.MONEY}).concept.name
'price'
>>> measured_in("runtime (min)"), measured_in("weight_kg"), measured_in("length in minutes")
((('runtime',), 'minutes'), (('weight',), 'kg'), (('length',), 'minutes'))
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, final

from grammax.tables.inspect.words import singular_of, words_of
from grammax.tables.known_values.measures import BY_NAME, UNITS
from grammax.tables.semantics import Aggregate, Better, SemanticClass

_BRACKETED: Final = re.compile(r"\s*[(\[]\s*([^)\]]+?)\s*[)\]]\s*$")
_IN: Final = re.compile(r"(?i)[\s_]+in[\s_]+([^\W\d_]+)$")
_LAST: Final = re.compile(r"(?<=[^\W_])(?:[_\s-]+|(?<=[a-z])(?=[A-Z]))([A-Za-z]+2?|[%$€£])$")
_BARE: Final = frozenset({"days", "weeks", "months", "years", "minutes", "hours", "miles", "bytes"})
"""Units that a count may be named by: "years_experience" has them, "rental_days" is one."""
_TOO_SHORT: Final = frozenset(
    {"in", "c", "f", "l", "v", "w", "m", "g", "ha", "ton", "foot", "mi", "tb", "kn", "mw", "kj",
     "mps"}
)  # fmt: skip
"""Words that are units in brackets only."""
_NO_NOUNS: Final = frozenset(
    ("in", "by", "at", "on", "from", "to", "of", "with", "for", "since", "until", "when", "where",
     "called", "named", "lives", "plays", "takes", "eats", "speaks", "likes", "knows", "serves",
     "smokes", "sleeps", "departs", "arrives", "leaves", "expires", "begins", "ends", "matures",
     "offers", "weighs", "delivers", "orbits")
)  # fmt: skip
"""Words that end a name which is said, but is no noun."""
COUNTING: Final = (("number", "of"), ("count", "of"), ("no", "of"), ("total", "number", "of"))


@final
@dataclass(frozen=True, slots=True)
class Concept:
    """A line of `concepts.tsv`.

    In `verbs` "{}" is a value: "directed by {}"; in `asked` "{e}" is a row: "where does {e} live".
    """

    name: str
    semantic: SemanticClass
    unit: str
    aggregate: Aggregate
    better: Better
    more: str
    less: str
    verbs: tuple[str, ...]
    names: tuple[str, ...]
    asked: tuple[str, ...] = ()

    @property
    def verb(self) -> str:
        """The usual one of its verbs; empty if there is none."""
        return self.verbs[0] if self.verbs else ""

    @property
    def nouns(self) -> tuple[str, ...]:
        """The names that can stand for a noun: not "made in", "how old" or "called"."""
        return tuple(filter(is_noun, self.names))


def is_noun(name: str) -> bool:
    """Whether a name of a column can stand for a noun.

    >>> is_noun("list price"), is_noun("made in"), is_noun("how old"), is_noun("lives")
    (True, False, False, False)
    """
    last = name.rpartition(" ")[2]
    return last not in _NO_NOUNS and not name.startswith(("how ", "when ", "where "))


@final
@dataclass(frozen=True, slots=True)
class Match:
    """The concept that a name is about; `whole` if no word of the name is left."""

    concept: Concept
    whole: bool


def find(words: tuple[str, ...], permitted: Collection[SemanticClass]) -> Match | None:
    """The concept that the last words of a name are about, the longest first.

    In "date of birth" and "price per unit" what comes before the preposition counts.
    """
    for phrase in _phrases(words):
        for concept in _index().get(phrase, ()):
            if concept.semantic in permitted:
                named = len(words) > 1 and words[-1] == "name"
                return Match(concept, len(phrase.split()) >= len(words) - named)
    return None


def _phrases(words: tuple[str, ...]) -> Iterator[str]:
    if len(words) > 1 and words[-1] == "name":  # "author name" is about an author
        yield " ".join(words)
        yield from _phrases(words[:-1])
    for start in range(len(words)):
        phrase = " ".join(words[start:])
        yield phrase
        yield singular_of(phrase)
    for index, word in enumerate(words):
        if word in ("of", "per", "in", "at", "on", "by", "for", "from", "to") and index:
            yield from _phrases(words[:index])
            return


@cache
def general(concept: Concept) -> Concept | None:
    """The concept that a longer name narrows: the price, of the asking price.

    >>> narrow = find(("asking", "price"), {SemanticClass.MONEY}).concept
    >>> narrow.name, general(narrow).name
    ('asking price', 'price')
    """
    words = tuple(concept.name.split())
    for phrase in _phrases(words):
        for other in _index().get(phrase, ()):
            if other.name == phrase and other is not concept and other.semantic is concept.semantic:
                return other
    return None


def measured_in(name: str) -> tuple[tuple[str, ...], str]:
    """The words of a column's name without its unit, and the unit, or an empty text."""
    bracketed = _BRACKETED.search(name)
    if bracketed:
        unit = BY_NAME.get(bracketed[1].lower(), "")
        if unit or len(bracketed[1]) <= 12:
            return words_of(name[: bracketed.start()]), unit or bracketed[1]
    said = _IN.search(name)
    if said and said[1].lower() in BY_NAME:
        return words_of(name[: said.start()]), BY_NAME[said[1].lower()]
    last = _LAST.search(name)
    if last and last[1].lower() not in _TOO_SHORT | _BARE:
        unit = BY_NAME.get(last[1].lower(), "")
        if unit:
            return words_of(name[: last.start()]), unit
    return words_of(name), ""


def class_of_unit(unit: str) -> SemanticClass | None:
    """The class of what is measured in a unit; None if the unit is not known."""
    found = UNITS.get(unit)
    return found.semantic if found else None


def unit_of(text: str) -> str:
    """The unit of a sign or word, such as "USD" of "$"; empty if there is none."""
    return BY_NAME.get(text.strip().lower(), "")


@cache
def concepts() -> tuple[Concept, ...]:
    """All concepts, in the order of the file."""
    lines = _lines("concepts.tsv")
    next(lines)  # the header
    return tuple(map(_concept, lines))


def _concept(line: list[str]) -> Concept:
    name, of, unit, aggregate, better, more, less, verbs, names, *asked = line
    return Concept(
        name, SemanticClass(of), unit, Aggregate(aggregate), Better(better), more, less,
        _listed(verbs), _listed(names), _listed("".join(asked)),
    )  # fmt: skip


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";") if part.strip())


def _lines(file: str) -> Iterator[list[str]]:
    text = files("grammax.tables.inspect").joinpath(file).read_text(encoding="utf-8")
    return (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))


@cache
def _index() -> dict[str, tuple[Concept, ...]]:
    """The concepts by each of their names: those of that name first, then in the file's order."""
    found: dict[str, list[Concept]] = {}
    for concept in concepts():
        found.setdefault(concept.name, []).append(concept)
    for concept in concepts():
        for name in concept.names:
            there = found.setdefault(name, [])
            if concept not in there:
                there.append(concept)
    for phrase in list(found):
        found.setdefault(singular_of(phrase), found[phrase])
    return {phrase: tuple(of) for phrase, of in found.items()}
