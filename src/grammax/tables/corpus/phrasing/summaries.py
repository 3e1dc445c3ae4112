"""Aggregates and groups: "how many thrillers", "average length by genre", "which director has the
most films"."""

from __future__ import annotations

import re
from typing import Final

from grammax.tables.classes import COUNT
from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.numbers import integer
from grammax.tables.corpus.phrasing.clauses import compared
from grammax.tables.corpus.phrasing.measures import noun, plural
from grammax.tables.corpus.phrasing.ranks import ranked_rows
from grammax.tables.corpus.phrasing.rows import described
from grammax.tables.corpus.plan import Bound, GroupFilter, Plan, Summary
from grammax.tables.corpus.style import Voice
from grammax.tables.form.tree import Aggregate, FieldRef, Group, Rank
from grammax.tables.idioms import Patterns

_FUNCTIONS: Final = {
    "sum": ("total {f}", "sum of {f}", "combined {f}", "{f} total", "aggregate {f}", "sum {f}",
            "overall {f}", "total of {f}"),
    "average": ("average {f}", "avg {f}", "mean {f}", "{f} average", "avg. {f}", "average of {f}"),
    "median": ("median {f}", "{f} median", "median of {f}"),
    "min": ("minimum {f}", "min {f}", "{f} minimum", "minimum of {f}"),
    "max": ("maximum {f}", "max {f}", "{f} maximum", "maximum of {f}"),
}  # fmt: skip
_HOW_MANY: Final = (
    "how many {n} are there?", "how many {n}", "number of {n}", "count of {n}", "count {n}",
    "how many {n} exist", "total number of {n}", "{n} count", "what is the number of {n}?",
    "how many {n} do we have", "give me the number of {n}", "# of {n}", "count all {n}",
    "what's the total number of {n}", "how many {n} in total", "how many {n} can you find",
)  # fmt: skip
_OF_ROWS: Final = (
    "{a} of {n}", "what is the {a} of {n}?", "{a} for {n}", "{n} {a}", "{a} {n}",
    "what's the {a} of {n}", "the {a} of {n}", "{a} across {n}", "show me the {a} of {n}",
    "{a} of all {n}", "calculate the {a} of {n}", "give me the {a} for {n}", "{a} among {n}",
    "whats the {a} for {n}", "compute {a} of {n}",
)  # fmt: skip
_BY: Final = (
    "{a} by {g}", "{a} per {g}", "{a} for each {g}", "{a} in each {g}", "{a} grouped by {g}",
    "show {a} by {g}", "{a} for every {g}", "what is the {a} by {g}?",
    "{a} broken down by {g}", "what is the {a} per {g}?", "{a} in every {g}", "{a} split by {g}",
)  # fmt: skip
_ROWS_BY: Final = (
    "{n} by {g}", "{n} per {g}", "{n} grouped by {g}", "group {n} by {g}",
    "breakdown of {n} by {g}", "{n} for each {g}", "{n} broken down by {g}", "{n} split by {g}",
)  # fmt: skip
_MOST_ROWS: Final = {
    "top": ("which {g} has the most {n}?", "{gs} with the most {n}", "{g} with the most {n}",
            "{gs} by number of {n}", "which {gs} have the most {n}?", "{gs} with most {n}",
            "what {g} has the highest number of {n}", "{gs} ranked by number of {n}",
            "{gs} with the highest number of {n}"),
    "bottom": ("which {g} has the fewest {n}?", "{gs} with the fewest {n}",
               "{g} with the fewest {n}", "{gs} with the lowest number of {n}",
               "which {gs} have the least {n}?"),
}  # fmt: skip
_FIRST_BY_ROWS: Final = {
    "top": ("top {k} {gs} by number of {n}", "{k} {gs} with the most {n}", "top {k} {gs} by {n}",
            "the {k} {gs} with the most {n}", "which {k} {gs} have the most {n}?",
            "top {k} {gs} with most {n}", "top {k} {gs} by {n} count"),
    "bottom": ("bottom {k} {gs} by number of {n}", "{k} {gs} with the fewest {n}",
               "the {k} {gs} with the fewest {n}"),
}  # fmt: skip
_MOST: Final = {
    "top": ("which {g} has the highest {a}?", "{gs} with the highest {a}",
            "{g} with the highest {a}", "{gs} by {a}", "top {gs} by {a}", "highest {a} by {g}",
            "which {gs} have the highest {a}?", "{gs} ranked by {a}",
            "what {g} has the largest {a}", "{gs} sorted by {a}",
            "{a} by {g}, highest first", "{a} by {g} descending"),
    "bottom": ("which {g} has the lowest {a}?", "{gs} with the lowest {a}",
               "{g} with the lowest {a}", "lowest {a} by {g}", "bottom {gs} by {a}",
               "which {gs} have the smallest {a}?",
               "{a} by {g}, lowest first", "{a} by {g} ascending"),
}  # fmt: skip
_FIRST: Final = {
    "top": ("top {k} {gs} by {a}", "{k} {gs} with the highest {a}",
            "the {k} {gs} with the highest {a}", "which {k} {gs} have the highest {a}?",
            "highest {k} {gs} by {a}"),
    "bottom": ("bottom {k} {gs} by {a}", "{k} {gs} with the lowest {a}",
               "the {k} {gs} with the lowest {a}", "lowest {k} {gs} by {a}"),
}  # fmt: skip
_LARGEST: Final = {
    "top": (
        "largest {gs} by {f}",
        "biggest {gs} by {f}",
        "top {gs} by {f}",
        "{gs} by {f}",
        "which {g} has the most {f}?",
        "{gs} with the most {f}",
    ),
    "bottom": ("smallest {gs} by {f}", "{gs} with the least {f}", "which {g} has the least {f}?"),
}
_LARGEST_FEW: Final = {
    "top": ("top {k} {gs} by {f}", "{k} largest {gs} by {f}", "{k} biggest {gs} by {f}"),
    "bottom": ("bottom {k} {gs} by {f}", "{k} smallest {gs} by {f}"),
}
_FILTERED_BY_ROWS: Final = (
    "{gs} with {c} {n}", "which {gs} have {c} {n}?", "{gs} that have {c} {n}",
    "{gs} having {c} {n}", "{gs} where the number of {n} is {c}", "in which {gs} are there {c} {n}",
)  # fmt: skip
_FILTERED: Final = (
    "{gs} where the {a} is {c}", "{gs} with an {a} {of c}", "{gs} whose {a} is {c}",
    "which {gs} have an {a} {of c}?", "{gs} with {a} {c}", "{gs} where {a} is {c}",
    "{gs} having an {a} {of c}",
)  # fmt: skip
_COUNTS: Final = ("number of {n}", "how many {n}", "count of {n}", "count {n}")
_OF: Final = (" of {n}", " for {n}", " among {n}", " across {n}")
_OF_BARE: Final = ("{a} {n}", "{n} {a}", "{a} in {n}", "{a} for {n}", "{a}, {n}", "{a} of {n}")
_BARE: Final = ("{n} {a}", "{a} {n}")
_CLAUSE: Final = re.compile(r"\b(in|with|whose|by|that|under|on|as|using)\b")
_TRIES: Final = 6
_NO_FIELD: Final = Aggregate("count")


