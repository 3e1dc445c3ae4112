"""Completions of a query that is being typed: names of the catalogue, and common phrases.

The last words of the text that begin a name are completed, by the likeliest name first (see
`likelihood`); where they are a name already, only by likelier ones. After a space,
the completions are what may follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from grammax.language.capabilities import Completion
from grammax.reading.english import function_words
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.find import Finder
from grammax.tables.catalogue.keys import key
from grammax.tables.english.likelihood import Likelihood, added_to, going_on
from grammax.tables.lexicon import PERIODS
from grammax.tables.schema import Schema

_WORDS: Final = 4  # at most, of a name that has begun
_LEAST: Final = 2  # letters of a name that has begun
_CONSIDERED: Final = 40  # tokens whose names have begun
_CODE: Final = 3  # letters, at most, of a code such as "fr": it may be the beginning of a name
_SAID: Final = 0.1  # how much less likely it is that a name is replaced by another one
_COMMON: Final = 200  # tokens whose names are looked through for signs
_SPECIFIC: Final = 30.0  # how much likelier a beginning of one more word is meant
_LONGEST: Final = 200  # characters of the text that are considered
_OFFERED: Final = 6  # names after a word that asks for one
_GROUPED: Final = 3  # names after "by" in phrases that go on with a summary
_WORD: Final = re.compile(r"\S+")
_NUMBER: Final = re.compile(r"[\d.,]+%?")

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
_FIRST: Final = 100.0  # the weight of a phrase that begins queries, at their beginning,
_USUAL: Final = 12.0  # of one that follows a name,
_RARE: Final = 3.0  # and of the others


def completions(
    text: str, finder: Finder, limit: int, likelihood: Likelihood | None = None
) -> list[Completion]:
    """The completions of a text, the likeliest first, without duplicates."""
    found: dict[str, Completion] = {}
    begun = not text[-1:].isspace() and bool(text.strip())
    likelihood = likelihood or Likelihood(finder.catalogue)
    for completion in _of_begun(text, finder, likelihood) if begun else _after(text, finder):
        found.setdefault(completion.text.lower(), completion)
    return list(found.values())[:limit]


def _of_begun(text: str, finder: Finder, likelihood: Likelihood) -> list[Completion]:
    """Names and phrases that the last words begin, the likeliest first."""
    tail = max(0, len(text) - _LONGEST)
    found: list[tuple[float, Completion]] = []
    complete = 0.0
    is_finished = False  # whether the last words are a name as they are
    for start in [word.start() for word in _WORD.finditer(text, tail)][-_WORDS:]:
        typed = text[start:]
        folded = " ".join(typed.lower().split())
        specific = _SPECIFIC ** folded.count(" ")
        schema = finder.catalogue.schema
        for phrase, weight in _phrases(schema, not text[:start].strip()).items():
            if phrase.startswith(folded) and phrase != folded:
                added = phrase[len(folded) :]
                completion = Completion(text[:start] + phrase, added, "phrase", None)
                found.append((weight * going_on(added) * specific, completion))
            elif phrase == folded:
                complete = max(complete, weight * specific)
        if len(folded) < _LEAST or _NUMBER.fullmatch(folded):
            continue
        named = finder.named(typed)
        for token in named:
            complete = max(complete, likelihood.finished(token, typed) * specific)
        is_finished |= bool(named) and len(typed) > _CODE
        for token in _begun(typed, finder):
            best = likelihood.best_name(token, typed)
            if best is not None:
                name, score = best
                completion = Completion(
                    text[:start] + name,
                    added_to(typed, name),
                    _what(token, finder.catalogue),
                    token,
                )
                if token in named and len(typed) > _CODE:
                    score *= _SAID  # the name is there already
                found.append((score * specific, completion))
    found.sort(key=lambda each: -each[0])
    last = text[tail:].split()[-1].lower()
    if last in function_words() or last in _PERIODS:
        complete = max(complete, _FIRST)
    is_finished |= last in _PERIODS or last in _PLACES | _FIELDS | _GROUPS
    listed = [each._replace(likely=score > complete) for score, each in found]
    return [each for each in listed if each.likely or not is_finished]


def _begun(typed: str, finder: Finder) -> Sequence[str]:
    """Tokens whose names begin with a text; "p/" is looked for among the most common ones."""
    if len(key(typed)) >= _LEAST:
        return finder.begun(typed, _CONSIDERED)
    start, catalogue = typed.lower(), finder.catalogue
    return [
        token
        for token in catalogue.ranking[:_COMMON]
        if any(name.lower().startswith(start) for name in catalogue.wordings(token))
    ]


def _at_start(schema: Schema) -> tuple[str, ...]:
    plural = schema.entity.plural
    own = schema.completions.at_start or ("top 10", f"{plural} with", "show")
    return (*own, f"how many {plural}", "average", f"number of {plural} by")


@lru_cache(maxsize=32)
def _phrases(schema: Schema, at_start: bool) -> dict[str, float]:
    """All phrases that may complete a query, or its beginning, with their weights."""
    texts = _OF_TEXTS if schema.has_searched else ()
    return {
        **dict.fromkeys((*_OTHERS, *texts), _RARE),
        **dict.fromkeys(_at_start(schema), _FIRST if at_start else _RARE),
        **dict.fromkeys(
            (*_AFTER_NUMBER, *_AFTER_VALUE, *schema.completions.anywhere),
            _RARE if at_start else _USUAL,
        ),
    }


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


def _what(token: str, catalogue: Catalogue) -> str:
    if token in catalogue.fields:
        return "field"
    value = catalogue.values.get(token) or catalogue.units.get(token)
    return "value" if value is None else catalogue.value_types[value.type].label
