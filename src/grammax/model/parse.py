"""What a parser gives, in PyTorch or in NumPy: a query and its logical form."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import final

from grammax.model.reader import Query, Reader
from grammax.search import Decoded


class QueryNotice(UserWarning):
    """Something about a query that is not as usual, though it is parsed."""


@final
@dataclass(frozen=True, slots=True)
class Parse:
    """A query and the logical form that was found for it."""

    query: Query
    decoded: Decoded

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the logical form."""
        return self.decoded.tokens


def read_query(reader: Reader, text: str) -> Query:
    """The words of a query, with a notice if some were cut or none is known."""
    query = reader.read(text)
    if query.cut:
        _tell(
            f"the query is too long: {len(query.words):,} of its words are read, and the rest is "
            f"cut"
        )
    if len(query.unknown) == len(query.words):
        _tell(f"no word of the query was seen in training: {' '.join(query.words)[:100]}")
    return query


def _tell(text: str) -> None:
    # Above it are `read_query`, a parser's `read` and `parse`, and whoever called that.
    warnings.warn(text, QueryNotice, stacklevel=5)
