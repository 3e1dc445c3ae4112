"""Ranks: superlatives, adjectives with a direction, and orders, with or without a count.

A rank without a count is "longest films", "films with the highest score", "films by length"; an
adjective has the same meaning: "long films", "films with a high score".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.numbers import integer
from grammax.tables.corpus.phrasing.measures import fitting, measure_words, noun
from grammax.tables.corpus.phrasing.rows import described
from grammax.tables.corpus.plan import Plan
from grammax.tables.corpus.style import Voice
from grammax.tables.corpus.times import span_phrase
from grammax.tables.form.tree import Aggregate, Change, Display, FieldRef, Measure, Rank
from grammax.tables.idioms import AGENT_LEAST, AGENT_MOST, Patterns, around

_LARGEST: Final = {"top": ("largest", "biggest", "top"), "bottom": ("smallest",)}
_HIGHEST: Final = {
    "top": ("highest {f}", "largest {f}", "best {f}", "biggest {f}"),
    "bottom": ("lowest {f}", "smallest {f}", "worst {f}"),
}
_STARTS: Final = {
    "top": ("top", "highest", "largest", "biggest"),
    "bottom": ("bottom", "lowest", "smallest"),
}
_BEST: Final = {"top": ("highest {f}", "best {f}"), "bottom": ("lowest {f}", "worst {f}")}
_COUNTED: Final = ("{k} {s}", "top {k} {s}", "{s} {k}")
_CHANGED: Final = {
    "top": ("biggest increase in {f} {t}", "fastest growing {f} {t}", "largest {f} increase {t}",
            "highest change in {f} {t}"),
    "bottom": ("biggest drop in {f} {t}", "fastest falling {f} {t}", "largest {f} decline {t}",
               "lowest change in {f} {t}", "biggest decrease in {f} {t}"),
}  # fmt: skip
_AFTER_WITH: Final = ("most", "least", "fewest", "top", "greatest")
_SORTS: Final = {
    "DESC": ("sorted by {f}", "sort by {f}", "by {f}, highest first", "sorted by {f} descending",
             "order by {f}", "in descending order of {f}", "highest {f} first", "{f} high to low",
             "ordered by {f}, largest first", "sort by {f} desc", "sorted by {f} high to low"),
    "ASC": ("sorted by {f} ascending", "by {f}, lowest first", "lowest {f} first",
            "sort by {f} ascending", "in ascending order of {f}", "{f} low to high",
            "ordered by {f} from low to high", "sort by {f} asc", "smallest {f} first"),
}  # fmt: skip


def ranked_rows(plan: Plan, voice: Voice, dice: Dice) -> str:
    """The rows, or the first few of them, as a noun phrase."""
    rank = plan.rank
    if rank is None:
        return described(plan, voice, dice)
    forms: list[Callable[[Plan, Rank, Voice, Dice], str | None]] = [_with_highest, _by]
    if isinstance(rank.field, FieldRef):
        own = voice.style.mix.idioms > 0 and voice.has_superlatives(rank.field.token)
        forms = [*[_superlative] * (5 if own else 0), _before_noun, *forms]
        if rank.count is None and dice.chance(voice.style.mix.adjective):
            forms = [_adjective]
        elif voice.is_measure(rank.field) and dice.chance(0.7):
            forms = [_largest]
    for _ in range(3):
        form = pick(dice, forms)
        text = dice.attempt(partial(form, plan, rank, voice, dice))
        if text:
            dice.note(f"rank/{form.__name__.strip('_')}")
            return text
    return _by(plan, rank, voice, dice)


def superlative_words(rank: Rank, voice: Voice, dice: Dice, before: bool = False) -> str:
    """What the first rows have: "highest score", "biggest increase in audience last year".

    Not all words may stand `before` the noun: "films with the most awards".
    """
    measure = measure_of(rank)
    if isinstance(measure, Change):
        form = dice.rule("changed", _CHANGED[rank.direction], 0.4)
        assert measure.field.time is not None, "a change has a time"
        words, time = noun(measure.field.token, voice, dice), span_phrase(measure.field.time, dice)
        return form.replace("{f}", words).replace("{t}", time)
    patterns: Patterns = _HIGHEST[rank.direction]
    words = measure_words(measure, voice, dice)
    if isinstance(measure, FieldRef) and not voice.is_numeric(measure.token):
        patterns = _BEST[rank.direction]
    elif isinstance(measure, FieldRef):
        class_ = voice.class_of(measure.token)
        patterns = class_.most if rank.direction == "top" else class_.least
        patterns = fitting(patterns, words, class_, voice)
        if before:
            patterns = tuple(p for p in patterns if not p.startswith(_AFTER_WITH)) or patterns
    return dice.rule("superlative", patterns, 1.0).replace("{f}", words)


def measure_of(rank: Rank) -> Measure:
    """What a rank of rows orders by."""
    assert not isinstance(rank.field, Aggregate), "rows are not ranked by an aggregate"
    return rank.field


def sorted_by(sort: Display | None, voice: Voice, dice: Dice) -> str:
    """A phrase for the order of the answer, with a leading space."""
    if sort is None or sort.order is None:
        return ""
    form = dice.rule("sort", _SORTS[sort.order], 0.5)
    comma = "," if form.startswith(("by", "highest", "lowest", "{f}", "smallest")) else ""
    return f"{comma} {form.replace('{f}', measure_words(sort.field, voice, dice, bare=True))}"


def counted(word: str, rank: Rank, dice: Dice, first: bool = False) -> str:
    """A superlative with its count: "10 largest", "largest 10"; or only with the count `first`."""
    if rank.count is None:
        return word
    form = dice.rule("counted", _COUNTED[:2] if first else _COUNTED, 0.8)
    return form.replace("{k}", integer(rank.count, dice, 0.15)).replace("{s}", word)


def _superlative(plan: Plan, rank: Rank, voice: Voice, dice: Dice) -> str | None:
    """An idiom of the field: "10 longest films", "top directors"."""
    assert isinstance(rank.field, FieldRef), "idioms belong to fields"
    if rank.field.time or not voice.style.mix.idioms:
        return None
    own = voice.idioms(rank.field.token)
    top = rank.direction == "top"
    agents = own.agents if top else own.low_agents or own.agents
    if agents and dice.chance(0.35):
        words = AGENT_MOST if top or own.low_agents else AGENT_LEAST
        agent = dice.rule("agents", agents, 0.9)
        return (
            f"{counted(pick(dice, words), rank, dice)} {described(plan, voice, dice, noun=agent)}"
        )
    patterns = own.most if top else own.least
    return _modified(plan, rank, patterns, "idiom", voice, dice)


def _adjective(plan: Plan, rank: Rank, voice: Voice, dice: Dice) -> str | None:
    """ "long films", "films with a high score" """
    assert isinstance(rank.field, FieldRef), "idioms belong to fields"
    token, top = rank.field.token, rank.direction == "top"
    if rank.field.time:
        return None
    own = voice.idioms(token)
    patterns = own.more if top else own.less
    if patterns and dice.chance(0.75):
        return _modified(plan, rank, patterns, "adjective", voice, dice)
    if not voice.is_numeric(token):
        return None
    class_ = voice.class_of(token)
    patterns = class_.more if top else class_.less
    if not patterns:
        return None
    form = dice.rule("adjective", patterns, 0.6).replace("{f}", noun(token, voice, dice))
    if not form.startswith("a ") and dice.chance(0.5) and not plan.bounds:
        return f"{form} {described(plan, voice, dice)}"
    return described(plan, voice, dice, by=f"with {form}")


def _modified(
    plan: Plan, rank: Rank, patterns: Patterns, table: str, voice: Voice, dice: Dice
) -> str | None:
    if plan.bounds:  # nothing may stand between the noun and the end of its idiom
        patterns = tuple(each for each in patterns if "{e}" not in each)
    if not patterns:
        return None
    pattern = dice.rule(table, patterns, 0.9)
    rows = described(plan, voice, dice, short=table == "idiom" and dice.chance(0.15))
    text = around(pattern, rows)
    if rank.count is None:
        return text
    word = pattern.replace(" {e}", "")
    return f"{counted(word, rank, dice)} {rows}" if text == f"{word} {rows}" else None


def _largest(plan: Plan, rank: Rank, voice: Voice, dice: Dice) -> str:
    """The rows with the most of the measure: "largest 10 films", "top films"."""
    if rank.count is not None and dice.chance(0.5):
        return f"{rank.direction} {integer(rank.count, dice, 0.2)} {described(plan, voice, dice)}"
    word = dice.rule("largest", _LARGEST[rank.direction], 0.5)
    rows = described(plan, voice, dice, short=dice.chance(0.15))
    return f"{_top(rank, dice) if word == 'top' else counted(word, rank, dice)} {rows}"


def _top(rank: Rank, dice: Dice) -> str:
    return "top" if rank.count is None else f"top {integer(rank.count, dice, 0.2)}"


def _before_noun(plan: Plan, rank: Rank, voice: Voice, dice: Dice) -> str | None:
    """ "highest score films", "10 lowest score films" """
    if len(plan.bounds) > 1:
        return None
    words = counted(superlative_words(rank, voice, dice, before=True), rank, dice, first=True)
    return f"{words} {described(plan, voice, dice, short=dice.chance(0.3))}"


def _with_highest(plan: Plan, rank: Rank, voice: Voice, dice: Dice) -> str | None:
    """ "10 films with the highest score" """
    if len(plan.bounds) > 1:
        return None
    the = "the " if dice.chance(0.85) else ""
    with_ = f"with {the}{superlative_words(rank, voice, dice)}"
    text = described(plan, voice, dice, by=with_)
    if rank.count is None:
        return text
    top = "top " if rank.direction == "top" and dice.chance(0.2) else ""
    return f"{top}{integer(rank.count, dice)} {text}"


def _by(plan: Plan, rank: Rank, voice: Voice, dice: Dice) -> str:
    """ "top 10 films by score", "films by score" """
    words = measure_words(measure_of(rank), voice, dice)
    text = described(plan, voice, dice, by=f"by {words}")
    if rank.count is None:
        plain = rank.direction == "top" and not plan.bounds and dice.chance(0.4)
        start = "" if plain else dice.rule("by", _STARTS[rank.direction], 0.7)
        return f"{start} {text}".strip()
    count = integer(rank.count, dice, 0.2)
    word = dice.rule("by", _STARTS[rank.direction], 1.0)
    return f"{word} {count} {text}" if dice.chance(0.8) else f"{count} {word} {text}"
