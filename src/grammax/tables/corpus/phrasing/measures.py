"""Nouns for fields, with their times, and for ratios and changes of fields."""

from __future__ import annotations

import re
from typing import Final

from grammax.tables.catalogue.keys import singular
from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.style import Voice
from grammax.tables.corpus.times import bare_time, span_phrase, time_phrase
from grammax.tables.form.tree import Change, FieldRef, Last, Measure, Ratio
from grammax.tables.idioms import FieldClass, Patterns

_TIMED: Final = ("{f} {in t}", "{f} {t}", "{t} {f}", "{t}'s {f}")
_RATIOS: Final = (
    "{x} to {y}", "{x} divided by {y}", "{x}/{y}", "ratio of {x} to {y}", "{x} over {y}",
    "{x} / {y}", "{x} to {y} ratio", "{x} relative to {y}", "{x} as a multiple of {y}",
    "{x}-to-{y} ratio", "{x} as a percentage of {y}", "{x} as % of {y}",
)  # fmt: skip
_CHANGES: Final = (
    "change in {f} {t}", "{f} change {t}", "increase in {f} {t}", "percentage change in {f} {t}",
    "{t} change in {f}", "change of {f} {t}", "{f} increase {t}",
)  # fmt: skip
_OF_PLURALS: Final = re.compile(r"number of \{f\}|\{c\} \{f\}|fewest")
_CONSONANT_Y: Final = re.compile(r".*[^aeiou]y")


def noun(token: str, voice: Voice, dice: Dice) -> str:
    """One of the words for a field, mostly a common one."""
    field = voice.catalogue.fields[token]
    return pick(dice, voice.words.field(token), 1.2 if field.base is None else 1.8)


def fitting(patterns: Patterns, field: str, class_: FieldClass, voice: Voice) -> Patterns:
    """The patterns that suit a noun: of counts, "more than 5 {f}" suits a plural only."""
    if class_.name != "COUNT" or voice.words.rules.fields.is_plural(field):
        usable = [p for p in patterns if not ("number of {f}" in p and "number" in field)]
    else:
        usable = [p for p in patterns if not _OF_PLURALS.search(p)]
    return tuple(usable) or patterns


def timed(ref: FieldRef, voice: Voice, dice: Dice, bare: bool = False) -> str:
    """A field with its time: "audience in 2023", "last year's audience"."""
    return with_time(noun(ref.token, voice, dice), ref, dice, bare)


def with_time(words: str, ref: FieldRef, dice: Dice, bare: bool = False) -> str:
    """The words for a field with the time of the field."""
    if ref.time is None:
        return words
    simple = isinstance(ref.time, Last) and ref.time.count is None
    forms = _TIMED[1:3] if bare else _TIMED[: 4 if simple else 3]
    form = dice.rule("timed", forms, 0.0 if bare else 0.5)
    phrase = time_phrase(ref.time, dice) if "{in t}" in form else bare_time(ref.time, dice)
    return form.replace("{f}", words).replace("{in t}", phrase).replace("{t}", phrase)


def measure_words(measure: Measure, voice: Voice, dice: Dice, bare: bool = False) -> str:
    """The words for a field, a ratio or a change."""
    if isinstance(measure, Ratio):
        return ratio_words(measure, voice, dice)
    if isinstance(measure, Change):
        return change_words(measure, voice, dice)
    return timed(measure, voice, dice, bare)


def ratio_words(ratio: Ratio, voice: Voice, dice: Dice) -> str:
    """ "budget divided by length", "budget per minute" """
    one, other = (
        timed(ref, voice, dice, bare=True) for ref in (ratio.numerator, ratio.denominator)
    )
    counted = voice.class_of(ratio.denominator.token).name == "COUNT"
    is_plural = voice.words.rules.fields.is_plural(other)
    if counted and is_plural and dice.chance(0.6, "ratio/{x} per {y}"):
        return f"{one} per {singular(other)}"
    form = dice.rule("ratio", _RATIOS, 0.5)
    return form.replace("{x}", one).replace("{y}", other)


def change_words(change: Change, voice: Voice, dice: Dice) -> str:
    """ "change in audience over the last 3 years" """
    assert change.field.time is not None, "a change has a time"
    field = noun(change.field.token, voice, dice)
    filled = [(form, form.replace("{f}", field)) for form in _CHANGES]
    usable = [form for form, text in filled if not voice.words.is_known(text.replace("{t}", ""))]
    if not isinstance(change.field.time, Last):  # "since 2019" follows
        usable = [form for form in usable if not form.startswith("{t}")]
    form = dice.rule("change", usable or _CHANGES[:1], 0.5)
    early = form.startswith("{t}")
    time = bare_time(change.field.time, dice) if early else span_phrase(change.field.time, dice)
    return form.replace("{f}", field).replace("{t}", time)


def plural(word: str) -> str:
    """A noun in the plural, judged by its spelling.

    >>> plural("country"), plural("genre"), plural("index"), plural("headquarters")
    ('countries', 'genres', 'indexes', 'headquarters')
    """
    head, _, rest = word.partition(" of ")
    if _CONSONANT_Y.fullmatch(head):
        head = f"{head[:-1]}ies"
    elif not head.endswith("s"):
        head += "es" if head.endswith(("x", "ch", "sh")) else "s"
    return f"{head} of {rest}" if rest else head
