"""Words for comparisons of ratios ("budget more than twice gross") and of changes ("audience up
more than 10% over the last 3 years")."""

from __future__ import annotations

import re
from typing import Final

from grammax.tables.corpus.draw import Dice
from grammax.tables.corpus.phrasing.measures import noun, ratio_words, timed
from grammax.tables.corpus.plan import Bound
from grammax.tables.corpus.style import Voice
from grammax.tables.corpus.times import span_phrase
from grammax.tables.form.tree import Change, Percent, Ratio
from grammax.tables.idioms import Patterns

_MANY: Final = {
    "GR": ("more than {k}", "over {k}", "greater than {k}", "exceeding {k}", "above {k}"),
    "GE": ("at least {k}", "no less than {k}", "{k} or more"),
    "LS": ("less than {k}", "under {k}", "below {k}", "smaller than {k}"),
    "LE": ("at most {k}", "no more than {k}", "up to {k}"),
}
_TIMES: Final = (
    "{x} {c} times {y}", "{x} {c}x {y}", "{x} {c} times their {y}", "{x} {c} times its {y}",
    "{x} that is {c} times {y}",
)  # fmt: skip
_WORDS: Final = {"2": ("twice", "double", "two times"), "0.5": ("half",), "3": ("three times",)}
_TWICE: Final = ("{x} {c} {y}", "{x} {c} their {y}", "{x} {c} its {y}", "{x} {c} the {y}")
_SHARE: Final = ("{x} {c} of {y}", "{x} {c} of their {y}", "{x} {c} of its {y}")
_QUOTIENT: Final = {
    "GR": ("above {n}", "over {n}", "> {n}", "greater than {n}", "of more than {n}",
           "higher than {n}"),
    "GE": ("of at least {n}", ">= {n}", "of {n} or more", "at least {n}"),
    "LS": ("below {n}", "under {n}", "< {n}", "less than {n}", "lower than {n}"),
    "LE": ("of at most {n}", "<= {n}", "of {n} or less", "up to {n}"),
}  # fmt: skip
_GREW: Final = {
    "GR": ("grew by more than {n}", "rose more than {n}", "increased by over {n}", "grew over {n}",
           "is up more than {n}", "went up more than {n}", "climbed more than {n}"),
    "GE": ("grew by at least {n}", "rose at least {n}", "increased by {n} or more",
           "is up {n} or more"),
    "LS": ("fell by more than {n}", "fell more than {n}", "dropped over {n}",
           "is down more than {n}", "declined by more than {n}", "decreased by over {n}",
           "shrank by more than {n}"),
    "LE": ("fell by at least {n}", "dropped {n} or more", "declined at least {n}",
           "is down at least {n}"),
}  # fmt: skip
_MOVED: Final = {
    "GR": ("grew", "increased", "rose", "has grown", "went up"),
    "LS": ("fell", "declined", "decreased", "shrank", "dropped"),
}
_INCLUSIVE: Final = re.compile(r"at least|or more")


def ratio_clause(bound: Bound, voice: Voice, dice: Dice, bare: bool = False) -> str:
    """A comparison of a ratio, without "with"."""
    ratio = bound.field
    assert isinstance(ratio, Ratio), "the measure is a ratio"
    number, value = bound.written[0], bound.values[0]
    if dice.chance(0.45):
        quotient = ratio_words(ratio, voice, dice)
        form = dice.rule("quotient", _QUOTIENT[bound.op], 0.4)
        return f"{quotient} {form.replace('{n}', number)}"
    refs = (ratio.numerator, ratio.denominator)
    one, other = (timed(ref, voice, dice, bare=True) for ref in refs)
    table: str
    forms: Patterns
    if isinstance(value, Percent):
        table, forms = "share", _SHARE
    elif number in _WORDS and dice.chance(0.6):
        table, forms, number = "twice", _TWICE, dice.rule("multiple", _WORDS[number], 0.7)
    else:
        table, forms = "times", _TIMES
    said = dice.rule("many", _many(bound, table), 0.5).replace("{k}", number)
    form = dice.rule(table, forms[:2] if bare else forms, 0.5)
    return form.replace("{x}", one).replace("{c}", said).replace("{y}", other)


def change_clause(
    bound: Bound, voice: Voice, dice: Dice, owned: bool = False, bare: bool = False
) -> str:
    """A comparison of a change; `owned` follows "with", and `bare` stands alone."""
    change = bound.field
    assert isinstance(change, Change), "the measure is a change"
    assert change.field.time is not None, "a change has a time"
    field, time = noun(change.field.token, voice, dice), span_phrase(change.field.time, dice)
    number = "" if bound.is_sign else bound.written[0]
    patterns = _patterns(bound, field, voice)
    if not patterns or (not owned and dice.chance(0.5)):
        verbs = _MOVED[bound.op] if bound.is_sign else _GREW[bound.op]
        verb = dice.rule("grew", verbs, 0.4).replace("{n}", number)
        start = "" if bare or owned else "where " if dice.chance(0.2) else "whose "
        return f"{start}{field} {'that ' if owned else ''}{verb} {time}"
    text = dice.rule("moved", patterns, 0.5).replace("{f}", field).replace("{n}", number)
    return f"{'' if owned or bare else 'with '}{text} {time}"


def _many(bound: Bound, table: str) -> Patterns:
    """The comparisons of a multiple; "2 or more times" has no place before "times"."""
    forms = _MANY[bound.op]
    return forms if table == "share" else tuple(f for f in forms if not f.startswith("{k}"))


def _patterns(bound: Bound, field: str, voice: Voice) -> Patterns:
    """The patterns of the field's class that mean the operator; the class may have none."""
    assert isinstance(bound.field, Change), "the measure is a change"
    moves = voice.class_of(bound.field.field.token).moves
    if bound.is_sign:
        found = moves.rising if bound.op == "GR" else moves.falling
    else:
        found = moves.up if bound.op in ("GR", "GE") else moves.down
        inclusive = bound.op in ("GE", "LE")
        found = tuple(each for each in found if bool(_INCLUSIVE.search(each)) == inclusive)
    known = voice.words.is_known(f"{field} growth")
    return tuple(each for each in found if not (known and "growth" in each))
