"""Words that refer to a column without being its name: "oldest" for an age, "who" for a director.

A parser may use a column only if the query names or hints at it (`grammax.language.filling`); cues
are the hints. They come from the column's class ("when", "latest"), the concept that its name is
about (synonyms, adjectives, verbs), the words of its name, and its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final, final

from grammax.reading.english import function_words
from grammax.reading.normal import normal_phrase
from grammax.reading.words import split
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.entries import Field
from grammax.tables.idioms import cues
from grammax.tables.inspect.concepts import Concept, general
from grammax.tables.inspect.words import plural_of, singular_of, words_of
from grammax.tables.known_values.measures import names_of
from grammax.tables.schema import Schema
from grammax.tables.wording.inflection import comparative, past, superlative
from grammax.tables.wording.speech import Speech, speech_of

_CLASSES: Final[Mapping[str, tuple[str, ...]]] = {
    "DATE": ("when", "date", "time", "day", "recent", "recently", "latest", "newest", "oldest",
             "earliest", "most recent", "newer", "older", "earlier", "later", "last", "first",
             "since", "year", "month", "after", "before", "over time", "trend", "timeline"),
    "YEAR": ("when", "what year", "which year", "recent", "recently", "latest", "newest", "oldest",
             "earliest", "most recent", "newer", "older", "earlier", "later", "first", "since",
             "year", "years", "date", "after", "before", "over time", "time", "trend", "timeline",
             "time series", "evolution", "changed"),
    "DURATION": ("how long", "long", "longest", "short", "shortest", "longer", "shorter", "lasting",
                 "last", "lasts", "take", "takes", "taking", "time", "duration"),
    "AGE": ("how old", "old", "older", "oldest", "young", "younger", "youngest", "aged", "eldest",
            "years old", "years of age", "age", "elderly"),
    "MONEY": ("how much", "money", "dollars", "amount", "worth", "$", "€", "£", "euros", "usd",
              "eur", "dollar", "euro", "pounds", "bucks"),
    "COUNT": ("how many", "number of"),
    "RATING": ("rated", "rating", "best", "better", "good", "worst", "worse", "bad", "score",
               "top rated", "highest rated", "lowest rated", "scored", "great", "poor", "stars"),
    "RANK": ("ranked", "rank", "ranking", "best", "top ranked", "position", "place", "worst",
             "highest ranked", "lowest ranked", "first", "top"),
    "PERCENT": ("percentage", "percent", "share", "proportion", "rate"),
    "RATIO": ("ratio", "rate"),
    "PERSON": ("who", "whom", "whose", "person", "people"),
    "ORGANISATION": ("who", "which company", "what company", "company", "organization"),
    "PLACE": ("where", "place", "location", "located", "lives", "live", "based", "living"),
    "NAME": ("name", "names", "called", "named", "title", "titles", "titled", "who", "which one"),
    "CODE": ("id", "ids", "code", "codes", "identifier", "identifiers", "number"),
    "CATEGORY": ("what kind of", "which kind of", "what type of", "which type of"),
    "URL": ("link", "website", "site"),
    "EMAIL": ("mail", "email", "e-mail"),
    "PHONE": ("phone", "telephone", "number"),
}  # fmt: skip
_VERBS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        ("height", "elevation", "altitude"),
        ("high", "higher", "highest", "low", "lower", "lowest", "how high"),
    ),
    "weight": ("weigh", "weighs", "weighing", "weighed"),
    "salary": ("earn", "earns", "earning", "paid", "make", "makes", "pay", "pays"),
    "income": ("earn", "earns", "earning", "make", "makes"),
    **dict.fromkeys(
        ("price", "cost", "fare", "fee", "rent"),
        ("cost", "costs", "costing", "priced", "cheap", "cheaper", "cheapest", "expensive",
         "pay", "price", "prices"),
    ),
    "university": ("graduated", "graduate", "went to", "studied", "attended", "attend", "college",
                   "school", "degree", "go to", "educated", "study", "alumni", "graduates", "grad"),
    "residence": ("lives", "live", "living", "lived", "resides", "reside", "residing", "home"),
    "actor": ("starring", "stars", "star", "starred", "featuring", "features", "cast", "acted",
              "acts", "acting", "plays", "played", "staring", "in it", "with"),
    "award": ("won", "win", "wins", "winning", "received", "awarded", "winner", "winners"),
    "keywords": ("about", "tagged", "topic", "related to"), "topic": ("about", "on"),
    "address": ("lives", "live", "living"),
    "city": ("lives in", "live in", "living in"),
    "seats": ("seat", "seating"), "capacity": ("hold", "holds", "seat", "seating"),
    "sales": ("sold", "sell", "sells"), "revenue": ("earned", "made"),
    "gross": ("grossed", "grossing", "earned", "made"), "profit": ("earned", "profitable"),
    "score": ("scored", "scoring"), "points": ("scored", "scoring"),
    "goals": ("scored", "scoring"), "votes": ("voted",), "wins": ("won", "winning"),
    "medals": ("won",), "awards": ("won", "awarded"), "losses": ("lost",),
    "pages": ("long", "longest", "shortest"), "experience": ("experienced",),
    "attendance": ("attended",), "population": ("populated", "people", "inhabitants", "largest"),
    "distance": ("far", "away", "close", "nearest", "closest", "farthest"),
    "occupation": ("work", "works"), "job title": ("works as", "work as"),
    "employer": ("works for", "work for", "work at", "works at", "worked for", "worked at",
                 "working for", "working at", "employed", "works", "work", "company"),
    "language": ("speak", "speaks", "spoken"),
    "major": ("studying", "study", "studies"), "degree": ("studied", "graduated"),
    "cuisine": ("serve", "serves", "serving"), "team": ("play for", "plays for", "playing for"),
    "birthplace": ("born",), "nationality": ("from", "citizens"),
    "origin": ("from", "leaving", "departing", "made in"),
    "destination": ("to", "going to", "arriving"),
    "gender": ("sex",), "marital status": ("married", "single"),
    "phone": ("call", "telephone number", "phone number"), "email": ("mail",),
}  # fmt: skip
_HEADS: Final = frozenset(("name", "date", "number", "code"))
_WORD: Final = re.compile(r"[a-z]{3,}")
_NO_CUES: Final = frozenset(("number", "total", "count", "average", "max", "min", "maximum",
                            "minimum",
                             "sum", "name", "value", "amount"))  # fmt: skip
"""Words of longer names that alone mean something else."""


def class_cues(field: Field, schema: Schema) -> tuple[str, ...]:
    """The words that may refer to a field of a schema without being one of its names.

    >>> from grammax.tables.schema import Entity, NumberType
    >>> money = NumberType("MONEY", semantic="MONEY")
    >>> hotels = Schema("hotels", Entity("hotel", "hotels"), numbers=(money,))
    >>> found = class_cues(Field("FLD_COST", "MONEY", "Price per night"), hotels)
    >>> [word in found for word in ("cheapest", "costs", "how much", "fare", "night", "oldest")]
    [True, True, True, True, True, False]
    """
    speech = speech_of(field, schema)
    rows = (schema.entity.singular.lower(), schema.entity.plural.lower())  # any query has them
    names = {*rows, *(name.lower() for name in (field.name, *field.aliases))}
    found = (cue for cue in _found(speech, schema) if cue and cue not in names)
    return tuple(dict.fromkeys(found))


def _found(speech: Speech, schema: Schema) -> Iterator[str]:
    yield from _CLASSES.get(speech.semantic, ())
    yield from cues(speech.idioms)
    yield from _compared(speech)
    if speech.participle:
        yield speech.participle
        yield past(speech.participle)
    yield from speech.synonyms
    if speech.concept:
        yield from _VERBS.get(speech.concept.name, ())
        yield from speech.concept.names
        yield from _verbs(speech.concept)
        wider = general(speech.concept)
        if wider is not None:
            yield from (wider.name, *wider.names, *_VERBS.get(wider.name, ()), *_verbs(wider))
    yield from _of_name(speech.field, schema)
    yield from _of_unit(speech.field, schema)


def _verbs(concept: Concept) -> Iterator[str]:
    """The verbs of a concept without the value: "living in", "living"; prepositions are not."""
    for verb in concept.verbs:
        said = verb.replace("{}", " ").split()
        said = said[1:] if said[:1] in (["that"], ["who"]) else said
        if said and said[0] not in function_words():
            yield from (" ".join(said), said[0])


def _compared(speech: Speech) -> Iterator[str]:
    """All degrees of the concept's adjectives, and questions with them."""
    for word in filter(None, (speech.concept and (speech.concept.more, speech.concept.less)) or ()):
        yield from (word, comparative(word), superlative(word), f"how {word}")


