"""The rows that may come next where names are spelled in the ids of the tokenizer."""

from __future__ import annotations

from typing import Any, Final, Protocol, final

import numpy as np

from grammax.subwords.reading import Reader, Readings
from grammax.vocabulary.rows import Rows

NO_ROWS: Final = Rows.from_spans([])


class Choices(Protocol):
    """Which tokens of the language model may come next after some readings."""

    def rows(self, reader: Reader[Any], readings: Readings, ending: bool) -> Rows:
        """The tokens, with the end of the sequence if the text may end here."""


@final
class CanonicalChoices:
    """The permitted children of nodes. Each set is made once, so `is` compares most of them."""

    def __init__(self, eos: int) -> None:
        self._eos = eos
        self._only_end = Rows.from_spans([(eos, eos + 1)])

    def rows(self, reader: Reader[Any], readings: Readings, ending: bool) -> Rows:
        del reader  # nodes say it all
        if not readings:
            return self._only_end if ending else NO_ROWS
        chosen = [node.choose(kinds) for _, node, kinds in readings]
        key: Any = ending if len(chosen) == 1 else (*chosen[1:], ending)
        found = chosen[0].rows.get(key)
        if found is None:
            ids = set().union(*(choice.children for choice in chosen))
            found = chosen[0].rows.setdefault(key, rows_of(ids | {self._eos} if ending else ids))
        return found


def rows_of(ids: set[int]) -> Rows:
    """The rows with these ids."""
    if len(ids) == 1:
        (row,) = ids
        return Rows.from_spans([(row, row + 1)])
    ascending = np.array(sorted(ids), np.int64)
    ascending.setflags(write=False)
    return Rows(None, ascending)  # `from_ids` would sort and compare again
