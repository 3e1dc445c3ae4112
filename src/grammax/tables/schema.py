"""`Schema`: the description of a table for grammars and sentences.

A schema names the entity that a row stands for, the types of its fields, the unit that numbers may
have, and the English phrases for them. The fields and values, with their names, are in a
`Catalogue`: there may be a hundred of them or a million.

>>> films = Schema(
...     "films",
...     Entity("film", "films", key="title"),
...     enums=(EnumType("GENRE", "GEN_", "genre"), EnumType("GRADE", "GRD_", "grade", True)),
...     numbers=(NumberType("COUNT", denominations=True), NumberType("MINUTES", unit="minutes")),
... )
>>> films.number("MINUTES").unit, films.entity.plural
('minutes', 'films')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeVar, final

from grammax.errors import GrammaxError

Naming = Callable[[str], str]
"""Puts a value's name into a sentence: "united states" → "the United States"."""

T = TypeVar("T", "EnumType", "NumberType")
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


class SchemaError(GrammaxError):
    """A schema that contradicts itself."""


@final
@dataclass(frozen=True, slots=True)
class Entity:
    """The entity that a row stands for: a film, a car, an order.

    `key` is the column that identifies a row; answers show it first and break ties by it. `label`
    is the column that names the row, if that is another one. `fields` are the tokens of fields that
    these columns show: they are not shown twice.
    """

    singular: str
    plural: str
    key: str = "id"
    label: str | None = None
    fields: frozenset[str] = frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that every answer begins with."""
        return (self.key,) if self.label is None else (self.key, self.label)


@final
@dataclass(frozen=True, slots=True)
class EnumType:
    """A type of enum values, such as GENRE, whose tokens begin with "GEN_"."""

    name: str
    prefix: str
    label: str
    ordered: bool = False  # a scale: values can be compared and ranked
    plural: bool = True  # whether its names are used in the plural: "thrillers"
    open: bool = False  # whether any word may be a name of it: titles, persons, towns
    codes: bool = False  # whether short codes are names of it: "in" for India
    place: bool = False  # whether its names follow "in", as those of towns
    searched: bool = False  # whether queries may ask for a part of its names: titles
    semantic: str = ""  # its class in a model that several schemas share, such as CATEGORY
    many: bool = False  # whether a row may have several: "speaks french and german" means both


@final
@dataclass(frozen=True, slots=True)
class NumberType:
    """A type of numeric fields, and what may follow a number of it."""

    name: str
    denominations: bool = False  # THOUSAND to TRILLION
    units: bool = False  # a token of the schema's unit, such as a currency
    percentages: bool = False  # PCT or BPS
    size: bool = False  # the maximum is the "largest", not the "highest"
    decimals: int | None = None  # digits after the point that are shown; None: significant digits
    unit: str = ""  # the unit of all its fields, if they share one: "minutes"
    dates: bool = False  # days or years: they are compared with times
    semantic: str = ""  # its class in a model that several schemas share, such as MONEY


@final
@dataclass(frozen=True, slots=True)
class TextType:
    """A type of fields with texts, which are searched but not compared: titles, addresses.

    Those of a schema with history are only shown.
    """

    name: str
    semantic: str = ""  # its class in a model that several schemas share, such as PHONE
    searched: bool = True  # whether queries may ask for what its texts contain


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """Tokens that may follow a number, such as currencies.

    `default` is the unit of a number that has none, and of answers.
    """

    type: str
    label: str
    default: str
    symbols: Mapping[str, str] = field(default_factory=lambda: _NONE)  # "$" by token


@final
@dataclass(frozen=True, slots=True)
class Phrase:
    """How English states a field without "whose": "directed by {}".

    `name` forms the values' names in it, `short` those after ", except".
    """

    template: str
    name: Naming = str
    short: Naming = str


@final
@dataclass(frozen=True, slots=True)
class Completions:
    """Phrases that complete a query, and the type that follows "in" or "from"."""

    at_start: tuple[str, ...] = ()
    anywhere: tuple[str, ...] = ()
    place: str | None = None  # the name of an enum type


@final
@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """The description of a table; validated on construction.

    >>> from grammax import Schema
    >>> from grammax.tables.schema import Entity, EnumType
    >>> genre = EnumType("GENRE", "GEN_", "genre")
    >>> films = Schema("films", Entity("film", "films"), enums=(genre,))
    >>> films.entity.plural, [enum.name for enum in films.enums]
    ('films', ['GENRE'])
    """

    name: str
    entity: Entity
    enums: tuple[EnumType, ...] = ()
    numbers: tuple[NumberType, ...] = ()
    texts: tuple[TextType, ...] = ()
    unit: Unit | None = None
    many: frozenset[str] = frozenset()  # tokens of fields that have several values per row
    measure: str | None = None  # the token of the field that "largest" means
    default_columns: tuple[str, ...] = ()  # tokens of fields that are shown where none is asked for
    price: str | None = None  # the token of the field that a bare amount means: "under $5"
    multiples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a field the fields that divide another by it: "3 times its budget" is a ratio to it."""
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a field the fields that are compared with it unsaid: "above the average" is a price."""
    positive: frozenset[str] = frozenset()
    """Fields whose negative values mean nothing: they are not small, but as good as missing."""
    top_groups: frozenset[str] = frozenset()
    """Fields whose groups are the topmost values of their hierarchy, not the stored ones."""
    phrases: Mapping[str, Phrase] = field(default_factory=dict)  # by field
    after_is: Mapping[str, Naming] = field(default_factory=dict)  # by enum type
    proper: frozenset[str] = frozenset()  # words that keep their capital inside a sentence
    completions: Completions = Completions()
    field_prefix: str = "FLD_"  # the prefix of tokens that are created for new fields
    history: bool = True
    """Whether fields have values of other times, see `grammax.tables.grammar`."""
    date: str | None = None
    """The token of the field of dates whose years, quarters and months rows are grouped by."""

    def __post_init__(self) -> None:
        texts = [text.name for text in self.texts]
        names = [*(enum.name for enum in self.enums), *self.number_types, *texts]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise SchemaError(
                f"the schema {self.name!r} has several types named {', '.join(sorted(twice))}. "
                f"Give each type a different name."
            )
        if self.unit is None and any(number.units for number in self.numbers):
            wanting = next(number.name for number in self.numbers if number.units)
            raise SchemaError(
                f"numbers of the type {wanting} take a unit, and the schema {self.name!r} has "
                f"none. Give it a `unit`, or set `units=False`."
            )
        dated = [number.name for number in self.numbers if number.dates]
        if dated and self.history:
            raise SchemaError(
                f"the type {dated[0]} has dates, and fields of the schema {self.name!r} have "
                f"values of other times: times would mean both. Set `history=False`."
            )

    @property
    def number_types(self) -> tuple[str, ...]:
        """The names of the types of numeric fields."""
        return tuple(number.name for number in self.numbers)

    @property
    def has_searched(self) -> bool:
        """Whether the texts of some fields are searched."""
        types = [*(text.searched for text in self.texts), *(enum.searched for enum in self.enums)]
        return any(types) and not self.history

    def number(self, name: str) -> NumberType:
        """A number type by name."""
        return self._find(self.numbers, name)

    def enum(self, name: str) -> EnumType:
        """An enum type by name."""
        return self._find(self.enums, name)

    def is_size(self, type_: str) -> bool:
        """Whether the maximum of a type is the "largest", as of money, not the "highest"."""
        return any(number.name == type_ and number.size for number in self.numbers)

    def _find(self, types: tuple[T, ...], name: str) -> T:
        for type_ in types:
            if type_.name == name:
                return type_
        there = ", ".join(type_.name for type_ in types)
        raise SchemaError(f"the schema {self.name!r} has no type {name!r}; it has {there}.")
