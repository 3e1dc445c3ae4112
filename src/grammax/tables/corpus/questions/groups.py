"""Groups: "average price per brand", "which country has the most singers"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from grammax.tables.classes import COUNT
from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.notation import integer
from grammax.tables.corpus.questions import parts
from grammax.tables.corpus.questions.figures import draw_amount
from grammax.tables.corpus.questions.parts import NO_TYPE, Part, Said, of_all
from grammax.tables.corpus.questions.rows import conditions, described
from grammax.tables.corpus.questions.table import Table
from grammax.tables.corpus.questions.totals import aggregate_words, draw_aggregate, several
from grammax.tables.form.tree import (
    Aggregate,
    Direction,
    Function,
    Group,
    Number,
    Op,
    Operand,
    Period,
    Rank,
    Relational,
)
from grammax.tables.inspect.words import plural_of, singular_of
from grammax.tables.wording.inflection import past

_BY: Final = (
    "{a} by {g}", "{a} per {g}", "{a} for each {g}", "what is the {a} for each {g}?",
    "show the {a} by {g}", "{a} of each {g}", "{a} in each {g}", "{a} grouped by {g}",
    "find the {a} for each {g}", "show {a} for every {g}", "what is the {a} per {g}?",
    "for each {g}, show the {a}", "{a} broken down by {g}", "what are the {a} of each {g}?",
    "list the {a} for each {g}", "for each {g}, what is the {a}?", "{a} across {g}",
    "{a} split by {g}", "give me the {a} by {g}", "show me {a} across different {gs}",
    "return the {a} for each {g}", "{a} for different {gs}", "compare {a} by {g}", "{g} wise {a}",
    "how does the {a} vary by {g}?", "distribution of {a} by {g}", "{a} vs {g}",
    "bar chart of {a} by {g}", "show a bar chart of {a} for each {g}", "plot the {a} by {g}",
    "line chart of {a} by {g}", "graph of {a} per {g}", "chart {a} by {g}", "{a} over {g}",
    "draw a chart of the {a} for each {g}", "visualize {a} by {g}", "trend of {a} by {g}",
    "{a} based on {g}", "{a} depending on {g}", "how does {a} vary across {gs}?",
    "sorted by {g}, what is the {a}?", "{a} in different {gs}", "{a} according to {g}",
    "compare {a} across different {gs}", "what is the {a} of each type of {g}?",
)  # fmt: skip
_AXES: Final = (
    "bar chart with {g} on the x axis and {a} on the y axis", "{g} vs {a}", "{g} versus {a}",
    "show {g} and {a} in a bar chart", "plot {g} by {a}", "line graph of {g} vs {a}",
    "bar chart of {g} versus {a}", "compare {a} with {g}", "show {g} on x axis and {a} on y axis",
    "relationship between {g} and {a}", "{g} and {a}", "how does {a} relate to {g}?",
    "show the relationship between {a} and {g}", "how {a} varies with {g}", "plot {g} and {a}",
)  # fmt: skip
"""With the function said in words: "average price"."""
_HISTOGRAM: Final = (
    "histogram of {f}", "distribution of {f}", "{f} histogram", "{f} distribution",
    "plot a histogram of {f}", "show the distribution of {f}", "show a histogram of {f}",
    "what is the distribution of {f}?", "how is {f} distributed?", "number of {n} by {f}",
    "distribution of {f} across {n}", "show the {f} distribution of {n}", "{n} by {f}",
    "how many {n} for each {f}", "frequency of {f}", "spread of {f}", "range of {f} of {n}",
    "count of {n} by {f}", "bar chart of {f} and number of {n}",
)  # fmt: skip
_COUNTED_BY: Final = (
    "how many {n} are there for each {g}?", "number of {n} by {g}", "number of {n} for each {g}",
    "how many {n} per {g}", "count of {n} by {g}", "{n} per {g}", "how many {n} in each {g}",
    "how many {n} does each {g} have?", "count {n} by {g}", "number of {n} in each {g}",
    "show the number of {n} per {g}", "what is the number of {n} for each {g}?", "{n} by {g}",
    "for each {g}, how many {n} are there", "count the {n} for each {g}", "{n} broken down by {g}",
    "show {n} grouped by {g}", "number of {n} of each {g}", "find the number of {n} in each {g}",
    "{n} count by {g}", "distribution of {n} by {g}", "how many {n} of each {g} are there?",
    "group {n} by {g} and count them", "return each {g} and the number of {n}",
    "count the number of {n} based on their {g}", "number of {n} based on {g}",
    "how many {n} are there in different {gs}?", "group {n} by {g}", "compare number of {n} by {g}",
    "what is the breakdown of {n} by {g}?", "total count of {n} for each {g}", "{n} in each {g}",
    "show {n} across {gs}", "for each {g}, count the {n}", "how do the {n} split by {g}",
    "list the {gs} and the number of {n} in each", "show all {gs} and their number of {n}",
    "bar chart of the number of {n} by {g}", "pie chart of {n} by {g}", "plot {n} per {g}",
    "bar chart of {n} for each {g}", "histogram of {n} by {g}", "chart of {n} by {g}",
)  # fmt: skip
_DISTRIBUTED: Final = ("distribution of {gs}", "count of {g}", "how many of each {g}",
                       "{g} distribution",
                       "breakdown by {g}", "count by {g}", "histogram of {g}", "{g} histogram",
                       "bar chart of {g}", "pie chart of {gs}", "{g} count", "frequency of {gs}",
                       "number of each {g}", "plot a histogram of {g}")  # fmt: skip
_AGAIN: Final = (
    "and {g}", "and {g}", "and by {g}", "and {g}", "colored by {g}", "color by {g}", "by {g}",
    "stacked by {g}", "split by {g}", "with color for {g}", "for each {g}", "grouped by {g}",
    "across {gs}", "across different {gs}", "for different {gs}", "broken down by {g}",
    "in each {g}", "per {g}", "with a breakdown by {g}", "and color by {g}", "stack by {g}",
    "separated by {g}", "for every {g}", "based on {g}", "with a bar for each {g}",
)  # fmt: skip
_EACH_FIRST: Final = ("for each {g}, {t}", "for each {g} {t}", "group by {g}, {t}",
                      "for every {g}, {t}")  # fmt: skip
_SECOND: Final = 0.2  # that there is a second field to group by
_OVER_TIME: Final = (
    "{a} over time", "trend of {a}", "{a} trend", "trend for {a} over time", "time series of {a}",
    "how has the {a} changed over time?", "evolution of {a}", "{a} through the years",
    "line chart of {a} over time", "plot {a} across time", "{a} over the years", "{a} by time",
    "change of {a} over time", "show {a} over time", "plot the {a} over time", "{a} across time",
    "show the trend of {a}", "line graph of {a} over time", "what is the {a} over time?",
    "how did the {a} change over the years", "{a} timeline", "{a} over the course of time",
    "show a time series of {a}", "show me how {a} changed", "graph {a} over time",
)  # fmt: skip
_COUNTED: Final = ("number of {n}", "count of {n}", "{n}")
_EACH_PERIOD: Final = {
    "year": ("yearly {a}", "annual {a}", "{a} over the years", "{a} each year", "{a} year by year"),
    "quarter": ("quarterly {a}", "{a} each quarter", "{a} quarter by quarter"),
    "month": ("monthly {a}", "{a} each month", "{a} month by month"),
}
_MOST: Final[dict[Direction, tuple[str, ...]]] = {
    "top": ("which {g} has the most {n}?", "{g} with the most {n}", "what {g} has the most {n}",
            "which {g} has the largest number of {n}?", "most common {g}",
            "which {g} has the highest number of {n}", "find the {g} with the most {n}",
            "what is the most common {g} of {n}?", "{g} with the highest number of {n}",
            "which {g} is the most common", "most frequent {g} of {n}", "most popular {g}"),
    "bottom": ("which {g} has the fewest {n}?", "{g} with the fewest {n}", "least common {g}",
               "which {g} has the least {n}", "what is the least common {g} of {n}?",
               "which {g} has the smallest number of {n}?", "find the {g} with the fewest {n}"),
}  # fmt: skip
_MOST_FEW: Final[dict[Direction, tuple[str, ...]]] = {
    "top": ("top {k} {gs} by number of {n}", "{k} {gs} with the most {n}", "{k} most common {gs}",
            "the {k} {gs} with the highest number of {n}", "which {k} {gs} have the most {n}?"),
    "bottom": ("{k} {gs} with the fewest {n}", "{k} least common {gs}",
               "bottom {k} {gs} by number of {n}", "which {k} {gs} have the fewest {n}?"),
}  # fmt: skip
_HIGHEST: Final[dict[Direction, tuple[str, ...]]] = {
    "top": ("which {g} has the highest {a}?", "{g} with the highest {a}",
            "what {g} has the highest {a}",
            "which {g} has the largest {a}?", "find the {g} with the highest {a}",
            "which {g} has the greatest {a}"),
    "bottom": ("which {g} has the lowest {a}?", "{g} with the lowest {a}",
               "what {g} has the lowest {a}",
               "which {g} has the smallest {a}?", "find the {g} with the lowest {a}"),
}  # fmt: skip
_HIGHEST_FEW: Final[dict[Direction, tuple[str, ...]]] = {
    "top": ("top {k} {gs} by {a}", "{k} {gs} with the highest {a}",
            "the {k} {gs} with the largest {a}",
            "which {k} {gs} have the highest {a}?"),
    "bottom": ("bottom {k} {gs} by {a}", "{k} {gs} with the lowest {a}",
               "which {k} {gs} have the lowest {a}?"),
}  # fmt: skip
_FILTERED: Final = (
    "{gs} with {c} {n}", "which {gs} have {c} {n}?", "{gs} that have {c} {n}",
    "find the {gs} with {c} {n}",
    "{gs} having {c} {n}", "list the {gs} with {c} {n}", "what are the {gs} with {c} {n}?",
    "show {gs} that have {c} {n}", "{gs} where the number of {n} is {c}",
)  # fmt: skip
_FILTERED_BY: Final = (
    "{gs} with an {a} {of c}", "which {gs} have an {a} {of c}?", "{gs} whose {a} is {c}",
    "{gs} where the {a} is {c}", "find {gs} with an {a} {of c}", "list the {gs} whose {a} is {c}",
)  # fmt: skip
_OF_FILTERED: Final = ("{b} of {t}", "show the {b} for {t}", "what is the {b} of {t}?",
                       "{b} for each of the {t}", "the {b} of the {t}")  # fmt: skip
_SHOWN: Final = 0.25  # that the groups that satisfy a condition are shown with an aggregate
_AND_HOW_MANY: Final = ("and how many", "and how many {n} does it have", "and how many {n} it has",
                        "and the number of {n}", "and how many are there")  # fmt: skip
_HISTOGRAMS: Final = 0.06
_ON_AXES: Final = 0.12
_OPS: Final[tuple[Op, ...]] = ("GR", "GR", "GR", "GE", "GE", "LS", "LE")
_FUNCTIONS: Final[tuple[Function, ...]] = (
    *("average",) * 7, *("sum",) * 4, *("max",) * 2, *("min",) * 2, "median",
)  # fmt: skip
_PERIODS: Final[tuple[Period, ...]] = ("YEAR", "YEAR", "MONTH", "QUARTER")
_COUNTS: Final = (2, 3, 5, 10, 1, 4, 20, 50, 100)
_FEW: Final = (3, 5, 10, 2, 4)


class _Groups(NamedTuple):
    group: Group
    one: str
    many: str
    column: str = ""
    participle: str = ""

    @property
    def part(self) -> Part:
        return Part(parts.GROUP, NO_TYPE, self.group)


def grouped(table: Table, dice: Dice) -> Said | None:
    """Groups with their number of rows, or with an aggregate of a column."""
    if table.measures and dice.chance(_HISTOGRAMS):
        return _histogram(table, dice)
    groups = _drawn(table, dice, periods=0.25)
    if groups is None:
        return None
    given = conditions(table, dice, 1, (groups.column,)) if dice.chance(0.3) else []
    found = None if dice.chance(0.42) else draw_aggregate(table, dice, _FUNCTIONS)
    again, more = _again(table, groups, dice)
    period = _EACH_PERIOD.get(groups.one, ()) if isinstance(groups.group.field, str) else ()
    if _is_time(groups, table):
        period = (*period, *_OVER_TIME)
    form_by = _BY if not period or dice.chance(0.65) else period
    if found is None or found[0].token == groups.column:
        form = dice.rule("counted by", _COUNTED_BY, 0.7)
        if not given and not again and dice.chance(0.08):
            form = dice.rule("counted by", _DISTRIBUTED)
        if form_by is period:
            form = dice.rule("by", period).replace("{a}", dice.rule("counted", _COUNTED))
        rows = described(table, dice, given, noun=_label_noun(table, groups, dice))
        text = _named(form, groups).replace("{n}", rows)
        return Said(_at_end(text, again), (*of_all(given), groups.part, *more))
    column, function = found
    words = aggregate_words(column, function, dice)
    if not given and not again and form_by is _BY and dice.chance(_ON_AXES):
        text = _named(dice.rule("axes", _AXES, 0.4), groups).replace("{a}", words)
        made = [Part(parts.AGGREGATE, NO_TYPE, Aggregate(function, column.ref))]
        return Said(text, (*made, groups.part))
    usual: Function = "sum" if column.summed else "average"
    if function == usual and dice.chance(0.3):
        words = column.noun(dice)  # "sales by region"
    functions = [function]
    if column in table.measures and dice.chance(0.1):
        words, functions = several(column, dice)
    made = [Part(parts.AGGREGATE, NO_TYPE, Aggregate(f, column.ref)) for f in functions]
    text = _named(dice.rule("by", form_by, 0.8), groups)
    rows = f" of {described(table, dice, given)}" if given else ""
    if not rows and dice.chance(0.3):
        rows = f" of {table.many}" if dice.chance(0.7) else f" of the {table.many}"
    text = text.replace("{a}", f"{words}{rows}")
    return Said(_at_end(text, again), (*of_all(given), *made, groups.part, *more))


def _histogram(table: Table, dice: Dice) -> Said:
    """How many rows there are for each number of a column."""
    column = pick(dice, table.measures)
    form = dice.rule("histogram", _HISTOGRAM, 0.4)
    noun = column.noun(dice) if dice.chance(0.7) else column.plural(dice)
    text = form.replace("{f}", noun).replace("{n}", table.many)
    return Said(text, (Part(parts.GROUP, NO_TYPE, Group(column.ref)),))


def _label_noun(table: Table, groups: _Groups, dice: Dice) -> str:
    """At times, rows are counted by the name of the column that names them: "models per country".

    Empty for the usual noun.
    """
    label = table.label
    if label is None or label.token == groups.column or not dice.chance(0.08):
        return ""
    return label.plural(dice)


def ranked_groups(table: Table, dice: Dice) -> Said | None:
    """ "which country has the most singers", "top 3 brands by average price" """
    groups = _drawn(table, dice)
    if groups is None:
        return None
    direction: Direction = "top" if dice.chance(0.75) else "bottom"
    chance = dice.random()
    count = 1 if chance < 0.6 else None if chance < 0.72 else pick(dice, _FEW, 0.5)
    found = None if dice.chance(0.55) else draw_aggregate(table, dice, _FUNCTIONS, dates=0.0)
    given = conditions(table, dice, 1, (groups.column,)) if dice.chance(0.2) else []
    few = count not in (None, 1)
    if groups.participle and count == 1 and direction == "top" and dice.chance(0.4):
        text = f"who {past(groups.participle)} the most {described(table, dice, given)}?"
        rank = Part(parts.RANK, NO_TYPE, Rank(direction, count, Aggregate("count")))
        return Said(text, (*of_all(given), rank, groups.part))
    if found is None or found[0].token == groups.column:
        form = dice.rule("groups", (_MOST_FEW if few else _MOST)[direction], 0.5)
        if given and "{n}" not in form:
            given = []
        ranked = Aggregate("count")
        text = form.replace("{n}", described(table, dice, given))
        if count == 1 and not given and dice.chance(0.12):
            text = _at_end(text, dice.rule("how many", _AND_HOW_MANY).replace("{n}", table.many))
    else:
        column, function = found
        function = function if function in ("average", "sum", "median") else "average"
        form = dice.rule("groups", (_HIGHEST_FEW if few else _HIGHEST)[direction], 0.5)
        words = aggregate_words(column, function, dice)
        rows = f" of {described(table, dice, given)}" if given else ""
        ranked = Aggregate(function, column.ref)
        text = form.replace("{a}", f"{words}{rows}")
    if few:
        text = text.replace("{k}", integer(count or 0, dice, 0.25))
    elif count is None:
        text = _several(text)
    rank = Part(parts.RANK, NO_TYPE, Rank(direction, count, ranked))
    return Said(_named(text, groups), (*of_all(given), rank, groups.part))


def filtered_groups(table: Table, dice: Dice) -> Said | None:
    """ "countries with more than 3 cities", "brands whose average price is above 100" """
    groups = _drawn(table, dice)
    if groups is None:
        return None
    op = pick(dice, _OPS)
    found = None if dice.chance(0.65) else draw_aggregate(table, dice, _FUNCTIONS, dates=0.0)
    given = conditions(table, dice, 1, (groups.column,)) if dice.chance(0.2) else []
    value: Operand
    if found is None or found[0].token == groups.column:
        number = pick(dice, _COUNTS, 0.4)
        value, ranked = Number(str(number)), Aggregate("count")
        said = dice.rule("compared", COUNT.compared[op], 0.8).replace(
            "{n}", integer(number, dice, 0.3)
        )
        form = dice.rule("filter", _FILTERED, 0.5)
        text = form.replace("{c}", said).replace("{n}", described(table, dice, given))
    else:
        column, function = found
        function = function if function in ("average", "sum", "median") else "average"
        amount = draw_amount(table, column, dice)
        assert column.class_ is not None, "the column has numbers"
        value, ranked = amount.operand, Aggregate(function, column.ref)
        said = dice.rule("compared", column.class_.compared[op], 0.8).replace("{n}", amount.text)
        words = aggregate_words(column, function, dice)
        article = table.words.rules.fields.article(words)
        form = dice.rule("filter", _FILTERED_BY, 0.5).replace(" an {a}", f" {article} {{a}}")
        text = form.replace("{a}", words).replace("{of c}", said)
        text = text.replace("{c}", said.removeprefix("of "))
        given = []
    condition = Part(parts.FILTER, NO_TYPE, Relational(ranked, op, value))
    shown = draw_aggregate(table, dice, _FUNCTIONS, dates=0.0) if dice.chance(_SHOWN) else None
    if shown and shown[0].ref != ranked.field and text.startswith("{gs} "):
        words = aggregate_words(*shown, dice)
        text = dice.rule("shown", _OF_FILTERED).replace("{b}", words).replace("{t}", text)
        part = Part(parts.AGGREGATE, NO_TYPE, Aggregate(shown[1], shown[0].ref))
        return Said(_named(text, groups), (*of_all(given), condition, part, groups.part))
    return Said(_named(text, groups), (*of_all(given), condition, groups.part))


def _drawn(table: Table, dice: Dice, periods: float | None = None) -> _Groups | None:
    """What rows are grouped by: a column or, with a probability, periods of the main date.

    Groups that are ranked or filtered are of columns whose values have names.
    """
    if table.has_period and periods and (dice.chance(periods) or not table.groups):
        period = pick(dice, _PERIODS)
        return _Groups(Group(period), period.lower(), f"{period.lower()}s")
    pool = table.groups
    if periods is None:
        pool = tuple(column for column in pool if column.semantic != "BOOLEAN")
    if not pool or (table.rare_groups and dice.chance(0.12)):
        pool = table.rare_groups
    if not pool:
        return None
    column = pick(dice, pool)
    noun = singular_of(column.noun(dice))
    people = column.semantic in ("PERSON", "ORGANISATION")
    done = column.speech.participle if people else ""
    return _Groups(Group(column.ref), noun, plural_of(noun), column.token, done)


def _is_time(groups: _Groups, table: Table) -> bool:
    """Whether groups are the years of the rows: those of the dates or, without dates, a column."""
    years = [column for column in table.numbers if column.semantic == "YEAR"]
    if groups.group.field == "YEAR":
        return not years
    return not table.dates and bool(years) and groups.column == years[0].token


def _again(table: Table, groups: _Groups, dice: Dice) -> tuple[str, Sequence[Part]]:
    """A second field to group by, rarely."""
    others = [column for column in table.groups if column.token != groups.column]
    if not others or not dice.chance(_SECOND):
        return "", ()
    other = pick(dice, others)
    part = Part(parts.GROUP, NO_TYPE, Group(other.ref))
    noun = singular_of(other.noun(dice))
    form = dice.rule("again", _EACH_FIRST if dice.chance(0.15) else _AGAIN, 0.4)
    return form.replace("{gs}", plural_of(noun)).replace("{g}", noun), (part,)


def _named(form: str, groups: _Groups) -> str:
    return form.replace("{gs}", groups.many).replace("{g}", groups.one)


def _several(text: str) -> str:
    """A question for the first group as one for the first groups."""
    return text.replace("{g} has", "{gs} have").replace("{g} is", "{gs} are").replace("{g}", "{gs}")


def _at_end(text: str, more: str) -> str:
    if not more:
        return text
    if "{t}" in more:
        return more.replace("{t}", text)
    return f"{text[:-1]} {more}?" if text.endswith("?") else f"{text} {more}"
