"""`CompiledSearch`: prepares the arrays of queries, calls a compiled search, reads its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from itertools import accumulate, pairwise
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple, final

import numpy as np

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.lr.engine import LrEngine
from grammax.files import locked
from grammax.head.protocol import NoEndRow
from grammax.reading.reader import Query
from grammax.runtime.compiled.arrays import network_arrays
from grammax.runtime.compiled.beam import BeamArrays, beam
from grammax.runtime.compiled.compile import stored_mark
from grammax.runtime.compiled.greedy import greedy
from grammax.runtime.compiled.inputs import NameArrays, TokenInputs, WordInputs
from grammax.runtime.compiled.members import (
    BUDGET,
    CHOICES,
    CHOSEN,
    COUNT,
    ENDING,
    FINISHED,
    FORCED,
    LEFT,
    NO_END,
    NO_INPUT,
    NO_MOVE,
    PAUSED,
    QUERY,
    READ,
    REGISTERS,
    SCORED,
    Members,
    QueryArrays,
)
from grammax.runtime.compiled.network import EncodedArrays, NetworkArrays
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.grounding import GROUNDED, NAMED, WHOLE, grounding_arrays
from grammax.runtime.lstm import Array
from grammax.runtime.observe import Observed
from grammax.runtime.states import StateTable
from grammax.search.result import Decoded, Ending, NoScore, SearchError
from grammax.vocabulary import Ids

_SLOTS: Final = 3  # per place in a beam: the beam, its extensions, finished sentences
_ENDINGS: Final[dict[int, Ending]] = {FORCED: "forced", CHOSEN: "chosen", BUDGET: "budget"}


class Found(NamedTuple):
    """A sentence, and the attention of each of its choices to each word, (choices, words)."""

    decoded: Decoded
    attention: Array


@final
class CompiledSearch:
    """Searches for the sentences of queries, each search in one compiled call.

    It makes the choices of `grammax.search` with a `RuntimeDecoder` and `RuntimeSpans`. Threads may
    share it.
    """

    def __init__(
        self,
        decoder: RuntimeDecoder,
        automaton: BoundAutomaton[Any],
        like: NetworkArrays | None = None,
    ) -> None:
        weights = decoder.weights
        self.decoder, self.automaton = decoder, automaton
        self.network = network_arrays(weights, like)
        self.states = StateTable(automaton)
        self.tokens = TokenInputs(decoder)
        self.words = WordInputs(weights)
        names = weights.reader.names if weights.config.matches else None
        must = (names.grounds.kinds if names.grounds else names.must_be_named) if names else ()
        fills = weights.reader.filling is not None and isinstance(automaton.engine, LrEngine)
        self.mode = WHOLE if not must else GROUNDED if fills else NAMED
        self.grounding = grounding_arrays(automaton, must)
        tokens = len(automaton.vocabulary)
        self.end = tokens if len(weights.rows.bias) > tokens else -1

    @property
    def is_stored(self) -> bool:
        """Whether code for this model's types was compiled on this machine before."""
        return self._mark is not None and self._mark.exists()

    def compile(self) -> None:
        """Search once, so that no query waits for the compiler; other processes wait meanwhile."""
        with locked(self._mark) if self._mark else nullcontext():
            query = self.decoder.weights.reader.read("?")
            searches: tuple[Callable[[Query], object], ...] = (
                self.greedy,
                lambda q: self.beam(q, 2),
            )
            for search in searches:
                with suppress(SearchError):  # told when a query is parsed
                    search(query)
            if self._mark:
                self._mark.touch()

    @property
    def _mark(self) -> Path | None:
        """The file that says that code is stored for weights of this type."""
        return stored_mark(self.network.gates.matrix.dtype.name)

    def greedy(self, query: Query) -> Found:
        """The sentence of one query."""
        (found,) = self.greedy_batch([query])
        return found

    def greedy_batch(self, queries: Sequence[Query]) -> list[Found]:
        """The sentences of some queries."""
        search = self.begin(queries)
        search.finish()
        return search.found()

    def begin(self, queries: Sequence[Query]) -> Search:
        """A greedy search that has not begun, to be observed."""
        return Search(self, queries)

    def beam(self, query: Query, width: int) -> list[Decoded]:
        """The best sentences of one query, at least one and at most `width`, best first."""
        search = Search(self, [query], width)
        search.finish()
        return search.best()

    def watch(self, query: Query) -> tuple[Decoded, Observed]:
        """The sentence of one query, with the attention of its choices."""
        started = perf_counter()
        search = self.begin([query])
        search.encode()
        encoding = perf_counter() - started
        search.finish()
        (found,) = search.found()
        return found.decoded, Observed(encoding, found.attention)

    def time(self, query: Query) -> tuple[Decoded, tuple[float, ...]]:
        """The sentence of one query, and the seconds of each choice."""
        search = self.begin([query])
        search.encode()
        seconds = [perf_counter()]
        for _ in search.run(pauses=True):
            seconds.append(perf_counter())
        (found,) = search.found()
        return found.decoded, tuple(after - before for before, after in pairwise(seconds))


