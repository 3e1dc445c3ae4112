"""Completions of a query that is being typed: names of the catalogue, and common phrases.

The last words of the text that begin a name are completed; after a space, the completions are what
may follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from grammax.language.capabilities import Completion
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.find import Finder, Match
from grammax.tables.lexicon import PERIODS
from grammax.tables.schema import Schema

_WORDS: Final = 4  # at most, of a name that has begun
_LEAST: Final = 2  # letters of a name that has begun
_LONGEST: Final = 200  # characters of the text that are considered
_OFFERED: Final = 6  # names after a word that asks for one
_GROUPED: Final = 3  # names after "by" in phrases that go on with a summary
_WORD: Final = re.compile(r"\S+")
_SIGNS: Final = re.compile(r"[\W_]+")

_AFTER_NUMBER: Final = ("above", "below", "more than", "less than", "last quarter", "last year")
_AFTER_VALUE: Final = ("with", "not", "or", "sorted by", "top 10 by")
_OTHERS: Final = (
    *("between", "at least", "at most", "greater than", "higher than", "lower than", "over"),
    *("under", "bottom 10", "lowest", "highest", "smallest", "excluding", "except", "billion"),
    *("million", "percent", "last month", "last 12 months", "ordered by", "average", "median"),
    *("total", "how many", "number of", "divided by", "grouped by", "per"),
)
_OF_TEXTS: Final = ("containing", "called", "mentioning", "about", "contains the word")
_PLACES: Final = frozenset(("in", "from", "not", "excluding", "except"))
_FIELDS: Final = frozenset(
    ("by", "with", "show", "having", "highest", "lowest", "average", "mean", "median", "total")
)
_GROUPS: Final = frozenset(("by", "per", "each"))
_SUMMARY: Final = re.compile(r"\b(how many|number of|count|average|mean|avg|median|total|sum of)\b")
_COUNTED: Final = re.compile(r"\b(how many|number of|count of)$")
_PERIODS: Final = tuple(period.lower() for period in PERIODS)


def completions(text: str, finder: Finder, limit: int) -> list[Completion]:
    """The completions of a text, the likeliest first, without duplicates."""
    found: dict[str, Completion] = {}
    begun = not text[-1:].isspace() and bool(text.strip())
    for completion in _of_begun(text, finder, limit) if begun else _after(text, finder):
        found.setdefault(completion.text.lower(), completion)
    return list(found.values())[:limit]


def _of_begun(text: str, finder: Finder, limit: int) -> Iterator[Completion]:
    """Names and phrases that the last words begin, the longest beginnings first."""
    tail = max(0, len(text) - _LONGEST)
    for start in [word.start() for word in _WORD.finditer(text, tail)][-_WORDS:]:
        typed = text[start:]
        folded = " ".join(typed.lower().split())
        for phrase in _phrases(finder.catalogue.schema):
            if phrase.startswith(folded) and phrase != folded:
                yield Completion(text[:start] + phrase, phrase[len(folded) :], "phrase", None)
        if len(folded) >= _LEAST:
            for match in finder.begun(typed, limit):
                if " " not in folded or _spaced(match.alias).startswith(_spaced(folded)):
                    yield _named(text[:start], typed, match, finder.catalogue)


def _at_start(schema: Schema) -> tuple[str, ...]:
    plural = schema.entity.plural
    own = schema.completions.at_start or ("top 10", f"{plural} with", "show")
    return (*own, f"how many {plural}", "average", f"number of {plural} by")


@lru_cache(maxsize=16)
def _phrases(schema: Schema) -> tuple[str, ...]:
    """All phrases that may complete a query, without duplicates."""
    extra = schema.completions.anywhere
    texts = _OF_TEXTS if schema.has_searched else ()
    everything = (*_at_start(schema), *_AFTER_NUMBER, *_AFTER_VALUE, *_OTHERS, *texts, *extra)
    return tuple(dict.fromkeys(everything))


def _spaced(name: str) -> str:
    """In lower case, with spaces for punctuation: "in ger" does not begin Ingersoll."""
    return _SIGNS.sub(" ", name.lower())


def _after(text: str, finder: Finder) -> Iterator[Completion]:
    """Names after a word such as "in"; else phrases that follow the last name."""
    recent = " ".join(text[-_LONGEST:].lower().split())
    words, catalogue = recent.split(), finder.catalogue
    last = words[-1] if words else ""
    if last in _PLACES:
        place = catalogue.schema.completions.place
        places = (v for v in catalogue.values.values() if v.type == place)
        yield from _offered(text, ((value.token, value.name) for value in places), catalogue)
    elif last in _GROUPS and (last != "by" or _SUMMARY.search(recent)):
        yield from _offered(text, _group_names(catalogue), catalogue)
        for period in _PERIODS:
            yield Completion(text + period, period, "phrase", None)
    elif last in _FIELDS:
        numbers = (f for f in catalogue.fields.values() if f.type in catalogue.schema.number_types)
        yield from _offered(
            text, ((f.token, (f.aliases or (f.name,))[0]) for f in numbers), catalogue
        )
    elif _COUNTED.search(recent):
        plural = catalogue.schema.entity.plural
        yield Completion(text + plural, plural, "phrase", None)
    else:
        for phrase in _phrases_after(words, finder):
            yield Completion(text + phrase, phrase, "phrase", None)


def _group_names(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """The fields that rows can be grouped by, each by the name of its type if it has that name."""
    labels = {enum.name: enum.label for enum in catalogue.schema.enums}
    for field in catalogue.fields.values():
        label = labels.get(field.type)
        if label is not None:
            known = (*field.aliases, field.name)
            names = [name for name in known if name.lower() == label.lower()]
            yield field.token, (names or known)[0].lower()


def _offered(
    text: str, names: Iterable[tuple[str, str]], catalogue: Catalogue
) -> Iterator[Completion]:
    """The most common of some names."""
    for token, name in islice(names, _OFFERED):
        yield Completion(text + name, name, _what(token, catalogue), token)


def _phrases_after(words: list[str], finder: Finder) -> tuple[str, ...]:
    if not words:
        return _at_start(finder.catalogue.schema)
    if _SUMMARY.search(" ".join(words)):
        groups = islice(_group_names(finder.catalogue), _GROUPED)
        return (*(f"by {name}" for _, name in groups), "by year", *_after_name(words, finder))
    return _after_name(words, finder)


def _after_name(words: list[str], finder: Finder) -> tuple[str, ...]:
    """What follows a field or a value, whichever the last words name."""
    for count in range(min(_WORDS, len(words)), 0, -1):
        for match in finder.find(" ".join(words[-count:]), 1):
            if match.how in ("exact", "folded"):
                field = finder.catalogue.fields.get(match.token)
                number = field is not None and field.type in finder.catalogue.schema.number_types
                return _AFTER_NUMBER if number else _AFTER_VALUE
    return _AFTER_VALUE


def _named(head: str, typed: str, match: Match, catalogue: Catalogue) -> Completion:
    name = match.alias
    goes_on = name.lower().startswith(typed.lower())
    added = name[len(typed) :] if goes_on else name
    return Completion(head + name, added, _what(match.token, catalogue), match.token)


def _what(token: str, catalogue: Catalogue) -> str:
    if token in catalogue.fields:
        return "field"
    value = catalogue.values.get(token) or catalogue.units.get(token)
    return "value" if value is None else catalogue.value_types[value.type].label
