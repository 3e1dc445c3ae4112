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

from collections.abc import Mapping
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final, final

from grammax.domains.eqs.catalogue_entries import CURRENCY, NUMBER_TYPES, Field, Value, ValueType
from grammax.domains.eqs.catalogue_file import (
    DEFAULT_FILE,
    Contents,
    decode_field,
    decode_value,
    read_contents,
)
from grammax.domains.eqs.catalogue_lazy import Lazy
from grammax.domains.eqs.catalogue_listings import issuer_of, listing, listing_tokens
from grammax.domains.eqs.lexicon import FIXED_TOKENS, EnumType, Lexicon, NumberType
from grammax.errors import UnknownToken
from grammax.nearest import nearest

__all__ = ["Catalogue", "Field", "Value", "ValueType", "load_catalogue", "read_catalogue"]

DEFAULT_SIZE: Final = 56_209
"""The number of LF tokens in the paper."""

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
    return Catalogue(read_contents(path), size)


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
    """A short hash of all that the catalogue holds."""
    ranking: tuple[str, ...]
    """The tokens of all fields, values and currencies, the most common first."""

    def __init__(self, contents: Contents, size: int = DEFAULT_SIZE) -> None:
        values: dict[str, str] = {}
        fields: dict[str, str] = {}
        currencies: dict[str, str] = {}
        special = {"FIELD": fields, CURRENCY: currencies}
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
        self._listings = list(islice(extra, missing))
        values.update(dict.fromkeys(self._listings, ""))
        tokens["ISSUER"] += self._listings
        self._groups = contents.groups
        self._tokens = tokens
        self._lines = (values, fields, currencies)
        self.ranking = (*ranking, *self._listings)
        self.fields = Lazy(fields, lambda _, line: decode_field(line))
        self.currencies = Lazy(currencies, lambda _, line: decode_value(line))
        self.values = Lazy(values, self._value)
        self.value_types = MappingProxyType({type_.name: type_ for type_ in contents.types})
        content = contents.digest + size.to_bytes(4, "big")
        self.version = blake2b(content, digest_size=6).hexdigest()

    def __len__(self) -> int:
        """The number of LF tokens, fixed ones included."""
        return len(FIXED_TOKENS) + len(self.ranking)

    def __contains__(self, token: object) -> bool:
        return token in self.values or token in self.fields or token in self.currencies

    def __repr__(self) -> str:
        return f"<Catalogue {self.version}: {len(self):,} tokens, {len(self.fields):,} fields>"

    @cached_property
    def lexicon(self) -> Lexicon:
        """The tokens by type, as the grammars need them."""
        by_type: dict[str, list[str]] = {}
        for token, field in self.fields.items():
            by_type.setdefault(field.type, []).append(token)
        enums = tuple(
            EnumType(name, tuple(by_type[name]), tuple(self._tokens[name]), type_.ordered)
            for name, type_ in self.value_types.items()
            if name != CURRENCY
        )
        numbers = tuple(_number_type(name, tuple(by_type[name])) for name in NUMBER_TYPES)
        return Lexicon(enums, numbers, tuple(self.currencies))

    def values_of(self, type_: str) -> tuple[str, ...]:
        """The tokens of a type's values, the most common first."""
        return tuple(self._tokens[type_])

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
        values, fields, currencies = self._lines
        line = values.get(token) or fields.get(token) or currencies.get(token)
        if line is None:
            self._require(token)
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
        for token, line in self._lines[0].items():
            columns = line.split("\t", 5)
            if len(columns) > 4 and columns[4]:
                found.setdefault(columns[4], []).append(token)
        for token in self._listings:
            found.setdefault(issuer_of(token), []).append(token)
        for group, members in self._groups.items():
            found.setdefault(group, []).extend(t for t in members if t in self.values)
        return {token: tuple(below) for token, below in found.items()}

    def _value(self, token: str, line: str) -> Value:
        return decode_value(line) if line else listing(token, self.values)

    def _require(self, token: str) -> None:
        if token not in self:
            close = nearest(token, self.ranking)
            hint = f" Did you mean {' or '.join(close)}?" if close else ""
            message = f"{token!r} is no field, value or currency of the catalogue.{hint}"
            raise UnknownToken(token, message, close)


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
