"""Superlatives and orders: "the oldest student", "3 cheapest hotels", "sorted by age"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.notation import integer
from grammax.tables.corpus.questions import parts
from grammax.tables.corpus.questions.parts import NO_TYPE, Condition, Part, Said, of_all
from grammax.tables.corpus.questions.rows import described
from grammax.tables.corpus.questions.table import Column, Table
from grammax.tables.form.tree import Direction, Display, Order, Rank
from grammax.tables.idioms import Patterns

_COUNTS: Final = (3, 5, 10, 2, 4, 20, 6, 8, 15, 7, 50, 100)
_LARGEST: Final = {"top": ("largest", "biggest", "top"), "bottom": ("smallest",)}
_BY: Final = {"top": ("top", "highest"), "bottom": ("bottom", "lowest")}
_OF_MANY: Final = ("most", "fewest", "least")
_NO_NOUN: Final = 0.06
_SORTED: Final[dict[Order, tuple[str, ...]]] = {
    "ASC": ("sorted by {f}", "ordered by {f}", "in ascending order of {f}", "by ascending {f}",
            "sorted by {f} in ascending order", "ordered by {f} ascending", "sort by {f}",
            "in order of {f}", "sorted by {f} from low to high", "from lowest to highest {f}",
            "arranged by {f}", "order by {f} asc", "sorted by their {f}", "lowest {f} first"),
    "DESC": ("in descending order of {f}", "sorted by {f} in descending order",
             "ordered by {f} descending", "by descending {f}", "sorted by {f} descending",
             "sorted by {f} from high to low", "from highest to lowest {f}", "sort by {f} desc",
             "highest {f} first", "ordered by {f} from highest to lowest"),
}  # fmt: skip
_ALPHABETICAL: Final[dict[Order, tuple[str, ...]]] = {
    "ASC": ("in alphabetical order", "sorted alphabetically by {f}", "alphabetically by {f}",
            "in alphabetical order of {f}", "sorted by {f}", "ordered by {f}"),
    "DESC": ("in reverse alphabetical order", "in reverse alphabetical order of {f}",
             "in descending alphabetical order of {f}"),
}  # fmt: skip


class Superlative(NamedTuple):
    """A rank with its words, before the noun of the rows and after it."""

    rank: Rank
    before: str
    after: str
    verbs: tuple[str, ...] = ()  # what rows do: "cost"

    @property
    def is_one(self) -> bool:
        """Whether it is of one row, in the singular."""
        return self.rank.count == 1

    @property
    def part(self) -> Part:
        """The rank in a logical form."""
        return Part(parts.RANK, NO_TYPE, self.rank)


def superlative(table: Table, dice: Dice, taken: Sequence[str] = ()) -> Superlative | None:
    """A superlative of a column that is not taken; None if no column can be ranked by."""
    free = [column for column in table.ranked if column.token not in taken]
    if not free:
        return None
    own = [column for column in free if column.idioms.most or column.idioms.least]
    column = pick(dice, own if own and dice.chance(0.45) else free)
    direction: Direction = "top" if dice.chance(0.6) else "bottom"
    chance = dice.random()
    count = 1 if chance < 0.5 else None if chance < 0.66 else pick(dice, _COUNTS, 0.6)
    rank = Rank(direction, count, column.ref)
    before, after = _words(table, column, rank, dice)
    return Superlative(rank, before, after, column.idioms.verbs)


def _words(table: Table, column: Column, rank: Rank, dice: Dice) -> tuple[str, str]:
    top = rank.direction == "top"
    own = column.idioms.most if top else column.idioms.least
    if column is table.measure and dice.chance(0.4):
        own = _LARGEST[rank.direction]
    if own and dice.chance(0.7):
        return _counted(dice.rule("idiom", own, 0.7), rank, dice), ""
    assert column.class_ is not None, "ranks are by numbers or dates"
    noun = column.noun(dice)
    if rank.count != 1 and dice.chance(0.3) and column.semantic != "RANK":
        word = dice.rule("by", _BY[rank.direction], 1.0)
        count = "" if rank.count is None else f" {integer(rank.count, dice, 0.25)}"
        return f"{word}{count}", f"{pick(dice, ('by', 'by', 'in terms of', 'based on'))} {noun}"
    patterns = column.class_.most if top else column.class_.least
    if column.semantic == "COUNT":
        patterns = _of_counts(patterns, noun, table)
    text = dice.rule("superlative", patterns, 0.8).replace("{f}", noun)
    the = "the " if dice.chance(0.9) else ""
    with_ = dice.rule("with", ("with {t}", "that has {t}", "having {t}", "that have {t}"), 1.5)
    if rank.count == 1:
        with_ = with_.replace("have", "has")
    elif "has" in with_:
        with_ = "with {t}"
    if table.of_people:
        with_ = with_.replace("that", "who")
    count = "" if rank.count in (None, 1) else integer(rank.count or 0, dice, 0.25)
    return count, with_.replace("{t}", f"{the}{text}")


def _of_counts(patterns: Patterns, noun: str, table: Table) -> Patterns:
    """ "most rooms" of a plural, "highest capacity" of a singular; never "number of number"."""
    if table.words.rules.fields.is_plural(noun) and not noun.startswith("number"):
        usable = [p for p in patterns if "number of" in p or p.startswith(_OF_MANY)]
    else:
        usable = [p for p in patterns if "number of" not in p and not p.startswith(_OF_MANY)]
    return tuple(usable) or patterns


def _counted(word: str, rank: Rank, dice: Dice) -> str:
    if rank.count in (None, 1):
        return word
    number = integer(rank.count or 0, dice, 0.25)
    if word == "top":
        return f"top {number}"
    form = dice.rule("counted", ("{k} {s}", "top {k} {s}", "{s} {k}"), 0.8)
    return form.replace("{k}", number).replace("{s}", word)


def ranked_rows(
    table: Table, dice: Dice, ranked: Superlative, given: Sequence[Condition], the: float = 0.7
) -> str:
    """ "the 3 oldest students from italy"; at times without the noun: "cheapest in paris"."""
    said = ranked.before and not ranked.after and ranked.rank.count is not None
    if said and dice.chance(_NO_NOUN, "noun/none"):
        noun = " one" if ranked.is_one and dice.chance(0.4) else ""
        return " ".join([f"{ranked.before}{noun}", *(each.after for each in given)])
    text = described(table, dice, given, ranked.is_one, ranked.before, ranked.after)
    return f"the {text}" if dice.chance(the) else text


def sort(table: Table, dice: Dice, taken: Sequence[str] = ()) -> Said | None:
    """An order of the rows, in words that follow them."""
    free = [column for column in table.columns if column.token not in taken]
    if not free:
        return None
    ranked = [column for column in free if column.is_number]
    column = pick(dice, ranked if ranked and dice.chance(0.75) else free)
    order: Order = "ASC" if dice.chance(0.55) else "DESC"
    idioms, noun = column.idioms, column.noun(dice)
    if column.is_number and idioms.most and idioms.least and dice.chance(0.3):
        ends = (idioms.most[0], idioms.least[0])
        first, last = ends if order == "DESC" else ends[::-1]
        form = dice.rule("sorted", ("from {x} to {y}", "sorted from {x} to {y}", "{x} first"), 0.4)
        text = form.replace("{x}", first).replace("{y}", last)
    elif column.is_number:
        text = dice.rule("sorted", _SORTED[order], 0.6).replace("{f}", noun)
    else:
        forms = _ALPHABETICAL[order]
        if column is not table.label:
            forms = tuple(form for form in forms if "{f}" in form)
        text = dice.rule("sorted", forms, 0.3).replace("{f}", noun)
    return Said(text, (Part(parts.SORT, NO_TYPE, Display(column.ref, order)),))


def rows_of(ranked: Superlative, given: Sequence[Condition]) -> tuple[Part, ...]:
    """The parts of the conditions and of the rank."""
    return (*of_all(given), ranked.part)
