"""Words for comparisons: "with a p/e below 12", "whose market cap last quarter was over $1bn"."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.names import Names
from grammax.tables.corpus.plan import Bound, Comparison, Either
from grammax.tables.corpus.times import bare_time, time_phrase
from grammax.tables.corpus.values import Said
from grammax.tables.form.tree import FieldRef, Year

_WORDS: Final = {
    "GR": ("over", "above", "more than", "greater than", "higher than", "exceeding"),
    "GE": ("of at least", "at least", "no less than", "not below"),
    "LS": ("below", "under", "less than", "lower than"),
    "LE": ("of at most", "at most", "no more than", "up to", "not above"),
    "EQ": ("of", "of exactly", "equal to"),
}
_AFTER_IS: Final = {
    "GR": ("over", "above", "more than", "greater than", "higher than"),
    "GE": ("at least", "no less than", "not below"),
    "LS": ("below", "under", "less than", "lower than"),
    "LE": ("at most", "no more than", "not above"),
    "EQ": ("exactly", "equal to"),
}
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
_SINGULAR_MONEY: Final = re.compile(r".*(cap|capitali[sz]ation|value|ev|balance|position|base)")
_VOWEL_SOUND: Final = re.compile(
    r"(?!one)[aeio8]|(ro[aceis]|fcf|ffo|nim|r&d|roic|roce|rsi|sma)\b.*", re.I
)
_PLURAL: Final = re.compile(
    r".*(?<!s)(?<!u)(?<!i)(?<!ros)(?<!ep)(?<!dp)(?<!cp)(?<!a)s|(wo)?men|people"
)


def sentence_clause(
    bounds: tuple[Comparison, ...], names: Names, random: Random, verb: str = ""
) -> Said:
    """All comparisons as one clause; `verb` is "have" where they answer a "which"."""
    if len(bounds) == 1 and isinstance(bounds[0], Either):
        word = "either " if random.random() < 0.35 else ""
        parts = [_with(side, names, random) for side in bounds[0].sides]
        shapes = "|".join(part.shape for part in parts)
        return Said(f"{verb or 'with'} {word}{parts[0].text} or {parts[1].text}", f"or({shapes})")
    plain = [bound for bound in bounds if isinstance(bound, Bound)]
    style = "with" if verb else pick(random, ("with", "whose", "where", "that have"), 0.8)
    if style in ("whose", "where") and not verb:
        parts = [_is(bound, style == "where", names, random) for bound in plain]
        again = f" and {style} " if style == "whose" and random.random() < 0.4 else " and "
        text = f"{style} {again.join(part.text for part in parts)}"
    else:
        parts = [_with(bound, names, random) for bound in plain]
        text = f"{verb or style} {' and '.join(part.text for part in parts)}"
    return Said(text, f"{verb or style}({'&'.join(part.shape for part in parts)})")


def telegraphic(bound: Comparison, names: Names, random: Random, alone: bool) -> Said:
    """A comparison in few words: "mcap > $1bn last quarter"; alone, its time may stand anywhere."""
    if isinstance(bound, Either):
        one, other = (telegraphic(side, names, random, alone=False) for side in bound.sides)
        return Said(f"{one.text} or {other.text}", f"or({one.shape}|{other.shape})")
    field = noun(bound.field.token, names, random)
    time = bare_time(bound.field.time, random) if bound.field.time else ""
    place = pick(random, ("after", "before", "end")) if time and alone else "after"
    if not bound.said and place == "end":
        place = "before"
    if place == "before":
        field = f"{time} {field}"
    elif place == "after" and time:
        field = f"{field} {time}"
    text, shape = _short(bound, field, names, random, free=not time)
    return Said(
        f"{text} {time}" if time and place == "end" else text, f"{shape}@{place[: bool(time) * 9]}"
    )


def noun(token: str, names: Names, random: Random) -> str:
    """One of the words for a field, mostly a common one."""
    words = names.field(token)
    field = names.catalogue.fields[token]
    return pick(random, words, 1.2 if field.base is None else 1.8)


def timed(field: FieldRef, names: Names, random: Random, bare: bool = False) -> str:
    """A field with its time: "revenue in 2023"."""
    words = noun(field.token, names, random)
    if field.time is None:
        return words
    return f"{words} {bare_time(field.time, random) if bare else time_phrase(field.time, random)}"


def is_plural(word: str) -> bool:
    """Whether a noun for a field is a plural.

    >>> is_plural("revenues"), is_plural("eps"), is_plural("employees"), is_plural("gross")
    (True, False, True, False)
    """
    head = re.split(r" (?:of|per|to|in|on|before|from|over)\b", word)[0]
    return bool(_PLURAL.fullmatch(head)) and not word.endswith("share")


def _short(
    bound: Bound, field: str, names: Names, random: Random, free: bool, signs: bool = False
) -> tuple[str, str]:
    sign = pick(random, _SIGNS[bound.op][: 4 if bound.said else 2], 0.9)
    if signs:
        sign = _SIGNS[bound.op][0]
    if not bound.said:
        return f"{field} {sign} {_other(bound, names, random, bare=True)}", f"short-field:{sign}"
    if bound.between:
        low, high = bound.said
        form = pick(
            random, ("{f} between {l} and {h}", "{f} {l} to {h}", "{f} from {l} to {h}"), 0.4
        )
        return form.replace("{f}", field).replace("{l}", low).replace("{h}", high), "short-between"
    said = bound.said[0]
    if free and bound.op == "GE" and random.random() < 0.2 and said[-1] in "%0123456789":
        return f"{field} {said}+", "short-plus"
    if free and bound.op in ("GR", "LS") and sign in "<>" and random.random() < 0.12:
        return f"{sign}{said} {field}", "short-first"
    if free and sign in ("min", "max") and random.random() < 0.5:
        return f"{sign} {said} {field}", "short-min"
    tight = sign in ("<", ">", "=") and random.random() < 0.2
    return (f"{field}{sign}{said}" if tight else f"{field} {sign} {said}"), f"short:{sign}"


def _with(bound: Bound, names: Names, random: Random) -> Said:
    """As it stands after "with" or "have": "a p/e below 12", "more than 10,000 employees"."""
    field = noun(bound.field.token, names, random)
    time = time_phrase(bound.field.time, random) if bound.field.time else ""
    if bound.type == "COUNT" and bound.said and is_plural(field):
        number = _number(bound, pick(random, _OF_COUNTS[bound.op], 0.4))
        return Said(f"{number} {field} {time}".rstrip(), f"count:{bound.op}")
    head = _with_article(field, bound.type)
    word = pick(random, _WORDS[bound.op], 0.5)
    if not bound.said:
        word = word.removeprefix("of ") if word != "of" else "equal to"
        other = _other(bound, names, random)
        return Said(f"{head}{f' {time}' * bool(time)} {word} {other}", f"with-field:{bound.op}")
    number = _number(bound, word)
    if random.random() < 0.12 and bound.op in ("GE", "LE") and not bound.between:
        number = f"of {bound.said[0]} or {'more' if bound.op == 'GE' else 'less'}"
    if time and random.random() < 0.5:
        return Said(f"{head} {number} {time}", f"with-time-after:{bound.op}")
    return Said(
        f"{head}{f' {time}' * bool(time)} {number}", f"with{'-time' * bool(time)}:{bound.op}"
    )


def _is(bound: Bound, signs: bool, names: Names, random: Random) -> Said:
    """As it stands after "whose" or "where": "market cap last quarter was over $1 billion"."""
    field = noun(bound.field.token, names, random)
    time = time_phrase(bound.field.time, random) if bound.field.time else ""
    head = f"{field} {time}".rstrip()
    if signs and random.random() < 0.3:
        text, shape = _short(bound, head, names, random, free=False, signs=True)
        return Said(text, f"where-{shape}")
    verb = ("were" if time else "are") if is_plural(field) else ("was" if time else "is")
    word = pick(random, _AFTER_IS[bound.op], 0.5)
    said = _number(bound, word) if bound.said else f"{word} {_other(bound, names, random)}"
    return Said(f"{head} {verb} {said}", f"is{'-time' * bool(time)}:{bound.op}")


def _number(bound: Bound, word: str) -> str:
    if bound.between:
        return f"between {bound.said[0]} and {bound.said[1]}"
    return f"{word} {bound.said[0]}"


def _other(bound: Bound, names: Names, random: Random, bare: bool = False) -> str:
    """The field that is compared with; left out where it is the same at another time."""
    other = bound.values[0]
    assert isinstance(other, FieldRef), "without a number there is a field"
    short = not (bare and isinstance(other.time, Year))  # "> 2016" would be a number
    if other.token == bound.field.token and other.time and short and random.random() < 0.6:
        return bare_time(other.time, random) if bare else f"in {bare_time(other.time, random)}"
    return timed(other, names, random, bare)


def _with_article(field: str, type_: str) -> str:
    mass = type_ in ("MONEY", "COUNT") and not _SINGULAR_MONEY.fullmatch(field)
    if (
        mass
        or is_plural(field)
        or re.search(r"growth|ownership|coverage|earned|volatility$", field)
    ):
        return field
    return f"{'an' if _VOWEL_SOUND.match(field) else 'a'} {field}"
