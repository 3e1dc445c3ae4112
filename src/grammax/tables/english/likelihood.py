"""`Likelihood`: how likely names and phrases are in a query, so that completions can be ranked.

The weight of a field or a value is how often people's queries mention it, as far as such queries
are known, and what its place in the catalogue's order of commonness adds. A name is less likely the
later it comes among the names of its token, and the more has to be added to what was typed.

>>> from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
>>> from grammax.tables.schema import Entity, EnumType, Schema
>>> schema = Schema("films", Entity("film", "films"), (EnumType("PLACE", "PLC_", "place"),))
>>> names = "New York", "Newark", "Newport"
>>> values = [Value("PLC_" + name.upper().replace(" ", "_"), "PLACE", name) for name in names]
>>> catalogue = Catalogue.from_entries(schema, [Field("FLD_PLACE", "PLACE", "Place")], values)
>>> before, after = Likelihood(catalogue), Likelihood(catalogue, {"PLC_NEWPORT": 20})
>>> before.best_name("PLC_NEWARK", "new"), before.likeliest(catalogue.values)[0]
(('Newark', 3.43), 'PLC_NEW_YORK')
>>> after.likeliest(catalogue.values)[0]
'PLC_NEWPORT'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.keys import key

_TOP: Final = 4.0  # the weight of the commonest token, if no query is known
_HALF: Final = 64  # the place in the order of commonness at which it is half of that
_LATER: Final = 0.3  # what each name before it takes from an alias
_WORD: Final = 0.6  # what remains of the likelihood with each word to add
_LETTER: Final = 0.96  # and with each letter
_TOKEN: Final = re.compile(r"\w+")
_OF_VALUE: Final = re.compile(r"\b\w+ N?EQ (?=[A-Za-z])")
_SPACE: Final = re.compile(r"[\W_]+")


def mentioned(pairs: Iterable[tuple[str, str]], catalogue: Catalogue) -> Counter[str]:
    """How many queries mention each field and value, from queries with their logical forms.

    The field that has a value is not counted, because few queries name it: "comedies".
    """
    counts: Counter[str] = Counter()
    for _, lf in pairs:
        named = _TOKEN.findall(_OF_VALUE.sub("", lf))
        counts.update({token for token in named if token in catalogue})
    return counts


def spaced(name: str) -> str:
    """In lower case, with spaces for punctuation: "in ger" does not begin Ingersoll."""
    return _SPACE.sub(" ", name.lower()).strip()


@final
class Likelihood:
    """The likelihood of names, not normalised; `counts` says how many queries mention a token."""

    def __init__(self, catalogue: Catalogue, counts: Mapping[str, int] | None = None) -> None:
        self._catalogue, self.counts = catalogue, counts or {}

    def weight(self, token: str) -> float:
        """How likely a query is about a field or a value."""
        place = self._places.get(token, len(self._places))
        return self.counts.get(token, 0) + _TOP / (1 + place / _HALF)

    def likeliest(self, tokens: Iterable[str]) -> list[str]:
        """Tokens in the order of their weight."""
        return sorted(tokens, key=lambda token: -self.weight(token))

    def best_name(self, token: str, typed: str) -> tuple[str, float] | None:
        """The likeliest name of a token that goes on from what was typed, and how likely it is."""
        folded, wanted = spaced(typed), key(typed)
        found: list[tuple[float, str]] = []
        for place, name in enumerate(self._catalogue.wordings(token)):
            known = key(name)
            if not known.startswith(wanted) or known == wanted:
                continue
            if " " in folded and not spaced(name).startswith(folded):
                continue
            if len(wanted) == 1 and not name.lower().startswith(typed.lower()):
                continue
            added = added_to(typed, name)
            found.append((going_on(added) / (1 + _LATER * place), name))
        if not found:
            return None
        share, name = max(found, key=lambda each: each[0])
        return name, round(self.weight(token) * share, 2)

    def finished(self, token: str, typed: str) -> float:
        """How likely it is that a text names a token and is complete."""
        wanted = key(typed)
        names = map(key, self._catalogue.wordings(token))
        place = next((place for place, name in enumerate(names) if name == wanted), 0)
        return self.weight(token) / (1 + _LATER * place)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {token: place for place, token in enumerate(self._catalogue.ranking)}


def going_on(added: str) -> float:
    """What remains of a likelihood when so much has to be added.

    >>> going_on("") > going_on("many") > going_on("man speaking")
    True
    """
    return float(_WORD ** len(added.split()[1:]) * _LETTER ** len(added))


def added_to(typed: str, name: str) -> str:
    """What a name adds to its beginning; the whole name if it is spelt otherwise."""
    return name[len(typed) :] if name.lower().startswith(typed.lower()) else name
