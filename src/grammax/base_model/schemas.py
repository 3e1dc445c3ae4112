"""Draws tables to train the base model on: a noun for the rows, some columns, their values.

A drawn table is a `TableDescription`, as inspection makes one of data, so that training sees what
the model will be given: the same catalogue, names, cues and grammar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from random import Random
from typing import Final, final

from grammax.base_model.columns import Header, Headers
from grammax.language.domain import Pair
from grammax.tables.corpus.corpus import CorpusError, generate
from grammax.tables.corpus.default import default_style
from grammax.tables.domain import TableDomain
from grammax.tables.english.phrases import plural_of
from grammax.tables.inspect.description import (
    ColumnDescription,
    EntityDescription,
    Facts,
    TableDescription,
    ValueType,
)
from grammax.tables.inspect.tokens import distinct_prefixes, distinct_tokens
from grammax.tables.own.catalogue import NAME, catalogue_of, texts_of
from grammax.tables.semantics import (
    SemanticClass,
    default_aggregate,
    default_better,
    default_role,
)

_C = SemanticClass
_WEIGHTS: Final = {
    _C.CATEGORY: 16, _C.PLACE: 8, _C.PERSON: 6, _C.ORGANISATION: 6, _C.BOOLEAN: 3, _C.CODE: 1,
    _C.MONEY: 7, _C.COUNT: 9, _C.NUMBER: 9, _C.RATING: 4, _C.RANK: 2, _C.PERCENT: 3, _C.RATIO: 2,
    _C.DURATION: 4, _C.AGE: 3, _C.YEAR: 4, _C.PHYSICAL: 8, _C.DATE: 7, _C.COORDINATE: 0.3,
    _C.TEXT: 4, _C.URL: 0.5, _C.IMAGE: 0.3, _C.EMAIL: 0.8, _C.PHONE: 0.8, _C.NAME: 3,
}  # fmt: skip
_TEXTS: Final = (
    "description", "notes", "review", "comments", "summary", "abstract", "remarks", "plot",
    "content", "message", "caption", "headline", "synopsis", "details", "feedback", "lyrics",
    "ingredients", "instructions", "subject", "body", "complaint", "bio", "review text", "note",
    "product description", "keywords", "quote", "observations", "topic", "tagline", "question",
    "answer", "tweet", "job description", "diagnosis", "recipe", "symptoms", "reason", "slogan",
)  # fmt: skip
_SEARCHED: Final = {
    _C.NAME: 0.4, _C.PERSON: 0.08, _C.ORGANISATION: 0.08, _C.PLACE: 0.05, _C.CODE: 0.15,
}  # fmt: skip
"""The share of columns that have too many values to list: they are searched."""
_POOL: Final = 40  # texts of a column that questions draw from
_MOST: Final = 60  # values of a column
_COLUMNS: Final = (2, 14)
_SIBLINGS: Final = 0.3  # that a table has columns whose names end alike
_PAIRS: Final = (
    ("person", "first name", "last name"), ("person", "first name", "last name"),
    ("organisation", "home team", "away team"), ("date", "start date", "end date"),
    ("place", "home city", "work city"), ("place", "origin airport", "destination airport"),
    ("count", "home score", "away score"), ("money", "unit price", "total price"),
    ("physical", "minimum temperature", "maximum temperature"), ("date", "birth date", "hire date"),
    ("place", "birth country", "current country"), ("person", "father name", "mother name"),
    ("count", "male students", "female students"), ("money", "base salary", "total salary"),
    ("date", "order date", "ship date"), ("duration", "prep time", "cook time"),
)  # fmt: skip
_RENAMED: Final = 0.3  # that a column is called by one of its other names
_RENAMED_TEXT: Final = 0.7  # that a column of texts has one of the names above
_BARE: Final = 0.3  # that the other names of a column are unknown


@final
class SchemaDrawer:
    """Draws tables with a seed."""

    def __init__(self, headers: Headers) -> None:
        self.headers = headers

    def draw(self, seed: int) -> TableDescription:
        """The table of a seed."""
        random = Random(f"schema/{seed}")
        singular, plural = random.choice(nouns())
        chosen = self._chosen(random)
        labels = [header.label for header in chosen]
        tokens = distinct_tokens("FLD_", labels)
        prefixes = distinct_prefixes([label.upper() for label in labels])
        columns = [
            _column(
                header, token, prefix, self._values(header, random), self._texts(header, random)
            )
            for header, token, prefix in zip(chosen, tokens, prefixes, strict=True)
        ]
        names = [column.label for column in columns if column.semantic is _C.NAME]
        measures = [c.name for c in columns if c.semantic in (_C.COUNT, _C.MONEY, _C.RATING)]
        label = names[0] if names else ""
        entity = EntityDescription(
            singular,
            plural,
            key=label or "id",
            label="",
            measure=random.choice(measures) if measures and random.random() < 0.3 else "",
        )
        return TableDescription(f"drawn/{seed}", plural, entity, tuple(columns))

    def _chosen(self, random: Random) -> list[Header]:
        count = random.randint(*_COLUMNS)
        there = {of: weight for of, weight in _WEIGHTS.items() if self.headers.by_class.get(of)}
        classes = random.choices(list(there), list(there.values()), k=count)
        if random.random() < 0.75 and _C.NAME in there:
            classes.insert(0, _C.NAME)
        found: dict[str, Header] = {}
        if random.random() < _SIBLINGS:
            semantic, *labels = random.choice(_PAIRS)
            found = {label: Header(label, _C(semantic)) for label in labels}
        for class_ in classes:
            header = random.choice(self.headers.by_class[class_])
            if class_ is _C.TEXT and random.random() < _RENAMED_TEXT:
                header = Header(random.choice(_TEXTS), _C.TEXT)
            if header.names and random.random() < _RENAMED:
                label = random.choice(header.names)
                rest = tuple(name for name in (header.label, *header.names) if name != label)
                header = replace(header, label=label, names=rest)
            if random.random() < _BARE:
                header = replace(header, names=())
            if random.random() < _SEARCHED.get(class_, 0):
                header = replace(header, searched=True)
            found.setdefault(header.label.lower(), header)
        taken = set(found)
        return [
            replace(header, names=tuple(n for n in header.names if n.lower() not in taken))
            for header in found.values()
        ]

    def _values(self, header: Header, random: Random) -> tuple[str, ...]:
        if header.semantic is _C.BOOLEAN:
            return ("true", "false")
        if header.searched:
            return ()
        pool: Sequence[str] = header.values
        if not pool and header.semantic.is_enumerated:
            pool = self.headers.values.get(header.semantic, ())
        count = min(len(pool), random.choice((3, 6, 12, 25, _MOST)))
        distinct: dict[str, str] = {}
        for value in random.sample(pool, count):
            distinct.setdefault(value.casefold(), value)
        return tuple(distinct.values())

    def _texts(self, header: Header, random: Random) -> tuple[str, ...]:
        """What the texts of a column that is searched may be."""
        pool: Sequence[str] = ()
        if header.searched:
            pool = header.values or self.headers.values.get(header.semantic, ())
        elif header.semantic is _C.TEXT:
            pool = self.headers.values.get(random.choice((_C.NAME, _C.CATEGORY, _C.PLACE)), ())
        return tuple(random.sample(pool, min(len(pool), _POOL)))


def drawn_questions(drawer: SchemaDrawer, seed: int, count: int) -> tuple[TableDomain, list[Pair]]:
    """The domain of a drawn table, and `count` questions about it; none if it has not as many."""
    description = drawer.draw(seed)
    domain = TableDomain(catalogue_of(description, NAME))
    style = replace(default_style(domain.catalogue), texts=texts_of(description))
    try:
        corpus = generate(domain.catalogue, style, seed=seed, train=count, test=0, hard=0)
    except CorpusError:
        return domain, []
    return domain, [Pair(pair.query, pair.tokens) for pair in corpus.train]


@cache
def nouns() -> tuple[tuple[str, str], ...]:
    """Nouns for rows, singular and plural."""
    text = files("grammax.base_model").joinpath("nouns.txt").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    return tuple((line[0], line[1] if len(line) > 1 else plural_of(line[0])) for line in lines)


def _column(
    header: Header, token: str, prefix: str, values: tuple[str, ...], texts: tuple[str, ...]
) -> ColumnDescription:
    semantic = header.semantic
    facts = Facts(
        ValueType.TEXT,
        distinct=len(values),
        values=tuple((value, 1) for value in values),
        examples=texts,
    )
    return ColumnDescription(
        name=header.label,
        table="drawn",
        column=header.label,
        token=token,
        label=header.label,
        semantic=semantic,
        role=default_role(semantic),
        names=header.names,
        verb=header.verb,
        unit=header.unit,
        aggregate=default_aggregate(semantic),
        better=default_better(semantic),
        enumerated=bool(values),
        values_of=token.removeprefix("FLD_"),
        prefix=prefix,
        facts=facts,
    )
