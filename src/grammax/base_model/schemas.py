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
from grammax.tables.domain import TableDomain
from grammax.tables.english.phrases import plural_of
from grammax.tables.inspect.concepts import is_noun
from grammax.tables.inspect.description import (
    ColumnDescription,
    EntityDescription,
    Facts,
    TableDescription,
    ValueType,
)
from grammax.tables.inspect.tokens import distinct_prefixes, distinct_tokens
from grammax.tables.own.catalogue import NAME, catalogue_of
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
    _C.TEXT: 1, _C.URL: 0.5, _C.IMAGE: 0.3, _C.EMAIL: 0.7, _C.PHONE: 1, _C.NAME: 3,
}  # fmt: skip
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
            _column(header, token, prefix, self._values(header, random))
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
            nouns_ = tuple(filter(is_noun, header.names))
            if nouns_ and random.random() < _RENAMED:
                label = random.choice(nouns_)
                rest = tuple(name for name in (header.label, *header.names) if name != label)
                header = replace(header, label=label, names=rest)
            if random.random() < _BARE:
                header = replace(header, names=())
            found.setdefault(header.label.lower(), header)
        taken = set(found)
        return [
            replace(header, names=tuple(n for n in header.names if n.lower() not in taken))
            for header in found.values()
        ]

    def _values(self, header: Header, random: Random) -> tuple[str, ...]:
        if header.semantic is _C.BOOLEAN:
            return ("true", "false")
        pool: Sequence[str] = header.values
        if not pool and header.semantic.is_enumerated:
            pool = self.headers.values.get(header.semantic, ())
        count = min(len(pool), random.choice((3, 6, 12, 25, _MOST)))
        distinct: dict[str, str] = {}
        for value in random.sample(pool, count):
            distinct.setdefault(value.casefold(), value)
        return tuple(distinct.values())


def drawn_questions(drawer: SchemaDrawer, seed: int, count: int) -> tuple[TableDomain, list[Pair]]:
    """The domain of a drawn table, and `count` questions about it; none if it has not as many."""
    domain = TableDomain(catalogue_of(drawer.draw(seed), NAME))
    try:
        corpus = generate(domain.catalogue, seed=seed, train=count, test=0, hard=0)
    except CorpusError:
        return domain, []
    return domain, [Pair(pair.query, pair.tokens) for pair in corpus.train]


@cache
def nouns() -> tuple[tuple[str, str], ...]:
    """Nouns for rows, singular and plural."""
    text = files("grammax.base_model").joinpath("nouns.txt").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    return tuple((line[0], line[1] if len(line) > 1 else plural_of(line[0])) for line in lines)


def _column(header: Header, token: str, prefix: str, values: tuple[str, ...]) -> ColumnDescription:
    semantic = header.semantic
    facts = Facts(
        ValueType.TEXT, distinct=len(values), values=tuple((value, 1) for value in values)
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
