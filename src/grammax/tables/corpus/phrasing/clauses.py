"""Words for comparisons: after the noun ("with a length above 120"), before it ("silent"), and
alone, in telegraphic style ("length > 120")."""

from __future__ import annotations

import re
from typing import Final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.phrasing.measures import fitting, noun, timed, with_time
from grammax.tables.corpus.phrasing.ranges import bare_range, said_range
from grammax.tables.corpus.phrasing.ratios import change_clause, ratio_clause
from grammax.tables.corpus.phrasing.signs import idioms_of_sign, owned, sign_clause, sign_words
from grammax.tables.corpus.plan import Bound, Comparison, Either
from grammax.tables.corpus.style import Voice
from grammax.tables.corpus.times import bare_time, time_phrase
from grammax.tables.form.tree import Change, FieldRef, Ratio, Year
from grammax.tables.idioms import FieldClass, Patterns

_RARE_SIGNS: Final = {
    "GR": ("gt {n}", "> than {n}", "greater {n}", "more than {n}", "bigger than {n}"),
    "GE": ("≥ {n}", "=> {n}", "gte {n}", "from {n}", "{n} or more", "{n} and above", "{n} plus"),
    "LS": ("lt {n}", "sub {n}", "< than {n}", "less {n}", "less than {n}", "smaller than {n}"),
    "LE": ("≤ {n}", "=< {n}", "lte {n}", "up to {n}", "{n} or less", "{n} and below"),
    "EQ": ("== {n}", "is {n}", "exactly {n}"),
}  # fmt: skip
_PEERS: Final = {
    "GR": ("{f} greater than {o}", "{f} above {o}", "{f} higher than {o}", "{f} larger than {o}",
           "{f} bigger than {o}", "{f} exceeding {o}", "more {f} than {o}", "{f} over {o}"),
    "GE": ("{f} at least as high as {o}", "{f} not below {o}", "{f} of at least {o}"),
    "LS": ("{f} below {o}", "{f} less than {o}", "{f} lower than {o}", "{f} smaller than {o}",
           "{f} under {o}", "less {f} than {o}"),
    "LE": ("{f} at most as high as {o}", "{f} not above {o}", "{f} no higher than {o}"),
}  # fmt: skip
_THEN: Final = {
    "GR": ("higher {f} than {t}", "more {f} than {t}", "{f} higher than {t}", "{f} above {t}",
           "{f} greater than {t}", "bigger {f} than {t}"),
    "LS": ("lower {f} than {t}", "less {f} than {t}", "{f} lower than {t}", "{f} below {t}",
           "smaller {f} than {t}"),
}  # fmt: skip
_TIMES: Final = re.compile(r"\{n\}( times|x)\b")
_SIGN_OF: Final = {"GR": ">", "GE": ">=", "LS": "<", "LE": "<=", "EQ": "="}
_OWNED_WORDS: Final = ("with", "which", "having", "whose")


def sentence_clause(
    bounds: tuple[Comparison, ...], voice: Voice, dice: Dice, verb: str = ""
) -> str:
    """All comparisons after the noun; `verb` is "have" where they answer a "which"."""
    texts: list[str] = []
    for bound in bounds:
        if isinstance(bound, Either):
            one, other = (after_with(side, voice, dice) for side in bound.sides)
            word = "either " if dice.chance(0.3) else ""
            texts.append(f"{verb or 'with'} {word}{one} or {other}")
        elif verb:
            predicate = _predicate(bound, voice, dice)
            again = "" if texts and texts[-1].startswith(verb) else f"{verb} "
            texts.append(predicate or again + after_with(bound, voice, dice))
        else:
            texts.append(clause(bound, voice, dice, first=not texts))
    return " and ".join(texts).replace(" and and ", " and ")


def _predicate(bound: Bound, voice: Voice, dice: Dice) -> str | None:
    """An idiom as the predicate of a question: "are silent", "won over 5 awards"."""
    if not isinstance(bound.field, FieldRef) or not dice.chance(0.6):
        return None
    if bound.is_sign:
        before = idioms_of_sign(bound, voice, after=False)
        if before and dice.chance(0.6):
            return f"are {dice.rule('sign', before, 0.9)}"
        clauses = [w for w in idioms_of_sign(bound, voice, after=True) if w.startswith("that ")]
        return dice.rule("sign", clauses, 0.9).removeprefix("that ") if clauses else None
    idiom = idiomatic(bound, voice, dice, 2.0) if bound.written else None
    if idiom and idiom.startswith("that "):
        return idiom.removeprefix("that ")
    return f"are {idiom}" if idiom and not idiom.startswith(_OWNED_WORDS) else None


