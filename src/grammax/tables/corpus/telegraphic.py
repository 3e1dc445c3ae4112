"""Queries in telegraphic style: "auto nysex last quarter mcap > $1bn"."""

from __future__ import annotations

from random import Random
from typing import Final

from grammax.tables.corpus.bounds import noun, telegraphic, timed
from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.names import Names
from grammax.tables.corpus.nouns import groups
from grammax.tables.corpus.numbers import integer
from grammax.tables.corpus.order import HIGHEST, LARGEST, sorted_by
from grammax.tables.corpus.plan import Plan
from grammax.tables.corpus.times import bare_time
from grammax.tables.corpus.values import GRADES, Said, bare
from grammax.tables.form.tree import FieldRef, Rank

_SORTS: Final = {
    "DESC": ("sort by {f}", "sorted by {f}", "sort by {f} desc", "order by {f} descending",
             "{f} high to low", "by {f} desc"),
    "ASC": ("sort by {f} asc", "order by {f} ascending", "{f} low to high", "by {f} lowest first"),
}  # fmt: skip


def in_few_words(plan: Plan, names: Names, random: Random) -> Said:
    """The parts in a few words each, in an order that varies."""
    kinds = list(plan.kinds)
    if random.random() < 0.7:
        kinds.sort(key=lambda kind: kind.negated)
    parts = [bare(kind, names, random) for kind in kinds]
    if plan.groups:
        parts = [groups(plan, names, random)]
    alone = len(plan.bounds) == 1 and not plan.columns and not plan.rank and not plan.sort
    bounds = [telegraphic(bound, names, random, alone) for bound in plan.bounds]
    parts = [*bounds, *parts] if random.random() < 0.2 and not plan.rank else [*parts, *bounds]
    comma = ", " if random.random() < 0.2 else " "
    if plan.rank:
        parts = _ranked(plan.rank, parts, names, random)
    if plan.columns:
        parts = _showing(plan, parts, names, random)
    sort = sorted_by(plan.sort, _SORTS, names, random)
    text = comma.join(part.text for part in parts) + sort.text
    return Said(text, f"short[{comma.strip()}{' '.join(p.shape for p in parts)}{sort.shape}]")


def _ranked(rank: Rank, parts: list[Said], names: Names, random: Random) -> list[Said]:
    plain = rank.field == FieldRef("FLD_MKT_CAP") and random.random() < 0.6
    count = integer(rank.count, random, 0.1)
    if plain:
        word = pick(random, (rank.direction, *LARGEST[rank.direction]))
        return [Said(f"{word} {count}", "rank"), *parts]
    word = pick(random, (rank.direction, rank.direction, HIGHEST[rank.direction]), 0.4)
    field = timed(rank.field, names, random, bare=True)
    if random.random() < 0.5 or not parts:
        return [Said(f"{word} {count} by {field}", "rank-by-first"), *parts]
    return [Said(f"{word} {count}", "rank"), *parts, Said(f"by {field}", "rank-by-last")]


def _showing(plan: Plan, parts: list[Said], names: Names, random: Random) -> list[Said]:
    """Columns first or last; after "show" where they could be taken for part of a comparison."""
    said = [noun(column.token, names, random) for column in plan.columns]
    text = pick(random, (" and ", ", ")).join(said)
    time = plan.columns[0].time
    if time:  # said once, for all
        text += f" {bare_time(time, random)}"
    if plan.bounds or plan.rank or any(kind.type in GRADES for kind in plan.kinds):
        return [*parts, Said(f"show {text}", "show-columns")]
    if random.random() < 0.5:
        return [Said(text, "columns-first"), *parts]
    return [*parts, Said(text, "columns-last")]
