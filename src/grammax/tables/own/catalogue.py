"""The catalogue of a table that was inspected: types, fields, and values with their names.

Columns of numbers share a type where they have the same semantic class and unit, so that they can
be compared with one another; columns of values share one where inspection found that they have the
same values. What is searched or only shown becomes a text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from grammax.reading.english import is_ordinary
from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
from grammax.tables.catalogue.file import FIELD
from grammax.tables.inspect.description import (
    ColumnDescription,
    TableDescription,
    Taught,
    ValueType,
)
from grammax.tables.inspect.tokens import distinct_tokens, spelt
from grammax.tables.known_values.kinds import kind_of, other_names
from grammax.tables.schema import Entity, EnumType, NumberType, Schema, TextType
from grammax.tables.semantics import Role, SemanticClass
from grammax.tables.wording.values import YES

_C = SemanticClass
_LARGE: Final = frozenset({_C.MONEY, _C.COUNT, _C.NUMBER, _C.PHYSICAL})  # "5 million" is said
_SHARES: Final = frozenset({_C.PERCENT, _C.RATIO})
_OPEN: Final = frozenset({_C.NAME, _C.PERSON, _C.ORGANISATION, _C.CODE})
_RESERVED: Final = frozenset((FIELD, *(of.name for of in SemanticClass)))
"""Words that begin the names of other types, or the lines of fields in a catalogue's file."""
NAME: Final = "table"  # of the schema
ROW: Final = "row"  # the key of rows that have none: their number
_PARTIAL: Final = frozenset({_C.NAME, _C.PERSON, _C.ORGANISATION})  # called by one of their words
_SHORT: Final = 2  # letters of a value that may be another word: "a" and "in"
_MANY_NAMES: Final = 5_000  # values from which on a single word is not looked for
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_MANY: Final = 100  # values from which on any word may be one of them


def catalogue_of(description: TableDescription, name: str) -> Catalogue:
    """The catalogue of a table; `name` is that of the schema."""
    columns = [column for column in description.used if _is_used(column)]
    schema, taught = _schema(description, name, columns), description.taught
    fields = [
        Field(
            column.token,
            type_of(column),
            column.label[:1].upper() + column.label[1:],
            _without_twice(
                (*column.names, *description.taught.names_of(column.name)), column.label
            ),
            unit=column.unit,
        )
        for column in columns
    ]
    return Catalogue.from_entries(schema, fields, _values(columns, taught))


def type_of(column: ColumnDescription) -> str:
    """The name of a column's type.

    Numbers of a class are of one type where they have the same unit.
    """
    if has_values(column):
        name = spelt(column.values_of) or column.token.removeprefix("FLD_")
        return f"{name}_NAME" if name.partition("_")[0] in _RESERVED else name
    semantic = column.semantic
    if semantic is _C.DATE or semantic.is_number:
        unit = spelt(column.unit) or column.unit.encode().hex().upper()
        return f"{semantic.name}_{unit}" if unit else semantic.name
    return f"{semantic.name}_{'TEXT' if is_searched(column) else 'SHOWN'}"


def is_searched(column: ColumnDescription) -> bool:
    """Whether queries may ask for what the texts of a column contain.

    Texts, addresses, and names of which there are too many to list; not numbers and pictures.
    """
    if has_values(column) or column.semantic is _C.DATE or column.semantic.is_number:
        return False
    return column.facts.type is ValueType.TEXT and column.semantic is not _C.IMAGE


def texts_of(description: TableDescription) -> dict[str, tuple[str, ...]]:
    """By field, some texts of the columns that are searched."""
    return {
        column.token: column.facts.examples for column in description.used if is_searched(column)
    }


def has_values(column: ColumnDescription) -> bool:
    """Whether the values of a column are names that queries mention."""
    return column.enumerated or column.semantic is _C.BOOLEAN


def stored_values(column: ColumnDescription) -> tuple[str, ...]:
    """The values of a column as texts, the most common first."""
    if column.semantic is _C.BOOLEAN and not column.facts.values:
        return ("true", "false")
    return tuple(value for value, _ in column.facts.values if value.strip())


def value_names(column: ColumnDescription, stored: str, kind: str = "") -> tuple[str, ...]:
    """What a stored value is called; the name of a boolean column also means its values.

    `kind` is what the values of the column are: countries, genders.
    """
    if column.semantic in (_C.PLACE, _C.CATEGORY):
        return (stored, *other_names(stored, kind))
    if column.semantic is not _C.BOOLEAN:
        return (stored,)
    names = ("yes", "true") if stored.casefold() in YES else ("no", "false")
    return names if stored.casefold() in names else (*names, stored)


def value_tokens(columns: Sequence[ColumnDescription]) -> dict[str, dict[str, str]]:
    """By type, the tokens of the values that columns of the type have, as they are stored."""
    stored: dict[str, dict[str, None]] = {}
    prefixes: dict[str, str] = {}
    for column in columns:
        if has_values(column):
            prefixes.setdefault(type_of(column), column.prefix or f"{type_of(column)}_")
            stored.setdefault(type_of(column), {}).update(dict.fromkeys(stored_values(column)))
    return {
        type_: dict(zip(values, distinct_tokens(prefixes[type_], list(values)), strict=True))
        for type_, values in stored.items()
    }


