"""Random English queries, as typed into a search box, with their logical forms.

A phrase is generated in three steps: a `Planner` draws the constraints, the `Plan` gives their
logical form, and `frames` (sentences) or this module (telegraphic style) gives their words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Final, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.corpus.bounds import noun, telegraphic, timed
from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.frames import (
    HIGHEST,
    LARGEST,
    groups,
    is_of_one,
    sentence,
    sorted_by,
)
from grammax.tables.corpus.numbers import integer
from grammax.tables.corpus.plan import Plan
from grammax.tables.corpus.planner import Planner
from grammax.tables.corpus.style import CorpusStyle, Voice, voice_over
from grammax.tables.corpus.times import bare_time
from grammax.tables.form.tree import LogicalForm, Rank

_TELEGRAPHIC: Final = 0.45
_AS_WRITTEN: Final = 0.35
_SORTS: Final = {
    "DESC": ("sort by {f}", "sorted by {f}", "sort by {f} desc", "order by {f} descending",
             "{f} high to low", "by {f} desc"),
    "ASC": ("sort by {f} asc", "order by {f} ascending", "{f} low to high", "by {f} lowest first"),
}  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class Phrase:
    """A query and its logical form."""

    query: str
    lf: LogicalForm


@final
class Phraser:
    """Draws phrases; equal seeds give equal phrases."""

    def __init__(self, catalogue: Catalogue, style: CorpusStyle) -> None:
        self.voice = voice_over(catalogue, style)
        self.planner = Planner(self.voice)
        self._order = {name: index for index, name in enumerate(catalogue.value_types)}

    def phrase(self, random: Random) -> Phrase:
        """A query and its logical form."""
        return self.say(self.planner.plan(random), random)

    def say(self, plan: Plan, random: Random) -> Phrase:
        """A plan in words."""
        short = random.random() < _TELEGRAPHIC and not is_of_one(plan, self.voice)
        text = (_in_few_words if short else sentence)(plan, self.voice, random)
        query = _cased(" ".join(text.split()), short, random)
        return Phrase(query, plan.lf(self._order))


def _in_few_words(plan: Plan, voice: Voice, random: Random) -> str:
    """Telegraphic style, with parts in random order: "thriller france length > 120"."""
    enums = list(plan.enums)
    if random.random() < 0.7:
        enums.sort(key=lambda enum: enum.negated)
    parts = [voice.style.realisers[e.type].bare(e, voice.words, random) for e in enums]
    if plan.groups:
        parts = [groups(plan, voice, random)]
    alone = len(plan.bounds) == 1 and not plan.columns and not plan.rank and not plan.sort
    bounds = [telegraphic(bound, voice, random, alone) for bound in plan.bounds]
    parts = [*bounds, *parts] if random.random() < 0.2 and not plan.rank else [*parts, *bounds]
    comma = ", " if random.random() < 0.2 else " "
    if plan.rank:
        parts = _ranked(plan.rank, parts, voice, random)
    if plan.columns:
        parts = _showing(plan, parts, voice, random)
    return comma.join(parts) + sorted_by(plan.sort, _SORTS, voice, random)


def _ranked(rank: Rank, parts: list[str], voice: Voice, random: Random) -> list[str]:
    plain = voice.is_measure(rank.field) and random.random() < 0.6
    count = integer(rank.count, random, 0.1)
    if plain:
        word = pick(random, (rank.direction, *LARGEST[rank.direction]))
        return [f"{word} {count}", *parts]
    word = pick(random, (rank.direction, rank.direction, HIGHEST[rank.direction]), 0.4)
    field = timed(rank.field, voice, random, bare=True)
    if random.random() < 0.5 or not parts:
        return [f"{word} {count} by {field}", *parts]
    return [f"{word} {count}", *parts, f"by {field}"]


def _showing(plan: Plan, parts: list[str], voice: Voice, random: Random) -> list[str]:
    """Columns first or last, or after "show" where they could be read as part of a comparison."""
    nouns = [noun(column.token, voice, random) for column in plan.columns]
    text = pick(random, (" and ", ", ")).join(nouns)
    time = plan.columns[0].time
    if time:  # one time for all columns
        text += f" {bare_time(time, random)}"
    compared = voice.style.drawing.compared
    if plan.bounds or plan.rank or any(enum.type in compared for enum in plan.enums):
        return [*parts, f"show {text}"]
    return [text, *parts] if random.random() < 0.5 else [*parts, text]


def _cased(text: str, short: bool, random: Random) -> str:
    """Mostly in lower case, as people type; sometimes with the capitals of the names."""
    if random.random() > _AS_WRITTEN * (0.4 if short else 1):
        return text.lower()
    return text if short else re.sub(r"^[a-z](?!/)", lambda match: match[0].upper(), text)
