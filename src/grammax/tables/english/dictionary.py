"""`Dictionary`: the fields of a catalogue as people look them up, with units and usual values.

>>> from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
>>> from grammax.tables.schema import Entity, EnumType, NumberType, Schema
>>> schema = Schema(
...     "films",
...     Entity("film", "films"),
...     (EnumType("GENRE", "GEN_", "genre"),),
...     (NumberType("MINUTES", unit="minutes", semantic="DURATION"),),
... )
>>> fields = [Field("FLD_GENRE", "GENRE", "Genre"), Field("FLD_LENGTH", "MINUTES", "Length")]
>>> values = [Value("GEN_WAR", "GENRE", "War")]
>>> dictionary = Dictionary(Catalogue.from_entries(schema, fields, values))
>>> dictionary.search("len"), dictionary.entry("FLD_LENGTH")[2:4]
(['FLD_LENGTH'], ('duration', 'minutes'))
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Final, final

from grammax.language.capabilities import FieldEntry, NamedToken
from grammax.tables.catalogue.catalogue import Catalogue, Field
from grammax.tables.english.likelihood import Likelihood
from grammax.tables.english.wordings import UNIT_SIGNS
from grammax.text import fold_letters

_LIKELIEST: Final = 12  # values
_SIGNS: Final = re.compile(r"[^\w/&]+")
_JOINING: Final = re.compile(r" ?([/&]) ?")  # "p / e" is "p/e"


@final
class Dictionary:
    """The fields of a catalogue, plain ones first, the likeliest first.

    `defaults` are fields that answers show unasked.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        defaults: Collection[str] = (),
        likelihood: Likelihood | None = None,
    ) -> None:
        self._catalogue, self._defaults = catalogue, frozenset(defaults)
        self._likelihood = likelihood or Likelihood(catalogue)

    def search(self, text: str = "") -> list[str]:
        """The fields that have a text in one of their names; without a text all of them.

        Exact names come first, then names that begin with the text, then words that do.
        """
        wanted = _folded(text)
        if not wanted:
            return list(self._names)
        ranks = {token: self._rank(names, wanted) for token, names in self._names.items()}
        found = [token for token, rank in ranks.items() if rank is not None]
        return sorted(found, key=lambda token: ranks[token] or 0)

    def entry(self, token: str) -> FieldEntry:
        """One field."""
        field = self._catalogue.fields[token]
        return FieldEntry(
            token,
            field.name,
            type_of_field(field, self._catalogue),
            unit_of_field(field, self._catalogue) or None,
            field.aliases,
            field.description,
            tuple(self._values(field)),
            token in self._defaults,
        )

    def _values(self, field: Field) -> Iterator[NamedToken]:
        """The likeliest values of an enum."""
        if field.type in self._catalogue.value_types:
            values = self._catalogue.values_of(field.type)
            for token in self._likelihood.likeliest(values)[:_LIKELIEST]:
                yield NamedToken(token, self._catalogue.name_of(token))

    @cached_property
    def _names(self) -> dict[str, tuple[str, ...]]:
        """The folded names of each field, in order: those named after their base come last."""
        fields = self._catalogue.fields
        derived = {token: _is_named_after(field, fields.get(field.base or "")) for token, field in
                   fields.items()}  # fmt: skip
        return {
            token: tuple(map(_folded, self._catalogue.wordings(token)))
            for token in sorted(fields, key=lambda token: derived[token])
        }

    @staticmethod
    def _rank(names: tuple[str, ...], wanted: str) -> int | None:
        if wanted in names:
            return 0
        if any(name.startswith(wanted) for name in names):
            return 1
        if any(f" {wanted}" in name for name in names):
            return 2
        return 3 if any(wanted in name for name in names) else None


def type_of_field(field: Field, catalogue: Catalogue) -> str:
    """ "enum", "text", "date", or the class or the type of a number in lower case."""
    if field.type in catalogue.value_types:
        return "enum"
    if field.type not in catalogue.schema.number_types:
        return "text"
    number = catalogue.schema.number(field.type)
    return "date" if number.dates else (number.semantic or number.name).lower()


def unit_of_field(field: Field, catalogue: Catalogue) -> str:
    """The unit of a field's numbers: "USD", "%", "minutes", or nothing."""
    schema = catalogue.schema
    if field.type not in schema.number_types:
        return ""
    number = schema.number(field.type)
    if number.units and schema.unit is not None:
        return schema.unit.default.removeprefix(schema.enum(schema.unit.type).prefix)
    unit = field.unit or number.unit
    return UNIT_SIGNS.get(unit, unit)


def _is_named_after(field: Field, base: Field | None) -> bool:
    """Whether a computed field is only its base with an addition: "Revenue, 5-year average"."""
    return base is not None and _folded(field.name).startswith(_folded(base.name))


def _folded(name: str) -> str:
    return _JOINING.sub(r"\1", _SIGNS.sub(" ", fold_letters(name))).strip()