def _is_used(column: ColumnDescription) -> bool:
    return not has_values(column) or bool(stored_values(column))


def _schema(
    description: TableDescription, name: str, columns: Sequence[ColumnDescription]
) -> Schema:
    entity = description.entity
    enums: dict[str, EnumType] = {}
    numbers: dict[str, NumberType] = {}
    texts: dict[str, TextType] = {}
    for column in columns:
        type_, semantic = type_of(column), column.semantic
        if has_values(column):
            enum = enums.setdefault(type_, _enum(column, type_))
            if column.many and not enum.many:
                enums[type_] = replace(enum, many=True)
        elif semantic is _C.DATE or semantic.is_number:
            numbers.setdefault(type_, _number(column, type_))
        else:
            texts.setdefault(type_, TextType(type_, semantic.name, is_searched(column)))
    by_name = {column.name: column.token for column in columns}
    first_date = next((c.token for c in columns if c.semantic is _C.DATE), None)
    return Schema(
        name,
        _entity(description),
        tuple(enums.values()),
        tuple(numbers.values()),
        tuple(texts.values()),
        many=frozenset(column.token for column in columns if column.many),
        measure=by_name.get(entity.measure),
        date=first_date,
        history=False,
    )


def _entity(description: TableDescription) -> Entity:
    """What a row stands for; rows without a key are numbered."""
    entity = description.entity
    named = entity.label if entity.label != entity.key else ""
    key = entity.key or named or ROW
    label = named or None if entity.key else None
    own = frozenset(column.token for column in description.used if column.name in (key, label))
    return Entity(entity.singular, entity.plural, key, label, own)


def _enum(column: ColumnDescription, type_: str) -> EnumType:
    semantic = column.semantic
    return EnumType(
        type_,
        column.prefix or f"{type_}_",
        column.label,
        ordered=bool(column.order),
        plural=semantic is _C.CATEGORY,
        open=semantic in _OPEN or column.facts.distinct > _MANY,
        codes=any(len(value) <= _SHORT for value in stored_values(column)),
        place=semantic is _C.PLACE,
        searched=semantic is _C.NAME and column.facts.type is ValueType.TEXT,
        semantic=semantic.name,
        many=bool(column.many),
    )


def _number(column: ColumnDescription, type_: str) -> NumberType:
    semantic = column.semantic
    return NumberType(
        type_,
        denominations=semantic in _LARGE,
        percentages=semantic in _SHARES,
        size=semantic in (_C.MONEY, _C.COUNT) and column.role is Role.MEASURE,
        unit=column.unit if semantic is not _C.MONEY else "",
        dates=semantic is _C.DATE,
        semantic=semantic.name,
    )


def _without_twice(names: Sequence[str], first: str) -> tuple[str, ...]:
    """The names without those that are there already, in other letters."""
    by_folded = {name.casefold(): name for name in reversed(names) if name.strip()}
    by_folded.pop(first.casefold(), None)
    return tuple(reversed(by_folded.values()))


def _values(columns: Sequence[ColumnDescription], taught: Taught) -> Iterator[Value]:
    """The values of all columns; no other name of one is what another one is stored as.

    Where a column has the cuisine "french", the word does not also mean the country France.
    """
    tokens, seen = value_tokens(columns), set[str]()
    taken = {value.casefold() for stored in tokens.values() for value in stored}
    nouns = {word for column in columns for word in _words(f"{column.label} {column.names}")}
    short = {
        type_of(column): _short_names(tokens[type_of(column)], taken | nouns)
        for column in columns
        if has_values(column) and column.semantic in _PARTIAL
    }
    for column in columns:
        if not has_values(column):
            continue
        ranks = {value: rank for rank, value in enumerate(reversed(column.order), 1)}
        kind = kind_of(stored_values(column))
        for stored in stored_values(column):
            token = tokens[type_of(column)][stored]
            if token not in seen:
                seen.add(token)
                name, *aliases = value_names(column, stored, kind)
                for each in columns if taught.values else ():  # others may have the same values
                    if type_of(each) == type_of(column):
                        aliases += taught.names_of_value(each.name, stored)
                own = stored.casefold()
                free = tuple(a for a in aliases if a.casefold() == own or a.casefold() not in taken)
                free += short.get(type_of(column), {}).get(stored, ())
                yield Value(token, type_of(column), name, free, rank=ranks.get(stored))


def _short_names(values: Collection[str], taken: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Words that say which value is meant: "sokolov" of "Dr. Ivan Sokolov", if no other has it.

    Ordinary words and those that are `taken` are not among them.
    """
    if len(values) > _MANY_NAMES:
        return {}
    words = {value: _words(value) for value in values}
    counts = Counter(word for found in words.values() for word in found)
    return {
        value: tuple(
            word
            for word in found
            if counts[word] == 1 and word not in taken and not is_ordinary(word)
        )
        for value, found in words.items()
        if len(found) > 1
    }


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_WORD.findall(text.casefold())))
