"""Counts and aggregates: "how many students are there", "average age of female patients"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.questions import parts
from grammax.tables.corpus.questions.parts import NO_TYPE, Part, Said, of_all
from grammax.tables.corpus.questions.rows import conditions, described, predicate
from grammax.tables.corpus.questions.table import Column, Table
from grammax.tables.corpus.templates import joined
from grammax.tables.form.tree import Aggregate, Function, Group
from grammax.tables.wording.inflection import past

_HOW_MANY: Final = (
    "how many {n} are there?", "how many {n}", "what is the number of {n}?", "number of {n}",
    "count the {n}", "count of {n}", "total number of {n}", "what is the total number of {n}?",
    "find the number of {n}", "how many {n} do we have?", "count {n}", "give me the number of {n}",
    "show the number of {n}", "return the number of {n}", "how many {n} exist", "# of {n}",
    "tell me how many {n} there are", "count the number of {n}", "what is the count of {n}?",
    "how many {n} are in the table", "total count of {n}", "what is the total count of {n}?",
    "how many {n} in total", "{n} total", "what's the number of {n}", "how many {n} are listed?",
    "enumerate the {n}", "size of the group of {n}", "the total amount of {n}", "{n} count",
    "i want to know how many {n} there are",
)  # fmt: skip
_HOW_MANY_OF: Final = ("how many {n} are {c}?", "how many of the {n} are {c}?", "how many are {c}")
_DISTINCT: Final = (
    "how many different {f} are there?", "how many distinct {f} are there",
    "number of different {f}",
    "number of distinct {f}", "count the distinct {f}", "how many unique {f} are there",
    "count of unique {f}", "what is the number of different {f}?", "number of unique {f}",
    "how many different {f} do the {n} have?", "find the number of distinct {f}",
    "count the number of different {f}",
)  # fmt: skip
_VALUES: Final = (
    "what are the different {f}?", "list all distinct {f}", "show the unique {f}",
    "which {f} are there?",
    "what are the distinct {f}", "list the different {f} of {n}", "show all different {f}",
    "what {f} are there", "unique {f}", "distinct {f} of {n}", "find the distinct {f}",
)  # fmt: skip
_HOLDING: Final = frozenset(("PERSON", "ORGANISATION", "PLACE", "CATEGORY"))
_HOLDERS: Final = (
    "which {fs} have {n}?", "{fs} with {n}", "what {fs} have {n}", "which {fs} are there for {n}?",
    "list the {fs} that have {n}", "all {fs} of {n}", "what are the different {fs} of {n}?",
    "distinct {fs} of {n}", "from which {fs} are {n}?", "which {fs} do {n} have?",
    "in which {fs} are {n}?", "what are all the {fs} where there are {n}?", "{fs} that have {n}",
)  # fmt: skip
FUNCTIONS: Final[dict[Function, tuple[str, ...]]] = {
    "average": ("average {f}", "mean {f}", "avg {f}", "{f} average", "average of {f}", "avg. {f}",
                "mean of {f}", "typical {f}", "average of the {f}", "avg({f})", "mean of the {f}"),
    "sum": ("total {f}", "sum of {f}", "overall {f}", "combined {f}", "total of {f}",
            "sum of all {f}", "{f} sum", "sum {f}", "cumulative {f}", "summed {f}", "{f} total",
            "total sum of {f}", "total amount of {f}", "aggregate {f}", "summation of {f}",
            "accumulated {f}"),
    "median": ("median {f}", "median of {f}"),
    "max": ("maximum {f}", "max {f}", "highest {f}", "largest {f}", "greatest {f}",
            "maximum of {f}", "biggest {f}", "maximal {f}", "top {f}", "max of {f}"),
    "min": ("minimum {f}", "min {f}", "lowest {f}", "smallest {f}", "minimum of {f}",
            "minimal {f}", "least {f}", "min of {f}"),
}  # fmt: skip
_OF_DATES: Final[dict[Function, tuple[str, ...]]] = {
    "max": ("latest {f}", "most recent {f}", "last {f}", "maximum {f}"),
    "min": ("earliest {f}", "first {f}", "oldest {f}", "minimum {f}"),
}
_TWO: Final = 0.1  # that aggregates of two columns are asked for
_SEVERAL: Final = 0.14  # that several functions of a column are asked for
_OF_SEVERAL: Final[tuple[Function, ...]] = ("average", "min", "max", "max", "min", "average", "sum")
_SHORT: Final[dict[Function, tuple[str, ...]]] = {
    "average": ("average", "avg", "mean"), "sum": ("total",), "min": ("minimum", "min", "lowest"),
    "max": ("maximum", "max", "highest"),
}  # fmt: skip
_DRAWN: Final[tuple[Function, ...]] = (
    *("average",) * 6, *("sum",) * 4, *("max",) * 3, *("min",) * 3, "median",
)  # fmt: skip
_ASKED: Final = (
    "what is the {a} of {n}?", "{a} of {n}", "show the {a} of {n}", "find the {a} of {n}",
    "give me the {a} of {n}", "what's the {a} of {n}", "return the {a} of {n}", "{a} for {n}",
    "calculate the {a} of {n}", "what is the {a} for {n}", "show me the {a} for {n}",
    "whats the {a} of {n}", "compute the {a} of {n}", "the {a} across {n}", "{a} among {n}",
    "what was the {a} of {n}?", "tell me the {a} of {n}", "{n} {a}", "list the {a} of {n}",
)  # fmt: skip
_ALONE: Final = ("what is the {a}?", "{a}", "show the {a}", "find the {a}", "give me the {a}",
                 "what's the {a}", "calculate the {a}")  # fmt: skip


def count(table: Table, dice: Dice) -> Said:
    """A number of rows, or of different values."""
    if dice.chance(0.3):
        found = _distinct(table, dice)
        if found:
            return found
    given = conditions(table, dice) if dice.chance(0.75) else []
    part = Part(parts.AGGREGATE, NO_TYPE, Aggregate("count"))
    if len(given) == 1 and dice.chance(0.1):
        said = given[0].after.removeprefix("that are ").removeprefix("which are ")
        if not said.startswith(("with", "whose", "where", "that", "having", "which", "who", "for")):
            form = dice.rule("how many", _HOW_MANY_OF, 0.6)
            text = form.replace("{n}", table.many).replace("{c}", said)
            return Said(text, (*given[0].parts, part))
    asked = predicate(given[0], dice) if len(given) == 1 and dice.chance(0.35) else ""
    if asked:
        return Said(f"how many {table.many} {asked}?", (*given[0].parts, part))
    forms = tuple(form for form in _HOW_MANY if not given or not form.startswith("{n}"))
    form = dice.rule("how many", forms, 0.9)
    if form.endswith("there?") and given and dice.chance(0.5):
        form = "how many {n}?"
    return Said(form.replace("{n}", described(table, dice, given)), (*of_all(given), part))


def _holders(table: Table, dice: Dice) -> Said | None:
    """The different values of the rows that satisfy conditions: "which customers ordered tea"."""
    columns = [column for column in table.valued if column.semantic in _HOLDING]
    if not columns:
        return None
    column = pick(dice, columns)
    given = conditions(table, dice, pick(dice, (1, 1, 2)), (column.token,))
    if not given:
        return None
    rows = described(table, dice, given)
    form = dice.rule("holders", _HOLDERS, 0.3)
    asked = predicate(given[0], dice) if len(given) == 1 else ""
    done = column.speech.participle
    if done and column.semantic == "PERSON" and dice.chance(0.3):
        form = f"who {past(done)} {{n}}?"
    elif asked and dice.chance(0.4):
        form = f"which {{fs}} {asked}?"
    text = form.replace("{fs}", column.plural(dice)).replace("{f}", column.noun(dice))
    part = Part(parts.GROUP, NO_TYPE, Group(column.ref))
    return Said(text.replace("{n}", rows), (*of_all(given), part))


def _distinct(table: Table, dice: Dice) -> Said | None:
    if dice.chance(0.45):
        found = _holders(table, dice)
        if found:
            return found
    enums = [column for column in table.columns if not column.is_number]
    if not enums:
        return None
    column = pick(dice, enums)
    noun = column.plural(dice)
    if dice.chance(0.4):
        form = dice.rule("values", _VALUES, 0.4)
        part = Part(parts.GROUP, NO_TYPE, Group(column.ref))
    else:
        form = dice.rule("distinct", _DISTINCT, 0.5)
        part = Part(parts.AGGREGATE, NO_TYPE, Aggregate("count", column.ref))
    text = form.replace("{f}", noun).replace("{n}", table.many)
    given = conditions(table, dice, 1, (column.token,)) if dice.chance(0.25) else []
    if not given or text.endswith("?"):
        return Said(text, (part,))
    text = text.removesuffix(f" of {table.many}").removesuffix(" are there")
    return Said(f"{text} of {described(table, dice, given)}", (*of_all(given), part))


def aggregate(table: Table, dice: Dice) -> Said | None:
    """An aggregate of a column, over all rows or some."""
    found = draw_aggregate(table, dice)
    if found is None:
        return None
    column, function = found
    words = aggregate_words(column, function, dice)
    made = [Part(parts.AGGREGATE, NO_TYPE, Aggregate(function, column.ref))]
    given = conditions(table, dice, taken=(column.token,)) if dice.chance(0.6) else []
    if column in table.measures and dice.chance(_SEVERAL):
        words, functions = several(column, dice)
        made = [Part(parts.AGGREGATE, NO_TYPE, Aggregate(f, column.ref)) for f in functions]
    elif dice.chance(_TWO):
        second = draw_aggregate(table, dice)
        if second and second[0] is not column:
            words += f" and {aggregate_words(*second, dice)}"
            made.append(Part(parts.AGGREGATE, NO_TYPE, Aggregate(second[1], second[0].ref)))
    if not given and dice.chance(0.4):
        return Said(dice.rule("aggregate", _ALONE, 0.4).replace("{a}", words), tuple(made))
    rows = described(table, dice, given)
    if dice.chance(0.3):
        rows = f"{pick(dice, ('all ', 'the ', 'all the '))}{rows}"
    form = dice.rule("aggregate", _ASKED, 0.6)
    return Said(form.replace("{a}", words).replace("{n}", rows), (*of_all(given), *made))


def several(column: Column, dice: Dice) -> tuple[str, list[Function]]:
    """Two or three functions of one column: "average, minimum and maximum age"."""
    drawn: list[Function] = []
    for _ in range(8):
        function = pick(dice, _OF_SEVERAL)
        if function not in drawn and (function != "sum" or column.summed):
            drawn.append(function)
    drawn = drawn[: pick(dice, (2, 2, 3))]
    words = [pick(dice, _SHORT[function], 0.7) for function in drawn]
    noun = column.noun(dice)
    text = joined(words, pick(dice, (" and ", " and ", ", and ", " & "), 0.5))
    return f"{text} {noun}", drawn


def draw_aggregate(
    table: Table, dice: Dice, functions: Sequence[Function] = _DRAWN, dates: float = 0.08
) -> tuple[Column, Function] | None:
    """A column and a function that suits it."""
    if table.dates and (dice.chance(dates) or not table.measures):
        return pick(dice, table.dates), "max" if dice.chance(0.5) else "min"
    if not table.measures:
        return None
    column, function = pick(dice, table.measures), pick(dice, functions)
    if function == "sum" and not column.summed and dice.chance(0.95):
        function = "average"
    return column, function


def aggregate_words(column: Column, function: Function, dice: Dice) -> str:
    """ "average age", "total sales" """
    noun = column.noun(dice)
    forms = FUNCTIONS[function]
    if column.semantic in ("DATE", "YEAR") and function in _OF_DATES:
        forms = _OF_DATES[function]
    if column.semantic == "COUNT" and function == "sum":
        forms = (*forms, "total number of {f}")
    adjectives = column.idioms.most if function == "max" else column.idioms.least
    plain = tuple(f"{word} {{f}}" for word in adjectives if " " not in word and "{" not in word)
    if plain and function in ("min", "max") and dice.chance(0.25):
        forms = plain  # "oldest age"
    first = noun.split()[0]
    usable = [form for form in forms if not form.startswith(first)] or forms
    if noun.startswith(("total", "number", "average")):
        usable = [form for form in usable if " of " in form] or usable
    return dice.rule("function", usable, 1.0).replace("{f}", noun)