def clause(bound: Bound, voice: Voice, dice: Dice, first: bool = True) -> str:
    """One comparison after the noun, with its own "with", "whose" or participle."""
    if isinstance(bound.field, Ratio):
        return owned(ratio_clause(bound, voice, dice), dice)
    if isinstance(bound.field, Change):
        return change_clause(bound, voice, dice)
    if bound.is_sign:
        return sign_clause(bound, voice, dice)
    if not bound.written:
        return owned(_peer(bound, voice, dice), dice)
    idiom = idiomatic(bound, voice, dice)
    if idiom:
        return idiom
    class_ = voice.class_of(bound.ref.token)
    return _filled(class_.clauses if not first else _starting(class_), bound, voice, dice)


def after_with(bound: Bound, voice: Voice, dice: Dice) -> str:
    """A comparison after "with" or "have": "a length below 90", "more than 10 awards"."""
    if isinstance(bound.field, Ratio):
        return ratio_clause(bound, voice, dice)
    if isinstance(bound.field, Change):
        return change_clause(bound, voice, dice, owned=True)
    if bound.is_sign:
        return sign_words(bound, voice, dice)
    if not bound.written:
        return _peer(bound, voice, dice)
    clauses = voice.class_of(bound.ref.token).clauses
    with_ = tuple(each for each in clauses if each.startswith("with "))
    return _filled(with_, bound, voice, dice).removeprefix("with ")


def keyword(bound: Comparison, voice: Voice, dice: Dice, alone: bool) -> str:
    """A comparison in telegraphic style: "length > 120"; alone, its time may stand anywhere."""
    if isinstance(bound, Either):
        one, other = (keyword(side, voice, dice, alone=False) for side in bound.sides)
        return f"{one} or {other}"
    if isinstance(bound.field, Ratio):
        return ratio_clause(bound, voice, dice, bare=True)
    if isinstance(bound.field, Change):
        return change_clause(bound, voice, dice, bare=True)
    if bound.is_sign:
        own = idioms_of_sign(bound, voice)
        if own and dice.chance(1.4 * voice.style.mix.idioms):
            return dice.rule("sign", own, 0.9)
        return sign_words(bound, voice, dice)
    if not bound.written:
        return _peer(bound, voice, dice, bare=True)
    idiom = idiomatic(bound, voice, dice, 0.6)
    return idiom or _keyword(bound, voice, dice, alone)


def idiomatic(bound: Bound, voice: Voice, dice: Dice, share: float = 1.0) -> str | None:
    """A comparison in the field's own words, without its name: "longer than 120 minutes"."""
    own = voice.idioms(bound.ref.token)
    if bound.between or bound.ref.time or not dice.chance(share * voice.style.mix.idioms):
        return None
    number, table = bound.written[0], ""
    patterns: Patterns = ()
    if bound.op == "GR":
        table, patterns = ("up", own.up) if own.up else ("greater", own.greater)
        patterns = () if number.startswith("-") else patterns
    elif bound.op == "LS":
        negative = number.startswith("-")
        table, patterns = ("down", own.down) if negative else ("smaller", own.smaller)
        number = number.removeprefix("-")
    if not number.replace(".", "").isdigit():  # "5 percent times sales"
        patterns = tuple(each for each in patterns if not _TIMES.search(each))
    if not patterns:
        return None
    return dice.rule(table, patterns, 0.9).replace("{e} ", "").replace("{n}", number)


def compared(bound: Bound, class_: FieldClass, dice: Dice) -> str:
    """The comparison of a number or a range: "of at least 5", "between 5 and 10"."""
    if not bound.between:
        pattern = dice.rule("compared", class_.compared[bound.op], 0.7)
        return pattern.replace("{n}", bound.written[0])
    return said_range(bound, class_.ranges, dice)


