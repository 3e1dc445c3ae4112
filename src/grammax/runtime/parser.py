"""`RuntimeParser`: parses text without PyTorch."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, final

from grammax.automaton import BoundAutomaton
from grammax.automaton.protocol import Automaton
from grammax.errors import GrammaxError
from grammax.head.protocol import Head
from grammax.language.domain import Domain
from grammax.model.header import decoding_grammar
from grammax.reading.parse import QuerySearch, read_query, written, written_batch
from grammax.reading.reader import Query
from grammax.runtime import background
from grammax.runtime.batch import RuntimeBatchDecoder
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.head import RuntimeSpans
from grammax.runtime.lstm import Array
from grammax.runtime.observe import Observed, TimedDecoder, WatchedDecoder
from grammax.runtime.threads import single_threaded
from grammax.runtime.weights import Weights, load_weights
from grammax.search import Decoded, SearchError
from grammax.search.result import all_found, found_or_errors

if TYPE_CHECKING:
    from grammax.runtime.compiled import CompiledSearch
    from grammax.runtime.device import DeviceSearch

VARIABLE: Final = "GRAMMAX_COMPILED"
_LOGGER: Final = logging.getLogger("grammax.cache")
_BATCH: Final = 64  # queries: more do not fit the processor's cache
_COMPILED_BATCH: Final = 8


class NotCompiled(GrammaxError):
    """Compiled loops were asked for, but Numba is not installed."""

    def __init__(self, reason: ImportError) -> None:
        super().__init__(
            f"compiled=True needs Numba, which cannot be imported: {reason}. Install it with "
            f"`pip install 'grammax[fast]'`, or leave `compiled` out."
        )


class NotOnDevice(GrammaxError):
    """A device was asked for, but what decodes there is not installed, or cannot decode this."""


@final
class RuntimeParser:
    """Makes the same choices as `TorchParser` in a fraction of the time; threads may share it.

    With `compiled` a search is one call of compiled code, which takes a third of the time. Loading
    it takes most of a second. The first time on a machine it takes a minute to compile, and the
    code is stored: True waits for it; None, the default of `grammax.load`, compiles in another
    thread and decodes in NumPy meanwhile, or always, if Numba is not installed or the variable
    `GRAMMAX_COMPILED` is "no". A search with another `head`, or without a grammar, is not compiled.
    """

    def __init__(
        self,
        weights: Weights,
        automaton: Automaton[Any],
        head: Head[Array] | None = None,
        *,
        compiled: bool | None = False,
        like: RuntimeParser | None = None,
    ) -> None:
        self.weights = weights
        self.automaton = automaton
        self._asked = compiled
        self.compiled = _compiles(compiled)  # or will be, in a while
        self._decoder = decoder = RuntimeDecoder(weights)
        self.head = head or RuntimeSpans(weights.rows, len(automaton.vocabulary), weights.parts)
        batch = RuntimeBatchDecoder(decoder)
        self.search = QuerySearch(decoder, batch, self.head, automaton, weights.config)
        self._has_own_head = head is not None
        self._devices: dict[str, DeviceSearch] = {}
        self._opening = Lock()
        self.compiled_search: CompiledSearch | None = None  # None also while it is being compiled
        if self.compiled and head is None and isinstance(automaton, BoundAutomaton):
            from grammax.runtime.compiled import CompiledSearch

            before = like.compiled_search if like else None
            search = CompiledSearch(decoder, automaton, before and before.network)
            if before is None and not search.is_stored and compiled is None:
                background.start(partial(self._compile, search), "compile")
            elif before is None:
                self._compile(search)
            else:
                self.compiled_search = search

    def compile(self, like: RuntimeParser | None = None) -> None:
        """Compile searches now, or load what is stored; parsers made of this one do so, too."""
        if self.compiled or not _compiles(None) or not isinstance(self.automaton, BoundAutomaton):
            return
        from grammax.runtime.compiled import CompiledSearch

        before = like.compiled_search if like else None
        search = CompiledSearch(self._decoder, self.automaton, before and before.network)
        if before is None and not search.is_stored:
            _LOGGER.info("Queries are parsed three times as fast once searches are compiled.")
        self._compile(search)
        self._asked, self.compiled = None, True

    @classmethod
    def load(cls, path: Path, domain: Domain, *, compiled: bool | None = False) -> RuntimeParser:
        """The model of a file, under the exact grammar of its domain."""
        weights = load_weights(path, domain)
        automaton = domain.automaton(decoding_grammar(weights.config, domain))
        return cls(weights, automaton, compiled=compiled)

    def changed(self, weights: Weights, automaton: Automaton[Any]) -> RuntimeParser:
        """The parser for a vocabulary that has changed; the network stays the same."""
        return RuntimeParser(weights, automaton, compiled=self._asked, like=self)

    def read(self, text: str) -> Query:
        """The words of a query; `QueryNotice` if some were cut or none is known."""
        return read_query(self.weights.reader, text)

    def parse(self, text: str) -> Decoded:
        """The logical form of one query."""
        return self.decode(self.read(text))

    def decode(self, query: Query) -> Decoded:
        """The logical form of a query that was read."""
        if self.compiled_search is not None:
            return written(self.compiled_search.greedy(query).decoded, query)
        with single_threaded:
            return self.search.parse(query)

    def watch(self, query: Query) -> tuple[Decoded, Observed]:
        """The logical form of a query that was read, with the attention of its choices."""
        if self.compiled_search is not None:
            decoded, observed = self.compiled_search.watch(query)
            return written(decoded, query), observed
        watched = WatchedDecoder(self._decoder)
        with single_threaded:
            return replace(self.search, one=watched).parse(query), watched.observed()

    def time(self, query: Query) -> tuple[Decoded, tuple[float, ...]]:
        """The logical form of a query that was read, and the seconds of each choice."""
        if self.compiled_search is not None:
            decoded, seconds = self.compiled_search.time(query)
            return written(decoded, query), seconds
        timed = TimedDecoder(self._decoder)
        with single_threaded:
            decoded = replace(self.search, one=timed).parse(query)
        return decoded, timed.finished()

    def follow(self, query: Query, decoded: Decoded) -> Observed:
        """What `watch` observes, for a given logical form."""
        watched, only = WatchedDecoder(self._decoder), self.weights.config.decisions_only
        chosen = [scored > 0 for scored in decoded.scored if scored or not only]
        with single_threaded:
            state = watched.start(query)
            for run, choice in zip(decoded.runs(only), chosen, strict=False):
                if choice:
                    watched.hidden(state)
                state = watched.step(state, run)
        return watched.observed()

    def best(self, query: Query, count: int) -> list[Decoded]:
        """The `count` best logical forms of a query that was read, best first."""
        if self.compiled_search is not None:
            return [written(found, query) for found in self.compiled_search.beam(query, count)]
        with single_threaded:
            return self.search.best(query, count)

    def parse_batch(self, texts: Sequence[str], device: str | None = None) -> list[Decoded]:
        """The logical forms of many queries, in batches."""
        return self.decode_batch([self.read(text) for text in texts], device)

    def decode_batch(self, queries: Sequence[Query], device: str | None = None) -> list[Decoded]:
        """The logical forms of queries that were read; those of similar length share a batch.

        With a `device` PyTorch decodes them there, in batches of up to 1,024. If some of them fail,
        `QueriesFailed` has the logical forms of the others.
        """
        if device is not None:
            return self.on_device(device).decode(queries)
        order = sorted(range(len(queries)), key=lambda index: len(queries[index].ids))
        size = _BATCH if self.compiled_search is None else _COMPILED_BATCH
        found: dict[int, Decoded | SearchError] = {}
        for start in range(0, len(order), size):
            indices = order[start : start + size]
            batch = [queries[index] for index in indices]
            parses = found_or_errors(partial(self._decode_together, batch), len(batch))
            found.update(zip(indices, parses, strict=True))
        return all_found([found[index] for index in range(len(queries))])

    def _compile(self, search: CompiledSearch) -> None:
        search.compile()
        self.compiled_search = search

    def on_device(self, device: str) -> DeviceSearch:
        """The search on a device, which is loaded on first use.

        Raises `NotOnDevice` if PyTorch is not installed, and for a search without a
        grammar or with another head.
        """
        with self._opening:
            found = self._devices.get(device)
            if found is None:
                if not isinstance(self.automaton, BoundAutomaton) or self._has_own_head:
                    raise NotOnDevice(
                        "only a parser with a grammar and its own head decodes on a "
                        "device: leave `device` out."
                    )
                try:
                    from grammax.runtime.device import DeviceSearch
                except ImportError as error:
                    raise NotOnDevice(
                        f"decoding on a device needs PyTorch: {error}. Install it with "
                        f"`pip install 'grammax[model]'`, or leave `device` out."
                    ) from error
                found = DeviceSearch(self._decoder, self.automaton, self.decode_batch, device)
                self._devices[device] = found
            return found

    def _decode_together(self, queries: Sequence[Query]) -> list[Decoded]:
        if self.compiled_search is not None:
            search = partial(self.compiled_search.greedy_batch, queries)
            found = found_or_errors(search, len(queries))
            return written_batch(
                [one if isinstance(one, SearchError) else one.decoded for one in found], queries
            )
        with single_threaded:
            return self.search.parse_batch(queries)


def _compiles(asked: bool | None) -> bool:
    """Whether to compile; `NotCompiled` if that was asked for and is not possible."""
    if asked is False or (asked is None and os.environ.get(VARIABLE) == "no"):
        return False
    try:
        import numba  # noqa: F401
    except ImportError as error:
        if asked:
            raise NotCompiled(error) from error
        return False
    return True
