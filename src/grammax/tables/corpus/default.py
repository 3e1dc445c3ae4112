"""`default_style`: derives a corpus style from a schema and its catalogue.

All enum types are drawn equally often. The wording of values depends on the type:

| type | realised as |
|---|---|
| `ordered` | a `Scale`: "with a grade above PG" |
| the type that follows "in" (`Completions.place`) | a `Place`: "french", "from france" |
| `plural` | a `Category`: "thrillers", "drama films" |
| any other | a `Name`: "directed by agnès varda", "whose director is agnès varda" |

The style of numbers depends on the units and denominations of their type. Queries have no times,
because a schema does not say which fields have a history. Where fields have none, questions are
drawn by the semantic classes of the types (`questions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.corpus.lexicaliser import Lexicaliser, WordRules
from grammax.tables.corpus.numbers import (
    Counts,
    Measures,
    NumberStyle,
    Percentages,
    Prices,
    Sums,
    UnitWords,
    Years,
)
from grammax.tables.corpus.questions.mix import DEFAULT_QUESTIONS
from grammax.tables.corpus.realise import Category, Name, Place, Realiser, Scale, Templates
from grammax.tables.corpus.style import CorpusStyle, Drawing, Frames
from grammax.tables.english.phrases import lowered, place_name
from grammax.tables.schema import EnumType, NumberType, Phrase, Schema

_PLURALS: Final = re.compile(r".*(?<![sui])s")
_AMBIGUOUS: Final = frozenset(
    ("a", "an", "and", "at", "by", "for", "from", "in", "it", "no", "not", "of", "on", "or", "the",
     "to", "top", "with")
)  # fmt: skip
_COMPARED: Final = {
    "EQ": ("with a {r} of {v}",),
    "GE": ("with a {r} of at least {v}", "with a {r} of {v} or higher"),
    "GR": ("with a {r} above {v}", "with a {r} higher than {v}"),
    "LE": ("with a {r} of at most {v}", "with a {r} of {v} or lower"),
    "LS": ("with a {r} below {v}", "with a {r} lower than {v}"),
}
_COMPARED_BARE: Final = {
    "EQ": ("{r} {v}", "{r} = {v}"),
    "GE": ("{r} >= {v}", "{r} at least {v}", "{r} {v} or higher"),
    "GR": ("{r} > {v}", "{r} above {v}", "{r} higher than {v}"),
    "LE": ("{r} <= {v}", "{r} at most {v}", "{r} {v} or lower"),
    "LS": ("{r} < {v}", "{r} below {v}", "{r} lower than {v}"),
}
_WORDINGS: Final = 3  # of a field, in templates
_BARE_EXCLUDED: Final = ("not {v}", "no {v}", "excluding {v}", "ex {v}")


@lru_cache(maxsize=4)
def default_style(catalogue: Catalogue) -> CorpusStyle:
    """The default style of a schema and its catalogue; `dataclasses.replace` adapts it."""
    schema = catalogue.schema
    rules = WordRules(ambiguous=_AMBIGUOUS)
    words = Lexicaliser(catalogue, rules)
    fields = _fields_by_type(catalogue)
    enums = [enum for enum in schema.enums if enum.name in fields]
    realisers = {enum.name: _realiser(enum, fields[enum.name], words) for enum in enums}
    return CorpusStyle(
        (schema.entity.plural,),
        realisers,
        {number.name: _numbers(number, schema) for number in schema.numbers},
        _drawing(catalogue, enums, fields, realisers),
        rules,
        _frames(schema, realisers),
        questions=None if schema.history else DEFAULT_QUESTIONS,
    )


def _fields_by_type(catalogue: Catalogue) -> dict[str, list[str]]:
    """The enum fields that have values, by type."""
    unit = catalogue.schema.unit
    types = {type_ for type_ in catalogue.value_types if catalogue.values_of(type_)}
    types -= set() if unit is None else {unit.type}
    found: dict[str, list[str]] = {}
    for token, field in catalogue.fields.items():
        if field.type in types:
            found.setdefault(field.type, []).append(token)
    return found


def _realiser(enum: EnumType, fields: Sequence[str], words: Lexicaliser) -> Realiser:
    schema = words.catalogue.schema
    if enum.ordered:
        return Scale(after_templates=_COMPARED, bare_templates=_COMPARED_BARE)
    if enum.name == schema.completions.place:
        return Place(_templates(fields, words, place=True), frozenset(fields[:1]))
    if enum.plural:
        return Category(_templates(fields, words), _PLURALS, preposition="that are")
    return Name(_templates(fields, words))


def _templates(fields: Sequence[str], words: Lexicaliser, place: bool = False) -> Templates:
    """Templates of each field; bare values refer to the first field of their type."""
    phrases = words.catalogue.schema.phrases
    after: dict[str, tuple[str, ...]] = {}
    excluded: dict[str, tuple[str, ...]] = {}
    for token in fields:
        nouns = words.field(token) or (lowered(words.catalogue.fields[token].name),)
        phrase = _phrase(phrases.get(token))
        before = ("in {v}", "from {v}") if place and token == fields[0] else phrase
        after[token] = (*before, *_stated(nouns[:_WORDINGS], words))
        excluded[token] = (
            *(f"not {template}" for template in before),
            *(template.replace(" {v}", " not {v}") for template in _whose(nouns[:1], words)),
            "excluding {v}",
        )
    bare = {fields[0]: _BARE_EXCLUDED}
    naming = place_name if place else str
    return Templates(after, excluded, bare, either=("in", "from"), naming=naming)


def _phrase(phrase: Phrase | None) -> tuple[str, ...]:
    return () if phrase is None else (phrase.template.replace("{}", "{v}"),)


def _stated(nouns: Iterable[str], words: Lexicaliser) -> tuple[str, ...]:
    nouns = tuple(nouns)
    return (*_whose(nouns, words), *(f"with {{v}} as {noun}" for noun in nouns))


def _whose(nouns: Iterable[str], words: Lexicaliser) -> tuple[str, ...]:
    is_plural = words.rules.fields.is_plural
    return tuple(f"whose {noun} {'are' if is_plural(noun) else 'is'} {{v}}" for noun in nouns)


def _numbers(number: NumberType, schema: Schema) -> NumberStyle:
    """A number style that suits the type."""
    if number.units and schema.unit is not None:
        unit_words = UnitWords(schema.unit.symbols)
        return Sums(unit_words) if number.denominations else Prices(unit_words)
    if number.percentages:
        return Percentages()
    if number.denominations:
        return Counts()
    if "year" in (number.name.lower(), number.unit):
        return Years()
    return Measures(number.unit, number.decimals)


def _drawing(
    catalogue: Catalogue,
    enums: Sequence[EnumType],
    fields: Mapping[str, Sequence[str]],
    realisers: Mapping[str, Realiser],
) -> Drawing:
    unordered = [enum.name for enum in enums if not enum.ordered]
    nested = [t for t in unordered if any(map(catalogue.children, catalogue.values_of(t)))]
    return Drawing(
        types={enum.name: 1 for enum in enums},
        fields={type_: dict.fromkeys(tokens, 1) for type_, tokens in fields.items()},
        compared=frozenset(enum.name for enum in enums if enum.ordered),
        alternatives=frozenset(unordered),
        excluded=dict.fromkeys(unordered, 1),
        nested=frozenset(nested),
        leaves=dict.fromkeys(nested, 0.7),
        grouped=_grouped(unordered, realisers),
    )


def _grouped(types: Sequence[str], realisers: Mapping[str, Realiser]) -> tuple[str, str] | None:
    """Pairs of types for "or" groups: a category as the noun, and another type."""
    noun = next((t for t in types if isinstance(realisers[t], Category)), None)
    other = next((t for t in types if t != noun), None)
    return None if noun is None or other is None else (other, noun)


def _frames(schema: Schema, realisers: Mapping[str, Realiser]) -> Frames:
    """Categories are mostly the noun; participles of the schema's phrases may follow "are"."""
    first_words = [phrase.template.split()[0] for phrase in schema.phrases.values()]
    participles = [f"{word} " for word in first_words if word not in ("with", "whose", "that")]
    places = [type_ for type_, made in realisers.items() if isinstance(made, Place)]
    categories = [type_ for type_, made in realisers.items() if isinstance(made, Category)]
    return Frames(
        before=dict.fromkeys(places, 0.6) | dict.fromkeys(categories, 0.5),
        nouns=dict.fromkeys(categories, 0.7),
        after_are=("in ", "from ", "not ", *participles),
    )
