"""Wordings: unambiguous names of fields, values and units for use in queries.

A wording that several tokens share belongs to the most common of them. Inside a phrase that implies
the type ("directed by lean"), a wording must belong to its token among the tokens of the type; bare
("lean dramas"), among all tokens.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.keys import key, singular
from grammax.tables.english.phrases import lowered

NEVER: Final = re.compile(r"(?!)")
"""A pattern that matches nothing."""

_FIELD: Final = ""  # placeholder for values with the name of their type
_EXCEPTING: Final = re.compile(r".*\b(ex|excluding|without)\b.*|.*-ex-.*")
_NO_ADJECTIVE: Final = re.compile(
    r".*(countries|economies|members|states|union)|the .*|.* (and|&) .*", re.I
)
_DEMONYM: Final = re.compile(
    r".*(ian|ean|[^p]an|ese|ish|nch|tch|eek|thai|swiss|[ltdw]ic|aeli|saudi|emirati|ani|eti"
    r"|tine|pine|pino|aussie|eastern|nic|tari|waiti|aini|deshi|raqi|meni|pali|mali|swazi|azeri"
    r"|czech|slovak|slovene|cypriot|gasque|kazakh|kyrgyz|tajik|turkmen|uzbek|kosovar|negrin|gasy"
    r"|manx|nigerien|hellois|nabe|otho|tswana|myanma)"
)
_AFTER_HEAD: Final = re.compile(r" (?:of|per|to|in|on|before|from|over)\b")


@final
@dataclass(frozen=True, slots=True)
class ValueWords:
    """Rules that select the wordings of a type's values from those in the catalogue."""

    dropped: re.Pattern[str] = NEVER  # a pattern of wordings that are not used
    dropped_aliases: re.Pattern[str] = NEVER
    min_length: int = 1
    short: frozenset[str] = frozenset()  # wordings shorter than `min_length` that are used
    name_last: re.Pattern[str] = NEVER  # names that are less usual than their aliases
    has_singular: bool = True  # whether the singular of a wording means the same value

    def usual(self, name: str, aliases: Sequence[str]) -> list[str]:
        """The wordings that are used, the likeliest first."""
        words = [word for word in (name, *aliases) if self._is_used(word, word == name)]
        if len(words) > 1 and self.name_last.search(name):
            return words[1:] + words[:1]
        return words

    def _is_used(self, word: str, is_name: bool) -> bool:
        if len(word) < self.min_length and word.lower() not in self.short:
            return False
        dropped = self.dropped.fullmatch(word)
        return not dropped and (is_name or not self.dropped_aliases.fullmatch(word))


@final
@dataclass(frozen=True, slots=True)
class FieldWords:
    """Rules that select the nouns among the wordings of fields, and their grammar."""

    dropped: re.Pattern[str] = re.compile(r".*\b(in|on|of|to|by|from)|.* (and|or) .*")
    without_name: frozenset[str] = frozenset()  # fields that are only called by their aliases
    max_words: int = 7  # the aliases of derived fields can be very long
    vowel: re.Pattern[str] = re.compile(r"(?!one)[aeio8]|(?-i:[FHLMNRSX][A-Z])", re.I)  # "an"
    plural: re.Pattern[str] = re.compile(r".*(?<![suia])s|(wo)?men|people")
    never_plural: re.Pattern[str] = NEVER  # singular nouns that look like plurals
    uncountable: re.Pattern[str] = NEVER  # words in nouns that take no article
    singular: re.Pattern[str] = NEVER  # nouns of a mass type that take an article

    def usual(
        self, token: str, name: str, aliases: Sequence[str], proper: Collection[str]
    ) -> list[str]:
        """The nouns for a field, the likeliest first; `proper` words stay capitalised."""
        words = [lowered(name, proper), *aliases] if "," not in name else [*aliases]
        if token in self.without_name:
            words = words[1:]
        short = (word for word in words if len(word.split()) <= self.max_words)
        return [word for word in short if not self.dropped.fullmatch(word)]

    def is_plural(self, word: str) -> bool:
        """Whether a noun for a field is a plural.

        >>> [FieldWords().is_plural(noun) for noun in ("awards", "awards per year", "gross")]
        [True, True, False]
        """
        head = _AFTER_HEAD.split(word)[0]
        return bool(self.plural.fullmatch(head)) and not self.never_plural.fullmatch(word)

    def article(self, word: str) -> str:
        """ "a" or "an" """
        return "an" if self.vowel.match(word) else "a"

    def with_article(self, word: str, mass: bool) -> str:
        """A noun after "with": "a length", "awards"; `mass` nouns take no article."""
        if mass and not self.singular.fullmatch(word):
            return word
        if self.is_plural(word) or self.uncountable.search(word):
            return word
        return f"{self.article(word)} {word}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class WordRules:
    """Rules that select the wordings of a catalogue."""

    fields: FieldWords = FieldWords()
    values: Mapping[str, ValueWords] = field(default_factory=dict)  # by type
    other_values: ValueWords = ValueWords()  # for types that are not in `values`
    ambiguous: frozenset[str] = frozenset()  # words that are too ambiguous to be used bare

    def of_values(self, type_: str) -> ValueWords:
        """The rules of a type."""
        return self.values.get(type_, self.other_values)


