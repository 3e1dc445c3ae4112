"""`CompiledSearch`: prepares the arrays of queries, calls a compiled search, reads its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from itertools import accumulate, chain, pairwise
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple, Self, final

import numpy as np

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.lr.engine import LrEngine
from grammax.files import locked
from grammax.head.protocol import NoEndRow
from grammax.reading.parse import reduced_for
from grammax.reading.reader import Query
from grammax.runtime.compiled.arrays import network_arrays
from grammax.runtime.compiled.batch import (
    BUDGET,
    CHOICES,
    CHOSEN,
    COUNT,
    ENDING,
    FINISHED,
    FORCED,
    NO_END,
    NO_INPUT,
    NO_MOVE,
    PAUSED,
    READ,
    SCORED,
    UNREAD,
    Batch,
    Model,
    QueryArrays,
)
from grammax.runtime.compiled.beam import BeamArrays, beam
from grammax.runtime.compiled.compile import for_types_of, stored_mark
from grammax.runtime.compiled.greedy import greedy
from grammax.runtime.compiled.inputs import NameArrays, TokenInputs, WordInputs
from grammax.runtime.compiled.network import EncodedArrays, NetworkArrays
from grammax.runtime.compiled.room import Rooms, Sizes
from grammax.runtime.compiled.stored import is_stored, write_mark
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.grounding import GROUNDED, NAMED, WHOLE, grounding_arrays
from grammax.runtime.lstm import Array
from grammax.runtime.observe import Observed
from grammax.runtime.states import StateTable
from grammax.search.result import (
    Decoded,
    Ending,
    NoScore,
    SearchError,
    all_found,
    found_or_errors,
)
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
        must = names.limited if names else ()
        reduces = names is not None and names.grounds is not None and names.grounds.reduces
        fills = weights.reader.filling is not None and isinstance(automaton.engine, LrEngine)
        fills = fills and not reduces  # else the start of a query is that of a smaller grammar
        self.mode = WHOLE if not must else GROUNDED if fills else NAMED
        self.grounding = grounding_arrays(automaton, must)
        tokens = len(automaton.vocabulary)
        self.end = tokens if len(weights.rows.bias) > tokens else -1
        self.rooms = Rooms(weights.config, self.grounding)
        self._code: dict[str, Callable[..., int]] = {}

    @property
    def is_stored(self) -> bool:
        """Whether code for this model's types was compiled on this machine before."""
        return self._mark is not None and is_stored(self._mark)

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
            if self._mark and not self._mark.exists():
                write_mark(self._mark)

    @property
    def _mark(self) -> Path | None:
        """The file that says that code is stored for weights of this type."""
        return stored_mark(self.network.gates.matrix.dtype.name)

    def greedy(self, query: Query) -> Found:
        """The sentence of one query."""
        (found,) = self.greedy_batch([query])
        return found

    def greedy_batch(self, queries: Sequence[Query]) -> list[Found]:
        """The sentences of some queries; `QueriesFailed` if some have none."""
        try:
            with self.begin(queries) as search:
                search.finish()
                return search.found()
        except NoScore:
            if len(queries) == 1:
                raise
        # The call stops at the first query without a form: those are rare, so each goes alone.
        alone = [found_or_errors(partial(self.greedy_batch, [query]), 1) for query in queries]
        return all_found([found for (found,) in alone])

    def begin(self, queries: Sequence[Query]) -> Search:
        """A greedy search that has not begun, to be observed."""
        return Search(self, queries)

    def beam(self, query: Query, width: int) -> list[Decoded]:
        """The best sentences of one query, at least one and at most `width`, best first."""
        with Search(self, [query], width) as search:
            search.finish()
            return search.best()

    def watch(self, query: Query) -> tuple[Decoded, Observed]:
        """The sentence of one query, with the attention of its choices."""
        started = perf_counter()
        with self.begin([query]) as search:
            search.encode()
            encoding = perf_counter() - started
            search.finish()
            (found,) = search.found()
        return found.decoded, Observed(encoding, found.attention)

    def time(self, query: Query) -> tuple[Decoded, tuple[float, ...]]:
        """The sentence of one query, and the seconds of each choice."""
        with self.begin([query]) as search:
            search.encode()
            seconds = [perf_counter()]
            for _ in search.run(pauses=True):
                seconds.append(perf_counter())
            (found,) = search.found()
        return found.decoded, tuple(after - before for before, after in pairwise(seconds))

    def code(self, function: Callable[..., int], *given: object) -> Callable[..., int]:
        """The compiled code of a search; the types of its arrays never change."""
        found = self._code.get(function.__name__)
        if found is None:
            found = self._code[function.__name__] = for_types_of(function, *given)
        return found


