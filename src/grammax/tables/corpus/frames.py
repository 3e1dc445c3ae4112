"""Frames of sentences: how a query begins, in which order its parts come, and how it ends."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from grammax.tables.corpus.bounds import noun, timed
from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.names import Names
from grammax.tables.corpus.nouns import companies, described
from grammax.tables.corpus.numbers import integer
from grammax.tables.corpus.order import HIGHEST, LARGEST, sorted_by
from grammax.tables.corpus.plan import Plan
from grammax.tables.corpus.times import time_phrase
from grammax.tables.corpus.values import Said, joined
from grammax.tables.form.tree import FieldRef

_OPENINGS: Final = (
    "show me", "", "find", "list", "show me all", "give me", "find all", "list all", "get me",
    "i'm looking for", "show", "find me", "screen for", "i want to see", "search for",
    "please show me", "can you find", "give me a list of", "looking for", "i need",
    "could you list", "i would like to see", "are there any",
)  # fmt: skip
_ASKING: Final = ("can", "could", "are")
_SHOWING: Final = (
    "show me the {c} of {n}", "what {are} the {c} of {n}?", "{c} of {n}", "{c} for {n}",
    "give me the {c} of {n}", "{n} with their {c}", "list {n} and their {c}",
    "show {n} along with their {c}", "{n}, show {c}", "i want the {c} for {n}",
    "get the {c} for all {n}", "display the {c} of {n}",
)  # fmt: skip
_OF_ISSUER: Final = (
    "what {are} the {c} of {n}?", "{c} of {n}", "{n} {c}", "show me the {c} of {n}", "{n}: {c}",
    "what {are} {n}'s {c}?", "{n}'s {c}", "tell me the {c} of {n}", "{c} {n}",
)  # fmt: skip
_SORTS: Final = {
    "DESC": ("sorted by {f}", "by {f}, highest first", "sorted by {f} descending", "ranked by {f}",
             "in descending order of {f}", "highest {f} first", "ordered by {f}, largest first"),
    "ASC": ("sorted by {f} ascending", "by {f}, lowest first", "lowest {f} first",
            "in ascending order of {f}", "ordered by {f} from low to high"),
}  # fmt: skip
_AFTER_ARE: Final = ("in ", "based", "listed", "traded", "domiciled", "rated", "headq", "not ")


def sentence(plan: Plan, names: Names, random: Random) -> Said:
    """A full sentence, a question, or a noun phrase that could be part of one."""
    if plan.kinds and plan.kinds[0].type == "ISSUER":
        return _of_issuer(plan, names, random)
    if plan.columns:
        return _showing(plan, names, random)
    if not plan.rank and not plan.sort and random.random() < 0.25:
        asked = _which(plan, names, random) if plan.bounds else _which_are(plan, names, random)
        if asked:
            return asked
    phrase = _ranked(plan, names, random)
    sort = sorted_by(plan.sort, _SORTS, names, random)
    if plan.rank and random.random() < 0.3:
        text = f"what are the {phrase.text.removeprefix('the ')}{sort.text}"
        return Said(text + "?" * (random.random() < 0.8), f"what-are[{phrase.shape}{sort.shape}]")
    opening = pick(random, _OPENINGS, 0.6)
    if plan.rank:
        opening = opening.removesuffix(" all").replace("are there any", "what are")
        if opening and random.random() < 0.8:
            opening += " the"
    text = f"{opening} {phrase.text}{sort.text}".strip()
    text += "?" * opening.startswith(_ASKING)
    return Said(text, f"{opening}[{phrase.shape}{sort.shape}]")


def _which(plan: Plan, names: Names, random: Random) -> Said:
    said = described(plan, names, random, verb="have")
    word = pick(random, ("which", "what"), 0.5)
    mark = "?" if random.random() < 0.8 else ""
    return Said(f"{word} {said.text}{mark}", f"{word}[{said.shape}]")


def _which_are(plan: Plan, names: Names, random: Random) -> Said | None:
    """ "which german banks are in the dax?", if something can be asked in that way."""
    head, after = companies(plan, names, random)
    if not after or not all(part.text.startswith(_AFTER_ARE) for part in after):
        return None
    mark = "?" if random.random() < 0.8 else ""
    text = f"which {head.text} are {' and '.join(part.text for part in after)}{mark}"
    return Said(text, f"which-are[{head.shape} {' '.join(part.shape for part in after)}]")


def _ranked(plan: Plan, names: Names, random: Random) -> Said:
    """The companies, or the first few of them."""
    rank = plan.rank
    if rank is None:
        return described(plan, names, random)
    count = integer(rank.count, random)
    plain = rank.field == FieldRef("FLD_MKT_CAP") and random.random() < 0.7
    field = timed(rank.field, names, random)
    highest = not plain and not plan.bounds and random.random() < 0.35
    said = described(plan, names, random, by="" if plain or highest else f"by {field}")
    if plain and random.random() < 0.5:
        word = pick(random, LARGEST[rank.direction])
        form = pick(random, (f"{count} {word}", f"{word} {count}"), 0.4)
        return Said(f"{form} {said.text}", f"largest {said.shape}")
    if plain:
        return Said(f"{rank.direction} {count} {said.text}", f"{rank.direction} {said.shape}")
    if highest:
        text = f"{count} {said.text} with the {HIGHEST[rank.direction]} {field}"
        return Said(text, f"with-highest {said.shape}")
    word = pick(random, (rank.direction, HIGHEST[rank.direction]), 0.5)
    if random.random() < 0.2:
        word = pick(random, LARGEST[rank.direction])
        return Said(f"{count} {word} {said.text}", f"largest-by {said.shape}")
    return Said(f"{word} {count} {said.text}", f"{word} {said.shape}")


def _showing(plan: Plan, names: Names, random: Random) -> Said:
    """Columns of the companies; a time they share may stand at the end."""
    said, sort = _ranked(plan, names, random), sorted_by(plan.sort, _SORTS, names, random)
    form = pick(random, _SHOWING, 0.7)
    if plan.bounds and form == "{n} with their {c}":
        form = "{n} and their {c}"
    if plan.rank and re.search(r" (of|for|all) \{n\}", form):
        form = form.replace("all ", "").replace("{n}", "the {n}")
    late = not plan.bounds and not plan.rank and not plan.sort and form.endswith("{n}?")
    columns = _columns(plan.columns, names, random, with_time=not late)
    text = _filled(form, columns, said.text, plan)
    time = plan.columns[0].time
    if late and time:
        text = f"{text[:-1]} {time_phrase(time, random)}?"
    text = f"{text[:-1]}{sort.text}?" if text.endswith("?") else text + sort.text
    return Said(text, f"{form}[{said.shape}{sort.shape}|{len(plan.columns)}]")


def _of_issuer(plan: Plan, names: Names, random: Random) -> Said:
    words = [pick(random, names.value(v), 1) for v in plan.kinds[0].values]
    form = pick(random, _OF_ISSUER, 0.4)
    possessive = "{n}'s" in form and len(words) > 1
    form = "{c} of {n}" if possessive else form
    columns = _columns(plan.columns, names, random)
    text = _filled(form, columns, joined(words), plan)
    return Said(text, f"{form}[issuer{len(words)}|{len(plan.columns)}]")


def _filled(form: str, columns: str, companies: str, plan: Plan) -> str:
    past = plan.columns[0].time is not None
    are = ("were" if past else "are") if len(plan.columns) > 1 else ("was" if past else "is")
    return form.replace("{are}", are).replace("{c}", columns).replace("{n}", companies)


def _columns(
    columns: tuple[FieldRef, ...], names: Names, random: Random, with_time: bool = True
) -> str:
    said = [noun(column.token, names, random) for column in columns]
    text = " and ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else said[0]
    time = columns[0].time
    return f"{text} {time_phrase(time, random)}" if time and with_time else text
