"""What a parser gives, in PyTorch or in NumPy: a query and its logical form."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, final

from grammax.automaton.mentioned import MentionedOnly
from grammax.automaton.protocol import Automaton
from grammax.head.protocol import Head
from grammax.model.config import ModelConfig
from grammax.reading.reader import Query, Reader
from grammax.search import (
    BatchDecoder,
    Decoded,
    Decoder,
    Unconstrained,
    beam,
    greedy,
    greedy_many,
)

Vector = TypeVar("Vector")


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


@final
@dataclass(frozen=True, slots=True, eq=False)
class QuerySearch(Generic[Vector]):
    """A model under a grammar, as its configuration says: what every parser does with a query."""

    one: Decoder[Query, Any, Vector]
    many: BatchDecoder[Query, Any, Vector]
    head: Head[Vector]
    automaton: Automaton[Any]
    config: ModelConfig

    def parse(self, query: Query) -> Parse:
        """The logical form of one query."""
        found = greedy(self.one, self.head, self._under(query), query, **self._settings)
        return Parse(query, found)

    def best(self, query: Query, count: int) -> list[Parse]:
        """The `count` best logical forms of one query, best first."""
        automaton = self._under(query)
        found = beam(self.many, self.head, automaton, query, width=count, **self._settings)
        return [Parse(query, decoded) for decoded in found]

    def side_by_side(self, queries: Sequence[Query]) -> list[Parse]:
        """The logical forms of some queries, a batch."""
        automata = [self._under(query) for query in queries]
        found = greedy_many(self.many, self.head, automata, queries, **self._settings)
        return list(map(Parse, queries, found))

    def _under(self, query: Query) -> Automaton[Any]:
        """The grammar and, of kinds that have to be mentioned, what the query mentions."""
        if not self.config.matches or isinstance(self.automaton, Unconstrained):
            return self.automaton
        mentioned = query.mentioned
        return self.automaton if mentioned is None else MentionedOnly(self.automaton, mentioned)

    @property
    def _settings(self) -> dict[str, Any]:
        return {"budget": self.config.budget, "decisions_only": self.config.decisions_only}


def read_query(reader: Reader, text: str) -> Query:
    """The words of a query, with a notice if some were cut or none is known."""
    query = reader.read(text)
    if query.cut:
        _tell(
            f"the query is too long: {len(query.words):,} of its words are read, and the rest is "
            f"cut"
        )
    if len(query.unknown) == len(query.words) and not query.names:
        words = " ".join(query.words)[:100]
        _tell(f"no word of the query was seen in training or names anything: {words}")
    return query


def _tell(text: str) -> None:
    # Above it are `read_query`, a parser's `read` and `parse`, and whoever called that.
    warnings.warn(text, QueryNotice, stacklevel=5)
