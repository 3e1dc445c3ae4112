"""The lines of a catalogue by token: those of its file, with changes applied.

A line is decoded on first access: a query touches few of the 56,209 entries, and decoding all of
them would double the time to load a catalogue.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Protocol, Self, TypeVar, final

from grammax.language.changes import Changes, NewValue
from grammax.tables.catalogue.changes import GrowableKind
from grammax.tables.catalogue.entries import Field, Value
from grammax.tables.catalogue.file import FIELD, Contents, encode_field, encode_value
from grammax.tables.lexicon import FIXED_TOKENS
from grammax.tables.schema import EnumType, Schema

Lines = dict[str, str]
T = TypeVar("T")


class DerivedValues(Protocol):
    """Values without lines, derived from others, which fill a catalogue to any size."""

    @property
    def type(self) -> str:
        """The name of their enum type."""

    def tokens(self, tokens: Mapping[str, Sequence[str]], count: int) -> Iterable[str]:
        """`count` tokens, derived from the tokens of each type."""

    def value(self, token: str, values: Mapping[str, Value]) -> Value:
        """The value of such a token."""

    def parent(self, token: str) -> str:
        """The value that contains it."""


@final
class LazyEntries(Mapping[str, T], Generic[T]):
    """Token → entry, decoded from its line on first access and cached."""

    __slots__ = ("_decode", "_decoded", "_lines")

    def __init__(self, lines: Lines, decode: Callable[[str, str], T]) -> None:
        self._lines = lines
        self._decode = decode
        self._decoded: dict[str, T] = {}

    def __getitem__(self, token: str) -> T:
        found = self._decoded.get(token)
        if found is None:
            found = self._decoded[token] = self._decode(token, self._lines[token])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def __contains__(self, token: object) -> bool:
        return token in self._lines

    def __repr__(self) -> str:
        return f"<{len(self)} entries: {', '.join(list(self._lines)[:3])}, ...>"


@final
@dataclass(frozen=True, slots=True, eq=False)
class CatalogueLines:
    """Lines by token, the most common first; a derived value has an empty line."""

    types: Mapping[str, EnumType]
    groups: Mapping[str, tuple[str, ...]]
    values: Lines
    fields: Lines
    units: Lines
    tokens: Mapping[str, Sequence[str]]  # of each type
    derived: Sequence[str]
    ranking: tuple[str, ...]
    unit_type: str | None

    @classmethod
    def from_contents(
        cls, contents: Contents, schema: Schema, size: int, derived: DerivedValues | None = None
    ) -> Self:
        """The first lines of a file, up to `size` LF tokens, and derived values for the rest."""
        unit_type = None if schema.unit is None else schema.unit.type
        entries = contents.entries[: size - len(FIXED_TOKENS)]
        columns = [(*line.split("\t", 2)[:2], line) for line in entries]
        special = (FIELD, unit_type)
        values = {token: line for type_, token, line in columns if type_ not in special}
        fields = {token: line for type_, token, line in columns if type_ == FIELD}
        units = {token: line for type_, token, line in columns if type_ == unit_type}
        by_type: defaultdict[str, list[str]] = defaultdict(list)
        for type_, token, _ in columns:
            by_type[type_].append(token)
        tokens = {type_.name: by_type[type_.name] for type_ in contents.types}
        ranking = [token for _, token, _ in columns]
        missing = size - len(FIXED_TOKENS) - len(ranking)
        extra = [] if derived is None else list(islice(derived.tokens(tokens, missing), missing))
        if derived is not None:
            values.update(dict.fromkeys(extra, ""))
            tokens[derived.type] += extra
        known = {type_.name: type_ for type_ in schema.enums}
        types = {type_.name: known.get(type_.name, type_) for type_ in contents.types}
        ranked = (*ranking, *extra)
        return cls(types, contents.groups, values, fields, units, tokens, extra, ranked, unit_type)

    @classmethod
    def from_entries(
        cls, schema: Schema, fields: Iterable[Field], values: Iterable[Value]
    ) -> tuple[Self, bytes]:
        """The lines of entries, and their text, which identifies them."""
        entries = [*map(encode_field, fields), *map(encode_value, values)]
        text = "\n".join(entries).encode()
        contents = Contents(schema.enums, {}, entries, text)
        return cls.from_contents(contents, schema, len(entries) + len(FIXED_TOKENS)), text

    def changed(self, changes: Changes, kinds: Mapping[str, GrowableKind]) -> CatalogueLines:
        """The lines after changes: added lines come last, as the least common.

        A token that only has other aliases keeps its place, and all else that is known of it.
        """
        values, fields, units = dict(self.values), dict(self.fields), dict(self.units)
        renamed = {value.token: value for value in self.renamed(changes.added)}
        for token, value in renamed.items():
            for lines in (values, fields, units):
                if token in lines:
                    lines[token] = _with_aliases(lines[token], value)
        gone = {token for token in changes.removed if token not in renamed}
        for token in gone:
            for lines in (values, fields, units):
                lines.pop(token, None)
        tokens = dict(self.tokens)
        for type_ in [t for t, some in tokens.items() if not gone.isdisjoint(some)]:
            tokens[type_] = [token for token in tokens[type_] if token not in gone]
        added: dict[str, list[str]] = {}
        new = [value for value in changes.added if value.token not in renamed]
        for value in new:
            kind = kinds[value.kind.lower()]
            if kind.is_field:
                fields[value.token] = _field_line(value, kind)
                continue
            of_type = added.setdefault(kind.type, [])
            of_type.append(value.token)
            rank = len(self.tokens[kind.type]) + len(of_type)
            line = _value_line(value, kind, rank if self.types[kind.type].ordered else None)
            (units if kind.type == self.unit_type else values)[value.token] = line
        for type_, some in added.items():
            tokens[type_] = [*tokens[type_], *some]
        left = tuple(t for t in self.ranking if t not in gone) if gone else self.ranking
        ranking = (*left, *(value.token for value in new))
        derived = [t for t in self.derived if t not in gone] if gone else self.derived
        return CatalogueLines(
            self.types, self.groups, values, fields, units, tokens, derived, ranking, self.unit_type
        )

    def renamed(self, values: Iterable[NewValue]) -> list[NewValue]:
        """The values whose token and name are here already: only their aliases may differ."""
        lines = ((value, self.line(value.token)) for value in values)
        return [value for value, line in lines if line and line.split("\t", 3)[2] == value.name]

    def line(self, token: str) -> str | None:
        """The line of a token; empty for a derived value, None for an unknown token."""
        for lines in (self.values, self.fields, self.units):
            if token in lines:
                return lines[token]
        return None

    def named(self, kind: GrowableKind) -> dict[str, str]:
        """The tokens of a kind by name, in lower case; of two with one name the more common."""
        lines = [line.split("\t", 3) for line in self._lines_of(kind)]
        return {columns[2].casefold(): columns[1] for columns in reversed(lines)}

    def find_named(self, kind: GrowableKind, name: str) -> str | None:
        """The token with one name, in lower case; five times faster than building `named`."""
        for line in self._lines_of(kind):
            if name in line.casefold() and line.split("\t", 3)[2].casefold() == name:
                return line.split("\t", 2)[1]
        return None

    def _lines_of(self, kind: GrowableKind) -> list[str]:
        by_kind = {FIELD: self.fields, self.unit_type: self.units}
        begins = FIELD if kind.is_field else kind.type
        lines = by_kind.get(begins, self.values).values()
        return [line for line in lines if line.startswith(f"{begins}\t")]

    def of_kind(self, kind: GrowableKind) -> Sequence[str]:
        """The tokens of a kind."""
        if not kind.is_field:
            return self.tokens[kind.type]
        return [t for t, line in self.fields.items() if line.split("\t", 5)[4] == kind.type]


def _with_aliases(line: str, value: NewValue) -> str:
    """The line of a token with other aliases."""
    columns = line.split("\t")
    columns += [""] * (4 - len(columns))
    columns[3] = "|".join(value.aliases)
    return "\t".join(columns)


def _field_line(value: NewValue, kind: GrowableKind) -> str:
    return encode_field(Field(value.token, kind.type, value.name, value.aliases))


def _value_line(value: NewValue, kind: GrowableKind, rank: int | None) -> str:
    """The line of an added value; on an ordered scale it comes last."""
    return encode_value(Value(value.token, kind.type, value.name, value.aliases, None, rank))