def _filled(patterns: Patterns, bound: Bound, voice: Voice, dice: Dice) -> str:
    """A clause of a class, filled with the noun, the comparison and the time."""
    words = voice.words.rules.fields
    field, class_ = noun(bound.ref.token, voice, dice), voice.class_of(bound.ref.token)
    pattern = dice.rule("clause", fitting(patterns, field, class_, voice), 0.9)
    said = compared(bound, class_, dice)
    is_plural = words.is_plural(field)
    article = ""
    if "{a}" in pattern:
        mass = voice.style.numbers[bound.type].is_mass
        article = words.with_article(field, mass).removesuffix(field)
    past = bound.ref.time is not None
    verb = ("were" if past else "are") if is_plural else ("was" if past else "is")
    time = ""
    if bound.ref.time and dice.chance(0.35):
        time = f" {time_phrase(bound.ref.time, dice)}"
    elif bound.ref.time:
        field = with_time(field, bound.ref, dice)
        article = article if "{in t}" in field or field[0].isalpha() else ""
    text = pattern.replace("{a}", article).replace("{is}", verb).replace("{of c}", said)
    return text.replace("{c}", said.removeprefix("of ")).replace("{f}", field) + time


def _starting(class_: FieldClass) -> Patterns:
    return tuple(each for each in class_.clauses if not each.startswith("and "))


def _keyword(bound: Bound, voice: Voice, dice: Dice, alone: bool) -> str:
    field, class_ = noun(bound.ref.token, voice, dice), voice.class_of(bound.ref.token)
    time = bare_time(bound.ref.time, dice) if bound.ref.time else ""
    place = pick(dice, ("after", "before", "end")) if alone else pick(dice, ("after", "before"))
    if time and place != "end":
        field = f"{time} {field}" if place == "before" else f"{field} {time}"
    if bound.between:
        text = bare_range(bound, field, dice, first=bool(time))
    else:
        text = _bare(bound, field, class_, dice, first=bool(time))
    if bound.ref.time and place == "end":
        return f"{text} {time_phrase(bound.ref.time, dice)}"
    return text


def _bare(bound: Bound, field: str, class_: FieldClass, dice: Dice, first: bool) -> str:
    """A field and a number, in an order that people use; if `first`, the field comes first."""
    number, chance = bound.written[0], dice.random()
    if chance < 0.45:
        form = dice.rule("symbol", class_.symbols[bound.op], 0.9)
        tight = form[0] in "<>=" and dice.chance(0.3, "symbol/tight")
        form = (form.replace(" ", "") if tight else f" {form}").replace("{n}", number)
        return field + form
    if chance < 0.58:
        form = dice.rule("symbol", _RARE_SIGNS[bound.op], 0.3).replace("{n}", number)
        return f"{form} {field}" if form.startswith("sub") and not first else f"{field} {form}"
    if chance < 0.63 and bound.op != "EQ" and not first:
        dice.note("symbol/first")
        return f"{_SIGN_OF[bound.op]}{pick(dice, ('', ' '))}{number} {field}"
    said = dice.rule("compared", class_.compared[bound.op], 0.7).replace("{n}", number)
    forms = [each for each in class_.telegraphic if not first or each.startswith("{f}")]
    form = dice.rule("telegraphic", forms, 0.6).replace("{of c}", said)
    return form.replace("{c}", said.removeprefix("of ")).replace("{f}", field)


def _peer(bound: Bound, voice: Voice, dice: Dice, bare: bool = False) -> str:
    """A field against another one, or against itself at another time."""
    other = bound.values[0]
    assert isinstance(other, FieldRef), "without a number there is a field"
    if other.token == bound.ref.token and other.time and bound.op in _THEN:
        short = _against_time(bound, other, voice, dice, bare)
        if short:
            return short
    field, against = (timed(ref, voice, dice, bare) for ref in (bound.ref, other))
    if bare and dice.chance(0.5, "peers/sign"):
        return f"{field} {_SIGN_OF[bound.op]} {against}"
    form = dice.rule("peers", _PEERS[bound.op], 0.5)
    return form.replace("{f}", field).replace("{o}", against)


def _against_time(
    bound: Bound, other: FieldRef, voice: Voice, dice: Dice, bare: bool
) -> str | None:
    """ "higher audience in 2023 than in 2022": the field is named once."""
    assert other.time is not None, "the other side has a time"
    if not dice.chance(0.6):
        return None
    field = timed(bound.ref, voice, dice, bare)
    time = time_phrase(other.time, dice)
    if isinstance(other.time, Year) and bound.ref.time is None:
        return None
    form = dice.rule("then", _THEN[bound.op], 0.4)
    return form.replace("{f}", field).replace("{t}", time)
