"""The words of column and table names: split, abbreviations written out, singular and plural.

>>> words_of("unitPriceUSD"), words_of("avg_qty"), words_of("HTTPStatus2"), words_of("prix_été")
(('unit', 'price', 'usd'), ('average', 'quantity'), ('http', 'status', '2'), ('prix', 'été'))
"""

from __future__ import annotations

import re
from typing import Final

_PIECE: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+|[^\W\d_]+")
_LETTERS: Final = re.compile(r"[^\W\d_]+|\d+")

ABBREVIATIONS: Final = {
    "abbr": "abbreviation", "acct": "account", "addr": "address", "adj": "adjusted",
    "alt": "altitude", "amt": "amount", "approx": "approximate", "attn": "attention",
    "avail": "available", "avg": "average", "bal": "balance", "bday": "birthday",
    "bldg": "building", "calc": "calculated", "cat": "category", "categ": "category",
    "cd": "code", "cnt": "count", "coeff": "coefficient", "coord": "coordinate",
    "ctry": "country", "cty": "city", "curr": "current", "cust": "customer", "cyl": "cylinders",
    "dept": "department", "desc": "description", "descr": "description", "dest": "destination",
    "diff": "difference", "disc": "discount", "dist": "distance", "dob": "date of birth",
    "doc": "document",
    "dod": "date of death", "dt": "date", "dur": "duration", "elev": "elevation",
    "emp": "employee", "est": "estimated", "exp": "expiry", "fname": "first name",
    "freq": "frequency", "fwd": "forward", "gen": "generation", "gend": "gender",
    "govt": "government",
    "hgt": "height", "ht": "height", "hp": "horsepower", "hr": "hour", "hrs": "hours",
    "idx": "index",
    "img": "image", "inv": "invoice", "lang": "language", "lat": "latitude", "len": "length",
    "lname": "last name", "lng": "longitude", "loc": "location", "lon": "longitude",
    "long": "longitude", "manuf": "manufacturer", "max": "maximum", "mfg": "manufacturing",
    "mfr": "manufacturer", "mgr": "manager", "min": "minimum", "mins": "minutes",
    "misc": "miscellaneous", "mpg": "miles per gallon", "nat": "nationality",
    "nbr": "number", "nr": "number", "num": "number", "org": "organisation",
    "orig": "original", "pct": "percent", "perc": "percent", "pop": "population",
    "pos": "position", "prc": "price", "prev": "previous", "prod": "product", "pts": "points",
    "qty": "quantity", "quant": "quantity", "ref": "reference", "reg": "region",
    "rev": "revenue", "sal": "salary", "sec": "seconds", "secs": "seconds", "seq": "sequence",
    "sqft": "square feet", "sqm": "square metres", "src": "source", "std": "standard",
    "tel": "telephone", "temp": "temperature", "tot": "total", "ttl": "total",
    "univ": "university", "ver": "version", "vol": "volume", "wgt": "weight", "wt": "weight",
    "yr": "year", "yrs": "years", "zip": "zip code",
}  # fmt: skip
"""What short words of column names stand for, where no longer name says otherwise."""

_IRREGULAR: Final = {
    "person": "people", "child": "children", "man": "men", "woman": "women", "foot": "feet",
    "tooth": "teeth", "mouse": "mice", "goose": "geese", "datum": "data", "medium": "media",
    "criterion": "criteria", "index": "indices", "analysis": "analyses", "crisis": "crises",
    "diagnosis": "diagnoses", "thesis": "theses", "hypothesis": "hypotheses", "basis": "bases",
    "synopsis": "synopses", "prognosis": "prognoses", "axis": "axes", "oasis": "oases",
    "leaf": "leaves", "life": "lives", "wife": "wives", "half": "halves", "shelf": "shelves",
    "movie": "movies", "cookie": "cookies", "calorie": "calories", "series": "series",
    "species": "species", "hero": "heroes", "potato": "potatoes", "tomato": "tomatoes",
    "quiz": "quizzes", "bus": "buses", "gas": "gases", "lens": "lenses", "house": "houses",
    "course": "courses", "purchase": "purchases", "expense": "expenses", "license": "licenses",
    "horse": "horses", "nurse": "nurses", "case": "cases", "base": "bases",
    "database": "databases", "release": "releases", "warehouse": "warehouses",
    "response": "responses", "exercise": "exercises", "size": "sizes", "prize": "prizes",
    "price": "prices", "race": "races", "place": "places", "service": "services",
    "office": "offices", "device": "devices", "invoice": "invoices", "archive": "archives",
    "aircraft": "aircraft", "sheep": "sheep", "fish": "fish", "news": "news", "staff": "staff",
    "wine": "wines", "gene": "genes", "employee": "employees",
}  # fmt: skip
_SINGULAR: Final = {plural: word for word, plural in _IRREGULAR.items()}
_NO_PLURAL: Final = ("ss", "us", "is", "ics")


