"""Draws tables to train the base model on: a noun for the rows, some columns, their values.

A drawn table is a `TableDescription`, as inspection makes one of data, so that training sees what
the model will be given: the same catalogue, names, cues and grammar.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random
from typing import Final, final

from grammax.base_model.columns import Header, Headers
from grammax.language.domain import Pair
from grammax.tables.corpus.corpus import CorpusError, generate
from grammax.tables.corpus.default import default_style
from grammax.tables.corpus.questions.table import row_nouns
from grammax.tables.domain import TableDomain
from grammax.tables.inspect.concepts import is_noun
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
_ROLES: Final = (
    ("person", "director", "actor", "producer", "writer", "composer", "creator", "editor"),
    ("person", "author", "editor", "translator", "illustrator"),
    ("person", "teacher", "student"), ("person", "doctor", "patient"),
    ("person", "manager", "employee"), ("person", "coach", "captain"),
    ("person", "buyer", "seller"), ("person", "winner", "runner up"),
    ("organisation", "home team", "away team"), ("organisation", "winner", "loser"),
    ("organisation", "manufacturer", "supplier", "vendor"), ("organisation", "buyer", "seller"),
    ("organisation", "publisher", "developer", "distributor"),
    ("organisation", "employer", "alma mater", "sponsor"),
    ("place", "origin", "destination"), ("place", "source airport", "destination airport"),
    ("place", "departure city", "arrival city"), ("place", "from", "to"),
    ("place", "birthplace", "residence", "work location"), ("place", "city", "birthplace"),
    ("place", "hometown", "city"), ("place", "country", "nationality"),
    ("place", "location", "headquarters"), ("place", "pickup location", "drop off location"),
)  # fmt: skip
"""Columns that hold the same names in different roles; the first word is their class."""
_SHARED: Final = 0.35  # that a table has some of them
_APART: Final = 0.45  # that these are of different types, which have names in common
_JOINED: Final = 0.2  # that a table has columns of another table: "country population"
_OTHERS: Final = (
    "country", "customer", "airline", "city", "product", "course", "team", "department", "author",
    "store", "department", "supplier", "series", "channel", "museum", "student", "school",
)  # fmt: skip
_MANY: Final = 0.3  # that a column of values has several in a row
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
        singular, plural = random.choice(row_nouns())
        chosen = self._chosen(random)
        roles = self._roles(random, chosen)
        chosen += roles
        random.shuffle(chosen)
        chosen += self._joined(random, chosen)  # last, as inspection has them
        labels = [header.label for header in chosen]
        tokens = distinct_tokens("FLD_", labels)
        prefixes = distinct_prefixes([label.upper() for label in labels])
        columns = [
            _column(
                header,
                token,
                prefix,
                self._values(header, random),
                self._texts(header, random),
                _many(header, random),
            )
            for header, token, prefix in zip(chosen, tokens, prefixes, strict=True)
        ]
        if roles:
            labels = [header.label for header in roles]
            apart = random.random() < _APART
            columns = (
                _overlapping(columns, labels, random) if apart else _of_one_type(columns, labels)
            )
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
            nouns_ = tuple(filter(is_noun, header.names))
            if nouns_ and random.random() < _RENAMED:
                label = random.choice(nouns_)
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

    def _roles(self, random: Random, chosen: Sequence[Header]) -> list[Header]:
        """Columns that share their values, in the roles that these have."""
        if random.random() >= _SHARED:
            return []
        semantic, *labels = random.choice(_ROLES)
        taken = {name.lower() for header in chosen for name in (header.label, *header.names)}
        free = [label for label in labels if label not in taken]
        count = min(len(free), random.choice((2, 2, 3, 4)))
        if count < 2:
            return []
        return [self._known(label, _C(semantic)) for label in random.sample(free, count)]

    def _joined(self, random: Random, chosen: Sequence[Header]) -> list[Header]:
        """Columns of a table that rows refer to, some called like columns of this one."""
        if random.random() >= _JOINED:
            return []
        other = random.choice(_OTHERS)
        own = [header for header in chosen if not header.label.startswith(other)]
        some = random.sample(own, min(len(own), random.randint(1, 3)))
        there = {of: weight for of, weight in _WEIGHTS.items() if self.headers.by_class.get(of)}
        classes = random.choices(list(there), list(there.values()), k=random.randint(0, 3))
        some += [random.choice(self.headers.by_class[of]) for of in classes]
        taken = {header.label for header in chosen}
        labels = {f"{other} {header.label}": header for header in some}
        return [
            replace(header, label=label, names=(), verb="")
            for label, header in labels.items()
            if label not in taken
        ]

    def _known(self, label: str, semantic: SemanticClass) -> Header:
        """The column of a concept, with its names, or one that has no others."""
        known = self.headers.by_class.get(semantic, ())
        return next((header for header in known if header.label == label), Header(label, semantic))

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


def _many(header: Header, random: Random) -> str:
    """What separates several values in one row; empty if there is one."""
    several = header.semantic in (_C.CATEGORY, _C.PERSON, _C.ORGANISATION)
    return ";" if several and random.random() < _MANY else ""


def _of_one_type(
    columns: Sequence[ColumnDescription], labels: Collection[str]
) -> list[ColumnDescription]:
    """The columns, of which some have the values of the first of these."""
    first = next(column for column in columns if column.label in labels)
    return [
        replace(
            column,
            values_of=first.values_of,
            prefix=first.prefix,
            enumerated=first.enumerated,
            facts=first.facts,
        )
        if column.label in labels
        else column
        for column in columns
    ]


def _overlapping(
    columns: Sequence[ColumnDescription], labels: Collection[str], random: Random
) -> list[ColumnDescription]:
    """The columns, of which some share most of their values: people work where they studied."""
    values = list(dict.fromkeys(v for c in columns if c.label in labels for v, _ in c.facts.values))
    found = []
    for column in columns:
        if column.label in labels and values:
            some = [(value, 1) for value in values if random.random() < 0.8]
            facts = replace(column.facts, distinct=len(some), values=tuple(some))
            column = replace(column, facts=facts)
        found.append(column)
    return found


def _column(
    header: Header,
    token: str,
    prefix: str,
    values: tuple[str, ...],
    texts: tuple[str, ...],
    many: str,
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
        many=many,
        facts=facts,
    )
