"""Sentences, questions and noun phrases: their openings, the order of their parts, their ends."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from grammax.tables.catalogue.keys import singular
from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.phrasing.measures import measure_words, noun
from grammax.tables.corpus.phrasing.ranks import (
    measure_of,
    ranked_rows,
    sorted_by,
    superlative_words,
)
from grammax.tables.corpus.phrasing.rows import described, entities
from grammax.tables.corpus.plan import Plan
from grammax.tables.corpus.realise import joined
from grammax.tables.corpus.style import Voice
from grammax.tables.corpus.times import time_phrase
from grammax.tables.form.tree import FieldRef, Measure, Rank

_ASKING: Final = ("can", "could", "are", "is", "what", "which")
_OF_RANKS: Final = ("which are the", "what are the", "tell me the")
_OF_SEVERAL: Final = ("{n} {c}", "{c} {n}", "{c} of {n}")
_MOST: Final = ("the most", "most")
_ASKED_OF_ONE: Final = ("{q} does {n} have?", "{q} does {n} have", "{q} has {n} got")


def sentence(plan: Plan, voice: Voice, dice: Dice) -> str:
    """A full sentence, a question, or a noun phrase that could be part of one."""
    if is_of_one(plan, voice):
        return of_named_rows(plan, voice, dice)
    if plan.columns:
        return _showing(plan, voice, dice)
    if plan.rank and not plan.sort and dice.chance(0.4):
        asked = dice.attempt(partial(_which_has_most, plan, voice, dice))
        if asked:
            return asked
    if not plan.rank and not plan.sort and dice.chance(0.28):
        ask = _which_have if plan.bounds else _which_are
        asked = dice.attempt(partial(ask, plan, voice, dice))
        if asked:
            return asked
    if dice.chance(0.12):
        command = dice.attempt(partial(_command, plan, voice, dice))
        if command:
            return command
    phrase = ranked_rows(plan, voice, dice)
    sort = sorted_by(plan.sort, voice, dice)
    return f"{_opening(plan, phrase, voice, dice)}{sort}".strip()


def is_of_one(plan: Plan, voice: Voice) -> bool:
    """Whether a plan asks for rows that it names."""
    return bool(plan.enums) and plan.enums[0].type == voice.style.drawing.identifying


def of_named_rows(plan: Plan, voice: Voice, dice: Dice) -> str:
    """Rows that are named, or columns of them: "casablanca length", "casablanca vs vertigo"."""
    names = [pick(dice, voice.words.value(value), 1) for value in plan.enums[0].values]
    if len(names) == 1:
        rows = names[0]
    else:
        form = dice.rule("compare", voice.style.frames.comparing, 0.8)
        rows = form.replace("{a}", ", ".join(names[:-1])).replace("{b}", names[-1])
    if not plan.columns:
        return rows
    if len(names) > 1:
        columns = _columns(plan.columns, voice, dice)
        form = dice.rule("of several", _OF_SEVERAL, 0.3)
        return form.replace("{n}", rows).replace("{c}", columns)
    asked = _how_much(plan, rows, voice, dice) if dice.chance(0.12) else None
    if asked:
        return asked
    form = dice.rule("of one", voice.style.frames.showing_one, 0.4)
    text = _filled(form, _columns(plan.columns, voice, dice), rows, plan)
    return text.replace("'", "") if "'s" in form and dice.chance(0.15, "of one/no '") else text


def _opening(plan: Plan, phrase: str, voice: Voice, dice: Dice) -> str:
    if dice.chance(0.4):
        return phrase
    opening = dice.rule("opening", voice.style.frames.openings, 0.7)
    if plan.rank:
        opening = opening.removesuffix(" all").replace("are there any", "what are")
        opening = opening.replace("is there any", "what are").replace("any", "")
        if opening == "all":
            opening = ""
        if phrase.startswith("the "):
            opening = opening.removesuffix(" the")
        elif opening and not opening.endswith("the") and dice.chance(0.5):
            opening += " the"
    elif opening in _OF_RANKS:
        opening = "show me"
    mark = "?" if opening.startswith(_ASKING) and dice.chance(0.6) else ""
    return f"{opening} {phrase}{mark}"


def _command(plan: Plan, voice: Voice, dice: Dice) -> str | None:
    """An order as a command: "sort thrillers by length", "rank thrillers by score"."""
    sort, rank = plan.sort, plan.rank
    rows = described(plan.rows(), voice, dice)
    if sort and rank:
        return None
    if sort and sort.order == "DESC":
        verb, measure = dice.rule("command", ("sort", "order"), 0.4), sort.field
    elif rank and rank.count is None and rank.direction == "top":
        verb, measure = dice.rule("command", ("rank",)), measure_of(rank)
    else:
        return None
    return f"{verb} {rows} by {measure_words(measure, voice, dice)}"


def _which_has_most(plan: Plan, voice: Voice, dice: Dice) -> str | None:
    """ "which film has the highest score?", "which thrillers have the highest score" """
    rank = plan.rank
    if rank is None or rank.count is not None or plan.bounds:
        return None
    if isinstance(rank.field, FieldRef) and dice.chance(0.4):
        own = voice.idioms(rank.field.token)
        if own.verbs and rank.direction == "top" and not rank.field.time:
            return _which_verb(plan, dice.rule("verbs", own.verbs, 0.9), voice, dice)
    words = superlative_words(rank, voice, dice)
    which = dice.rule("has most", ("which", "what"), 0.5)
    mark = "?" * dice.chance(0.6)
    rows = entities(plan.rows(), voice, dice)
    if not rows.after and dice.chance(0.5):
        before = " ".join(rows.before)
        return f"{which} {before} {singular(rows.noun)} has the {words}{mark}"
    return f"{which} {rows.head} {' '.join(rows.after)} have the {words}{mark}"


def _which_verb(plan: Plan, verb: str, voice: Voice, dice: Dice) -> str:
    """ "which directors earn the most" """
    assert isinstance(plan.rank, Rank), "the plan has a rank"
    assert isinstance(plan.rank.field, FieldRef), "verbs belong to fields"
    verb, _, rest = verb.partition(" ")
    field = noun(plan.rank.field.token, voice, dice)
    what = field if voice.words.rules.fields.is_plural(field) and not rest else ""
    end = " ".join(filter(None, (dice.rule("most", _MOST, 0.6), what, rest)))
    rows = entities(plan.rows(), voice, dice)
    after, mark = " ".join(rows.after), "?" * dice.chance(0.5)
    plain = not rows.before and rows.noun in voice.style.entities
    if plain and dice.chance(0.5, "verbs/who"):
        return f"who {verb}s {end} {after}{mark}".replace(" ?", "?")
    return f"which {rows.head} {after} {verb} {end}{mark}"


def _which_have(plan: Plan, voice: Voice, dice: Dice) -> str:
    """ "which thrillers have a length above 120?" """
    text = described(plan, voice, dice, verb="have")
    words = ("which", "what", "which of the", "do any")
    word = dice.rule("question", words if " have " in text else words[:3], 1.2)
    return f"{word} {text}{'?' * dice.chance(0.7)}"


def _which_are(plan: Plan, voice: Voice, dice: Dice) -> str | None:
    """ "which thrillers are from france?", if a constraint can be asked in that way."""
    rows = entities(plan, voice, dice)
    if not rows.after or not all(_may_follow_are(text, voice) for text in rows.after):
        return None
    dice.note("question/are")
    return f"which {rows.head} are {' and '.join(rows.after)}{'?' * dice.chance(0.7)}"


def _may_follow_are(text: str, voice: Voice) -> bool:
    return text.startswith(voice.style.frames.after_are)


def _showing(plan: Plan, voice: Voice, dice: Dice) -> str:
    """Columns of the rows; a time that they share may stand at the end."""
    rows, sort = ranked_rows(plan, voice, dice), sorted_by(plan.sort, voice, dice)
    form = dice.rule("showing", voice.style.frames.showing, 0.7)
    if (plan.bounds or plan.rank) and form in ("{n} with their {c}", "{n} {c}", "{c} {n}"):
        form = "{n}, show {c}" if form == "{n} {c}" else "{n} and their {c}"
    if plan.rank and re.search(r" (of|for|all) \{n\}", form):
        form = form.replace("all ", "").replace("{n}", "the {n}")
    late = not plan.bounds and not plan.rank and not plan.sort and form.endswith("{n}?")
    columns = _columns(plan.columns, voice, dice, with_time=not late)
    text = _filled(form, columns, rows, plan)
    first = plan.columns[0]
    if late and isinstance(first, FieldRef) and first.time:
        text = f"{text[:-1]} {time_phrase(first.time, dice)}?"
    return f"{text[:-1]}{sort}?" if text.endswith("?") else text + sort


def _how_much(plan: Plan, name: str, voice: Voice, dice: Dice) -> str | None:
    """ "how many awards does casablanca have?" """
    column = plan.columns[0]
    if len(plan.columns) > 1 or not isinstance(column, FieldRef) or column.time:
        return None
    if not voice.is_numeric(column.token):
        return None
    verbs = voice.idioms(column.token).verbs
    adjectives = [word for word in voice.idioms(column.token).more if word.isalpha()]
    if adjectives and dice.chance(0.4):
        return f"how {dice.rule('how', adjectives, 0.9)} is {name}{'?' * dice.chance(0.6)}"
    if verbs and dice.chance(0.5):
        return _how_much_verb(dice.rule("verbs", verbs, 0.9), column.token, name, voice, dice)
    asked = [each for each in voice.class_of(column.token).asked if each.endswith("{f}")]
    field = noun(column.token, voice, dice)
    is_plural = voice.words.rules.fields.is_plural(field)
    question = dice.rule("asked", asked, 1.0) if asked else "what {is} the {f}"
    question = question.replace("{is}", "are" if is_plural else "is").replace("{f}", field)
    if " the " in question:
        return f"{question} of {name}{'?' * dice.chance(0.6)}"
    form = dice.rule("asked", _ASKED_OF_ONE, 0.6)
    return form.replace("{q}", question).replace("{n}", name)


def _how_much_verb(verb: str, token: str, name: str, voice: Voice, dice: Dice) -> str:
    """ "how much did casablanca earn?" """
    field = noun(token, voice, dice)
    many = voice.words.rules.fields.is_plural(field)
    what = f"how many {field}" if many else "how much"
    return f"{what} does {name} {verb}{'?' * dice.chance(0.6)}"


def _filled(form: str, columns: str, rows: str, plan: Plan) -> str:
    first = plan.columns[0]
    past = isinstance(first, FieldRef) and first.time is not None
    are = ("were" if past else "are") if len(plan.columns) > 1 else ("was" if past else "is")
    return form.replace("{are}", are).replace("{c}", columns).replace("{n}", rows)


def _columns(columns: tuple[Measure, ...], voice: Voice, dice: Dice, with_time: bool = True) -> str:
    if len(columns) == 1:
        column = columns[0]
        if isinstance(column, FieldRef) and not with_time:
            return noun(column.token, voice, dice)
        return measure_words(column, voice, dice)
    refs = [column for column in columns if isinstance(column, FieldRef)]
    text = joined([noun(ref.token, voice, dice) for ref in refs], " and ")
    time = refs[0].time
    return f"{text} {time_phrase(time, dice)}" if time and with_time else text
