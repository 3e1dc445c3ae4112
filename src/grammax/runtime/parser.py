"""Text → logical form without PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, final

from grammax.automaton.protocol import Automaton
from grammax.errors import GrammaxError
from grammax.head.protocol import Head, Options
from grammax.language.domain import Domain
from grammax.reading.parse import QuerySearch, read_query
from grammax.reading.reader import Query
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.many import RuntimeManyDecoder
from grammax.runtime.recurrence import Array
from grammax.runtime.spans import RuntimeSpans
from grammax.runtime.threads import single_threaded
from grammax.runtime.timed import TimedDecoder
from grammax.runtime.watched import Attending, WatchedDecoder
from grammax.runtime.weights import Weights, load_weights
from grammax.search import Decoded

_SIDE_BY_SIDE: Final = 64  # queries: more would not fit the cache


class NotCompiled(GrammaxError):
    """Compiled loops were asked for, and there is no Numba to compile them."""

    def __init__(self, reason: ImportError) -> None:
        super().__init__(
            f"compiled=True needs Numba, which cannot be imported: {reason}. Install it with "
            f"`pip install 'grammax[fast]'`, or leave `compiled` out."
        )


@final
class RuntimeParser:
    """The choices of `TorchParser`, in a fraction of its time; threads may share it.

    With `compiled` the loops for one query are compiled, which halves its time; None is for where
    Numba is installed. It is loaded here and now, in a third of a second, or in some once on each
    machine, which then keeps what was compiled. Many queries side by side are NumPy's work always.
    """

    def __init__(
        self,
        weights: Weights,
        automaton: Automaton[Any],
        head: Head[Array] | None = None,
        *,
        compiled: bool | None = False,
    ) -> None:
        self.weights = weights
        self.automaton = automaton
        plain = RuntimeDecoder(weights)
        spans = RuntimeSpans(weights.rows, weights.bias, len(automaton.vocabulary), weights.parts)
        self._decoder: Attending[Any] = plain
        self.head: Head[Array] = head or spans
        self.compiled = _compiles(compiled)
        if self.compiled:
            from grammax.runtime.compiled import CompiledDecoder
            from grammax.runtime.compiled_spans import CompiledSpans

            self._decoder = CompiledDecoder(plain)
            if head is None and weights.parts is not None:
                self.head = CompiledSpans(spans, weights.parts)
        many = RuntimeManyDecoder(plain)
        self.search = QuerySearch(self._decoder, many, self.head, automaton, weights.config)
        if self.compiled:
            self._compile()

    @classmethod
    def load(cls, path: Path, domain: Domain, *, compiled: bool | None = False) -> RuntimeParser:
        """The model of a file, under the tightest grammar of its domain."""
        automaton = domain.automaton(domain.exact)
        return cls(load_weights(path, domain), automaton, compiled=compiled)

    def read(self, text: str) -> Query:
        """The words of a query, with a notice if some were cut or none is known."""
        return read_query(self.weights.reader, text)

    def parse(self, text: str) -> Decoded:
        """The logical form of one query."""
        query = self.read(text)
        with single_threaded:
            return self.search.parse(query)

    def watch(self, query: Query) -> tuple[Decoded, WatchedDecoder[Any]]:
        """The same of a query that was read, and how it was found."""
        watched = WatchedDecoder(self._decoder)
        with single_threaded:
            return replace(self.search, one=watched).parse(query), watched

    def time(self, query: Query) -> tuple[Decoded, tuple[float, ...]]:
        """The same, and how many seconds each of its choices took."""
        timed = TimedDecoder(self._decoder)
        with single_threaded:
            decoded = replace(self.search, one=timed).parse(query)
        return decoded, timed.finished()

    def follow(self, query: Query, decoded: Decoded) -> WatchedDecoder[Any]:
        """How a logical form that was found another way would have been found."""
        watched, only = WatchedDecoder(self._decoder), self.weights.config.decisions_only
        chosen = [scored > 0 for scored in decoded.scored if scored or not only]
        with single_threaded:
            state = watched.start(query)
            for run, choice in zip(decoded.runs(only), chosen, strict=False):
                if choice:
                    watched.hidden(state)
                state = watched.step(state, run)
        return watched

    def best(self, query: Query, count: int) -> list[Decoded]:
        """The `count` best logical forms of a query that was read, best first."""
        with single_threaded:
            return self.search.best(query, count)

    def parse_batch(self, texts: Sequence[str]) -> list[Decoded]:
        """The logical forms of many queries, side by side; those of similar length together."""
        return self.decode_batch([self.read(text) for text in texts])

    def decode_batch(self, queries: Sequence[Query]) -> list[Decoded]:
        """The same of queries that were read."""
        order = sorted(range(len(queries)), key=lambda place: len(queries[place].ids))
        found: dict[int, Decoded] = {}
        for start in range(0, len(order), _SIDE_BY_SIDE):
            places = order[start : start + _SIDE_BY_SIDE]
            with single_threaded:
                parses = self.search.parse_batch([queries[place] for place in places])
            found.update(zip(places, parses, strict=True))
        return [found[place] for place in range(len(queries))]

    def _compile(self) -> None:
        """Call each compiled function once, so that no query has to wait for it."""
        state = self._decoder.start(self.weights.reader.read("?"))
        options = Options(self.automaton.next_tokens(self.automaton.start))
        self.head.scores(self._decoder.hidden(state), options)


def _compiles(asked: bool | None) -> bool:
    """Whether to compile; `NotCompiled` if it was asked for in vain."""
    if asked is False:
        return False
    try:
        import numba  # noqa: F401
    except ImportError as error:
        if asked:
            raise NotCompiled(error) from error
        return False
    return True
