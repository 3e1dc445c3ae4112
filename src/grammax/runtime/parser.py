"""Text → logical form without PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, final

from grammax.automaton.protocol import Automaton
from grammax.domain import Domain
from grammax.head.protocol import Head
from grammax.model.parse import Parse, QuerySearch, read_query
from grammax.model.reader import Query
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.many import RuntimeManyDecoder
from grammax.runtime.recurrence import Array
from grammax.runtime.spans import RuntimeSpans
from grammax.runtime.watched import WatchedDecoder
from grammax.runtime.weights import Weights, load_weights

_SIDE_BY_SIDE: Final = 64  # queries: more would not fit the cache


@final
class RuntimeParser:
    """The choices of `TorchParser`, in a fraction of its time; threads may share it."""

    def __init__(
        self, weights: Weights, automaton: Automaton[Any], head: Head[Array] | None = None
    ) -> None:
        self.weights = weights
        self.automaton = automaton
        tokens = len(automaton.vocabulary)
        self.head = head or RuntimeSpans(weights.rows, weights.bias, tokens, weights.parts)
        decoder = self._decoder = RuntimeDecoder(weights)
        many = RuntimeManyDecoder(decoder)
        self.search = QuerySearch(decoder, many, self.head, automaton, weights.config)

    @classmethod
    def load(cls, path: Path, domain: Domain) -> RuntimeParser:
        """The model of a file, under the tightest grammar of its domain."""
        return cls(load_weights(path, domain), domain.automaton(domain.grammars[-1]))

    def read(self, text: str) -> Query:
        """The words of a query, with a notice if some were cut or none is known."""
        return read_query(self.weights.reader, text)

    def parse(self, text: str) -> Parse:
        """The logical form of one query."""
        return self.search.parse(self.read(text))

    def watch(self, query: Query) -> tuple[Parse, WatchedDecoder]:
        """The same of a query that was read, and how it was found."""
        watched = WatchedDecoder(self._decoder)
        return replace(self.search, one=watched).parse(query), watched

    def follow(self, parse: Parse) -> WatchedDecoder:
        """How a logical form that was found another way would have been found."""
        watched, only = WatchedDecoder(self._decoder), self.weights.config.decisions_only
        chosen = [scored > 0 for scored in parse.decoded.scored if scored or not only]
        state = watched.start(parse.query)
        for run, choice in zip(parse.decoded.runs(only), chosen, strict=False):
            if choice:
                watched.hidden(state)
            state = watched.step(state, run)
        return watched

    def best(self, query: Query, count: int) -> list[Parse]:
        """The `count` best logical forms of a query that was read, best first."""
        return self.search.best(query, count)

    def parse_many(self, texts: Sequence[str]) -> list[Parse]:
        """The logical forms of many queries, side by side; those of similar length together."""
        queries = [self.read(text) for text in texts]
        order = sorted(range(len(queries)), key=lambda place: len(queries[place].ids))
        found: dict[int, Parse] = {}
        for start in range(0, len(order), _SIDE_BY_SIDE):
            places = order[start : start + _SIDE_BY_SIDE]
            parses = self.search.side_by_side([queries[place] for place in places])
            found.update(zip(places, parses, strict=True))
        return [found[place] for place in range(len(queries))]