@final
class Lexicaliser:
    """The usable wordings of a catalogue's tokens, the likeliest first."""

    def __init__(self, catalogue: Catalogue, rules: WordRules) -> None:
        self.catalogue = catalogue
        self.rules = rules
        types = catalogue.value_types
        self._types = {token: type_ for type_ in types for token in catalogue.values_of(type_)}
        self._bare: dict[str, str] = {}
        self._typed: dict[tuple[str, str], str] = {}
        for token in catalogue.ranking:
            type_ = self._types.get(token, _FIELD)
            for each in dict.fromkeys(map(key, catalogue.wordings(token))):
                self._bare.setdefault(each, token)
                self._typed.setdefault((type_, each), token)
        self._found: dict[tuple[str, bool], tuple[str, ...]] = {}  # a cache

    def field(self, token: str) -> tuple[str, ...]:
        """The nouns for a field: "length", "running time"."""
        return self._wordings(token, bare=True)

    def value(self, token: str, bare: bool = False) -> tuple[str, ...]:
        """The wordings of a value, or only those that are unambiguous when bare."""
        return self._wordings(token, bare)

    def adjectives(self, token: str) -> tuple[str, ...]:
        """The adjectives of a place, used before a noun: "german", "hong kong"."""
        words = self._wordings(token, bare=True)
        short = tuple(word for word in words if not _NO_ADJECTIVE.fullmatch(word))
        return tuple(filter(is_demonym, words)) or short or words

    def places(self, token: str) -> tuple[str, ...]:
        """The names of a place: "germany"."""
        return tuple(word for word in self._wordings(token, bare=True) if not is_demonym(word))

    def is_known(self, text: str) -> bool:
        """Whether a text is a wording of any token."""
        return key(text) in self._bare

    def owner(self, text: str) -> str | None:
        """The most common token that has a text as a wording."""
        return self._bare.get(key(text))

    def _wordings(self, token: str, bare: bool) -> tuple[str, ...]:
        found = self._found.get((token, bare))
        if found is None:
            words = [word for word in self._usual(token) if self._owns(token, word, bare)]
            found = self._found[token, bare] = tuple(dict.fromkeys(words))
        return found

    def _usual(self, token: str) -> list[str]:
        name, *aliases = self.catalogue.wordings(token)
        type_ = self._types.get(token)
        if type_ is None:
            proper = self.catalogue.schema.proper
            return self.rules.fields.usual(token, name, aliases, proper)
        return self.rules.of_values(type_).usual(name, aliases)

    def _owns(self, token: str, word: str, bare: bool) -> bool:
        type_ = self._types.get(token, _FIELD)
        words = {key(word)}
        if type_ == _FIELD or self.rules.of_values(type_).has_singular:
            words.add(key(singular(word)))
        for each in words:
            if self._typed.get((type_, each), token) != token:
                return False
            if bare and self._bare.get(each, token) != token:
                return False
        return not (bare and word.lower() in self.rules.ambiguous)


def is_demonym(word: str) -> bool:
    """Whether a word for a place is an adjective.

    >>> [is_demonym(word) for word in ("german", "japan", "south korean", "Hong Kong", "nordic")]
    [True, False, True, False, True]
    """
    is_lower = word == word.lower() and not _EXCEPTING.fullmatch(word)
    return is_lower and bool(_DEMONYM.fullmatch(word))
