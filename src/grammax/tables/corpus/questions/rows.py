"""The noun of the rows with its conditions: "female students from italy older than 20"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.questions.amounts import number_condition
from grammax.tables.corpus.questions.dates import date_condition
from grammax.tables.corpus.questions.parts import EXCLUDED, Condition
from grammax.tables.corpus.questions.table import Column, Table
from grammax.tables.corpus.questions.texts import text_condition
from grammax.tables.corpus.questions.values import value_condition
from grammax.tables.form.tree import Or

_AND: Final = ("with ", "whose ", "that ", "which ", "who ", "where ")
_CLAUSES: Final = ("where the ", "where ", "whose ")
_NAMED: Final = 0.15
_SEARCHED: Final = 0.12  # where columns are searched
_EITHER: Final = 0.12
_AS_NOUN: Final = 0.15  # of categories that may be nouns
_NUMBERS: Final = (1, 1, 1, 1, 1, 1, 2, 2, 2, 3)


def condition(table: Table, dice: Dice, taken: Sequence[str] = ()) -> Condition | None:
    """A condition on a column that is not taken; None if no column has one."""
    if table.searched and dice.chance(_SEARCHED):
        free = [column for column in table.searched if column.token not in taken]
        found = text_condition(table, pick(dice, free, 0.5), dice) if free else None
        if found:
            return found
    chance = dice.random()
    pools: tuple[Sequence[Column], ...] = (table.valued, table.numbers, table.dates)
    if chance > 0.58:
        pools = (table.numbers, table.dates, table.valued)
    if chance > 0.82:
        pools = (table.dates, table.numbers, table.valued)
    named = dice.chance(_NAMED)
    for pool in pools:
        free = [column for column in pool if column.token not in taken]
        if not named:  # what names a single row is rarely a condition
            free = [column for column in free if column.semantic not in ("NAME", "CODE")] or free
        for _ in range(2 if free else 0):
            found = _on(table, pick(dice, free), dice)
            if found:
                return found
    return None


def _on(table: Table, column: Column, dice: Dice) -> Condition | None:
    if not column.is_number:
        return value_condition(table, column, dice)
    if column in table.dates:
        return date_condition(table, column, dice)
    return number_condition(table, column, dice)


def conditions(
    table: Table, dice: Dice, number: int | None = None, taken: Sequence[str] = ()
) -> list[Condition]:
    """Some conditions on different columns; one to three, if no number is given."""
    found: list[Condition] = []
    for _ in range(pick(dice, _NUMBERS) if number is None else number):
        made = condition(table, dice, (*taken, *(each.column for each in found)))
        if made:
            found.append(made)
    if len(found) == 2 and dice.chance(_EITHER):
        joined = _either(*found)
        return [joined] if joined else found
    return found


def _either(one: Condition, other: Condition) -> Condition | None:
    """One of two conditions: "from italy or older than 20"."""
    if len(one.parts) > 1 or len(other.parts) > 1:
        return None
    (first,), (second,) = one.parts, other.parts
    if EXCLUDED in (first.place, second.place):
        return None
    first, second = sorted((first, second), key=lambda part: part[:2])
    part = first._replace(lf=Or((one.parts[0].lf, other.parts[0].lf)))
    return Condition(
        one.column, (part,), f"{one.after} or {other.after}", f"{one.bare} or {other.bare}"
    )


def described(
    table: Table,
    dice: Dice,
    given: Sequence[Condition],
    singular: bool = False,
    before: str = "",
    after: str = "",
    noun: str = "",
) -> str:
    """The noun with its conditions; `before` and `after` are those of a superlative."""
    named = None if noun or singular else next((each for each in given if each.noun), None)
    if named and dice.chance(_AS_NOUN, "noun/value"):
        noun, given = named.noun, [each for each in given if each is not named]
    noun = noun or (table.one if singular else table.many)
    fronts: list[str] = []
    ends: list[str] = []
    for each in given:
        if each.before and len(fronts) < 2:
            fronts.append(each.before)
        else:
            ends.append(each.after)
    ends.sort(key=lambda text: text.startswith(_AND))  # "in paris with", not "with ... in paris"
    text = " ".join(filter(None, (before, *fronts, noun)))
    if after and (not ends or dice.chance(0.6)):
        text, after = f"{text} {after}", ""
    for number, end in enumerate(ends):
        joined = number and (end.startswith(_AND) or dice.chance(0.5))
        if number and end.startswith(_CLAUSES) and ends[number - 1].startswith(_CLAUSES):
            end = _shortened(end) if dice.chance(0.5) else end
        text += f" and {end}" if joined else f" {end}"
    return f"{text} {after}".strip()


def _shortened(end: str) -> str:
    """The clause after another one: "where age is 20 and gender is male"."""
    for start in _CLAUSES:
        end = end.removeprefix(start)
    return end


def predicate(given: Condition, dice: Dice) -> str:
    """A condition as a predicate: "live in boston", "have an age over 20", "were built in 1990".

    Empty if it cannot be one.
    """
    text = given.after
    for start in ("who ", "that ", "which "):
        if text.startswith(start):
            return text.removeprefix(start)
    for start in ("with ", "having "):
        if text.startswith(start):
            return f"have {text.removeprefix(start)}"
    if text.startswith("without "):
        return f"have no {text.removeprefix('without ').removeprefix('any ')}"
    first = text.split(" ")[0]
    if first.endswith("ed") or first in ("written", "born", "built", "sold", "made", "paid"):
        return f"{pick(dice, ('were', 'were', 'are'))} {text}"
    if first in ("whose", "where", "for", "of", "by", "under", "no"):
        return ""
    return f"are {text}"


def keywords(table: Table, dice: Dice, given: Sequence[Condition]) -> str:
    """The conditions as keywords, with or without the noun: "italy age > 20"."""
    bare = [each.bare for each in given]
    if len(bare) > 1 and dice.chance(0.3):
        dice.shuffle(bare)
    separator = pick(dice, (" ", " ", " ", ", ", " and "))
    text = separator.join(bare)
    if dice.chance(0.4):
        return text
    return f"{table.many} {text}" if dice.chance(0.6) else f"{text} {table.many}"
