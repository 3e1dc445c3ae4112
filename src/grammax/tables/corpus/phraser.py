"""English queries and their logical forms, at random: what people type into an equity search.

>>> from grammax.domains.eqs.catalogue import load_catalogue
>>> phraser = Phraser(load_catalogue())
>>> phrase = phraser.phrase(Random(0))
>>> bool(phrase.query), phrase == phraser.phrase(Random(0))
(True, True)

A phrase is made in three steps, each in modules of its own: `phrasing_planner` draws what is asked
for, `phrasing_plan` makes the logical form of it, and `phrasing_frames` (sentences) or
`phrasing_telegraphic` puts it into words with `phrasing_nouns`, `_values`, `_bounds`, `_numbers`,
`_times` and `_order`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Final, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.corpus.draw import Pools
from grammax.tables.corpus.frames import sentence
from grammax.tables.corpus.names import names_of
from grammax.tables.corpus.plan import Plan
from grammax.tables.corpus.planner import Planner
from grammax.tables.corpus.telegraphic import in_few_words
from grammax.tables.form.tree import LogicalForm

_TELEGRAPHIC: Final = 0.45
_AS_WRITTEN: Final = 0.35


@final
@dataclass(frozen=True, slots=True)
class Phrase:
    """A query, its logical form, and its structure: the rules that made the words."""

    query: str
    lf: LogicalForm
    structure: str


@final
class Phraser:
    """Draws phrases; the same random numbers give the same phrases."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._names = names_of(catalogue)
        self._planner = Planner(Pools(self._names))
        self._order = {name: place for place, name in enumerate(catalogue.value_types)}

    def phrase(self, random: Random) -> Phrase:
        """A query and its logical form."""
        return self.say(self._planner.plan(random), random)

    def say(self, plan: Plan, random: Random) -> Phrase:
        """A plan in words."""
        issuer = bool(plan.kinds) and plan.kinds[0].type == "ISSUER"
        short = random.random() < _TELEGRAPHIC and not issuer
        said = (in_few_words if short else sentence)(plan, self._names, random)
        query = _cased(" ".join(said.text.split()), short, random)
        return Phrase(query, plan.lf(self._order), said.shape)


def _cased(text: str, short: bool, random: Random) -> str:
    """Mostly in lower case, as people type; at times with capitals where the names have them."""
    if random.random() > _AS_WRITTEN * (0.4 if short else 1):
        return text.lower()
    return text if short else re.sub(r"^[a-z](?!/)", lambda match: match[0].upper(), text)
