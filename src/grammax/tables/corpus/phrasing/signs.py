"""Words for comparisons with zero ("silent", "without awards"), and amounts before the noun."""

from __future__ import annotations

from typing import Final

from grammax.tables.catalogue.keys import singular
from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.numbers import Sums
from grammax.tables.corpus.phrasing.measures import noun
from grammax.tables.corpus.plan import Bound, Comparison, Either
from grammax.tables.corpus.style import Voice
from grammax.tables.form.tree import FieldRef, Number
from grammax.tables.idioms import Patterns, follows_noun

_OWNED: Final = ("with {w}", "that have {w}", "having {w}", "which have {w}")
_NO_WITH: Final = ("without", "with ", "that ", "which ", "whose ", "no longer")


def modifier(bound: Comparison, voice: Voice, dice: Dice) -> str | None:
    """A comparison before the noun, if it can stand there: "silent", "$10m+"."""
    if isinstance(bound, Either) or not isinstance(bound.field, FieldRef):
        return None
    if voice.is_measure(bound.field) and bound.op == "GE" and voice.style.mix.idioms:
        return _amount_modifier(bound, voice, dice)
    if not bound.is_sign:
        return None
    before = idioms_of_sign(bound, voice, after=False)
    return dice.rule("sign", before, 0.9) if before else None


def sign_clause(bound: Bound, voice: Voice, dice: Dice) -> str:
    """A comparison with zero after the noun."""
    after = idioms_of_sign(bound, voice, after=True)
    if after and dice.chance(0.65):
        return dice.rule("sign", after, 0.9)
    before = idioms_of_sign(bound, voice, after=False)
    if before and dice.chance(0.7):
        return f"that are {dice.rule('sign', before, 0.9)}"
    return owned(sign_words(bound, voice, dice), dice)


def sign_words(bound: Bound, voice: Voice, dice: Dice) -> str:
    """A comparison with zero by the field's name: "no awards", "positive score"."""
    signs = voice.class_of(bound.ref.token).signs
    patterns = {"GR": signs.positive, "LS": signs.negative}.get(bound.op, signs.absent)
    if not patterns:
        return dice.rule("sign", idioms_of_sign(bound, voice), 0.4)
    field = noun(bound.ref.token, voice, dice)
    if voice.words.rules.fields.is_plural(field):
        patterns = tuple(each for each in patterns if not each.startswith("a "))
    return dice.rule("sign", patterns, 0.8).replace("{f}", field)


def idioms_of_sign(bound: Bound, voice: Voice, after: bool | None = None) -> Patterns:
    """The field's own words for a sign; `after` selects those before or after the noun."""
    own = voice.idioms(bound.ref.token)
    words = {"GR": own.positive, "LS": own.negative}.get(bound.op, own.absent)
    if after is not None:
        words = tuple(w for w in words if (w.startswith("{e}") or follows_noun(w)) == after)
    return tuple(word.removeprefix("{e} ") for word in words)


def owned(text: str, dice: Dice) -> str:
    """What rows have, after their noun: "with no awards"."""
    if text.startswith(_NO_WITH):
        return text
    return dice.rule("owned", _OWNED, 1.2).replace("{w}", text)


def _amount_modifier(bound: Bound, voice: Voice, dice: Dice) -> str | None:
    """An amount of the measure before the noun: "$10m+", "million dollar"."""
    value, numbers = bound.values[0], voice.style.numbers[bound.type]
    if bound.between or not isinstance(value, Number) or not isinstance(numbers, Sums):
        return None
    plural = numbers.words.plurals.get(value.unit or "", "")
    if value.digits == "1" and value.denomination and plural:
        dice.note("modifier/billion-dollar")
        sign = pick(dice, ("-", " "))
        return f"{value.denomination.lower()}{sign}{singular(plural)}"
    number = bound.written[0]
    if number[0].isdigit() or not number[-1].isalnum():
        return None
    return f"{number}+" if dice.chance(0.4, "modifier/{n}+") else None