def split(name: str) -> tuple[str, ...]:
    """The words of a name as written, in lower case: at camelCase, underscores and signs."""
    pieces = _PIECE.findall(name) if name.isascii() else _LETTERS.findall(name)
    return tuple(piece.lower() for piece in pieces)


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, abbreviations written out."""
    found = split(name)
    # A unit at the end stays as it is: "duration_min" is not a minimum.
    last = len(found) - 1
    full = (
        word if index == last > 0 and word in _UNITS_TOO else ABBREVIATIONS.get(word, word)
        for index, word in enumerate(found)
    )
    return tuple(part for word in full for part in word.split())


_UNITS_TOO: Final = frozenset(
    {"min", "sec", "hp", "hr", "hrs", "mins", "secs", "yrs", "yr", "sqft"}
)


def plural_of(phrase: str) -> str:
    """The plural of a noun phrase, by its last word.

    >>> plural_of("order line"), plural_of("city"), plural_of("person"), plural_of("box")
    ('order lines', 'cities', 'people', 'boxes')
    """
    before, _, word = phrase.rpartition(" ")
    return f"{before} {_plural(word)}".strip()


def singular_of(phrase: str) -> str:
    """The singular of a noun phrase, by its last word; one in the singular stays as it is.

    >>> singular_of("order lines"), singular_of("movies"), singular_of("classes")
    ('order line', 'movie', 'class')
    """
    before, _, word = phrase.rpartition(" ")
    return f"{before} {_singular(word)}".strip()


def is_plural(word: str) -> bool:
    """Whether a word is the plural of another.

    >>> is_plural("cylinders"), is_plural("status"), is_plural("children")
    (True, False, True)
    """
    return _singular(word) != word and word not in _IRREGULAR


def _plural(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word or not word.isascii() or not word[-1].isalpha():
        return word
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in ("", *"aeiou"):
        return word[:-1] + "ies"
    return word + "s"


def _singular(word: str) -> str:
    if word in _SINGULAR:
        return _SINGULAR[word]
    short = len(word) < 4 or not word.endswith("s")
    if word in _IRREGULAR or short or word.endswith(_NO_PLURAL):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "uses")):
        return word[:-2]
    return word[:-1]


_PREFIXES: Final = frozenset(
    {"tbl", "table", "dim", "fact", "fct", "stg", "raw", "vw", "view", "t"}
)
_GENERIC: Final = frozenset(
    {"data", "dataset", "datum", "export", "train", "test", "sheet", "file", "table", "untitled",
     "output", "result", "results", "download", "main", "sample", "query", "list", "db", "input"}
)  # fmt: skip
_DROPPED: Final = frozenset({"csv", "final", "copy", "new", "old", "clean", "cleaned", "v", "full"})


def entity_of(table: str) -> tuple[str, str, bool]:
    """What a row of a table is called, one and several; False if the name does not tell.

    >>> entity_of("dim_customers"), entity_of("Cars2024-final"), entity_of("data")
    (('customer', 'customers', True), ('car', 'cars', True), ('row', 'rows', False))
    """
    words = [word for word in split(table.rpartition(".")[2]) if not word.isdigit()]
    while len(words) > 1 and words[0] in _PREFIXES:
        words = words[1:]
    while words and words[-1] in _DROPPED:
        words = words[:-1]
    while words and words[-1] in _GENERIC:
        words = words[:-1]
    if not words:
        return "row", "rows", False
    singular = singular_of(" ".join(words))
    return singular, plural_of(singular), True
