"""Random English queries, as typed into a search box, with their logical forms.

A phrase is generated in three steps: a `Planner` draws the constraints, the `Plan` gives their
logical form, and `phrasing` gives their words, as a sentence or in telegraphic style.
"""

from __future__ import annotations

import re
from typing import Final, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.corpus.draw import Dice
from grammax.tables.corpus.phrase import Phrase as Phrase
from grammax.tables.corpus.phrasing.courtesy import courteous
from grammax.tables.corpus.phrasing.keywords import in_few_words
from grammax.tables.corpus.phrasing.sentences import is_of_one, sentence
from grammax.tables.corpus.phrasing.summaries import summary
from grammax.tables.corpus.plan import Plan
from grammax.tables.corpus.planning.planner import Planner
from grammax.tables.corpus.style import CorpusStyle, voice_over

_AS_WRITTEN: Final = 0.35
_SHOUTED: Final = 0.01
_FULL_STOP: Final = 0.03


@final
class Phraser:
    """Draws phrases; equal seeds give equal phrases."""

    def __init__(self, catalogue: Catalogue, style: CorpusStyle) -> None:
        self.voice = voice_over(catalogue, style)
        self.planner = Planner(self.voice)
        self._order = {name: index for index, name in enumerate(catalogue.value_types)}

    def phrase(self, dice: Dice) -> Phrase:
        """A query and its logical form."""
        return self.say(self.planner.plan(dice), dice)

    def say(self, plan: Plan, dice: Dice) -> Phrase:
        """A plan in words."""
        dice.taken()
        mix = self.voice.style.mix
        short = False
        if plan.summary:
            text = summary(plan, self.voice, dice)
        else:
            short = not is_of_one(plan, self.voice) and dice.chance(mix.telegraphic)
            text = (in_few_words if short else sentence)(plan, self.voice, dice)
        if dice.chance(mix.courtesy):
            text = courteous(text, dice)
        if not text.endswith("?") and dice.chance(0 if short else _FULL_STOP):
            text += "."
        query = _cased(" ".join(text.split()), short, dice)
        return Phrase(query, plan.lf(self._order), dice.taken())


def _cased(text: str, short: bool, dice: Dice) -> str:
    """Mostly in lower case, as people type; sometimes with the names' capitals, or shouted."""
    if dice.chance(_SHOUTED):
        return text.upper()
    if not dice.chance(_AS_WRITTEN * (0.4 if short else 1)):
        return text.lower()
    return text if short else re.sub(r"^[a-z](?!/)", lambda match: match[0].upper(), text)