def summary(plan: Plan, voice: Voice, dice: Dice) -> str:
    """A query for a summary, in any style."""
    asked = plan.summary
    assert asked is not None, "the plan is of a summary"
    if asked.group is None:
        return _of_rows(plan, asked, voice, dice)
    if asked.rank:
        return _ranked(plan, asked.group, asked.rank, voice, dice)
    if asked.filter:
        return _filtered(plan, asked.group, asked.filter, voice, dice)
    return _grouped(plan, asked, voice, dice)


def _of_rows(plan: Plan, asked: Summary, voice: Voice, dice: Dice) -> str:
    aggregate = asked.aggregate or _NO_FIELD
    if aggregate.field is None:
        if plan.bounds and dice.chance(0.5, "how many/have"):
            mark = "?" * dice.chance(0.5)
            return f"how many {described(plan.rows(), voice, dice, verb='have')}{mark}"
        return dice.rule("how many", _HOW_MANY, 0.9).replace("{n}", _rows(plan, voice, dice))
    words = aggregate_words(aggregate, voice, dice)
    bare = _bare_rows(plan, voice, dice) if dice.chance(0.3) else None
    if bare:
        return dice.rule("aggregate", _OF_BARE, 0.5).replace("{a}", words).replace("{n}", bare)
    rows = _rows(plan, voice, dice)
    forms: Patterns = _OF_ROWS
    if plan.rank or plan.bounds:
        forms = tuple(form for form in forms if form not in _BARE and "all" not in form)
        rows = f"the {rows}" if plan.rank else rows
    form = dice.rule("aggregate", forms, 0.6)
    return form.replace("{a}", words).replace("{n}", rows)


def _bare_rows(plan: Plan, voice: Voice, dice: Dice) -> str | None:
    """A single value instead of the rows that have it: "average length thrillers"."""
    if len(plan.enums) != 1 or plan.bounds or plan.rank or not plan.enums[0].is_simple:
        return None
    enum = plan.enums[0]
    text = voice.style.realisers[enum.type].bare(enum, voice.words, dice)
    return None if _CLAUSE.search(text) else text


def _grouped(plan: Plan, asked: Summary, voice: Voice, dice: Dice) -> str:
    group = _group_noun(asked.group, voice, dice)
    if asked.aggregate is None:
        form = dice.rule("by", _ROWS_BY, 0.6)
        return form.replace("{n}", _rows(plan, voice, dice)).replace("{g}", group)
    if asked.aggregate.field is None:
        rows = _rows(plan, voice, dice)
        form = dice.rule("by", _BY, 0.7)
        many = dice.rule("counted by", _COUNTS, 0.5)
        many = many if not form.startswith("what") else "number of {n}"
        return form.replace("{a}", many.replace("{n}", rows)).replace("{g}", group)
    words = aggregate_words(asked.aggregate, voice, dice)
    form = dice.rule("by", _BY, 0.7)
    if not plan.enums and not plan.bounds:
        return form.replace("{a}", words).replace("{g}", group)
    return _with_rows(form, words, group, plan, voice, dice)


