"""`Catalogue`: the fields, enum values and units of a schema, with their names and aliases.

>>> from grammax.tables.schema import Entity, EnumType, NumberType, Schema
>>> schema = Schema(
...     "films",
...     Entity("film", "films", key="title"),
...     (EnumType("GENRE", "GEN_", "genre"),),
...     (NumberType("COUNT"),),
... )
>>> catalogue = Catalogue.from_entries(
...     schema,
...     [Field("FLD_GENRE", "GENRE", "Genre"), Field("FLD_YEAR", "COUNT", "Year", ("released",))],
...     [Value("GEN_DRAMA", "GENRE", "Drama", ("dramas",)), Value("GEN_WAR", "GENRE", "War")],
... )
>>> catalogue.wordings("GEN_DRAMA"), catalogue.values_of("GENRE")
(('Drama', 'dramas'), ('GEN_DRAMA', 'GEN_WAR'))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from types import MappingProxyType
from typing import Final, final

from grammax.errors import UnknownToken
from grammax.language.changes import Changes, NewValue
from grammax.tables.catalogue.changes import (
    GrowableKind,
    Known,
    clean_name,
    growable_kinds,
    require_removable,
    resolved,
)
from grammax.tables.catalogue.entries import Field as Field
from grammax.tables.catalogue.entries import Value as Value
from grammax.tables.catalogue.file import decode_field, decode_value
from grammax.tables.catalogue.lines import CatalogueLines, DerivedValues, LazyEntries
from grammax.tables.lexicon import (
    FIXED_TOKENS,
    LANGUAGE,
    EnumTokens,
    Lexicon,
    NumberTokens,
    TextTokens,
)
from grammax.tables.schema import EnumType, Schema, SchemaError
from grammax.text import did_you_mean, nearest

_FEW: Final = 5  # look-ups by name that scan the lines; after these an index is built


@final
class Catalogue:
    """Fields, values and units by token. Immutable; equal versions mean equal contents.

    All mappings are in order of commonness, the most common first. `values` are the enum values
    that may follow a field; `units`, which follow numbers, are separate.
    """

    schema: Schema
    fields: Mapping[str, Field]
    values: Mapping[str, Value]
    units: Mapping[str, Value]
    value_types: Mapping[str, EnumType]
    version: str
    """A short hash of the content; with changes, the base's hash and a hash of the changes."""
    ranking: tuple[str, ...]
    """The tokens of all fields, values and units, the most common first."""
    base: Catalogue
    """The catalogue without changes: itself, if it has none."""
    changes: Changes
    """The changes relative to `base`."""

    def __init__(
        self,
        schema: Schema,
        lines: CatalogueLines,
        version: str,
        derived: DerivedValues | None = None,
        base: Catalogue | None = None,
        changes: Changes | None = None,
    ) -> None:
        self.schema = schema
        self.base = base or self
        self.changes = changes or Changes()
        self.version = version
        self.ranking = lines.ranking
        self.fields = LazyEntries(lines.fields, lambda _, line: decode_field(line))
        self.units = LazyEntries(lines.units, lambda _, line: decode_value(line))
        self.values = LazyEntries(lines.values, self._value)
        self.value_types = MappingProxyType(lines.types)
        self._lines = lines
        self._derived = derived
        self._names: dict[str, dict[str, str]] = {}  # tokens of a kind by name, once indexed
        self._asked = 0
        self._descendants: dict[str, tuple[str, ...]] = {}

    @classmethod
    def from_entries(
        cls, schema: Schema, fields: Iterable[Field], values: Iterable[Value]
    ) -> Catalogue:
        """A catalogue of these fields and values, given in order of commonness."""
        lines, text = CatalogueLines.from_entries(schema, fields, values)
        return cls(schema, lines, blake2b(text + LANGUAGE, digest_size=6).hexdigest())

    def __len__(self) -> int:
        """The number of LF tokens, fixed ones included."""
        return len(FIXED_TOKENS) + len(self.ranking)

    def __contains__(self, token: object) -> bool:
        return token in self.values or token in self.fields or token in self.units

    def __repr__(self) -> str:
        return f"<Catalogue {self.version}: {len(self):,} tokens, {len(self.fields):,} fields>"

    def is_field(self, token: str) -> bool:
        """Whether a token is a field, or is unknown and has the prefix of fields."""
        if token in self.fields:
            return True
        return token.startswith(self.schema.field_prefix) and token not in self.values

    def is_unit(self, token: str) -> bool:
        """Whether a token is a unit, or is unknown and has the prefix of units."""
        unit = self.schema.unit
        if unit is None or token in self.units:
            return token in self.units
        return token.startswith(self.schema.enum(unit.type).prefix) and token not in self.values

    @property
    def examples(self) -> tuple[str, str]:
        """The most common field and value, for messages."""
        return next(iter(self.fields)), next(iter(self.values), "a value")

    def with_values(self, values: Sequence[NewValue]) -> Catalogue:
        """Add values and fields of known types. Raises `ChangesRefused` if one cannot be added."""
        found = resolved(values, Known(self.base.kinds, self.__contains__, self._token_named))
        removed = set(self.changes.removed)
        back = {v.token for v in found if v.token in removed and self._was(v)}
        changes = self.changes.restoring(back)
        return self._changed(changes.adding([v for v in found if v.token not in back]))

    def without_values(self, tokens: Sequence[str]) -> Catalogue:
        """Remove values and fields. Raises `ChangesRefused` if one cannot be removed."""
        require_removable(tokens, self, self._lines.of_kind)
        return self._changed(self.changes.removing(tokens))

    def with_alias(self, token: str, alias: str) -> Catalogue:
        """Another name of a field or value. Raises `ChangesRefused` if it cannot be one."""
        self._require(token)
        name, *aliases = self.wordings(token)
        word = clean_name(alias, token)
        if word.casefold() in {each.casefold() for each in (name, *aliases)}:
            return self
        value = NewValue(name, self.kind_of(token).name, (*aliases, word), token)
        return self._changed(self.changes.redefining(value, is_of_base=token in self.base))

    def with_changes(self, changes: Changes) -> Catalogue:
        """The base with changes; those that it already has are skipped."""
        redefined = {v.token for v in self.base._lines.renamed(changes.added)}
        redefined &= set(changes.removed)
        if redefined:
            others = Changes(
                tuple(value for value in changes.added if value.token not in redefined),
                tuple(token for token in changes.removed if token not in redefined),
            )
            made = self.with_changes(others)
            for value in changes.added:
                if value.token in redefined:
                    made = made._changed(made.changes.redefining(value, is_of_base=True))
            return made
        base = self.base
        removed = [token for token in dict.fromkeys(changes.removed) if token in base]
        gone = set(removed)
        added = [v for v in changes.added if v.token in gone or v.token not in base]
        made = base.without_values(removed) if removed else base
        return made.with_values(added) if added else made

    def is_new(self, value: NewValue) -> bool:
        """Whether there is no value of its kind with its name yet."""
        kind = self.base.kinds.get(value.kind.lower())
        return kind is not None and self._token_named(kind, value.name.casefold()) is None

    def kind_of(self, token: str) -> GrowableKind:
        """The kind of a field, value or unit."""
        field = self.fields.get(token)
        if field is not None:
            return self.base.kinds[f"{field.type} field".lower()]
        value = self.values.get(token) or self.units.get(token)
        if value is None:
            raise self._unknown(token)
        return self.base.kinds[value.type.lower()]

    @cached_property
    def kinds(self) -> Mapping[str, GrowableKind]:
        """The kinds that can grow, by each of their names in lower case."""
        return growable_kinds(self.schema, self.value_types)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The tokens by type, as the grammars need them."""
        by_type: dict[str, list[str]] = {}
        for token, field in self.fields.items():
            by_type.setdefault(field.type, []).append(token)
        unit = self.schema.unit
        texts = [text.name for text in self.schema.texts]
        names = [*self.value_types, *self.schema.number_types, *texts]
        unused = [n for n in names if n not in by_type and (unit is None or n != unit.type)]
        if unused:
            raise SchemaError(
                f"the types {', '.join(unused)} of the schema {self.schema.name!r} have no field, "
                f"so no constraint can use them. Give each a field, or leave it out."
            )
        enums = tuple(
            EnumTokens(
                name,
                tuple(by_type[name]),
                tuple(self._lines.tokens[name]),
                type_.ordered,
                type_.searched,
            )
            for name, type_ in self.value_types.items()
            if unit is None or name != unit.type
        )
        numbers = tuple(
            NumberTokens.from_type(number, tuple(by_type[number.name]))
            for number in self.schema.numbers
        )
        searched = {text.name: text.searched for text in self.schema.texts}
        shown = tuple(TextTokens(name, tuple(by_type[name]), searched[name]) for name in texts)
        return Lexicon(
            enums,
            numbers,
            tuple(self.units),
            "CURRENCY" if unit is None else unit.type,
            shown,
            self.schema.history,
        )

    @cached_property
    def dates(self) -> frozenset[str] | None:
        """The fields that are compared with times; None in a schema with history."""
        if self.schema.history:
            return None
        types = {number.name for number in self.schema.numbers if number.dates}
        return frozenset(token for token, field in self.fields.items() if field.type in types)

    def values_of(self, type_: str) -> tuple[str, ...]:
        """The tokens of a type's values, the most common first."""
        return tuple(self._lines.tokens[type_])

    def children(self, token: str) -> tuple[str, ...]:
        """The values directly below one: countries of a region.

        A group such as the G7 is not a parent in the hierarchy; its children are its members.
        """
        self._require(token)
        return self._children.get(token, ())

    def descendants(self, token: str) -> tuple[str, ...]:
        """The value itself and all values below it, without duplicates."""
        known = self._descendants.get(token)
        if known is None:
            self._require(token)
            found = {token: None}
            waiting = [token]
            while waiting:
                below = [t for t in self._children.get(waiting.pop(), ()) if t not in found]
                found |= dict.fromkeys(below)
                waiting += below
            known = self._descendants[token] = tuple(found)
        return known

    def name_of(self, token: str) -> str:
        """The name of a field, value or unit; a fixed token is its own name."""
        if token in FIXED_TOKENS:
            return token
        return self.wordings(token)[0]

    def wordings(self, token: str) -> tuple[str, ...]:
        """The name of a field, value or unit, then its aliases."""
        line = self._lines.line(token)
        if line is None:
            raise self._unknown(token)
        if not line:
            value = self.values[token]
            return (value.name, *value.aliases)
        columns = line.split("\t", 4)
        if len(columns) < 4 or not columns[3]:
            return (columns[2],)
        return (columns[2], *columns[3].split("|"))

    @cached_property
    def _children(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for token, line in self._lines.values.items():
            columns = line.split("\t", 5)
            if len(columns) > 4 and columns[4]:
                found.setdefault(columns[4], []).append(token)
        if self._derived is not None:
            for token in self._lines.derived:
                found.setdefault(self._derived.parent(token), []).append(token)
        for group, members in self._lines.groups.items():
            found.setdefault(group, []).extend(t for t in members if t in self.values)
        return {token: tuple(below) for token, below in found.items()}

    def _value(self, token: str, line: str) -> Value:
        if line or self._derived is None:
            return decode_value(line)
        return self._derived.value(token, self.base.values)

    def _token_named(self, kind: GrowableKind, name: str) -> str | None:
        """The token of a kind with a given name, in lower case."""
        base = self.base
        if kind.name not in base._names and base._asked < _FEW:
            base._asked += 1
            token = base._lines.find_named(kind, name)
        else:
            if kind.name not in base._names:  # an index of 40,000 names takes 20 ms
                base._names[kind.name] = base._lines.named(kind)
            token = base._names[kind.name].get(name)
        if token is None or token in self.changes.removed:
            return self._added_names.get((kind.name, name))
        return token

    @cached_property
    def _added_names(self) -> dict[tuple[str, str], str]:
        return {(v.kind, v.name.casefold()): v.token for v in self.changes.added}

    def _was(self, value: NewValue) -> bool:
        """Whether the base has exactly this value."""
        return (value.name, *value.aliases) == self.base.wordings(value.token)

    def _changed(self, changes: Changes) -> Catalogue:
        """The base with changes that have been checked."""
        base = self.base
        if not changes:
            return base
        lines = base._lines.changed(changes, base.kinds)
        version = f"{base.version}+{changes.digest}"
        return Catalogue(self.schema, lines, version, self._derived, base, changes)

    def _require(self, token: str) -> None:
        if token not in self:
            raise self._unknown(token)

    def _unknown(self, token: str) -> UnknownToken:
        close = nearest(token, self.ranking)
        hint = did_you_mean(close, sentence=True)
        message = f"{token!r} is not a field, value or unit of the catalogue. {hint}"
        return UnknownToken(token, message.rstrip(), close)
