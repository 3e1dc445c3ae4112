"""What a person may call a field, a value or a currency, without being misunderstood.

A wording that several tokens share belongs to the most common of them. In its own frame ("listed
on tokyo") a wording must be its token's among those of the type; said bare ("tokyo banks") among
all tokens.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.keys import key, singular
from grammax.tables.english.phrases import lowered

_CODES: Final = re.compile(r"gics \d+|[a-z]{4}\d+[a-z]*|x[a-z]{3}|\w{12,}\d+\w*")
_FORMAL: Final = re.compile(
    r".*(republic|kingdom|sultanate|principality|federa|confederation|state of|states of america"
    r"|sar\b|[a-z] state$"
    r"|association|, inc|\bltd|s\.p\.a|\ba/s|\bab$|\bllc|\bhf\.|\bag$| inc\.$|great britain and)"
)
_SHORT_PLACES: Final = frozenset(
    ("us", "uk", "usa", "uae", "hk", "em", "dm", "gcc", "cis", "cee", "emu", "g7", "g10", "g20")
)
_LEVEL: Final = re.compile(r".*(\((group|industry|sub-industry|sector)\)|(sector|industry))$")
_NO_NOUN: Final = re.compile(
    r"(rated|held|owned|covered|listed|traded|based|domiciled|headquartered|incorporated"
    r"|registered|exposed|in|people|shorted)\b.*|.*\b(in|on|of|to|by|from)$|.* (and|or) .*"
    r"|.*(today|this year|past (year|month|quarter)).*|.*, .*, .*"
)
_NO_WORDS: Final = frozenset(
    ("per", "cap", "close", "quote", "market", "name", "stock", "firm", "business", "add", "avoid",
     "core", "common", "it", "ads", "ps", "income", "size", "target", "institutions", "staff")
)  # fmt: skip
_EX: Final = re.compile(r".*\b(ex|excluding|without)\b.*|.*-ex-.*")
_PERSON: Final = re.compile(r".*(lander|bourger|steiner)|kiwi|n?i-.*|(grand|common|union).* of .*")
_NO_ADJECTIVE: Final = re.compile(
    r".*(countries|economies|members|states|union)|the .*|.* (and|&) .*", re.I
)
_DEMONYM: Final = re.compile(
    r".*(ian|ean|[^p]an|ese|ish|nch|tch|eek|thai|swiss|[ltdw]ic|aeli|saudi|emirati|ani|eti"
    r"|tine|pine|pino|aussie|eastern|nic|tari|waiti|aini|deshi|raqi|meni|pali|mali|swazi|azeri"
    r"|czech|slovak|slovene|cypriot|gasque|kazakh|kyrgyz|tajik|turkmen|uzbek|kosovar|negrin|gasy"
    r"|manx|nigerien|hellois|nabe|otho|tswana|myanma)"
)


@final
class Names:
    """The usable wordings of a catalogue's tokens, the likeliest first; empty if there is none."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._bare: dict[str, str] = {}
        self._typed: dict[tuple[str, str], str] = {}
        for token in catalogue.ranking:
            type_ = token.partition("_")[0]
            for each in dict.fromkeys(map(key, catalogue.wordings(token))):
                self._bare.setdefault(each, token)
                self._typed.setdefault((type_, each), token)
        self._kept: dict[tuple[str, bool], tuple[str, ...]] = {}

    def field(self, token: str) -> tuple[str, ...]:
        """The nouns for a field: "p/e ratio", "p/e", "price to earnings"."""
        return self._of(token, bare=True)

    def value(self, token: str, bare: bool = False) -> tuple[str, ...]:
        """The wordings of a value, or those that need no frame to be understood."""
        return self._of(token, bare)

    def adjectives(self, token: str) -> tuple[str, ...]:
        """What stands before a noun for a country or region: "german", "hong kong"."""
        words = self._of(token, bare=True)
        short = tuple(word for word in words if not _NO_ADJECTIVE.fullmatch(word))
        return tuple(filter(is_demonym, words)) or short or words

    def places(self, token: str) -> tuple[str, ...]:
        """The names of a country or region: "germany"."""
        return tuple(word for word in self._of(token, bare=True) if not is_demonym(word))

    def _of(self, token: str, bare: bool) -> tuple[str, ...]:
        found = self._kept.get((token, bare))
        if found is None:
            name, *aliases = self.catalogue.wordings(token)
            if token in self.catalogue.fields:
                usual = _usual_field(token, name, aliases, self.catalogue.schema.proper)
            else:
                usual = _usual_value(token, name, aliases)
            words = [word for word in usual if self._owns(token, word, bare)]
            found = self._kept[token, bare] = tuple(dict.fromkeys(words))
        return found

    def _owns(self, token: str, word: str, bare: bool) -> bool:
        type_ = token.partition("_")[0]
        words = {key(word)} if type_ == "COU" else {key(word), key(singular(word))}
        for each in words:
            if self._typed.get((type_, each), token) != token:
                return False
            if bare and self._bare.get(each, token) != token:
                return False
        return not (bare and word.lower() in _NO_WORDS)


@lru_cache(maxsize=4)
def names_of(catalogue: Catalogue) -> Names:
    """The names of a catalogue; the index takes about a second and is made once."""
    return Names(catalogue)


def is_demonym(word: str) -> bool:
    """Whether a word for a place is an adjective.

    >>> [is_demonym(word) for word in ("german", "japan", "south korean", "Hong Kong", "nordic")]
    [True, False, True, False, True]
    """
    return word == word.lower() and not _EX.fullmatch(word) and bool(_DEMONYM.fullmatch(word))


def _usual_field(
    token: str, name: str, aliases: Sequence[str], proper: Collection[str]
) -> list[str]:
    """Nouns only, and no more than ten words: the aliases of variants grow very long."""
    words = [lowered(name, proper), *aliases] if "," not in name else [*aliases]
    if token == "FLD_MKT_CAP":
        words = words[1:]
    return [
        word
        for word in words
        if not _NO_NOUN.fullmatch(word) and word not in _NO_WORDS and len(word.split()) <= 7
    ]


def _usual_value(token: str, name: str, aliases: Sequence[str]) -> list[str]:
    """Without codes, official names, and levels of the classification."""
    words = [word for word in (name, *aliases) if not _CODES.fullmatch(word.lower())]
    words = [word for word in words if not _LEVEL.fullmatch(word.lower())]
    words = [word for word in words if word == name or not _FORMAL.match(word)]
    if token.startswith("COU_"):
        words = [w for w in words if len(w) > 3 or w.lower() in _SHORT_PLACES]
        words = [w for w in words if w == name or not (_EX.fullmatch(w) or w.endswith("region"))]
        words = [w for w in words if "," not in w and not _PERSON.fullmatch(w)]
    if token.startswith("SEC_") and len(words) > 1 and re.search("[,&]", name):
        words = words[1:] + words[:1]
    if token.startswith("ISS_"):
        words = [word for word in words if len(word) > 2 and not re.search(r" (na|vna|chf)$", word)]
    return words
