"""Conditions on texts: "called star wars", "mentioning parking", "with usb in the name".

What is searched for is drawn from texts that a column may hold or, where none are known, from
ordinary words. A pair whose text no reader finds in its query is dropped (`corpus.corpus`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from grammax.reading.english import function_words, ordinary_words
from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.questions.parts import BOUND, COLUMN, NO_TYPE, Condition, Part, Said
from grammax.tables.corpus.questions.table import Column, Table
from grammax.tables.form.errors import without_blanks
from grammax.tables.form.tree import Display, LogicalForm, Not, Or, Relational, Text

Pools = Mapping[str, Sequence[str]]
"""By field, texts that its column may hold."""

_NEGATED: Final = 0.08
_SEVERAL: Final = 0.07
_QUOTED: Final = 0.3
_QUOTES: Final = ('"{t}"', '"{t}"', "'{t}'", "“{t}”")
_LONGEST: Final = 6  # words of a text

_CALLED: Final = (
    "called {t}", "named {t}", "titled {t}", "whose {f} is {t}", "with the {f} {t}",
    "that are called {t}", "entitled {t}", "with {f} {t}", "where the {f} is {t}",
    "by the name of {t}", "known as {t}", "which are called {t}",
)  # fmt: skip
_HOLDING: Final = (
    "whose {f} contains {t}", "with {t} in the {f}", "with {a}{f} containing {t}",
    "containing {t} in the {f}", "with {t} in their {f}", "whose {f} includes {t}",
    "with the word {t} in the {f}", "that have {t} in the {f}", "where {f} contains {t}",
    "where the {f} contains {t}", "whose {f} has {t} in it", "with {t} in its {f}",
    "that contain {t} in the {f}", "whose {f} contains the word {t}", "with {a}{f} like {t}",
    "having {t} in the {f}", "with {a}{f} that contains {t}", "whose {f} matches {t}",
    "whose {f} includes the word {t}", "with {a}{f} including {t}", "where the {f} has {t}",
)  # fmt: skip
_EDGES: Final = (
    "whose {f} starts with {t}", "with {a}{f} ending in {t}", "whose {f} begins with {t}",
    "with {a}{f} starting with {t}", "whose {f} ends with {t}", "whose {f} ends in {t}",
    "starting with {t}", "with {a}{f} beginning with {t}", "with {a}{f} that ends in {t}",
)  # fmt: skip
_ABOUT: Final = (
    "mentioning {t}", "about {t}", "that mention {t}", "containing {t}", "on {t}",
    "containing the word {t}", "that talk about {t}", "including the word {t}", "regarding {t}",
    "that contain the phrase {t}", "with the word {t}", "that contain {t}", "which mention {t}",
    "discussing {t}", "that mention the word {t}", "with the phrase {t}", "concerning {t}",
    "that include {t}", "that are about {t}", "that say {t}", "with the words {t}",
)  # fmt: skip
_OF_TEXT: Final = (
    "whose {f} mentions {t}", "with {a}{f} about {t}", "with {a}{f} mentioning {t}",
    "where the {f} mentions {t}", "whose {f} says {t}", "with {t} mentioned in the {f}",
    "whose {f} is about {t}", "where the {f} says {t}", "that mention {t} in the {f}",
    "with {a}{f} that mentions {t}", "mentioning {t} in the {f}", "with {f} on {t}",
)  # fmt: skip
_NOT_CALLED: Final = ("not called {t}", "whose {f} is not {t}", "that are not called {t}",
                      "not named {t}")  # fmt: skip
_NOT_HOLDING: Final = (
    "whose {f} does not contain {t}", "without {t} in the {f}", "not containing {t} in the {f}",
    "whose {f} doesn't contain {t}", "with no {t} in the {f}", "whose {f} doesn't include {t}",
    "whose {f} does not include the word {t}", "where the {f} does not contain {t}",
)  # fmt: skip
_NOT_ABOUT: Final = (
    "not mentioning {t}", "not about {t}", "that do not mention {t}", "that don't mention {t}",
    "not containing {t}", "that do not contain {t}", "without the word {t}",
)  # fmt: skip
_BARE: Final = (
    "{t}", "{f} {t}", "{f}: {t}", "{f} contains {t}", "{f} containing {t}", "{f} = {t}",
    "{f} like {t}", "{t} in {f}", "{t} {f}", "{f} includes {t}",
)  # fmt: skip
_BARE_HOLDING: Final = ("{f} contains {t}", "{f} containing {t}", "{t} in {f}", "{f} includes {t}",
                        "{f} like {t}", "{t} in the {f}")  # fmt: skip
_BARE_ABOUT: Final = ("about {t}", "{t}", "mentioning {t}", "{f} about {t}", "on {t}")
_ONE: Final = (
    "what is the {c} of {n}?", "{n} {c}", "{c} of {n}", "what's the {c} of {n}", "{c} for {n}",
    "show the {c} of {n}", "tell me the {c} of {n}", "show me the {c} for {n}", "{n}'s {c}",
    "what is the {c} for {n}?", "find the {c} of {n}", "give me the {c} of {n}", "{c} {n}",
    "which {c} does {n} have?", "what {c} does {n} have?",
)  # fmt: skip
_ROW: Final = ("{t}", "{t}", "{t}", "the {o} {t}", "the {o} called {t}", "the {o} named {t}",
               "{t} {o}", "the {o} titled {t}")  # fmt: skip

_ADDRESSES: Final[Mapping[str, tuple[str, ...]]] = {
    "EMAIL": ("gmail.com", "@gmail.com", "yahoo", "hotmail", "outlook.com", "@yahoo.com", ".edu",
              "@acme.org", "support", "info@", "admin", "icloud.com", ".org", "smith",
              "sales@", "proton.me", "contact", ".co.uk", "@example.com", "aol.com", "john"),
    "URL": ("https", "wikipedia", ".org", ".com", "youtube", "wikipedia.org", "github.com", ".net",
            "blog", "facebook.com", ".gov", "twitter", "shop", "amazon.com", ".de", "example.com",
            "imdb.com", "youtube.com", "linkedin", "docs.google.com", "www"),
    "PHONE": ("555", "+49", "(212)", "0800", "+1", "310", "+44 20", "020", "415", "1234"),
    "CODE": ("ABC", "X1", "A-100", "SKU", "B07", "ZX", "INV-2", "00A", "KL", "TX9"),
}  # fmt: skip
_WORD: Final = re.compile(r"[^\W_]")
_PUNCTUATION: Final = "\"'“”‘’«»()[]{},;:?!. -"


def text_condition(table: Table, column: Column, dice: Dice) -> Condition | None:
    """A condition on a column of texts; None if nothing was found to search for."""
    is_name = column.semantic != "TEXT" and column.semantic not in _ADDRESSES
    whole = is_name and not column.values and dice.chance(0.45)  # a value is named, not searched
    text = _drawn(table, column, dice, whole)
    if not text:
        return None
    made: LogicalForm = Relational(column.ref, "CONTAINS", Text(text))
    said = _as_typed(text, dice)
    negated = dice.chance(_NEGATED)
    if not negated and not whole and dice.chance(_SEVERAL):
        other = _drawn(table, column, dice, whole)
        if other and other.lower() != text.lower():
            return _several(table, column, (text, other), dice)
    forms = _forms(table, column, whole, negated)
    after = _filled(dice.rule("text", forms, 0.5), column, said, table, dice)
    bare: Sequence[str] = _BARE_HOLDING if column.values else _BARE
    if column.semantic == "TEXT" and _is_first(table, column):
        bare = _BARE_ABOUT
    short = after if negated else _filled(pick(dice, bare, 0.4), column, said, table, dice)
    part = Part(BOUND, NO_TYPE, Not(made) if negated else made)
    return Condition(column.token, (part,), after, short)


def column_of_searched(table: Table, dice: Dice) -> Said | None:
    """A column of a row whose name is searched for: "who directed casablanca"."""
    names = [column for column in table.searched if column.semantic == "NAME"][:1]
    named = [column for column in names if not column.values]
    if not named:
        return None
    (rows,) = named
    others = [column for column in table.columns if column is not rows]
    text = _drawn(table, rows, dice, whole=True)
    if not others or not text:
        return None
    row = dice.rule("searched row", _ROW, 0.8)
    row = row.replace("{o}", table.one).replace("{t}", _as_typed(text, dice, 0.15))
    asked = [column for column in others if column.speech.asked]
    if asked and dice.chance(0.4):
        column = pick(dice, asked)
        form = dice.rule("asked", column.speech.asked, 0.6).replace("{e}", row)
        said = f"{form.replace('{f}', column.noun(dice))}{'?' * dice.chance(0.6)}"
    else:
        column = pick(dice, others)
        form = dice.rule("of searched", _ONE, 0.5).replace("{n}", row)
        said = form.replace("{c}", column.noun(dice))
    parts = (
        Part(BOUND, NO_TYPE, Relational(rows.ref, "CONTAINS", Text(text))),
        Part(COLUMN, NO_TYPE, Display(column.ref)),
    )
    return Said(said, parts)


def _several(table: Table, column: Column, texts: tuple[str, str], dice: Dice) -> Condition:
    """One of two texts, or both of them: "mentioning parking or breakfast"."""
    one, other = (Relational(column.ref, "CONTAINS", Text(text)) for text in texts)
    either = dice.chance(0.6)
    said = f" {'or' if either else 'and'} ".join(_as_typed(text, dice) for text in texts)
    forms = _forms(table, column, whole=False, negated=False)
    after = _filled(dice.rule("text", forms, 0.5), column, said, table, dice)
    lfs: tuple[LogicalForm, ...] = (Or((one, other)),) if either else (one, other)
    return Condition(column.token, tuple(Part(BOUND, NO_TYPE, lf) for lf in lfs), after, after)


def _forms(table: Table, column: Column, whole: bool, negated: bool) -> tuple[str, ...]:
    """What can be said of a column; "called" is said of names, and "about" of the main text."""
    is_first = _is_first(table, column)
    if negated:
        if whole and column.semantic == "NAME" and is_first:
            return _NOT_CALLED
        return (
            (*_NOT_ABOUT, *_NOT_HOLDING) if is_first and _is_main(table, column) else _NOT_HOLDING
        )
    if column.semantic == "NAME":
        if whole:
            return _CALLED if is_first else ("whose {f} is {t}", "with {f} {t}", "with the {f} {t}")
        about = _ABOUT if _is_main(table, column) and is_first else ()
        return (*_HOLDING, *_EDGES, *about)
    if column.semantic == "TEXT":
        return (*_ABOUT * (2 * is_first), *_OF_TEXT, *_HOLDING)
    if column.semantic in _ADDRESSES:
        return (*_HOLDING, *_EDGES)
    own = tuple(form.replace("{v}", "{t}") for form in column.speech.templates)
    named = ("whose {f} is {t}", "with {f} {t}", "with the {f} {t}", "where the {f} is {t}")
    return (*(own if is_first else ()), *named, *_HOLDING[:6])


def _is_first(table: Table, column: Column) -> bool:
    """Whether a column is the first one of its class that is searched."""
    alike = (each for each in table.searched if each.semantic == column.semantic)
    return next(alike, None) is column


def _is_main(table: Table, column: Column) -> bool:
    """Whether "about" means a column: texts or, where there are none, names."""
    if column.semantic == "TEXT":
        return True
    return column.semantic == "NAME" and all(c.semantic != "TEXT" for c in table.searched)


def _drawn(table: Table, column: Column, dice: Dice, whole: bool) -> str:
    """A text that the column may contain; empty if there is none that people would type."""
    pool = table.texts.get(column.token, ())
    if column.values:
        pool = table.catalogue.wordings(pick(dice, column.values))[:1]
    if column.semantic in _ADDRESSES and (not pool or dice.chance(0.5)):
        return pick(dice, _ADDRESSES[column.semantic], 0.3)
    if not pool or (column.semantic == "TEXT" and dice.chance(0.6)):
        count = pick(dice, (1, 1, 1, 2, 2, 3))
        return " ".join(pick(dice, _topics()) for _ in range(count))
    words = without_blanks(pick(dice, pool)).split(" ")
    if not whole:
        count = pick(dice, (1, 1, 1, 2, 2, 3))
        start = int(dice.random() * max(1, len(words) - count + 1))
        words = words[start : start + count]
        while words and words[0].lower().strip(_PUNCTUATION) in function_words():
            words = words[1:]
        while words and words[-1].lower().strip(_PUNCTUATION) in function_words():
            words = words[:-1]
    text = " ".join(words).strip(_PUNCTUATION)
    return text if len(words) <= _LONGEST and _WORD.search(text) and '"' not in text else ""


@cache
def _topics() -> tuple[str, ...]:
    """Ordinary words that say what something is about."""
    return tuple(sorted(w for w in ordinary_words() - function_words() if len(w) > 3))


def _as_typed(text: str, dice: Dice, quoted: float = _QUOTED) -> str:
    if not dice.chance(quoted, "text/quoted"):
        return text
    return pick(dice, _QUOTES).replace("{t}", text)


def _filled(template: str, column: Column, said: str, table: Table, dice: Dice) -> str:
    noun = column.noun(dice)
    article = table.words.rules.fields.with_article(noun, mass=False).removesuffix(noun)
    return template.replace("{a}", article).replace("{f}", noun).replace("{t}", said)
