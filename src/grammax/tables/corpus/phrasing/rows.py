"""The noun of the rows, with what stands before and after it: "french thrillers from 1960"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from grammax.tables.catalogue.keys import singular
from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.phrasing.clauses import sentence_clause
from grammax.tables.corpus.phrasing.signs import modifier
from grammax.tables.corpus.plan import Comparison, Either, EnumConstraint, Plan
from grammax.tables.corpus.style import Voice

_AFTER_NOTHING: Final = ("in ", "from ", "on ", "listed ", "based ")
_OMITTED: Final = ("", "ones")
_EXCLUSIONS: Final = (
    "exc", "ex ", "but", "without", "other", "apart", "anything", "no ", "minus", "leaving",
    "besides", "neither",
)  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class Rows:
    """The words for rows; `bounds` are the comparisons that are not yet in them."""

    noun: str
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    bounds: tuple[Comparison, ...] = ()

    @property
    def head(self) -> str:
        """The noun with its modifiers before it."""
        return " ".join([*self.before, self.noun])


def described(
    plan: Plan,
    voice: Voice,
    dice: Dice,
    verb: str = "",
    by: str = "",
    noun: str = "",
    short: bool = False,
) -> str:
    """The noun, its modifiers, and the comparisons; `by` comes before the comparisons.

    If it may be `short`, the noun is left out where something follows it: "longest in france".
    """
    rows = entities(plan, voice, dice, noun, signs=not verb)
    plain = rows.noun in voice.style.entities and not rows.before
    if short and plain and rows.after and rows.after[0].startswith(_AFTER_NOTHING):
        rows = replace(rows, noun=dice.rule("noun", _OMITTED, 0.8))
    after = [*rows.after, by] if by else rows.after
    excluded = [text for text in after if text.startswith(_EXCLUSIONS)]
    parts = [text for text in after if text not in excluded]
    if rows.bounds:
        parts.append(sentence_clause(rows.bounds, voice, dice, verb))
        either = isinstance(rows.bounds[0], Either)  # nothing may follow its second side
        if not verb and not by and not either and dice.chance(0.12):
            parts.reverse()
    comma = ", " if excluded and dice.chance(0.25) else " "
    return comma.join([" ".join([rows.head, *parts]), *excluded])


def entities(plan: Plan, voice: Voice, dice: Dice, noun: str = "", signs: bool = True) -> Rows:
    """The words for the rows of a plan; `noun`, if given, is the noun.

    With `signs` comparisons with zero may stand before it.
    """
    if plan.groups:
        return Rows(_groups(plan, voice, dice), bounds=plan.bounds)
    head = None
    if not noun:
        head = next((enum for enum in plan.enums if _is_noun(enum, voice, dice)), None)
    placed = _placed([enum for enum in plan.enums if enum is not head], voice, dice)
    nouns = voice.style.frames.noun_after.items()
    noun = noun or next((n for type_, n in nouns if type_ in placed.types), "")
    if not noun and not head and not placed.before and placed.after:
        alone = placed.after[0].startswith(_AFTER_NOTHING)
        noun = "everything" if alone and dice.chance(0.03, "noun/everything") else ""
    noun = noun or entity(voice, dice)
    if head:
        noun = voice.style.realisers[head.type].noun(head, voice.words, dice, noun)
    adjectives, bounds = _signs(plan, voice, dice) if signs else ([], plan.bounds)
    return Rows(noun, [*adjectives, *placed.before], placed.after, bounds)


@final
@dataclass(frozen=True, slots=True)
class _Placed:
    """The words for values before and after the noun, and the types of those before it."""

    before: list[str]
    after: list[str]
    types: frozenset[str]


def _placed(enums: Sequence[EnumConstraint], voice: Voice, dice: Dice) -> _Placed:
    frames = voice.style.frames
    before: dict[tuple[str, bool], str] = {}
    named: list[str] = []
    after: list[str] = []
    for enum in enums:
        if enum.wording and dice.chance(0.75):
            named.append(enum.wording)
            continue
        if enum.wording:
            after.append(f"that are {enum.wording}")
            continue
        realiser, key = voice.style.realisers[enum.type], (enum.type, enum.negated)
        chance = frames.before.get(enum.type, 0) * (0.5 if enum.negated else 1)
        free = len(before) < 2 and key not in before
        text = realiser.before(enum, voice.words, dice) if free and dice.chance(chance) else None
        if text:
            before[key] = text
        else:
            after.append(realiser.after(enum, voice.words, dice))
    order = [(type_, negated) for type_ in frames.before for negated in (True, False)]
    types = frozenset(type_ for type_, negated in before if not negated)
    return _Placed([*named, *(before[key] for key in order if key in before)], after, types)


def entity(voice: Voice, dice: Dice, plural: float = 1.0) -> str:
    """The plain noun for rows, in the plural with a probability."""
    noun = pick(dice, voice.style.entities, 1.2)
    return noun if plural == 1 or dice.chance(plural) else singular(noun)


def _signs(plan: Plan, voice: Voice, dice: Dice) -> tuple[list[str], tuple[Comparison, ...]]:
    """The comparisons that stand before the noun, and the others."""
    before: list[str] = []
    others: list[Comparison] = []
    for bound in plan.bounds:
        text = modifier(bound, voice, dice) if not before and dice.chance(0.6) else None
        if text:
            before.append(text)
        else:
            others.append(bound)
    return before, tuple(others)


def _groups(plan: Plan, voice: Voice, dice: Dice) -> str:
    """Two sorts of rows: "german thrillers or french comedies"."""
    plain = entity(voice, dice)
    texts = []
    for first, second in plan.groups:
        one, other = (voice.style.realisers[enum.type] for enum in (first, second))
        before = one.before(first, voice.words, dice)
        noun = other.noun(second, voice.words, dice, plain)
        after = one.after(first, voice.words, dice) if before is None else ""
        texts.append(f"{before or ''} {noun} {after}".strip())
    return dice.rule("two sorts", (" or ", " and "), 0.5).join(texts)


def _is_noun(enum: EnumConstraint, voice: Voice, dice: Dice) -> bool:
    chance = 0 if enum.negated else voice.style.frames.nouns.get(enum.type, 0)
    return chance >= 1 or (chance > 0 and dice.chance(chance))
