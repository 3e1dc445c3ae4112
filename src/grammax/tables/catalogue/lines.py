"""The lines of a catalogue by token: those of its file, or those with changes made to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Self, final

from grammax.domains.eqs.listings import listing_tokens
from grammax.language.changes import Changes, NewValue
from grammax.tables.catalogue.changes import Kind
from grammax.tables.catalogue.entries import CURRENCY, ValueType
from grammax.tables.catalogue.file import Contents
from grammax.tables.lexicon import FIXED_TOKENS

Lines = dict[str, str]
_FIELD = "FIELD"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Lines by token, the most common first; a listing has no line."""

    types: Mapping[str, ValueType]
    groups: Mapping[str, tuple[str, ...]]
    values: Lines
    fields: Lines
    currencies: Lines
    tokens: Mapping[str, Sequence[str]]  # of each type
    listings: Sequence[str]
    ranking: tuple[str, ...]

    @classmethod
    def of(cls, contents: Contents, size: int) -> Self:
        """The first lines of a file, as many as there are to be LF tokens, and listings."""
        values: Lines = {}
        fields: Lines = {}
        currencies: Lines = {}
        special = {_FIELD: fields, CURRENCY: currencies}
        tokens: dict[str, list[str]] = {type_.name: [] for type_ in contents.types}
        ranking = []
        for line in contents.entries[: size - len(FIXED_TOKENS)]:
            type_, token, _ = line.split("\t", 2)
            special.get(type_, values)[token] = line
            ranking.append(token)
            if type_ in tokens:
                tokens[type_].append(token)
        missing = size - len(FIXED_TOKENS) - len(ranking)
        extra = listing_tokens(tokens["ISSUER"], tokens["EXCHANGE"], missing)
        listings = list(islice(extra, missing))
        values.update(dict.fromkeys(listings, ""))
        tokens["ISSUER"] += listings
        types = {type_.name: type_ for type_ in contents.types}
        ranked = (*ranking, *listings)
        return cls(types, contents.groups, values, fields, currencies, tokens, listings, ranked)

    def changed(self, changes: Changes, kinds: Mapping[str, Kind]) -> Tables:
        """With lines for what was added, the least common of all, and without what was removed."""
        gone = set(changes.removed)
        values, fields, currencies = dict(self.values), dict(self.fields), dict(self.currencies)
        for token in gone:
            for lines in (values, fields, currencies):
                lines.pop(token, None)
        tokens = dict(self.tokens)
        for type_ in [t for t, some in tokens.items() if not gone.isdisjoint(some)]:
            tokens[type_] = [token for token in tokens[type_] if token not in gone]
        added: dict[str, list[str]] = {}
        for value in changes.added:
            kind = kinds[value.kind.lower()]
            if kind.is_field:
                fields[value.token] = _field_line(value, kind)
                continue
            of_type = added.setdefault(kind.type, [])
            of_type.append(value.token)
            rank = str(len(self.tokens[kind.type]) + len(of_type))
            line = _value_line(value, kind, rank if self.types[kind.type].ordered else "")
            (currencies if kind.type == CURRENCY else values)[value.token] = line
        for type_, some in added.items():
            tokens[type_] = [*tokens[type_], *some]
        kept = tuple(t for t in self.ranking if t not in gone) if gone else self.ranking
        ranking = (*kept, *(value.token for value in changes.added))
        listings = [t for t in self.listings if t not in gone] if gone else self.listings
        return Tables(
            self.types, self.groups, values, fields, currencies, tokens, listings, ranking
        )

    def line(self, token: str) -> str | None:
        """The line of a token; empty for a listing, None for what is not there."""
        for lines in (self.values, self.fields, self.currencies):
            if token in lines:
                return lines[token]
        return None

    def named(self, kind: Kind) -> dict[str, str]:
        """The tokens of a kind by name, in small letters; of two the more common."""
        lines = [line.split("\t", 3) for line in self._lines_of(kind)]
        return {columns[2].casefold(): columns[1] for columns in reversed(lines)}

    def find_named(self, kind: Kind, name: str) -> str | None:
        """The same for one name: a fifth of the time that it takes to make the whole of it."""
        for line in self._lines_of(kind):
            if name in line.casefold() and line.split("\t", 3)[2].casefold() == name:
                return line.split("\t", 2)[1]
        return None

    def _lines_of(self, kind: Kind) -> list[str]:
        by_kind = {_FIELD: self.fields, CURRENCY: self.currencies}
        begins = _FIELD if kind.is_field else kind.type
        lines = by_kind.get(begins, self.values).values()
        return [line for line in lines if line.startswith(f"{begins}\t")]

    def of_kind(self, kind: Kind) -> Sequence[str]:
        """The tokens of a kind."""
        if not kind.is_field:
            return self.tokens[kind.type]
        return [t for t, line in self.fields.items() if line.split("\t", 5)[4] == kind.type]


def _field_line(value: NewValue, kind: Kind) -> str:
    words = "|".join(value.aliases)
    return "\t".join((_FIELD, value.token, value.name, words, kind.type, "", "", "", ""))


def _value_line(value: NewValue, kind: Kind, rank: str) -> str:
    """On an ordered scale what is added comes last."""
    columns = (kind.type, value.token, value.name, "|".join(value.aliases), "", rank)
    return "\t".join(columns).rstrip("\t")
