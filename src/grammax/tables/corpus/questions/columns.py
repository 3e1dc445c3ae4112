"""Questions for columns: "what is the phone number of X", "names and ages of all students"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.questions import parts
from grammax.tables.corpus.questions.parts import NO_TYPE, Part, Said, of_all
from grammax.tables.corpus.questions.ranks import ranked_rows, rows_of, sort, superlative
from grammax.tables.corpus.questions.rows import conditions, described
from grammax.tables.corpus.questions.table import Column, Table
from grammax.tables.corpus.questions.values import one_of
from grammax.tables.form.tree import Display, Order
from grammax.tables.inspect.words import plural_of, singular_of

_OF: Final = (
    "what are the {c} of {n}?", "show the {c} of {n}", "list the {c} of {n}", "{c} of {n}",
    "what is the {c} of {n}?", "find the {c} of {n}", "give me the {c} of {n}", "show {c} of {n}",
    "return the {c} of {n}", "give the {c} of {n}", "show me the {c} for {n}", "{c} for {n}",
    "list {c} for {n}", "tell me the {c} of {n}", "display the {c} of {n}", "what are {c} of {n}",
    "show {c} for {n}", "find {c} of {n}", "get the {c} of {n}", "list {n} with their {c}",
    "show me {n} and their {c}", "show {n} with {c}", "i want to see the {c} of {n}",
    "which {c} do {n} have?", "{n} {c}", "for {n}, show the {c}", "i need the {c} of {n}",
    "from {n}, what are the {c}?", "for {n}, what are the {c}?", "of {n}, show the {c}",
    "what are the {c} for {n}?", "find {n} and show their {c}", "which are the {c} of {n}",
    "what {c} do {n} have", "whats the {c} of {n}", "print the {c} of {n}", "see {c} of {n}",
)  # fmt: skip
_ALL: Final = (
    "all {n}",
    "the {n}",
    "{n}",
    "all the {n}",
    "each {o}",
    "every {o}",
    "all of the {n}",
)
_ALONE: Final = (
    "show all {c}", "list all {c}", "what are the {c}?", "{c}", "show {c}", "list the {c}",
    "give me all {c}", "show me the {c}", "display {c}", "what are all the {c}?",
)  # fmt: skip
_COLOURED: Final = (
    "colored by {g}", "color by {g}", "by {g}", "with color by {g}", "split by {g}", "per {g}",
    "for each {g}", "grouped by {g}", "coloured by {g}", "and color by {g}", "across {gs}",
    "across different {gs}", "for different {gs}", "in each {g}", "for every {g}",
    "and identify the {g}", "broken down by {g}", "based on {g}", "with {g} as color",
)  # fmt: skip
_EACH_FIRST: Final = ("for each {g}, {t}", "for each {g} {t}", "by {g}, {t}", "for every {g} {t}",
                      "group by {g}, {t}")  # fmt: skip
_VERSUS: Final = (
    "{a} vs {b}", "{a} versus {b}", "{a} and {b}", "{a} against {b}", "{a} vs. {b}",
    "show {a} vs {b}", "plot {a} against {b}", "relationship between {a} and {b}",
    "{a} by {b} scatter",
    "compare {a} and {b}", "correlation between {a} and {b}", "{a} compared to {b}",
    "scatterplot of {a} and {b}", "scatter plot of {a} vs {b}", "scatterplot {a} vs {b}",
    "plot {a} vs {b}", "{a} vs {b} scatterplot", "show a scatter plot of {a} and {b}",
    "how does {a} relate to {b}?", "how is {a} related to {b}?", "{a} by {b} scatterplot",
    "does higher {a} mean lower {b}?", "is there a correlation between {a} and {b}?",
    "show me how {a} is related to {b}", "{a} as a function of {b}", "does {a} depend on {b}?",
    "effect of {a} on {b}", "impact of {a} on {b}", "how does {a} change with {b}?",
    "scatterplot of {a} by {b}", "scatter chart of {a} and {b}", "show how {a} affects {b}",
    "show {a} against {b}", "show the relationship between {a} and {b}", "{a} v. {b}",
    "show me the relation of {a} to {b}", "compare {a} vs {b}", "compare {a} against {b}",
    "does higher {a} mean higher {b}?", "{a} v/s {b}", "{a} to {b} scatterplot",
)  # fmt: skip
_OF_ONE: Final = (
    "what is the {c} of {n}?", "{n}'s {c}", "{c} of {n}", "{n} {c}", "what is {n}'s {c}?",
    "show the {c} of {n}", "tell me the {c} of {n}", "find the {c} of {n}", "what's the {c} of {n}",
    "give me the {c} of {n}", "what {c} does {n} have?", "{c} for {n}", "show me {n}'s {c}",
    "i need the {c} of {n}", "whats the {c} for {n}", "return the {c} of {n}", "{c} {n}",
    "do you know the {c} of {n}?", "can you tell me the {c} of {n}", "what was the {c} of {n}",
)  # fmt: skip
_SECOND: Final = (" and what is its {c}?", " and what is the {c}?", ", and what is its {c}",
                  " and the {c}", " and its {c}", ", also the {c}")  # fmt: skip
_SORT_FIRST: Final = (
    "sort {n} by {f} {o} and show their {c}",
    "order {n} by {f} {o}, show the {c}",
    "sort all the {n} by {f} {o}, and return the {c} of each",
)
_ASCENDING: Final[dict[Order, tuple[str, ...]]] = {
    "ASC": ("", "in ascending order", "from low to high", "ascending"),
    "DESC": ("in descending order", "from high to low", "descending", "from highest to lowest"),
}
_ORDERS: Final[tuple[Order, ...]] = ("ASC", "DESC")
_SORTED_FIRST: Final = 0.04
_FULL: Final = ("first name", "last name")
_FULL_NAMES: Final = ("full name", "full names", "complete name", "names")
_ROW: Final = (
    "{v}",
    "{v}",
    "{v}",
    "the {o} {v}",
    "the {o} called {v}",
    "the {o} named {v}",
    "{v} {o}",
)
_LISTED: Final = (
    "list all {n}", "show all {n}", "show me all {n}", "list the {n}", "show {n}", "all {n}",
    "what {n} are there?", "which {n} are there?", "give me all the {n}", "list {n}",
    "display all {n}", "what are the {n}?", "show me the {n}", "find all {n}", "{n}",
)  # fmt: skip


def columns_of_rows(table: Table, dice: Dice) -> Said | None:
    """Columns of all rows, of some, or of the first few, at times in an order."""
    columns = _drawn(table, dice)
    taken = [column.token for column in columns]
    shown = _shown(columns)
    if dice.chance(_SORTED_FIRST):
        found = _sorted_first(table, columns, dice)
        if found:
            return found
    full = _full_names(table, dice) if dice.chance(0.1) else None
    if full:
        return full
    chance = dice.random()
    if chance < 0.25:
        ranked = superlative(table, dice)
        if ranked is None:
            return None
        given = conditions(table, dice, 1, (*taken, *_fields(ranked.part))) if chance < 0.07 else []
        rows = ranked_rows(table, dice, ranked, given, the=0.85)
        text = _of(columns, rows, not ranked.is_one, dice)
        return Said(text, (*rows_of(ranked, given), *shown))
    if chance < 0.72:
        given = conditions(table, dice, taken=taken)
        if given:
            rows = described(table, dice, given)
            rows = (
                f"{pick(dice, ('all ', 'the ', 'all the '))}{rows}" if dice.chance(0.35) else rows
            )
            text, order = _of(columns, rows, True, dice), None
            if dice.chance(0.15):
                order = sort(table, dice, (*taken, *(each.column for each in given)))
            ordered = order or Said("", ())
            return Said(_at_end(text, ordered.text), (*of_all(given), *shown, *ordered.parts))
    order = sort(table, dice, taken) if dice.chance(0.35) else None
    ordered = order or Said("", ())
    return Said(_at_end(_of_all_rows(table, columns, dice), ordered.text), (*shown, *ordered.parts))


def _sorted_first(table: Table, columns: Sequence[Column], dice: Dice) -> Said | None:
    """ "sort the students by age and show their names" """
    free = [column for column in table.ranked if column not in columns]
    if not free:
        return None
    by, order = pick(dice, free), pick(dice, _ORDERS)
    text = dice.rule("sorted first", _SORT_FIRST).replace("{f}", by.noun(dice))
    text = text.replace("{o}", pick(dice, _ASCENDING[order])).replace("{n}", table.many)
    part = Part(parts.SORT, NO_TYPE, Display(by.ref, order))
    return Said(text.replace("{c}", _list(columns, dice, plural=False)), (*_shown(columns), part))


def _full_names(table: Table, dice: Dice) -> Said | None:
    """The first and the last name, asked for as one."""
    named = {column.nouns[0]: column for column in table.columns}
    if not all(noun in named for noun in _FULL):
        return None
    columns = [named[noun] for noun in _FULL]
    given = conditions(table, dice, taken=[c.token for c in columns]) if dice.chance(0.7) else []
    form = dice.rule("columns", _OF, 0.7).replace("{c}", pick(dice, _FULL_NAMES, 0.6))
    text = form.replace("{n}", described(table, dice, given))
    return Said(text, (*of_all(given), *_shown(columns)))


def column_of_one(table: Table, dice: Dice) -> Said | None:
    """A column of a row that is named: "who directed casablanca", "casablanca length"."""
    if not table.identifying:
        return None
    rows = pick(dice, table.identifying, 0.8)
    value = table.value(rows, dice)
    others = [column for column in table.columns if column is not rows]
    if value is None or not others:
        return None
    named = one_of(rows, (value,), table, dice)
    name = table.name(value, dice)
    form = dice.rule("row", _ROW, 0.8)
    row = form.replace("{v}", name).replace("{o}", table.one)
    if rows.semantic == "CODE":
        row = f"{table.one if dice.chance(0.6) else rows.noun(dice)} {name}"
    asked = [column for column in others if column.speech.asked]
    if asked and dice.chance(0.4):
        column = pick(dice, asked)
        pattern = dice.rule("asked", column.speech.asked, 0.6)
        text = _asked(pattern, table, column, row, dice)
        return Said(f"{text}{'?' * dice.chance(0.6)}", (*named.parts, *_shown([column])))
    columns = _drawn(table, dice, others)
    if len(columns) > 1 and columns[0].speech.asked and dice.chance(0.4):
        pattern = dice.rule("asked", columns[0].speech.asked, 0.6)
        text = _asked(pattern, table, columns[0], row, dice)
        second = dice.rule("second", _SECOND, 0.4).replace("{c}", columns[1].noun(dice))
        return Said(f"{text}{second}", (*named.parts, *_shown(columns[:2])))
    form = dice.rule("of one", _OF_ONE, 0.5)
    text = form.replace("{c}", _list(columns, dice, plural=False)).replace("{n}", row)
    return Said(text, (*named.parts, *_shown(columns)))


def asked_of_rows(table: Table, dice: Dice) -> Said | None:
    """A column of the first row, asked with its own question: "how old is the tallest player"."""
    asked = [column for column in table.columns if column.speech.asked]
    ranked = superlative(table, dice) if asked else None
    if ranked is None or not ranked.is_one:
        return None
    free = [column for column in asked if column.token not in _fields(ranked.part)]
    if not free:
        return None
    column = pick(dice, free)
    row = described(table, dice, (), True, ranked.before, ranked.after)
    pattern = dice.rule("asked", column.speech.asked, 0.6)
    text = _asked(pattern, table, column, f"the {row}", dice)
    return Said(f"{text}{'?' * dice.chance(0.6)}", (ranked.part, *_shown([column])))


def _asked(pattern: str, table: Table, column: Column, row: str, dice: Dice) -> str:
    text = pattern.replace("{f}", column.noun(dice)).replace("{o}", table.one)
    return text.replace("{e}", row)


def all_rows(table: Table, dice: Dice) -> Said | None:
    """All rows, by their names: "list all students"; perhaps in an order."""
    if table.label is None:
        return None
    text = dice.rule("listed", _LISTED, 0.5).replace("{n}", table.many)
    order = sort(table, dice, (table.label.token,)) if dice.chance(0.4) else None
    if order:
        return Said(_at_end(text, order.text), order.parts)
    return Said(text, _shown([table.label]))


def against(table: Table, dice: Dice) -> Said | None:
    """Two columns of numbers: "mpg vs horsepower"."""
    if len(table.ranked) < 2:
        return None
    one, other = dice.sample(table.ranked, 2)
    form = dice.rule("versus", _VERSUS, 0.5)
    text = form.replace("{a}", one.noun(dice)).replace("{b}", other.noun(dice))
    given = conditions(table, dice, 1, (one.token, other.token)) if dice.chance(0.15) else []
    if given:
        text = f"{text} for {described(table, dice, given)}"
    shown = [one, other]
    groups = [column for column in table.groups if column not in shown]
    if groups and not given and dice.chance(0.3):
        shown.append(pick(dice, groups))
        noun = singular_of(shown[-1].noun(dice))
        form = dice.rule("colour", _COLOURED, 0.4)
        more = form.replace("{gs}", plural_of(noun)).replace("{g}", noun)
        if dice.chance(0.25):
            first = dice.rule("colour", _EACH_FIRST, 0.4).replace("{g}", noun)
            text = first.replace("{t}", text)
        else:
            text = _at_end(text, more)
    return Said(text, (*of_all(given), *_shown(shown)))


def _drawn(table: Table, dice: Dice, among: Sequence[Column] = ()) -> list[Column]:
    """One to three columns; the name of the rows is the likeliest."""
    pool = list(among or table.columns)
    count = min(len(pool), 1 + dice.chance(0.35) + dice.chance(0.1))
    found = list(dice.sample(pool, count))
    if table.label in pool and table.label is not None and dice.chance(0.35):
        found = [table.label, *(column for column in found if column is not table.label)][:count]
    return found


def _shown(columns: Sequence[Column]) -> tuple[Part, ...]:
    return tuple(Part(parts.COLUMN, NO_TYPE, Display(column.ref)) for column in columns)


def _fields(part: Part) -> tuple[str, ...]:
    return (str(part.lf).rstrip(")").split()[-1],)


def _list(columns: Sequence[Column], dice: Dice, plural: bool) -> str:
    nouns = [c.plural(dice) if plural and dice.chance(0.6) else c.noun(dice) for c in columns]
    if len(nouns) == 1:
        return nouns[0]
    nouns = _elided(nouns, dice)
    last = dice.rule("listed", (" and ", " and ", ", ", " & ", " as well as "), 0.6)
    the = "the " if dice.chance(0.1) else ""
    return f"{', '.join(nouns[:-1])}{last}{the if last.strip() != ',' else ''}{nouns[-1]}"


def _elided(nouns: list[str], dice: Dice) -> list[str]:
    """Without a word that the next noun ends with, too: "first and last name"."""
    found = []
    for noun, following in pairwise([*nouns, ""]):
        first, _, last = noun.rpartition(" ")
        ends = singular_of(following.rpartition(" ")[2])
        shared = first and " " in following and singular_of(last) == ends
        found.append(first if shared and dice.chance(0.6) else noun)
    return found


def _of(columns: Sequence[Column], rows: str, many: bool, dice: Dice) -> str:
    form = dice.rule("columns", _OF, 0.7)
    if not many and ("their" in form or " do " in form):
        form = "what is the {c} of {n}?"
    if rows.startswith(("the ", "all ")):
        form = form.replace("the {n}", "{n}")
    text = form.replace("{c}", _list(columns, dice, many)).replace("{n}", rows)
    return (
        text.replace("what is the", "what are the")
        if len(columns) > 1 and dice.chance(0.7)
        else text
    )


def _of_all_rows(table: Table, columns: Sequence[Column], dice: Dice) -> str:
    if dice.chance(0.3):
        return dice.rule("columns", _ALONE, 0.5).replace("{c}", _list(columns, dice, plural=True))
    rows = dice.rule("all", _ALL, 0.5).replace("{n}", table.many).replace("{o}", table.one)
    return _of(columns, rows, not rows.startswith(("each", "every")), dice)


def _at_end(text: str, more: str) -> str:
    if not more:
        return text
    return f"{text[:-1]} {more}?" if text.endswith("?") else f"{text} {more}"
