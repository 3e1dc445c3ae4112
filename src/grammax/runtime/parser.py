"""`RuntimeParser`: parses text without PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, final

from grammax.automaton.protocol import Automaton
from grammax.errors import GrammaxError
from grammax.head.protocol import Head, Options
from grammax.language.domain import Domain
from grammax.model.header import decoding_grammar
from grammax.reading.parse import QuerySearch, read_query
from grammax.reading.reader import Query
from grammax.runtime.batch import RuntimeBatchDecoder
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.head import RuntimeSpans
from grammax.runtime.lstm import Array
from grammax.runtime.observe import Attending, TimedDecoder, WatchedDecoder
from grammax.runtime.threads import single_threaded
from grammax.runtime.weights import Weights, load_weights
from grammax.search import Decoded

_BATCH: Final = 64  # queries: more do not fit the processor's cache


class NotCompiled(GrammaxError):
    """Compiled loops were asked for, but Numba is not installed."""

    def __init__(self, reason: ImportError) -> None:
        super().__init__(
            f"compiled=True needs Numba, which cannot be imported: {reason}. Install it with "
            f"`pip install 'grammax[fast]'`, or leave `compiled` out."
        )


@final
class RuntimeParser:
    """Makes the same choices as `TorchParser` in a fraction of the time; threads may share it.

    With `compiled` the loops for one query are compiled, which halves its time; None compiles if
    Numba is installed. Loading Numba takes a third of a second; the first time on a machine it
    takes some seconds to compile, and the compiled code is cached. Batches always run in NumPy.
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
        spans = RuntimeSpans(weights.rows, len(automaton.vocabulary), weights.parts)
        self._decoder: Attending[Any] = plain
        self.head: Head[Array] = head or spans
        self.compiled = _compiles(compiled)
        if self.compiled:
            from grammax.runtime.compiled import CompiledDecoder, CompiledSpans

            self._decoder = CompiledDecoder(plain)
            if head is None and weights.parts is not None:
                self.head = CompiledSpans(spans, weights.parts)
        batch = RuntimeBatchDecoder(plain)
        self.search = QuerySearch(self._decoder, batch, self.head, automaton, weights.config)
        if self.compiled:
            self._compile()

    @classmethod
    def load(cls, path: Path, domain: Domain, *, compiled: bool | None = False) -> RuntimeParser:
        """The model of a file, under the exact grammar of its domain."""
        weights = load_weights(path, domain)
        automaton = domain.automaton(decoding_grammar(weights.config, domain))
        return cls(weights, automaton, compiled=compiled)

    def read(self, text: str) -> Query:
        """The words of a query; `QueryNotice` if some were cut or none is known."""
        return read_query(self.weights.reader, text)

    def parse(self, text: str) -> Decoded:
        """The logical form of one query."""
        query = self.read(text)
        with single_threaded:
            return self.search.parse(query)

    def watch(self, query: Query) -> tuple[Decoded, WatchedDecoder[Any]]:
        """The logical form of a query that was read, and the recorded attention and times."""
        watched = WatchedDecoder(self._decoder)
        with single_threaded:
            return replace(self.search, one=watched).parse(query), watched

    def time(self, query: Query) -> tuple[Decoded, tuple[float, ...]]:
        """The logical form of a query that was read, and the seconds of each choice."""
        timed = TimedDecoder(self._decoder)
        with single_threaded:
            decoded = replace(self.search, one=timed).parse(query)
        return decoded, timed.finished()

    def follow(self, query: Query, decoded: Decoded) -> WatchedDecoder[Any]:
        """The attention and times that `watch` records, for a given logical form."""
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
        """The logical forms of many queries, in batches."""
        return self.decode_batch([self.read(text) for text in texts])

    def decode_batch(self, queries: Sequence[Query]) -> list[Decoded]:
        """The logical forms of queries that were read; those of similar length share a batch."""
        order = sorted(range(len(queries)), key=lambda index: len(queries[index].ids))
        found: dict[int, Decoded] = {}
        for start in range(0, len(order), _BATCH):
            indices = order[start : start + _BATCH]
            with single_threaded:
                parses = self.search.parse_batch([queries[index] for index in indices])
            found.update(zip(indices, parses, strict=True))
        return [found[index] for index in range(len(queries))]

    def _compile(self) -> None:
        """Call each compiled function once, so that no query waits for its compilation."""
        state = self._decoder.start(self.weights.reader.read("?"))
        options = Options(self.automaton.next_tokens(self.automaton.start))
        self.head.scores(self._decoder.hidden(state), options)


def _compiles(asked: bool | None) -> bool:
    """Whether to compile; `NotCompiled` if that was asked for and is not possible."""
    if asked is False:
        return False
    try:
        import numba  # noqa: F401
    except ImportError as error:
        if asked:
            raise NotCompiled(error) from error
        return False
    return True
