"""`Prefixes`: the states of a grammar by what was generated, so that beams may change places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

from grammax.errors import TokenNotPermitted
from grammax.subwords.errors import SubwordNotPermitted
from grammax.transformers.errors import ForbiddenToken, UnsupportedOption
from grammax.transformers.fitting import Fitting
from grammax.vocabulary.rows import Rows

Prefix = tuple[int, ...]
DEAD: Final = object()  # the state of what the grammar does not permit


@final
class Prefixes:
    """The states of the sequences of one call of `generate`. Mutable: it remembers two rounds.

    `searching` says that prefixes may come up which the grammar does not permit, because their
    scores are -inf and nothing better is left: beams of a grammar with few sentences, and drafts.
    """

    def __init__(
        self, constraints: Sequence[Fitting], budget: int, ends: frozenset[int], searching: bool
    ) -> None:
        self.constraints: Final = constraints
        self.budget: Final = budget
        self._ends = ends
        self._searching = searching
        self._roots = [one.constraint.start() for one in constraints]
        for one, state in zip(constraints, self._roots, strict=True):
            one.check(state, budget)
        self._before: dict[tuple[int, Prefix], Any] = {}
        self._now: dict[tuple[int, Prefix], Any] = {}

    def next_round(self) -> None:
        """Forget the states of the round before the last one."""
        self._before, self._now = self._now, {}

    def rows(self, member: int, prefix: Prefix) -> Rows | None:
        """What may follow a prefix of the constraint `member`; None after its end, or if dead."""
        state = self.state(member, prefix)
        left = self.budget - len(prefix)
        if state is DEAD or left <= 0 or self.constraints[member].constraint.is_done(state):
            return None
        return self.constraints[member].rows(state, left)

    def is_done(self, member: int, prefix: Prefix) -> bool:
        """Whether the end was read somewhere in a prefix, and nothing forbidden before it."""
        state = self.state(member, prefix)
        return state is not DEAD and self.constraints[member].constraint.is_done(state)

    def state(self, member: int, prefix: Prefix) -> Any:
        """The state after a prefix. After the end there is padding, which changes nothing."""
        known = len(prefix)
        state = self._found(member, prefix)
        while state is None and known:
            known -= 1
            state = self._found(member, prefix[:known])
        if state is None:
            state = self._roots[member]
        for position in range(known, len(prefix)):
            state = self._after(member, state, position, prefix[position])
        self._now[member, prefix] = state
        return state

    def _found(self, member: int, prefix: Prefix) -> Any:
        found = self._now.get((member, prefix))
        return self._before.get((member, prefix)) if found is None else found

    def _after(self, member: int, state: Any, position: int, token: int) -> Any:
        constraint = self.constraints[member].constraint
        if state is DEAD or constraint.is_done(state):
            return state
        try:
            after = constraint.advance(state, token)
        except (TokenNotPermitted, SubwordNotPermitted) as error:
            if self._searching:
                return DEAD
            raise ForbiddenToken(member, position, token) from error
        if constraint.is_done(after) and token not in self._ends:
            raise UnsupportedOption(
                f"the grammar ends with id {token}, and generate stops at {sorted(self._ends)}. "
                f"Pass eos_token_id={token}."
            )
        return after
