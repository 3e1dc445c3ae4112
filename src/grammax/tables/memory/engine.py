"""The `Engine` of arrays: every operation is computed at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from typing import Any, Final, final

import numpy as np

from grammax.tables.memory.groups import aggregated, summarised
from grammax.tables.memory.rows import Rows, order_of
from grammax.tables.memory.values import Condition, Numbers, Texts
from grammax.tables.query.engine import Aggregated, Grouping
from grammax.tables.query.source import Row, StoreError, TooSlow
from grammax.tables.query.spellings import Stored


@final
class ArrayEngine:
    """Values are arrays, or texts and conditions made of arrays; tables are `Rows`."""

    def reference(self, name: str, value: Any) -> Any:
        del name
        return value

    def number(self, value: float) -> float:
        return float(value)

    def divided(self, value: Numbers, by: Numbers) -> Numbers:
        with np.errstate(all="ignore"):
            return np.asarray(value / np.where(by == 0, np.nan, by))

    def not_negative(self, value: Numbers) -> Numbers:
        return np.where(value < 0, np.nan, value)

    def scored(self, value: Texts, scores: Mapping[Stored, float]) -> Numbers:
        return value.mapped({str(text): score for text, score in scores.items()})

    def compared(self, op: str, left: Numbers, right: Numbers | float) -> Condition:
        """Comparisons with NaN are false, and so are their opposites: it is unknown."""
        match op:
            case "EQ":
                return Condition(left == right, (left < right) | (left > right))
            case "NEQ":
                return Condition((left < right) | (left > right), left == right)
            case "LS":
                return Condition(left < right, left >= right)
            case "LE":
                return Condition(left <= right, left > right)
            case "GR":
                return Condition(left > right, left <= right)
            case _:
                return Condition(left >= right, left < right)

    def among(self, value: Texts, texts: Collection[Stored]) -> Condition:
        return value.among(map(str, texts))

    def as_text(self, value: Texts) -> Texts:
        return value

    def contains(self, value: Texts, text: str) -> Condition:
        return value.containing(text)

    def known(self, value: Numbers | Texts) -> Condition:
        if isinstance(value, Texts):
            return Condition.known(value.is_known)
        return Condition.known(value == value)  # NaN differs from itself

    def negated(self, condition: Condition) -> Condition:
        return Condition(condition.false, condition.true)

    def every(self, conditions: Sequence[Condition]) -> Condition:
        return reduce(lambda a, b: Condition(a.true & b.true, a.false | b.false), conditions)

    def some(self, conditions: Sequence[Condition]) -> Condition:
        return reduce(lambda a, b: Condition(a.true | b.true, a.false & b.false), conditions)

    def ascending(self, value: Numbers | Texts | None) -> Numbers | None:
        """None is the key: the rows of the table are in its order."""
        return value.order if isinstance(value, Texts) else value

    def descending(self, value: Numbers | Texts) -> Numbers:
        return -(value.order if isinstance(value, Texts) else value)

    def alphabetical(self, value: Texts) -> Numbers:
        return value.alphabetical

    def position(self, orders: Sequence[Numbers | None]) -> Numbers:
        keys = [order for order in orders if order is not None]
        found = np.empty(len(keys[0]))
        found[order_of(keys, len(found))] = np.arange(len(found))
        return found

    def regrouped(self, value: Texts, groups: Mapping[str, Sequence[Stored]]) -> Texts:
        return value.renamed({group: [*map(str, inside)] for group, inside in groups.items()})

    def overall(self, function: str, value: Numbers) -> Numbers:
        rows = np.arange(len(value))
        found = aggregated(Aggregated(function, [value]), rows, np.zeros_like(rows), 1, 1)
        return np.full(len(value), found[0])

    def summarised(
        self, rows: Rows, groups: Mapping[str, Grouping], columns: Mapping[str, Aggregated]
    ) -> Rows:
        return summarised(rows, groups, columns)

    def chosen(self, index: Numbers, values: Sequence[Numbers]) -> Numbers:
        number = index.astype(np.intp)
        return np.stack(values)[number, np.arange(len(number))]

    def labelled(self, index: Numbers, texts: Sequence[str]) -> Texts:
        return Texts.of(texts[number] for number in index.astype(np.intp).tolist())

    def counted(self, table: Rows) -> Rows:
        return Rows(1, {"n": np.array([len(table)])})

    def sql(self, table: Rows, dialect: str) -> str:
        del table
        raise StoreError(f"These data are arrays in memory: there is no {dialect} query.")


ENGINE: Final = ArrayEngine()


@final
class ArrayRunner:
    """Lists the rows of a query, which are computed when it is translated."""

    instant = True

    def compile(self, expression: Rows) -> Rows:
        return expression

    def run(self, compiled: Any, seconds: float) -> list[Row]:
        if seconds <= 0:
            raise TooSlow(seconds)
        return list(compiled.cells())

    def close(self) -> None:
        """Arrays are released when nothing refers to them."""
