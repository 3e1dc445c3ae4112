"""Telegraphic style, with parts in any order: "thriller france length > 120"."""

from __future__ import annotations

from typing import Final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.numbers import integer
from grammax.tables.corpus.phrasing.clauses import keyword
from grammax.tables.corpus.phrasing.measures import measure_words, noun
from grammax.tables.corpus.phrasing.ranks import counted, measure_of, sorted_by, superlative_words
from grammax.tables.corpus.phrasing.rows import described, entity
from grammax.tables.corpus.phrasing.signs import modifier
from grammax.tables.corpus.plan import Bound, Comparison, Plan
from grammax.tables.corpus.style import Voice
from grammax.tables.corpus.times import bare_time
from grammax.tables.form.tree import FieldRef, Rank

_SEPARATORS: Final = (
    *(" ",) * 22, *(", ",) * 9, *(" and ",) * 3, "; ", " & ", " + ", ": ",
)  # fmt: skip
_NO_AND: Final = ("but ", "with", "w/", "where", "having", "by ")
_PLURAL: Final = 0.9
_CLAUSES: Final = ("with", "that ", "which ", "whose ", "no ", "up ", "down ", "at ")
_WITH: Final = ("with", "w/", "where", "having")
_IN: Final = ("in ", "from ", "on ")
_LARGEST: Final = {"top": ("top", "largest", "biggest"), "bottom": ("bottom", "smallest")}


def in_few_words(plan: Plan, voice: Voice, dice: Dice) -> str:
    """A query of keywords."""
    values = _values(plan, voice, dice)
    before, bounds = _comparisons(plan, voice, dice)
    separator = dice.rule("separator", _SEPARATORS)
    if not values and not before:
        separator = " "
        values = [entity(voice, dice, _PLURAL)] if plan.rank or dice.chance(0.5) else []
    parts = [*before, *values]
    if bounds and parts and _names_field(plan, bounds[0], voice) and dice.chance(0.18):
        bounds[0] = f"{dice.rule('keywords', _WITH, 0.4)} {bounds[0]}"
    if plan.rank:
        parts = _ranked(plan.rank, parts, voice, dice)
    first = bounds and not plan.rank and dice.chance(0.25, "keywords/numbers first")
    if first and not bounds[0].startswith(_WITH):
        parts = [*bounds, *_after(plan, parts, voice, dice)]
    else:
        parts = [*parts, *bounds]
    if plan.columns:
        parts = _showing(plan, parts, voice, dice)
    if any(part.startswith(_NO_AND) for part in parts[1:]) and separator.strip() in ("and", "&"):
        separator = ", "
    if separator == ": ":
        text = ": ".join([parts[0], ", ".join(parts[1:])]) if len(parts) > 1 else parts[0]
    else:
        text = separator.join(parts)
    return text + sorted_by(plan.sort, voice, dice)


def _values(plan: Plan, voice: Voice, dice: Dice) -> list[str]:
    if plan.groups:
        return [described(Plan(groups=plan.groups), voice, dice)]
    enums = list(plan.enums)
    if dice.chance(0.7):
        enums.sort(key=lambda enum: enum.negated)
    elif len(enums) > 1:
        dice.shuffle(enums)
        enums.sort(key=lambda enum: enum.negated)
    realisers = voice.style.realisers
    parts = [e.wording or realisers[e.type].bare(e, voice.words, dice) for e in enums]
    with_noun = bool(plan.bounds) or any(enum.negated for enum in enums)
    if with_noun and parts and not enums[0].negated and dice.chance(0.3):
        parts[:1] = [described(Plan(enums=(enums[0],)), voice, dice)]
    elif parts and dice.chance(0.12, "keywords/noun first"):
        parts[0] = f"{entity(voice, dice, _PLURAL)} {parts[0]}"
    return parts


def _names_field(plan: Plan, text: str, voice: Voice) -> bool:
    """Whether a comparison names its field, so that "with" may stand before it."""
    if text.startswith(_CLAUSES):
        return False
    fields = [b.field.token for b in _bounds(plan) if isinstance(b.field, FieldRef)]
    return any(noun in text for token in fields for noun in voice.words.field(token))


