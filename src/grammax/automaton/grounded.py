"""Automata for one query, which permit some tokens only if the query makes them available.

A domain lists kinds whose tokens a query must name or mention: the cells of a table, the numbers
and names of a query. Of these kinds, only available tokens compete (vocabulary selection).

| class | where none of the permitted tokens is available |
|---|---|
| `NamedOnly` | all are permitted |
| `Grounded` | none is permitted, and nothing that would lead there: the prefix can be completed |
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar, final

from grammax.automaton.bound import BoundAutomaton
from grammax.automaton.lr.engine import LrEngine, LrState
from grammax.automaton.lr.tables import LrTables
from grammax.automaton.protocol import Automaton
from grammax.vocabulary import Permitted, Vocabulary

S = TypeVar("S")


class AvailableTokens(NamedTuple):
    """The tokens that a query makes available, of the kinds that must be."""

    ids: Collection[int]
    kinds: Collection[int]
    reduces: bool = False
    """Whether the grammar is compiled without kinds that lack a token, see `reduced`."""


class _ForOneQuery(Generic[S]):
    """An automaton whose permitted sets depend on the query, and nothing else."""

    def __init__(self, automaton: Automaton[S], available: AvailableTokens) -> None:
        self._automaton = automaton
        self._available = available

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the grammar."""
        return self._automaton.vocabulary

    @property
    def start(self) -> S:
        """The state before the first token."""
        return self._automaton.start

    def pass_token(self, state: S, token: int | str) -> S:
        """The state after any token that the grammar permits, available or not."""
        return self._automaton.pass_token(state, token)

    def accepts(self, state: S) -> bool:
        """Whether what was read so far is a complete sentence."""
        return self._automaton.accepts(state)

    def tokens_to_accept(self, state: S) -> int:
        """The fewest tokens that complete the sentence."""
        return self._automaton.tokens_to_accept(state)


@final
class NamedOnly(_ForOneQuery[S]):
    """An automaton that permits tokens of some kinds only if they are available.

    Where none of the permitted tokens is, all are permitted, so every prefix can be completed.
    """

    def __init__(self, automaton: Automaton[S], available: AvailableTokens) -> None:
        super().__init__(automaton, available)
        self._narrowed: dict[Permitted, Permitted] = {}

    def next_tokens(self, state: S) -> Permitted:
        """What may come next; of the kinds that must be named, only tokens in the query."""
        permitted = self._automaton.next_tokens(state)
        found = self._narrowed.get(permitted)
        if found is None:
            found = self._narrowed[permitted] = self._narrow(permitted)
        return found

    def _narrow(self, permitted: Permitted) -> Permitted:
        ids, kinds, _ = self._available
        kind_of = self.vocabulary.kinds_by_id
        named = [row for row in ids if kind_of[row] in permitted.kind_numbers]
        if not named or permitted.size == 1:
            return permitted
        others = permitted.among([k for k in permitted.kind_numbers if k not in kinds])
        return permitted.narrowed(
            [*named, *(row for start, stop in others for row in range(start, stop))]
        )


@final
class Grounded(_ForOneQuery[LrState]):
    """An exact automaton that permits tokens of some kinds only if they are available.

    A kind of which nothing is available is left out of the grammar for this query, and so is every
    rule that needs it. A token is permitted only if the rule that it begins or continues can be
    completed. The grammar must have a sentence without the kinds that must be available.
    """

    def __init__(
        self, automaton: BoundAutomaton[Any], available: AvailableTokens, rest: Restriction
    ) -> None:
        super().__init__(automaton, available)
        self._rest = rest
        self._narrowed: dict[tuple[Permitted, int], Permitted] = {}

    @classmethod
    def for_query(cls, automaton: BoundAutomaton[Any], available: AvailableTokens) -> Grounded:
        """The automaton for the tokens that a query makes available."""
        kind_of = automaton.vocabulary.kinds_by_id
        there = {kind_of[row] for row in available.ids}
        missing = frozenset(kind for kind in available.kinds if kind not in there)
        engine = automaton.engine
        assert isinstance(engine, LrEngine), "only exact automata can tell what can be completed"
        return cls(automaton, available, restriction(engine, missing))

    def next_tokens(self, state: LrState) -> Permitted:
        """What may come next and can be completed with the tokens that are available."""
        permitted = self._automaton.next_tokens(state)
        key = (permitted, state.top)
        found = self._narrowed.get(key)
        if found is None:
            found = self._narrowed[key] = self._narrow(permitted, state)
        return found

    def _narrow(self, permitted: Permitted, state: LrState) -> Permitted:
        if permitted.size < 2:
            return permitted
        kinds = self._rest.completable(state, permitted.kind_numbers)
        ids, must_be_available, _ = self._available
        vocabulary = self.vocabulary
        kind_of = vocabulary.kinds_by_id
        rows = [row for row in ids if kind_of[row] in kinds]
        for kind in kinds:
            if kind not in must_be_available:
                for start, stop in vocabulary.spans(kind):
                    rows += range(start, stop)
        return permitted.narrowed(rows, decided=True)


@final
class Restriction:
    """The part of a grammar that is left without some kinds."""

    def __init__(self, engine: LrEngine, missing: frozenset[int]) -> None:
        self._engine = engine
        self._tables: LrTables = engine.tables
        self._dead = _dead_symbols(engine.tables, missing)
        self._alive: dict[int, bool] = {}  # states of the table
        self._kinds: dict[tuple[int, frozenset[int]], frozenset[int]] = {}

    def completable(self, state: LrState, kinds: frozenset[int]) -> frozenset[int]:
        """Those of the permitted kinds after which a rule in progress can be completed."""
        key = (state.top, kinds)
        found = self._kinds.get(key)
        if found is None:
            found = self._kinds[key] = frozenset(
                kind for kind in kinds if kind not in self._dead and self._leads_on(state, kind)
            )
        return found

    def _leads_on(self, state: LrState, kind: int) -> bool:
        after = state.moves.get(kind) or self._engine.move(state, kind)
        assert isinstance(after, LrState), "the kind is permitted"
        alive = self._alive.get(after.top)
        if alive is None:
            alive = self._alive[after.top] = any(
                self._dead.isdisjoint(self._tables.rule(rule)[1][dot:])
                for rule, dot in self._tables.kernels[after.top]
            )
        return alive


@lru_cache(maxsize=4096)
def restriction(engine: LrEngine, missing: frozenset[int]) -> Restriction:
    """The restriction of an engine's grammar; queries that lack the same kinds share it."""
    return Restriction(engine, missing)


def _dead_symbols(tables: LrTables, missing: frozenset[int]) -> frozenset[int]:
    """The symbols that derive no sentence without the missing kinds.

    They are counted from the kinds upwards: a symbol that can only go on to itself is dead.
    """
    productions = tables.productions
    there = (kind for kind in range(productions.kinds) if kind not in missing)
    return frozenset(range(len(productions.names))) - productions.deriving(there)
