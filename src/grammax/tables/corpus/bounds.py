"""Words for comparisons: "with a length above 120", "whose budget last year was over $1bn"."""

from __future__ import annotations

from random import Random
from typing import Final

from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.plan import Bound, Comparison, Either
from grammax.tables.corpus.style import Voice
from grammax.tables.corpus.times import bare_time, time_phrase
from grammax.tables.form.tree import FieldRef, Year

_OF_COUNTS: Final = {
    "GR": ("more than", "over"),
    "GE": ("at least", "no fewer than"),
    "LS": ("fewer than", "less than", "under"),
    "LE": ("at most", "no more than", "up to"),
    "EQ": ("exactly",),
}
_SIGNS: Final = {
    "GR": (">", "over", "above", "more than"),
    "GE": (">=", "at least", "min", "minimum"),
    "LS": ("<", "under", "below", "less than"),
    "LE": ("<=", "at most", "max", "up to"),
    "EQ": ("=", "equal to"),
}
_BETWEEN: Final = ("{f} between {l} and {h}", "{f} {l} to {h}", "{f} from {l} to {h}")


def sentence_clause(
    bounds: tuple[Comparison, ...], voice: Voice, random: Random, verb: str = ""
) -> str:
    """All comparisons as one clause; `verb` is "have" where they answer a "which"."""
    if len(bounds) == 1 and isinstance(bounds[0], Either):
        word = "either " if random.random() < 0.35 else ""
        one, other = (_after_with(side, voice, random) for side in bounds[0].sides)
        return f"{verb or 'with'} {word}{one} or {other}"
    plain = [bound for bound in bounds if isinstance(bound, Bound)]
    style = "with" if verb else pick(random, ("with", "whose", "where", "that have"), 0.8)
    if style in ("whose", "where"):
        parts = [_after_whose(bound, style == "where", voice, random) for bound in plain]
        again = f" and {style} " if style == "whose" and random.random() < 0.4 else " and "
        return f"{style} {again.join(parts)}"
    parts = [_after_with(bound, voice, random) for bound in plain]
    return f"{verb or style} {' and '.join(parts)}"


def telegraphic(bound: Comparison, voice: Voice, random: Random, alone: bool) -> str:
    """A comparison in telegraphic style: "length > 120"; alone, its time may stand anywhere."""
    if isinstance(bound, Either):
        one, other = (telegraphic(side, voice, random, alone=False) for side in bound.sides)
        return f"{one} or {other}"
    field = noun(bound.field.token, voice, random)
    time = bare_time(bound.field.time, random) if bound.field.time else ""
    position = pick(random, ("after", "before", "end")) if time and alone else "after"
    if not bound.written and position == "end":
        position = "before"
    if position == "before":
        field = f"{time} {field}"
    elif position == "after" and time:
        field = f"{field} {time}"
    text = _with_sign(bound, field, voice, random, free=not time)
    return f"{text} {time}" if time and position == "end" else text


def noun(token: str, voice: Voice, random: Random) -> str:
    """One of the words for a field, mostly a common one."""
    field = voice.catalogue.fields[token]
    return pick(random, voice.words.field(token), 1.2 if field.base is None else 1.8)


def timed(field: FieldRef, voice: Voice, random: Random, bare: bool = False) -> str:
    """A field with its time: "audience in 2023"."""
    words = noun(field.token, voice, random)
    if field.time is None:
        return words
    return f"{words} {bare_time(field.time, random) if bare else time_phrase(field.time, random)}"


def _with_sign(
    bound: Bound, field: str, voice: Voice, random: Random, free: bool, signs: bool = False
) -> str:
    """A field and a number with a sign or a word between them; if `free`, also in other orders."""
    sign = pick(random, _SIGNS[bound.op][: 4 if bound.written else 2], 0.9)
    if signs:
        sign = _SIGNS[bound.op][0]
    if not bound.written:
        return f"{field} {sign} {_other(bound, voice, random, bare=True)}"
    if bound.between:
        low, high = bound.written
        form = pick(random, _BETWEEN, 0.4)
        return form.replace("{f}", field).replace("{l}", low).replace("{h}", high)
    number = bound.written[0]
    if free and bound.op == "GE" and random.random() < 0.2 and number[-1] in "%0123456789":
        return f"{field} {number}+"
    if free and bound.op in ("GR", "LS") and sign in "<>" and random.random() < 0.12:
        return f"{sign}{number} {field}"
    if free and sign in ("min", "max") and random.random() < 0.5:
        return f"{sign} {number} {field}"
    tight = sign in ("<", ">", "=") and random.random() < 0.2
    return f"{field}{sign}{number}" if tight else f"{field} {sign} {number}"


def _after_with(bound: Bound, voice: Voice, random: Random) -> str:
    """A comparison after "with" or "have": "a length below 90", "more than 10 awards"."""
    field = noun(bound.field.token, voice, random)
    time = f" {time_phrase(bound.field.time, random)}" if bound.field.time else ""
    numbers, nouns = voice.style.numbers[bound.type], voice.words.rules.fields
    if numbers.is_count and bound.written and nouns.is_plural(field):
        return f"{_number(bound, pick(random, _OF_COUNTS[bound.op], 0.4))} {field}{time}"
    head = nouns.with_article(field, numbers.is_mass)
    word = pick(random, numbers.comparatives[bound.op], 0.5)
    if not bound.written:
        word = word.removeprefix("of ") if word != "of" else "equal to"
        return f"{head}{time} {word} {_other(bound, voice, random)}"
    number = _number(bound, word)
    if random.random() < 0.12 and bound.op in ("GE", "LE") and not bound.between:
        number = f"of {bound.written[0]} or {numbers.more if bound.op == 'GE' else numbers.less}"
    if time and random.random() < 0.5:
        return f"{head} {number}{time}"
    return f"{head}{time} {number}"


def _after_whose(bound: Bound, signs: bool, voice: Voice, random: Random) -> str:
    """A comparison after "whose" or "where": "budget last year was over $1 million"."""
    field = noun(bound.field.token, voice, random)
    time = f" {time_phrase(bound.field.time, random)}" if bound.field.time else ""
    if signs and random.random() < 0.3:
        return _with_sign(bound, f"{field}{time}", voice, random, free=False, signs=True)
    is_plural = voice.words.rules.fields.is_plural(field)
    verb = ("were" if time else "are") if is_plural else ("was" if time else "is")
    comparatives = voice.style.numbers[bound.type].comparatives_after_is
    word = pick(random, comparatives[bound.op], 0.5)
    if bound.written:
        return f"{field}{time} {verb} {_number(bound, word)}"
    return f"{field}{time} {verb} {word} {_other(bound, voice, random)}"


def _number(bound: Bound, word: str) -> str:
    if bound.between:
        return f"between {bound.written[0]} and {bound.written[1]}"
    return f"{word} {bound.written[0]}"


def _other(bound: Bound, voice: Voice, random: Random, bare: bool = False) -> str:
    """The field to compare with; left out if it is the same field at another time."""
    other = bound.values[0]
    assert isinstance(other, FieldRef), "without a number there is a field"
    short = not (bare and isinstance(other.time, Year))  # "> 2016" would be a number
    if other.token == bound.field.token and other.time and short and random.random() < 0.6:
        return bare_time(other.time, random) if bare else f"in {bare_time(other.time, random)}"
    return timed(other, voice, random, bare)
