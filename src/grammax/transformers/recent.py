"""`Recent`: what was computed for the sets that were used last."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Generic, TypeVar, final

from grammax.vocabulary.rows import Rows

T = TypeVar("T")


@final
class Recent(Generic[T]):
    """Values by set, at most `limit` of them. Mutable.

    Sets are told apart by identity, because comparing two large ones costs more than what is kept;
    an engine makes each of its sets once, as far as it can.

    >>> recent = Recent(1)
    >>> one, other = Rows.from_ids([1]), Rows.from_ids([2])
    >>> recent.put(one, "a"), recent.get(one), recent.put(other, "b"), recent.get(one)
    (None, 'a', None, None)
    """

    __slots__ = ("_values", "limit")

    def __init__(self, limit: int) -> None:
        self.limit: Final = limit
        self._values: OrderedDict[int, tuple[Rows, T]] = OrderedDict()  # sets live while they are

    def get(self, rows: Rows) -> T | None:
        """The value of a set, or None."""
        found = self._values.get(id(rows))
        if found is None:
            return None
        self._values.move_to_end(id(rows))
        return found[1]

    def put(self, rows: Rows, value: T) -> None:
        """Keep the value of a set, and forget the one that was not used for longest."""
        self._values[id(rows)] = rows, value
        if len(self._values) > self.limit:
            self._values.popitem(last=False)
