"""Rows of tables → columns: what a data store lists by entity and quarter, as matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from grammax.tables.memory.columns import NoColumns
from grammax.tables.memory.values import Indices, Numbers


def in_order(keys: Sequence[str]) -> Indices:
    """The numbers of entities in the order of their keys, as columns need them."""
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.intp)


@final
class QuarterlyRows:
    """Rows of a table with one row per entity and quarter.

    `entities` are the numbers of the entities, `calendar` and `fiscal` the quarters of the rows.
    """

    def __init__(self, count: int, entities: Indices, calendar: Indices, fiscal: Indices) -> None:
        self.first = int(calendar.min())
        self._shape = (int(calendar.max()) - self.first + 1, count)
        self._at = (calendar - self.first) * count + entities
        if len(np.unique(self._at)) < len(self._at):
            raise NoColumns("An entity has two rows of one quarter.")
        self.ahead = np.zeros(count, np.intp)
        """How many quarters the fiscal year of each entity is ahead of the calendar."""
        self.ahead[entities] = fiscal - calendar
        if np.any(self.ahead[entities] != fiscal - calendar):
            raise NoColumns("The fiscal year of an entity has changed.")

    def matrix(self, values: Numbers) -> Numbers:
        """A column of the table by quarter and entity; NaN where there is no row."""
        found = np.full(self._shape, np.nan)
        found.flat[self._at] = values
        return found
