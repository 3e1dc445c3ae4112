"""Execution match: whether an answer has what a gold query gives.

The rules, for all sets that have rows:

- Rows are compared as multisets. Each gold column has to be one of ours with the same cells in the
  same rows; the order of columns does not matter, and ours may have more of them, because answers
  begin with what identifies a row and show what was compared.
- A column of ours that only identifies rows is never taken for a gold aggregate, and a count only
  matches in a summary. Other aggregates may be shown by rows: the oldest one has the maximum age.
- Numbers are the same if six digits are; texts without regard to capitals and surrounding blanks; a
  number that is stored as a text is a number; yes, t and true are the same; of a time of day only
  the day is compared.
- The order matters where the gold has ORDER BY without LIMIT 1 and the question asks for an order;
  rows that the gold's key does not tell apart may be in any order.
- LIMIT n: any n rows are right that are first by the gold's key; of ties, any may be taken. Rows
  without a key come last, where SQLite takes them for the smallest.
- SELECT DISTINCT of one column: a list that repeats its values is right, too, because ours has a
  row per entity. A list without repetitions is wrong where the gold repeats.
- A gold without rows, or with zeros only: no answer can be told from another, so the form has to be
  the gold's own. Its values are found whatever their capitals and blanks, which SQL compares.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, Final

from sqlglot import exp
from tables_sql import parsed
from tables_worlds import Found

Cell = str | float | None
Run = Callable[[str], list[tuple[Any, ...]]]

_MOST_CHOICES: Final = 20_000
_TRUE, _FALSE = frozenset(("yes", "y", "t", "true")), frozenset(("no", "n", "f", "false"))
_MOMENT: Final = re.compile(r"(\d{4}-\d{2}-\d{2})[ T]\d{2}:\d{2}.*")
_ORDER: Final = re.compile(
    r"\b(order|sort|ascend|descend|alphabet|lexicograph|rank|top|first|last|decreas|increas"
    r"|from .* to\b|highest|lowest|largest|smallest|most|least|oldest|youngest)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Gold:
    """What a gold query gives.

    `groups` has the rows, those together that the key of ORDER BY does not tell apart; without an
    order they are one group. `count` is that of LIMIT.
    """

    groups: tuple[tuple[tuple[Cell, ...], ...], ...]
    aggregates: tuple[str, ...]  # by column, its function; empty if it has none
    ordered: bool = False
    distinct: bool = False
    count: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no answer can be told from another."""
        return not any(cell not in (None, 0.0) for row in self.rows for cell in row)

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        return [row for group in self.groups for row in group]


def gold_of(sql: str, question: str, run: Run, dialect: str = "sqlite") -> Gold:
    """Run a gold query, with the keys that it is ordered by and without its limit."""
    tree = parsed(sql, dialect)
    select = tree if isinstance(tree, exp.Select) else None
    shown = [each.unalias() for each in tree.selects]
    aggregates = tuple(_function(each) for each in shown)
    if select is None or select.args.get("order") is None:
        all_rows = tuple(_row(row) for row in run(sql))
        if any(isinstance(each, exp.Star) for each in shown):
            aggregates = ("",) * len(all_rows[0] if all_rows else ())
        distinct = select is not None and select.args.get("distinct") is not None
        return Gold((all_rows,), aggregates, distinct=distinct and len(shown) == 1)
    limit = select.args.get("limit")
    keys = [_key(each.this, shown) for each in select.args["order"].expressions]
    wider = select.copy().select(*(key.copy() for key in keys), append=True)
    wider.set("limit", None)
    rows = [_row(row) for row in run(wider.sql(dialect))]
    groups = _grouped(_unknown_last(rows, len(keys)), len(keys))
    return Gold(
        groups,
        aggregates,
        ordered=(limit is None or limit.expression.name != "1") and bool(_ORDER.search(question)),
        distinct=select.args.get("distinct") is not None and len(shown) == 1,
        count=int(limit.expression.name) if limit is not None else None,
    )


def matches(gold: Gold, found: Found) -> bool:
    """Whether an answer has what the gold has."""
    ours = [tuple(_cell(cell) for cell in row) for row in found.rows]
    wide = len(ours[0]) if ours else 0
    if not ours:
        return False
    columns = [{row[index] for row in ours} for index in range(wide)]
    choices: list[list[int]] = []
    for index, function in enumerate(gold.aggregates):
        permitted = {row[index] for row in gold.rows}
        own = found.own if function else 0
        if function == "count" and found.own:  # no summary
            return False
        choices.append([at for at in range(own, wide) if columns[at] <= permitted])
    for chosen in islice(product(*choices), _MOST_CHOICES):
        if len(set(chosen)) == len(chosen) and _accepts(
            gold, [tuple(row[at] for at in chosen) for row in ours]
        ):
            return True
    return False


def _accepts(gold: Gold, ours: Sequence[tuple[Cell, ...]]) -> bool:
    if gold.distinct and gold.count is None and not gold.ordered:
        return set(ours) == set(gold.rows)
    ours = list(dict.fromkeys(ours)) if gold.distinct else ours
    wanted = len(gold.rows) if gold.count is None else min(gold.count, len(gold.rows))
    if len(ours) != wanted:
        return False
    if not gold.ordered:
        return _contains(gold.groups, Counter(ours))
    start = 0
    for group in gold.groups:
        part = ours[start : start + len(group)]
        if Counter(part) - Counter(group):
            return False
        start += len(part)
    return True


def _contains(
    groups: Sequence[tuple[tuple[Cell, ...], ...]], ours: Counter[tuple[Cell, ...]]
) -> bool:
    """Whether rows are the first ones: whole groups, and some of the last group."""
    for group in groups:
        want = Counter(group)
        if want - ours:
            return not ours - want
        ours = ours - want
    return not ours


def _grouped(rows: list[tuple[Cell, ...]], keys: int) -> tuple[tuple[tuple[Cell, ...], ...], ...]:
    """Rows without their last cells, together where those are the same."""
    groups: list[list[tuple[Cell, ...]]] = []
    last: tuple[Cell, ...] | None = None
    for row in rows:
        if row[-keys:] != last:
            groups.append([])
            last = row[-keys:]
        groups[-1].append(row[:-keys])
    return tuple(map(tuple, groups))


def _unknown_last(rows: list[tuple[Cell, ...]], keys: int) -> list[tuple[Cell, ...]]:
    return sorted(rows, key=lambda row: row[-keys] is None)


def _function(shown: exp.Expr) -> str:
    found = shown.find(exp.AggFunc)
    return "" if found is None else found.key


def _key(key: exp.Expr, shown: Sequence[exp.Expr]) -> exp.Expr:
    return shown[int(key.name) - 1] if isinstance(key, exp.Literal) else key


def _row(row: Sequence[Any]) -> tuple[Cell, ...]:
    return tuple(_cell(cell) for cell in row)


def _cell(cell: Any) -> Cell:
    """A cell as it is compared."""
    if cell is None:
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    text = str(cell).strip().casefold()
    try:
        return float(f"{float(text):.6g}")
    except ValueError:
        pass
    if text in _TRUE or text in _FALSE:
        return "true" if text in _TRUE else "false"
    moment = _MOMENT.fullmatch(text)
    return moment[1] if moment else text
