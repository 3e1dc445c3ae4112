"""The search for the logical form of a query, shared by the PyTorch model and the runtime."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, Protocol, TypeVar, final

from grammax.automaton import BoundAutomaton
from grammax.automaton.glr.engine import GlrEngine
from grammax.automaton.grounded import Grounded, NamedOnly
from grammax.automaton.lr.engine import LrEngine
from grammax.automaton.protocol import Automaton
from grammax.automaton.reduced import NothingLeft, reduced
from grammax.head.protocol import Head
from grammax.reading.reader import Query, QueryReader
from grammax.reading.words import whole_words
from grammax.search import (
    BatchDecoder,
    Decoded,
    Decoder,
    SearchError,
    Unconstrained,
    beam,
    greedy,
    greedy_batch,
)
from grammax.search.result import all_found, found_or_errors

Vector = TypeVar("Vector")


class QueryNotice(UserWarning):
    """A query that is parsed although it was cut, or has no known word."""


class SearchOptions(Protocol):
    """The options of a search, from the configuration of a model."""

    @property
    def budget(self) -> int:
        """The largest number of tokens in a logical form."""

    @property
    def decisions_only(self) -> bool:
        """Whether the decoder takes one step per choice; see `grammax.search.greedy`."""

    @property
    def matches(self) -> bool:
        """Whether the query is searched for names of tokens."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class QuerySearch(Generic[Vector]):
    """A decoder, a head and a grammar: the search that every parser runs on a query."""

    one: Decoder[Query, Any, Vector]
    batch: BatchDecoder[Query, Any, Vector]
    head: Head[Vector]
    automaton: Automaton[Any]
    options: SearchOptions

    def parse(self, query: Query) -> Decoded:
        """The logical form of one query, by greedy search."""
        found = greedy(self.one, self.head, self._automaton_for(query), query, **self._settings)
        return written(found, query)

    def best(self, query: Query, count: int) -> list[Decoded]:
        """The `count` best logical forms of one query, best first, by beam search."""
        automaton = self._automaton_for(query)
        found = beam(self.batch, self.head, automaton, query, width=count, **self._settings)
        return [written(each, query) for each in found]

    def parse_batch(self, queries: Sequence[Query]) -> list[Decoded]:
        """The logical forms of some queries, decoded as one batch."""
        automata = [self._automaton_for(query) for query in queries]
        found = found_or_errors(
            lambda: greedy_batch(self.batch, self.head, automata, queries, **self._settings),
            len(queries),
        )
        return written_batch(found, queries)

    def _automaton_for(self, query: Query) -> Automaton[Any]:
        return automaton_for(query, self.automaton) if self.options.matches else self.automaton

    @property
    def _settings(self) -> dict[str, Any]:
        return {"budget": self.options.budget, "decisions_only": self.options.decisions_only}


def automaton_for(query: Query, automaton: Automaton[Any]) -> Automaton[Any]:
    """The grammar for a query: of kinds that must be in it, only tokens in the query compete."""
    available = query.available
    if available is None or isinstance(automaton, Unconstrained):
        return automaton
    if not query.fills or not isinstance(automaton, BoundAutomaton):
        return NamedOnly(automaton, available)
    if available.reduces:
        return NamedOnly(reduced_for(query, automaton), available)
    if isinstance(automaton.engine, LrEngine):
        return Grounded.for_query(automaton, available)
    return NamedOnly(automaton, available)


def reduced_for(query: Query, automaton: BoundAutomaton[Any]) -> BoundAutomaton[Any]:
    """What a query leaves of an exact automaton; the whole of it if that is no logical form.

    Then the form has slots of what the query does not mention, see `Fillable.unfilled`.
    """
    available = query.available
    if available is None or not available.reduces:
        return automaton
    if not isinstance(automaton.engine, LrEngine | GlrEngine):
        return automaton
    try:
        return reduced(automaton, available)
    except NothingLeft:
        return automaton


def written(decoded: Decoded, query: Query) -> Decoded:
    """The result with the tokens that are written for its slots."""
    if not query.fills:
        return decoded
    pieces = query.written_pieces(decoded.tokens)
    return decoded.written(tuple(chain.from_iterable(pieces)), tuple(map(len, pieces)))


def written_batch(
    found: Sequence[Decoded | SearchError], queries: Sequence[Query]
) -> list[Decoded]:
    """The results of a batch, written; raises `QueriesFailed` if some queries have none."""
    pairs = zip(found, queries, strict=True)
    return all_found([d if isinstance(d, SearchError) else written(d, q) for d, q in pairs])


def read_query(reader: QueryReader, text: str) -> Query:
    """Read a query, with a `QueryNotice` if words were cut or none is known."""
    query = reader.read(text)
    if query.cut:
        _warn(
            f"the query is too long: {len(query.words):,} of its words are read, and the rest is "
            f"cut"
        )
    if not query.names and len(query.unknown) == len(query.words):
        words = " ".join(whole_words(query.words, range(len(query.words))))[:100]
        _warn(f"no word of this query is known: {words}")
    return query


def _warn(text: str) -> None:
    # The frames in between are `read_query` and a parser's `read` and `parse`.
    warnings.warn(text, QueryNotice, stacklevel=5)