def _bounds(plan: Plan) -> list[Bound]:
    return [bound for bound in plan.bounds if isinstance(bound, Bound)]


def _after(plan: Plan, parts: list[str], voice: Voice, dice: Dice) -> list[str]:
    """Values after numbers: "length > 120 france" or "length > 120 in france"."""
    if len(plan.enums) != 1 or plan.enums[0].negated or plan.enums[0].wording:
        return parts
    enum = plan.enums[0]
    text = voice.style.realisers[enum.type].after(enum, voice.words, dice)
    return [text] if text.startswith(_IN) and dice.chance(0.6) else parts


def _comparisons(plan: Plan, voice: Voice, dice: Dice) -> tuple[list[str], list[str]]:
    """Comparisons before the values, such as "silent", and after them."""
    alone = len(plan.bounds) == 1 and not plan.columns and not plan.rank and not plan.sort
    before: list[str] = []
    after: list[str] = []
    for bound in plan.bounds:
        text = None if before else _before(bound, plan, voice, dice)
        if text:
            before.append(text)
        else:
            after.append(keyword(bound, voice, dice, alone))
    return before, after


def _before(bound: Comparison, plan: Plan, voice: Voice, dice: Dice) -> str | None:
    text = modifier(bound, voice, dice) if dice.chance(0.5) else None
    amount = isinstance(bound, Bound) and not bound.is_sign
    alone = text and (amount or not (plan.enums or plan.groups))
    return f"{text} {entity(voice, dice, _PLURAL)}" if alone else text


def _ranked(rank: Rank, parts: list[str], voice: Voice, dice: Dice) -> list[str]:
    field = rank.field
    count = "" if rank.count is None else f" {integer(rank.count, dice, 0.1)}"
    rows = parts
    if voice.is_measure(field) and dice.chance(0.6):
        word = dice.rule("largest", _LARGEST[rank.direction])
        return [f"{word}{count} {rows[0]}", *rows[1:]]
    if isinstance(field, FieldRef) and not field.time and dice.chance(1.4 * voice.style.mix.idioms):
        idiom = _idiom(rank, field.token, voice, dice)
        if idiom:
            return [f"{idiom} {rows[0]}", *rows[1:]]
    if dice.chance(0.4):
        words = superlative_words(rank, voice, dice, before=True)
        words = counted(words, rank, dice, first=True)
        return [words, *rows] if dice.chance(0.6) else [*rows, words]
    words = measure_words(measure_of(rank), voice, dice, bare=True)
    word = pick(dice, _LARGEST[rank.direction][:1]) + count
    if dice.chance(0.3):
        return [f"{word} by {words}", *rows] if count else [f"{word} {words}", *rows]
    return [f"{word} {rows[0]}", *rows[1:-1], f"{rows[-1] if len(rows) > 1 else ''} by {words}"]


def _idiom(rank: Rank, token: str, voice: Voice, dice: Dice) -> str | None:
    """A superlative of the field, or an adjective: "longest", "long"."""
    own, top = voice.idioms(token), rank.direction == "top"
    if rank.count is None and dice.chance(voice.style.mix.adjective):
        adjectives = own.more if top else own.less
        if adjectives:
            return dice.rule("adjective", adjectives, 0.9)
    patterns = tuple(each for each in (own.most if top else own.least) if "{e}" not in each)
    return counted(dice.rule("idiom", patterns, 0.9), rank, dice) if patterns else None


def _showing(plan: Plan, parts: list[str], voice: Voice, dice: Dice) -> list[str]:
    """Columns first or last, or after "show" where they could be read as part of a comparison."""
    refs = [column for column in plan.columns if isinstance(column, FieldRef)]
    nouns = [noun(ref.token, voice, dice) for ref in refs]
    text = pick(dice, (" and ", ", ")).join(nouns)
    if not refs:
        text = measure_words(plan.columns[0], voice, dice)
    elif refs[0].time:  # one time for all columns
        text += f" {bare_time(refs[0].time, dice)}"
    compared = voice.style.drawing.compared
    if plan.bounds or plan.rank or any(enum.type in compared for enum in plan.enums):
        return [*parts, f"show {text}"]
    return [text, *parts] if dice.chance(0.5) else [*parts, text]