@final
class Search:
    """One search: the arrays of its queries, and of its sentences in progress. Mutable.

    With a `width` it is a beam search, for one query.
    """

    def __init__(
        self, owner: CompiledSearch, queries: Sequence[Query], width: int | None = None
    ) -> None:
        self._owner = owner
        self._width = width
        self._config = owner.decoder.weights.config
        self._lengths = [len(query.ids) for query in queries]
        self._parts, self._slots = owner.words.find(queries)
        self._queries = query_arrays(owner.mode, queries)
        self._most_names = max(len(query.names) for query in queries)
        firsts = self._queries.rows_first.tolist()
        self._most_rows = max(stop - start for start, stop in pairwise(firsts))
        self._begin()

    def encode(self) -> None:
        """Encode the queries, and search no further."""
        next(self.run(pauses=True))

    def finish(self) -> None:
        """Search until all sentences have ended."""
        for _ in self.run(pauses=False):
            raise AssertionError("a search pauses only if it is told to")

    def run(self, *, pauses: bool) -> Iterator[None]:
        """Search until all sentences have ended; with `pauses`, yields after each choice."""
        owner = self._owner
        states = owner.states
        while True:
            status = self._call(states, pauses)
            if status == FINISHED:
                return
            if status == PAUSED:
                yield
            elif status == NO_INPUT:
                owner.tokens.add(int(self._members.missing[0]))
            elif status == NO_MOVE:
                state, kind = self._members.missing.tolist()
                if not states.find(state, kind):  # full: begin again with an empty table
                    states = owner.states = StateTable(owner.automaton)
                    self._begin()
            else:
                raise NoEndRow if status == NO_END else NoScore(int(self._members.missing[0]))

    def _call(self, states: StateTable, pauses: bool) -> int:
        owner, only = self._owner, self._config.decisions_only
        given = (
            owner.network,
            states.arrays,
            owner.grounding,
            owner.tokens.arrays,
            self._parts,
            self._slots,
            self._words,
            self._queries,
            self._members,
        )
        if self._width is None:
            return greedy(only, pauses, owner.end, *given, self._attention)
        return beam(only, owner.end, *given, self._beams)

    def found(self) -> list[Found]:
        """The sentence of each query, once a greedy search is over."""
        found = []
        for member, length in enumerate(self._lengths):
            choices = self._members.registers[member, CHOICES]
            attention = self._attention[member, :choices, :length]
            found.append(Found(self._decoded(member), attention))
        return found

    def best(self) -> list[Decoded]:
        """The best sentences, best first, once a beam search is over."""
        count = self._beams.counts[4]
        return [self._decoded(slot) for slot in self._beams.finished[:count].tolist()]

    def _decoded(self, member: int) -> Decoded:
        members, tokens = self._members, self._owner.automaton.vocabulary.tokens
        registers = members.registers[member].tolist()
        count, scored = registers[COUNT], registers[SCORED]
        ids = tuple(members.ids[member, :count].tolist())
        return Decoded(
            ids,
            tuple([tokens[token] for token in ids]),
            float(members.log_probability[member]),
            tuple(members.permitted[member, :scored].tolist()),
            tuple(members.scored[member, :scored].tolist()),
            _ENDINGS[registers[ENDING]],
        )

    def _encoded_arrays(self) -> EncodedArrays:
        config, words = self._config, sum(self._lengths)
        learnt = config.hidden - config.spelt
        return EncodedArrays(
            _offsets(self._lengths),
            np.zeros((words, learnt), np.float32),
            np.zeros((words, config.decoder), np.float32),
            np.zeros((words, config.hidden), np.float32),
        )

    def _begin(self) -> None:
        """Make the arrays of sentences of which nothing is known."""
        owner, queries, config = self._owner, len(self._lengths), self._config
        count, longest, size = queries, max(self._lengths), config.decoder
        self._words = self._encoded_arrays()
        if self._width is not None:
            count = _SLOTS * self._width
            self._beams = _beam_arrays(self._width)
        registers = np.zeros((count, REGISTERS), np.int64)
        registers[:, LEFT] = config.budget
        registers[:, READ] = -2
        if queries > 1:
            registers[:, QUERY] = range(queries)
        tokens = np.zeros((3, count, config.budget + 1), np.int64)
        states = np.zeros((2, count, size), np.float32)
        spans = self._most_rows + len(owner.states.arrays.spans) + 1
        self._members = Members(
            registers,
            tokens[0],
            tokens[1],
            tokens[2],
            np.zeros(count),
            states[0],
            states[1],
            np.zeros((count, longest), np.float32),
            np.zeros((count, self._most_names), np.bool_),
            np.empty((count, spans, 2), np.int64),
            np.zeros((queries, len(owner.grounding.rules)), np.bool_),
            np.zeros((queries, len(owner.grounding.items_first) - 1), np.int8),
            np.zeros(2, np.int64),
        )
        if self._width is None:
            self._attention = np.empty((count, config.budget + 1, longest), np.float32)


def _beam_arrays(width: int) -> BeamArrays:
    return BeamArrays(
        np.zeros(5, np.int64),
        np.zeros(2 * width, np.int64),
        np.zeros(2 * width, np.int64),
        np.zeros(_SLOTS * width, np.bool_),
        np.zeros(width, np.int64),
        np.zeros(width, np.int64),
        np.zeros(width, np.int64),
        np.zeros(width),
    )


def query_arrays(mode: int, queries: Sequence[Query]) -> QueryArrays:
    """What a search needs to know of queries, beside their words."""
    rows: list[list[int]] = [[] for _ in queries]
    if mode != WHOLE:
        rows = [sorted(query.available.ids) for query in queries if query.available is not None]
    names = [match for query in queries for match in query.names]
    return QueryArrays(
        mode,
        np.array([row for each in rows for row in each], np.int64),
        _offsets(map(len, rows)),
        NameArrays(
            np.array([match[:2] for match in names], np.int64).reshape(-1, 2),
            _offsets(len(query.names) for query in queries),
            np.array([token for match in names for token in match.ids], np.int64),
            _offsets(len(match.ids) for match in names),
        ),
    )


def _offsets(lengths: Iterable[int]) -> Ids:
    return np.array([0, *accumulate(lengths)], np.int64)
