"""The noun phrase of a query: a noun with its modifiers before and after."""

from __future__ import annotations

from random import Random

from grammax.tables.corpus.bounds import sentence_clause
from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.plan import Either, EnumConstraint, Plan
from grammax.tables.corpus.style import Voice

_EXCLUSIONS = ("exc", "ex ", "but")


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
    said = [before[key] for key in order if key in before]
    fixed = next(
        (noun for type_, noun in frames.noun_after.items() if (type_, False) in before), ""
    )
    noun = fixed or pick(random, voice.style.entities, 1.2)
    if head:
        noun = realisers[head.type].noun(head, voice.words, random, noun)
    return " ".join([*said, noun]), after


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