def _with_rows(form: str, words: str, group: str, plan: Plan, voice: Voice, dice: Dice) -> str:
    """An aggregate by groups of some rows: before the groups or at the end."""
    rows = _rows(plan, voice, dice)
    of = dice.rule("of", _OF, 0.6).replace("{n}", rows)
    if dice.chance(0.6):
        return form.replace("{a}", words + of).replace("{g}", group)
    text = form.replace("{a}", words).replace("{g}", group)
    return f"{text[:-1]}{of}?" if text.endswith("?") else text + of


def _ranked(plan: Plan, group: Group, rank: Rank, voice: Voice, dice: Dice) -> str:
    aggregate = rank.field
    assert isinstance(aggregate, Aggregate), "groups are ranked by aggregates"
    one = _group_noun(group, voice, dice)
    many = rank.count is None
    if aggregate.field is None:
        tables = _MOST_ROWS if many else _FIRST_BY_ROWS
    elif aggregate.function == "sum" and dice.chance(0.5):
        tables = _LARGEST if many else _LARGEST_FEW
    else:
        tables = _MOST if many else _FIRST
    form = dice.rule("groups", tables[rank.direction], 0.6)
    if rank.count is not None:
        form = form.replace("{k}", integer(rank.count, dice, 0.2))
    form = form.replace("{gs}", plural(one)).replace("{g}", one)
    return _about(form, aggregate, plan, voice, dice)


def _filtered(plan: Plan, group: Group, filter_: GroupFilter, voice: Voice, dice: Dice) -> str:
    aggregate = filter_.aggregate
    one = _group_noun(group, voice, dice)
    class_ = voice.class_of(aggregate.field.token) if aggregate.field else COUNT
    bound = Bound(
        FieldRef("x") if aggregate.field is None else aggregate.field,
        "", filter_.op, (filter_.value,), (filter_.written,),
    )  # fmt: skip
    said = compared(bound, class_, dice)
    form = dice.rule("filter", _FILTERED if aggregate.field else _FILTERED_BY_ROWS, 0.5)
    form = form.replace("{gs}", plural(one)).replace("{of c}", said)
    form = form.replace("{c}", said.removeprefix("of "))
    text = _about(form, aggregate, plan, voice, dice, late=True)
    words = voice.words.rules.fields
    return text.replace(" an ", f" {words.article(text.partition(' an ')[2])} ", 1)


def _about(
    form: str, aggregate: Aggregate, plan: Plan, voice: Voice, dice: Dice, late: bool = False
) -> str:
    """A form with its rows or its aggregate.

    The rows of an aggregate follow it or, if they are `late`, end the text.
    """
    rows = _rows(plan, voice, dice)
    if aggregate.field is None:
        return form.replace("{n}", rows)
    if "{f}" in form:
        form, words = form.replace("{f}", "{a}"), noun(aggregate.field.token, voice, dice)
    else:
        words = aggregate_words(aggregate, voice, dice, simple=True)
    if not plan.enums and not plan.bounds:
        return form.replace("{a}", words)
    of = dice.rule("of", _OF[1:] if late else _OF, 0.6).replace("{n}", rows)
    if not late and (dice.chance(0.6) or plan.bounds):
        return form.replace("{a}", words + of)
    text = form.replace("{a}", words)
    return f"{text[:-1]}{of}?" if text.endswith("?") else text + of


def aggregate_words(aggregate: Aggregate, voice: Voice, dice: Dice, simple: bool = False) -> str:
    """ "average length", "total audience"; never the name of a field."""
    assert aggregate.field is not None, "a count has no field"
    forms = _FUNCTIONS[aggregate.function]
    forms = forms[:3] if simple else forms
    field = noun(aggregate.field.token, voice, dice)
    first = field.split()[0]
    usable = [form for form in forms if not voice.words.is_known(form.replace("{f}", field))]
    usable = [form for form in usable if not form.startswith(first)]
    if not usable:
        usable = [form for form in forms if " of " in form] or list(forms)
    form = dice.rule("function", usable, 1.2)
    return form.replace("{f}", field)


def _group_noun(group: Group | None, voice: Voice, dice: Dice) -> str:
    assert group is not None, "there are groups"
    if isinstance(group.field, str):
        return group.field.lower()
    token = group.field.token
    names = voice.words.field(token)
    short = [word for word in names if word.isalpha() and not word.endswith("s")]
    return pick(dice, short, 2.0) if short and dice.chance(0.85) else noun(token, voice, dice)


def _rows(plan: Plan, voice: Voice, dice: Dice) -> str:
    """The rows that are summarised; no noun whose number is a field of its own."""

    def drawn() -> str | None:
        rows = ranked_rows(plan.rows(), voice, dice)
        return None if voice.words.is_known(f"number of {rows.split()[0]}") else rows

    for _ in range(_TRIES):
        found = dice.attempt(drawn)
        if found:
            return found
    return ranked_rows(plan.rows(), voice, dice)