def _of_name(field: Field, schema: Schema) -> Iterator[str]:
    """The words of the field's names, in the singular and the plural, without nouns for rows."""
    rows = {*words_of(schema.entity.singular), *words_of(schema.entity.plural)}
    for name in (field.name, *field.aliases):
        words = words_of(name)
        yield " ".join(words)
        said = [w for w in words if _WORD.fullmatch(w) and w not in function_words()]
        content = [w for w in said if w not in rows]
        for word in content if len(content) == 1 else [w for w in content if w not in _NO_CUES]:
            yield from (word, plural_of(word), singular_of(word))
        if words:
            yield plural_of(" ".join(words))
        if len(words) == 2 and words[1] in _HEADS:
            yield words[0]  # "first" of "first and last name"


def _of_unit(field: Field, schema: Schema) -> Iterator[str]:
    number = next((each for each in schema.numbers if each.name == field.type), None)
    unit = field.unit or (number.unit if number else "")
    if unit and len(unit) > 1:
        yield from (unit, plural_of(unit), singular_of(unit))
    yield from names_of(unit)


@final
class TableCues:
    """The cues of the fields of a catalogue without history, by token; values have none.

    The label of a column does not hint at another one: next to a column "population", the word
    does not refer to "country population".
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._found: dict[str, tuple[str, ...]] = {}

    def __call__(self, token: str) -> tuple[str, ...]:
        found = self._found.get(token)
        if found is None:
            field = self._catalogue.fields.get(token)
            found = self._found[token] = () if field is None else tuple(self._of(field))
        return found

    def _of(self, field: Field) -> Iterator[str]:
        own = normal_phrase(split(field.name))
        for cue in class_cues(field, self._catalogue.schema):
            normal = normal_phrase(split(cue))
            if normal == own or normal not in self._labels:
                yield cue

    @cached_property
    def _labels(self) -> frozenset[tuple[str, ...]]:
        return frozenset(normal_phrase(split(f.name)) for f in self._catalogue.fields.values())
