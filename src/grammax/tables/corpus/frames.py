"""Sentences: their openings, the order of their parts, their endings, and their noun phrases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Final

from grammax.tables.corpus.bounds import noun, sentence_clause, timed
from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.numbers import integer
from grammax.tables.corpus.plan import Either, EnumConstraint, Plan
from grammax.tables.corpus.realise import joined
from grammax.tables.corpus.style import Voice
from grammax.tables.corpus.times import time_phrase
from grammax.tables.form.tree import Display, FieldRef

LARGEST: Final = {"top": ("largest", "biggest"), "bottom": ("smallest",)}
HIGHEST: Final = {"top": "highest", "bottom": "lowest"}

_EXCLUSIONS: Final = ("exc", "ex ", "but")
_ASKING: Final = ("can", "could", "are")
_SORTS: Final = {
    "DESC": ("sorted by {f}", "by {f}, highest first", "sorted by {f} descending", "ranked by {f}",
             "in descending order of {f}", "highest {f} first", "ordered by {f}, largest first"),
    "ASC": ("sorted by {f} ascending", "by {f}, lowest first", "lowest {f} first",
            "in ascending order of {f}", "ordered by {f} from low to high"),
}  # fmt: skip


def sentence(plan: Plan, voice: Voice, random: Random) -> str:
    """A full sentence, a question, or a noun phrase that could be part of one."""
    if is_of_one(plan, voice):
        return _of_one(plan, voice, random)
    if plan.columns:
        return _showing(plan, voice, random)
    if not plan.rank and not plan.sort and random.random() < 0.25:
        asked = (_which_have if plan.bounds else _which_are)(plan, voice, random)
        if asked:
            return asked
    phrase = _ranked(plan, voice, random)
    sort = sorted_by(plan.sort, _SORTS, voice, random)
    if plan.rank and random.random() < 0.3:
        text = f"what are the {phrase.removeprefix('the ')}{sort}"
        return text + _question_mark(random)
    opening = pick(random, voice.style.frames.openings, 0.6)
    if plan.rank:
        opening = opening.removesuffix(" all").replace("are there any", "what are")
        if opening and random.random() < 0.8:
            opening += " the"
    return f"{opening} {phrase}{sort}".strip() + "?" * opening.startswith(_ASKING)


def is_of_one(plan: Plan, voice: Voice) -> bool:
    """Whether a plan asks for columns of a single row, which it names."""
    return bool(plan.enums) and plan.enums[0].type == voice.style.drawing.identifying


def sorted_by(
    sort: Display | None, forms: Mapping[str, tuple[str, ...]], voice: Voice, random: Random
) -> str:
    """A phrase for the order of the answer, with a leading space."""
    if sort is None or sort.order is None:
        return ""
    form = pick(random, forms[sort.order], 0.5)
    comma = "," if form.startswith(("by", "highest", "lowest")) else ""
    return f"{comma} {form.replace('{f}', noun(sort.field.token, voice, random))}"


def _which_have(plan: Plan, voice: Voice, random: Random) -> str:
    """ "which thrillers have a length above 120?" """
    text = described(plan, voice, random, verb="have")
    word = pick(random, ("which", "what"), 0.5)
    return f"{word} {text}{_question_mark(random)}"


def _which_are(plan: Plan, voice: Voice, random: Random) -> str | None:
    """ "which thrillers are from france?", if a constraint can be asked in that way."""
    head, after = entities(plan, voice, random)
    if not after or not all(text.startswith(voice.style.frames.after_are) for text in after):
        return None
    return f"which {head} are {' and '.join(after)}{_question_mark(random)}"


def _question_mark(random: Random) -> str:
    return "?" if random.random() < 0.8 else ""


def _ranked(plan: Plan, voice: Voice, random: Random) -> str:
    """The rows, or the first few of them."""
    rank = plan.rank
    if rank is None:
        return described(plan, voice, random)
    count = integer(rank.count, random)
    plain = voice.is_measure(rank.field) and random.random() < 0.7
    field = timed(rank.field, voice, random)
    highest = not plain and not plan.bounds and random.random() < 0.35
    text = described(plan, voice, random, by="" if plain or highest else f"by {field}")
    if plain and random.random() < 0.5:
        word = pick(random, LARGEST[rank.direction])
        return f"{pick(random, (f'{count} {word}', f'{word} {count}'), 0.4)} {text}"
    if plain:
        return f"{rank.direction} {count} {text}"
    if highest:
        return f"{count} {text} with the {HIGHEST[rank.direction]} {field}"
    word = pick(random, (rank.direction, HIGHEST[rank.direction]), 0.5)
    if random.random() < 0.2:
        return f"{count} {pick(random, LARGEST[rank.direction])} {text}"
    return f"{word} {count} {text}"


def _showing(plan: Plan, voice: Voice, random: Random) -> str:
    """Columns of the rows; a time that they share may stand at the end."""
    rows, sort = _ranked(plan, voice, random), sorted_by(plan.sort, _SORTS, voice, random)
    form = pick(random, voice.style.frames.showing, 0.7)
    if plan.bounds and form == "{n} with their {c}":
        form = "{n} and their {c}"
    if plan.rank and re.search(r" (of|for|all) \{n\}", form):
        form = form.replace("all ", "").replace("{n}", "the {n}")
    late = not plan.bounds and not plan.rank and not plan.sort and form.endswith("{n}?")
    columns = _columns(plan.columns, voice, random, with_time=not late)
    text = _filled(form, columns, rows, plan)
    time = plan.columns[0].time
    if late and time:
        text = f"{text[:-1]} {time_phrase(time, random)}?"
    return f"{text[:-1]}{sort}?" if text.endswith("?") else text + sort


def _of_one(plan: Plan, voice: Voice, random: Random) -> str:
    names = [pick(random, voice.words.value(value), 1) for value in plan.enums[0].values]
    form = pick(random, voice.style.frames.showing_one, 0.4)
    if "{n}'s" in form and len(names) > 1:
        form = "{c} of {n}"
    return _filled(form, _columns(plan.columns, voice, random), joined(names), plan)


def _filled(form: str, columns: str, rows: str, plan: Plan) -> str:
    past = plan.columns[0].time is not None
    are = ("were" if past else "are") if len(plan.columns) > 1 else ("was" if past else "is")
    return form.replace("{are}", are).replace("{c}", columns).replace("{n}", rows)


def _columns(
    columns: tuple[FieldRef, ...], voice: Voice, random: Random, with_time: bool = True
) -> str:
    text = joined([noun(column.token, voice, random) for column in columns], " and ")
    time = columns[0].time
    return f"{text} {time_phrase(time, random)}" if time and with_time else text


def described(plan: Plan, voice: Voice, random: Random, verb: str = "", by: str = "") -> str:
    """The noun, its modifiers, and the comparisons; `by` comes before the comparisons."""
    head, after = entities(plan, voice, random)
    if by:
        after.append(by)
    excluded = [text for text in after if text.startswith(_EXCLUSIONS)]
    parts = [text for text in after if text not in excluded]
    if plan.bounds:
        parts.append(sentence_clause(plan.bounds, voice, random, verb))
        either = isinstance(plan.bounds[0], Either)  # nothing may follow its second side
        if not verb and not by and not either and random.random() < 0.12:
            parts.reverse()
    return " ".join([head, *parts, *excluded])


def entities(plan: Plan, voice: Voice, random: Random) -> tuple[str, list[str]]:
    """The noun with its modifiers before it, and the modifiers after it."""
    if plan.groups:
        return groups(plan, voice, random), []
    frames, realisers = voice.style.frames, voice.style.realisers
    before: dict[tuple[str, bool], str] = {}
    after: list[str] = []
    head = next((enum for enum in plan.enums if _is_noun(enum, voice, random)), None)
    for enum in plan.enums:
        if enum is head:
            continue
        realiser = realisers[enum.type]
        chance = frames.before.get(enum.type, 0) * (0.5 if enum.negated else 1)
        text = realiser.before(enum, voice.words, random) if random.random() < chance else None
        if text and len(before) < 2 and (enum.type, enum.negated) not in before:
            before[enum.type, enum.negated] = text
        else:
            after.append(realiser.after(enum, voice.words, random))
    order = [(type_, negated) for type_ in frames.before for negated in (True, False)]
    modifiers = [before[key] for key in order if key in before]
    fixed = next(
        (noun for type_, noun in frames.noun_after.items() if (type_, False) in before), ""
    )
    noun = fixed or pick(random, voice.style.entities, 1.2)
    if head:
        noun = realisers[head.type].noun(head, voice.words, random, noun)
    return " ".join([*modifiers, noun]), after


def groups(plan: Plan, voice: Voice, random: Random) -> str:
    """Two sorts of rows: "german thrillers or french comedies"."""
    plain = pick(random, voice.style.entities, 1.2)
    texts = []
    for first, second in plan.groups:
        one, other = (voice.style.realisers[enum.type] for enum in (first, second))
        before = one.before(first, voice.words, random)
        noun = other.noun(second, voice.words, random, plain)
        after = one.after(first, voice.words, random) if before is None else ""
        texts.append(f"{before or ''} {noun} {after}".strip())
    return " or ".join(texts)


def _is_noun(enum: EnumConstraint, voice: Voice, random: Random) -> bool:
    chance = 0 if enum.negated else voice.style.frames.nouns.get(enum.type, 0)
    return chance >= 1 or (chance > 0 and random.random() < chance)
