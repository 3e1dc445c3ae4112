"""`FilledTable`: what a query has to mention, and what it fills: numbers, times, texts, phrases."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final

from grammax.language.capabilities import Fillable
from grammax.language.domain import Tokens
from grammax.language.filling import Grounding, Mention
from grammax.language.phrases import Rephrased
from grammax.tables import grammar as rules
from grammax.tables import lexicon
from grammax.tables.catalogue.variants import (
    COMPARING,
    MOVES,
    MULTIPLES,
    QUARTERLY,
    YEARS,
    bases_of_quarters,
    growths,
    longer_growths,
    variant_names,
)
from grammax.tables.domain.base import CatalogueDomain
from grammax.tables.filling import filled, misfits, written_pieces
from grammax.tables.inspect.words import singular_of
from grammax.tables.mentions.reader import MentionReader
from grammax.tables.phrases.conditions import NoSuchValue, read_condition
from grammax.tables.phrases.queries import Phrases, all_rows
from grammax.tables.wording.cues import TableCues
from grammax.tables.wording.speech import semantic_of

FILLED: Final = "filled"  # the grammar with slots
_MENTIONED: Final = {
    "DATE": (lexicon.TIME,),
    "YEAR": (lexicon.TIME,),
    "MONEY": (lexicon.AMOUNT,),
    "PERCENT": (lexicon.PERCENT_NUMBER,),
}
_WRITTEN_ONLY: Final = (
    *("DIGIT", "DENOMINATION", "PERCENTAGE", "MONTH_NAME", "QUARTER_NAME", "SHORT_PERIOD"),
    *(f'"{word}"' for word in (lexicon.POINT, lexicon.LAST, lexicon.FISCAL_YEAR)),
)


class FilledTable(CatalogueDomain, Fillable):
    """Fields, values, numbers, times and texts that can only be taken from the query."""

    filled_grammar = FILLED

    def cues(self, token: str) -> Sequence[str]:
        """Words that may refer to a field or a value without being one of its names."""
        own = self._parts.cues(token)
        if not self.catalogue.schema.history:
            return (*own, *self._class_cues(token))
        return (*own, *variant_names(token, self.catalogue))

    @cached_property
    def _class_cues(self) -> TableCues:
        return TableCues(self.catalogue)

    @cached_property
    def grounding(self) -> Grounding:
        """Fields, values, numbers, times and texts must be in the query.

        A value makes the fields of its type available; the default measure always is, and in a
        schema without history so is the name of a row. There, a time is of any date, an amount or a
        percentage of any field of that class, and a text of any field that is searched.
        """
        lexicon_, schema = self.catalogue.lexicon, self.catalogue.schema
        values = {rules.value_kind(enum): enum.fields for enum in lexicon_.enums}
        fields = [rules.field_kind(type_) for type_ in lexicon_.types]
        types = {rules.value_kind(enum): schema.enum(enum.name) for enum in lexicon_.enums}
        filled_kinds = (*lexicon.FILLED, *(() if schema.history else (lexicon.TEXT,)))
        return Grounding(
            kinds=frozenset((*filled_kinds, *values, *fields)),
            implied=values | self._implied(),
            always=tuple(token for token in (schema.measure, self._label) if token is not None),
            unused=frozenset((*_WRITTEN_ONLY, lexicon_.unit_kind)),
            values=frozenset(values),
            open=frozenset(kind for kind, type_ in types.items() if type_.open),
            coded=frozenset(kind for kind, type_ in types.items() if type_.codes),
            places=frozenset(kind for kind, type_ in types.items() if type_.place),
            neutral=frozenset((*self.nouns, *self._parts.nouns)),
            turns=(
                (MOVES, growths(self.catalogue)),
                (YEARS, longer_growths(self.catalogue)),
                (MULTIPLES, dict(schema.multiples)),
                (COMPARING, dict(schema.levels)),
                (QUARTERLY, bases_of_quarters(self.catalogue)),
            ),
        )

    def _implied(self) -> dict[str, tuple[str, ...]]:
        """What a mention makes available, by its kind; the name of a boolean field, its values."""
        schema = self.catalogue.schema
        if schema.history:
            return {} if schema.price is None else {lexicon.AMOUNT: (schema.price,)}
        found: dict[str, list[str]] = {lexicon.TEXT: [*self.catalogue.lexicon.searched]}
        for token, known in self.catalogue.fields.items():
            semantic = semantic_of(known, schema)
            for kind in _MENTIONED.get(semantic, ()):
                found.setdefault(kind, []).append(token)
            if semantic == "BOOLEAN":
                found[f"{known.type}_FIELD"] = list(self.catalogue.values_of(known.type))
        return {kind: tuple(tokens) for kind, tokens in found.items()}

    def mentions(self, text: str) -> Sequence[Mention]:
        """The numbers, times and texts in a text."""
        return self._mention_reader.read(text)

    @cached_property
    def _mention_reader(self) -> MentionReader:
        return MentionReader.from_catalogue(self.catalogue)

    def unread(self, text: str) -> Sequence[tuple[int, int]]:
        """Numbers and times that could not be read."""
        return self._mention_reader.scan(text).unread

    def filled(self, tokens: Tokens, mentions: Sequence[Mention]) -> Tokens:
        """A logical form with slots for what the query mentions."""
        catalogue, units = self.catalogue, self._mention_reader.units
        return filled(tokens, mentions, catalogue.fields, catalogue.dates, units)

    def written_pieces(self, tokens: Tokens, mentions: Sequence[Mention]) -> Sequence[Tokens]:
        """For each token the tokens that it stands for."""
        return tuple(written_pieces(tokens, mentions, self._mention_reader.units))

    def misfits(self, tokens: Tokens, mentions: Sequence[Mention]) -> Sequence[int]:
        """The mentions whose unit their column cannot have."""
        return misfits(tokens, mentions, self._mention_reader.units)

    def without_phrases(self, text: str) -> Rephrased | None:
        """A query without the phrases that were taught, and their conditions.

        One for all rows is a phrase, too: "show all films".
        """
        if self._parts.phrases or self._parts.synonyms:
            found = self.phrases.read(text)
            if found is not None and not found.text:
                return found
        else:
            found = None
        shown = self._shown_of_all
        others = (noun for noun in self._parts.nouns if singular_of(noun) != noun)
        nouns = (*self.nouns, *others, *self._parts.synonyms)
        return (all_rows(text, nouns, shown) if shown else None) or found

    @cached_property
    def _shown_of_all(self) -> Tokens:
        """A form that shows one column of all rows; empty if there is no such column."""
        schema, fields = self.catalogue.schema, self.catalogue.fields
        numbers = (token for token, field in fields.items() if field.type in schema.number_types)
        wanted = (schema.measure, *schema.default_columns, *numbers, self._label, *fields)
        token = next((token for token in wanted if token in fields), None)
        return () if token is None else ("(", "display", token, ")")

    @cached_property
    def phrases(self) -> Phrases:
        """The phrases that can be used; raises `BadCondition` if one is no condition.

        One that names a value which the data no longer has is left out.
        """
        found: dict[str, Tokens] = {}
        for phrase, means in self._parts.phrases.items():
            with suppress(NoSuchValue):
                found[phrase] = read_condition(
                    means, self.catalogue, self.mentions, self.written_pieces
                )
        catalogue = self.catalogue
        names = (name for token in catalogue.ranking for name in catalogue.wordings(token))
        return Phrases(found, self.nouns, self._parts.synonyms, names)
