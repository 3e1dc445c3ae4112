"""The catalogue of equity search: fields, enum values and currencies, with names and aliases.

>>> catalogue = load_catalogue()
>>> len(catalogue)
56209
>>> catalogue.values["COU_GERMANY"].parent
'COU_WESTERN_EUROPE'
>>> catalogue.fields["FLD_MKT_CAP"].aliases[:2]
('market cap', 'mcap')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Final, final

from grammax.domains.eqs.listings import issuer_of, listing
from grammax.errors import UnknownToken
from grammax.language.changes import Changes, NewValue
from grammax.tables.catalogue.changes import (
    Kind,
    Known,
    kinds_of,
    require_removable,
    resolved,
)
from grammax.tables.catalogue.entries import CURRENCY, NUMBER_TYPES, Field, Value, ValueType
from grammax.tables.catalogue.file import (
    DEFAULT_FILE,
    decode_field,
    decode_value,
    read_contents,
)
from grammax.tables.catalogue.lazy import Lazy
from grammax.tables.catalogue.lines import Tables
from grammax.tables.lexicon import FIXED_TOKENS, EnumType, Lexicon, NumberType
from grammax.text import nearest

__all__ = ["Catalogue", "Field", "Value", "ValueType", "load_catalogue", "read_catalogue"]

DEFAULT_SIZE: Final = 56_209
"""The number of LF tokens in the paper."""

_FEW: Final = 5  # names that are looked for line by line before there is an index of them
SMALLEST, LARGEST = 1_000, 1_000_000


@lru_cache(maxsize=4)
def load_catalogue(size: int = DEFAULT_SIZE) -> Catalogue:
    """The catalogue that comes with grammax, with exactly `size` LF tokens, 1,000 to 1,000,000.

    Smaller ones leave out the long tail, mostly companies; ones above 57,800 add listings of
    companies by exchange (see `catalogue_listings`).
    """
    return read_catalogue(DEFAULT_FILE, size)


def read_catalogue(path: Path, size: int = DEFAULT_SIZE) -> Catalogue:
    """A catalogue from another file of the same format."""
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(
            f"the size is {size:,}; a catalogue has {SMALLEST:,} to {LARGEST:,} tokens"
        )
    contents = read_contents(path)
    digest = blake2b(contents.digest + size.to_bytes(4, "big"), digest_size=6)
    return Catalogue(Tables.of(contents, size), digest.hexdigest())


@final
class Catalogue:
    """Fields, values and currencies by token; immutable, and equal in content if in `version`.

    All mappings are in order of commonness, the most common first. `values` are the enum values
    that may follow a field; `currencies`, of type CURRENCY, follow numbers and are not among them.
    """

    fields: Mapping[str, Field]
    values: Mapping[str, Value]
    currencies: Mapping[str, Value]
    value_types: Mapping[str, ValueType]
    version: str
    """A short hash of all that the catalogue holds; after changes the base's, and one of them."""
    ranking: tuple[str, ...]
    """The tokens of all fields, values and currencies, the most common first."""
    base: Catalogue
    """The catalogue without changes: itself, if it has none."""
    changes: Changes
    """What was added to `base`, and removed from it."""

    def __init__(
        self,
        tables: Tables,
        version: str,
        base: Catalogue | None = None,
        changes: Changes | None = None,
    ) -> None:
        self.base = base or self
        self.changes = changes or Changes()
        self.version = version
        self._tables = tables
        self.ranking = tables.ranking
        self.fields = Lazy(tables.fields, lambda _, line: decode_field(line))
        self.currencies = Lazy(tables.currencies, lambda _, line: decode_value(line))
        self.values = Lazy(tables.values, self._value)
        self.value_types = MappingProxyType(tables.types)
        self._names: dict[str, dict[str, str]] = {}  # tokens of a kind by name, once made
        self._asked = 0

    def __len__(self) -> int:
        """The number of LF tokens, fixed ones included."""
        return len(FIXED_TOKENS) + len(self.ranking)

    def __contains__(self, token: object) -> bool:
        return token in self.values or token in self.fields or token in self.currencies

    def __repr__(self) -> str:
        return f"<Catalogue {self.version}: {len(self):,} tokens, {len(self.fields):,} fields>"

    def with_values(self, values: Sequence[NewValue]) -> Catalogue:
        """With values and fields of known types added; `ChangesRefused` if some cannot be.

        >>> wider = load_catalogue().with_values([NewValue("Wakanda", "country", ("wakandan",))])
        >>> wider.wordings("COU_WAKANDA")
        ('Wakanda', 'wakandan')
        """
        found = resolved(values, Known(self.base.kinds, self.__contains__, self._token_named))
        removed = set(self.changes.removed)
        back = {v.token for v in found if v.token in removed and self._was(v)}
        changes = self.changes.restoring(back)
        return self._changed(changes.adding([v for v in found if v.token not in back]))

    def without_values(self, tokens: Sequence[str]) -> Catalogue:
        """With values and fields removed; `ChangesRefused` if some cannot be."""
        require_removable(tokens, self, self._tables.of_kind)
        return self._changed(self.changes.removing(tokens))

    def with_changes(self, changes: Changes) -> Catalogue:
        """The base with changes, as far as they are any: it may have some of them already."""
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

    def kind_of(self, token: str) -> Kind:
        """The kind of a field, value or currency."""
        field = self.fields.get(token)
        if field is not None:
            return self.base.kinds[f"{field.type} field".lower()]
        value = self.values.get(token) or self.currencies.get(token)
        if value is None:
            raise self._unknown(token)
        return self.base.kinds[value.type.lower()]

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """The kinds that can grow, by all that they may be called, in small letters."""
        return kinds_of(self.value_types)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The tokens by type, as the grammars need them."""
        by_type: dict[str, list[str]] = {}
        for token, field in self.fields.items():
            by_type.setdefault(field.type, []).append(token)
        enums = tuple(
            EnumType(name, tuple(by_type[name]), tuple(self._tables.tokens[name]), type_.ordered)
            for name, type_ in self.value_types.items()
            if name != CURRENCY
        )
        numbers = tuple(_number_type(name, tuple(by_type[name])) for name in NUMBER_TYPES)
        return Lexicon(enums, numbers, tuple(self.currencies))

    def values_of(self, type_: str) -> tuple[str, ...]:
        """The tokens of a type's values, the most common first."""
        return tuple(self._tables.tokens[type_])

    def children(self, token: str) -> tuple[str, ...]:
        """The values directly below one: countries of a region, industries of a sector.

        Groups such as COU_G7 are no country's parent, and have their members as children.
        """
        self._require(token)
        return self._children.get(token, ())

    def descendants(self, token: str) -> tuple[str, ...]:
        """The value itself and all below it, inner ones and leaves, each once."""
        self._require(token)
        found = {token: None}
        waiting = [token]
        while waiting:
            below = [t for t in self._children.get(waiting.pop(), ()) if t not in found]
            found |= dict.fromkeys(below)
            waiting += below
        return tuple(found)

    def name_of(self, token: str) -> str:
        """The name of a field, value or currency; a fixed token is its own."""
        if token in FIXED_TOKENS:
            return token
        return self.wordings(token)[0]

    def wordings(self, token: str) -> tuple[str, ...]:
        """What a field, value or currency is called: its name, then its aliases."""
        line = self._tables.line(token)
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
        for token, line in self._tables.values.items():
            columns = line.split("\t", 5)
            if len(columns) > 4 and columns[4]:
                found.setdefault(columns[4], []).append(token)
        for token in self._tables.listings:
            found.setdefault(issuer_of(token), []).append(token)
        for group, members in self._tables.groups.items():
            found.setdefault(group, []).extend(t for t in members if t in self.values)
        return {token: tuple(below) for token, below in found.items()}

    def _value(self, token: str, line: str) -> Value:
        return decode_value(line) if line else listing(token, self.base.values)

    def _token_named(self, kind: Kind, name: str) -> str | None:
        """The token of that kind with a name in small letters."""
        base = self.base
        if kind.name not in base._names and base._asked < _FEW:
            base._asked += 1
            token = base._tables.find_named(kind, name)
        else:
            if kind.name not in base._names:  # that of companies takes 20 ms
                base._names[kind.name] = base._tables.named(kind)
            token = base._names[kind.name].get(name)
        if token is None or token in self.changes.removed:
            return self._added_names.get((kind.name, name))
        return token

    @cached_property
    def _added_names(self) -> dict[tuple[str, str], str]:
        return {(v.kind, v.name.casefold()): v.token for v in self.changes.added}

    def _was(self, value: NewValue) -> bool:
        """Whether the base holds a value just so."""
        return (value.name, *value.aliases) == self.base.wordings(value.token)

    def _changed(self, changes: Changes) -> Catalogue:
        """The base with changes that are known to be right."""
        base = self.base
        if not changes:
            return base
        tables = base._tables.changed(changes, base.kinds)
        return Catalogue(tables, f"{base.version}+{changes.digest}", base, changes)

    def _require(self, token: str) -> None:
        if token not in self:
            raise self._unknown(token)

    def _unknown(self, token: str) -> UnknownToken:
        close = nearest(token, self.ranking)
        hint = f" Did you mean {' or '.join(close)}?" if close else ""
        message = f"{token!r} is no field, value or currency of the catalogue.{hint}"
        return UnknownToken(token, message, close)


def _number_type(name: str, fields: tuple[str, ...]) -> NumberType:
    """Money takes a denomination and a currency, percentages PCT or BPS, counts a denomination."""
    money = name in ("MONEY", "PER_SHARE")
    return NumberType(
        name,
        fields,
        denominations=money or name == "COUNT",
        currencies=money,
        percentages=name in ("RATIO", "PERCENT"),
    )
