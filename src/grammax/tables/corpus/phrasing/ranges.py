"""Ranges in every spelling: "between 2 and 10", "2-10bn", "above 2 but below 10", "2 < f < 10"."""

from __future__ import annotations

import re
from typing import Final

from grammax.tables.corpus.draw import Dice, pick
from grammax.tables.corpus.plan import Bound
from grammax.tables.form.tree import Number, Percent
from grammax.tables.idioms import Patterns

_OPEN: Final = re.compile(r"(of )?(above|over|more|after|greater|>)|\{n\} <")
_BARE: Final = (
    "{f} {n}-{m}", "{f} {n} to {m}", "{f} between {n} and {m}", "{f} {n} - {m}", "{n}-{m} {f}",
    "{f} from {n} to {m}", "{f} >= {n} and <= {m}", "{n} to {m} {f}", "{n} <= {f} <= {m}",
    "{f}: {n}-{m}", "{f} min {n} max {m}", "between {n} and {m} {f}", "{f} {n} and {m}",
)  # fmt: skip
_BARE_OPEN: Final = (
    "{f} > {n} and < {m}", "{f} above {n} but below {m}", "{n} < {f} < {m}",
    "{f} over {n} under {m}", "{f} >{n} <{m}", "{f} above {n} and below {m}",
    "{f} > {n} and {f} < {m}", "{f} over {n} and under {m}", "{f} more than {n} less than {m}",
)  # fmt: skip
_SHARED: Final = re.compile(r"between \{n\} and \{m\}|from \{n\} to \{m\}|\{n\}( ?- ?| to )\{m\}")


def said_range(bound: Bound, patterns: Patterns, dice: Dice) -> str:
    """A range in one of the patterns of a class that mean it: open or closed."""
    is_open = bound.op == "GR"
    usable = [each for each in patterns if bool(_OPEN.match(each)) == is_open]
    return _filled(dice.rule("range", usable or ["between {n} and {m}"], 0.5), bound, dice)


def bare_range(bound: Bound, field: str, dice: Dice, first: bool) -> str:
    """A field and its range in telegraphic style; if `first`, the field comes first."""
    forms: Patterns = _BARE_OPEN if bound.op == "GR" else _BARE[:-1]
    if first:
        forms = tuple(each for each in forms if each.startswith("{f}"))
    return _filled(dice.rule("range", forms, 0.5), bound, dice).replace("{f}", field)


def _filled(form: str, bound: Bound, dice: Dice) -> str:
    low, high = bound.written
    tight = "-" in form and " " in low  # "10 minutes-30 minutes"
    if _SHARED.search(form) and (tight or dice.chance(0.5)):
        low, high = _sharing(bound, dice)
    return form.replace("{n}", low).replace("{m}", high)


def _sharing(bound: Bound, dice: Dice) -> tuple[str, str]:
    """Both numbers with their unit written once: "2-10bn", "$2 to $10bn"."""
    value, (low, high) = bound.values[0], bound.written
    if not isinstance(value, Number | Percent):
        return low, high
    before, found, _ = low.partition(value.digits)
    if not found:
        return low, high
    once = high.removeprefix(before)
    if before[:1].isalpha():  # a code, which stands before the first number only
        return before + value.digits, once
    return before + value.digits, pick(dice, (high, once))