@final
class Search:
    """One search: the arrays of its queries, and of its sentences in progress. Mutable.

    With a `width` it is a beam search, for one query. As a context manager it lets later searches
    use its arrays again.
    """

    def __init__(
        self, owner: CompiledSearch, queries: Sequence[Query], width: int | None = None
    ) -> None:
        self._owner = owner
        self._lengths = [len(query.ids) for query in queries]
        self._automata = [reduced_for(query, owner.automaton) for query in queries]
        self._parts, slots = owner.words.find(queries)
        rows = [_rows(owner.mode, query) for query in queries]
        first, given = query_arrays(queries, slots, rows)
        sizes = Sizes(
            len(queries),
            len(queries) if width is None else _SLOTS * width,
            sum(self._lengths),
            max(self._lengths),
            max([len(query.names) for query in queries]),
            max(map(len, rows)) + len(owner.states.arrays.spans) + 1,
        )
        self._room = owner.rooms.take(sizes)
        self._batch = Batch(given, EncodedArrays(first, *self._room.encoded), self._room.members)
        self._beams = None if width is None else _beam_arrays(width)
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._owner.rooms.give(self._room)

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
        while True:
            status = self._call(pauses)
            if status == FINISHED:
                return
            if status == PAUSED:
                yield
            elif status == NO_INPUT:
                owner.tokens.add(int(self._batch.members.missing[0]))
            elif status == NO_MOVE:
                state, kind = self._batch.members.missing.tolist()
                if not self._states.find(state, kind):  # full: begin again with an empty table
                    self._empty_states()
                    self._begin()
            else:
                missing = int(self._batch.members.missing[0])
                raise NoEndRow if status == NO_END else NoScore(missing)

    def _begin(self) -> None:
        """Let the next call begin the search, with the start of what each query leaves."""
        self._states = self._owner.states
        found = self._found_starts()
        if found is None:  # the table is full
            self._empty_states()
            found = self._found_starts()
        assert found is not None, "a new table has space for the starts of a batch"
        self._batch.queries.starts[:] = found
        self._batch.members.registers[0, READ] = UNREAD

    def _empty_states(self) -> None:
        self._states = self._owner.states = StateTable(self._owner.automaton)

    def _found_starts(self) -> list[int] | None:
        found = [self._states.start_of(automaton) for automaton in self._automata]
        starts = [start for start in found if start is not None]
        return starts if len(starts) == len(found) else None

    def _call(self, pauses: bool) -> int:
        owner, config = self._owner, self._owner.decoder.weights.config
        model = Model(
            owner.network,
            self._states.arrays,
            owner.grounding,
            owner.tokens.arrays,
            self._parts,
            owner.mode,
            config.decisions_only,
            owner.end,
            config.budget,
        )
        if self._beams is not None:
            return owner.code(beam, model, self._batch, self._beams)(
                model, self._batch, self._beams
            )
        given = (pauses, model, self._batch, self._room.attention)
        return owner.code(greedy, *given)(*given)

    def found(self) -> list[Found]:
        """The sentence of each query, once a greedy search is over."""
        found = []
        for member, length in enumerate(self._lengths):
            choices = self._room.members.registers[member, CHOICES]
            attention = self._room.attention[member, :choices, :length].copy()
            found.append(Found(self._decoded(member), attention))
        return found

    def best(self) -> list[Decoded]:
        """The best sentences, best first, once a beam search is over."""
        assert self._beams is not None
        count = self._beams.counts[4]
        return [self._decoded(slot) for slot in self._beams.finished[:count].tolist()]

    def _decoded(self, member: int) -> Decoded:
        room, texts = self._room, self._owner.automaton.vocabulary.tokens
        registers = room.members.registers[member].tolist()
        ids, permitted, scored = room.tokens[:, member, : registers[SCORED]].tolist()
        ids = ids[: registers[COUNT]]
        return Decoded(
            tuple(ids),
            tuple([texts[token] for token in ids]),
            float(room.members.log_probability[member]),
            tuple(permitted),
            tuple(scored),
            _ENDINGS[registers[ENDING]],
        )


def _beam_arrays(width: int) -> BeamArrays:
    return BeamArrays(
        np.empty(5, np.int64),
        np.empty(2 * width, np.int64),
        np.empty(2 * width, np.int64),
        np.empty(_SLOTS * width, np.bool_),
        np.empty(width, np.int64),
        np.empty(width, np.int64),
        np.empty(width, np.int64),
        np.empty(width),
    )


def _rows(mode: int, query: Query) -> list[int]:
    """The rows that a query makes available, in ascending order, if that matters."""
    return [] if mode == WHOLE or query.available is None else sorted(query.available.ids)


def query_arrays(
    queries: Sequence[Query], slots: list[int], rows: Sequence[list[int]]
) -> tuple[Ids, QueryArrays]:
    """The first word of each query, and what else a search needs to know of them."""
    names = [match for query in queries for match in query.names]
    first, slots_, all_rows, rows_first, starts, words, names_first, ids, ids_first = _arrays(
        _offsets([len(query.ids) for query in queries]),
        slots,
        list(chain.from_iterable(rows)),
        _offsets(map(len, rows)),
        [0] * len(queries),
        [place for start, stop, _ in names for place in (start, stop)],
        _offsets([len(query.names) for query in queries]),
        [token for match in names for token in match.ids],
        _offsets([len(match.ids) for match in names]),
    )
    named = NameArrays(words.reshape(-1, 2), names_first, ids, ids_first)
    return first, QueryArrays(slots_, all_rows, rows_first, starts, named)


def _arrays(*lists: list[int]) -> list[Ids]:
    """Lists as arrays; parts of one array take less time than an array for each."""
    every = np.array(list(chain.from_iterable(lists)), np.int64)
    return [every[start:stop] for start, stop in pairwise(_offsets(map(len, lists)))]


def _offsets(lengths: Iterable[int]) -> list[int]:
    return [0, *accumulate(lengths)]
