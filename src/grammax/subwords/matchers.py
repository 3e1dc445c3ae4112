"""Constraints of other engines' matchers: JSON Schema, regular expressions, and their grammars.

Their matchers change as they read. A state here has a matcher of its own, which only ever computes
its mask: `advance` reads the token with a copy. Masks are unpacked to `Rows`, so that a head can
leave out the rows that they forbid.

    grammar = xgrammar.GrammarCompiler(info).compile_json_schema(schema)
    constraint = from_xgrammar(grammar)

    matcher = llguidance.LLMatcher(tokenizer, llguidance.LLMatcher.grammar_from_regex("[a-z]+"))
    constraint = from_llguidance(matcher, tokenizer)
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final, Protocol, final

import numpy as np
from numpy.typing import NDArray

from grammax.errors import ForeignState, GrammaxError
from grammax.subwords.choices import NO_ROWS
from grammax.subwords.errors import SubwordNotPermitted
from grammax.vocabulary.rows import Rows


class MatcherError(GrammaxError):
    """A matcher of another engine refused its grammar, or gave up at a limit of its own."""


class Matcher(Protocol):
    """What is asked of a matcher; neither method changes it."""

    def mask(self) -> NDArray[np.int32]:
        """The permitted tokens, one bit each."""

    def after(self, token: int) -> Matcher:
        """A copy that has read a token, which is permitted."""


@final
class MatcherState:
    """A matcher after some tokens. An immutable value: what can be assigned are caches."""

    __slots__ = ("done", "matcher", "next", "owner", "rows")

    def __init__(self, owner: object, matcher: Matcher | None) -> None:
        self.owner: Final = owner
        self.matcher: Final = matcher
        self.done: Final = matcher is None
        self.rows: Rows | None = None if matcher else NO_ROWS
        self.next: tuple[int, MatcherState] | None = None


@final
class MatcherConstraint:
    """A matcher of another engine as a `Constraint`; `stops` are the tokens that end a text."""

    def __init__(self, matcher: Matcher, size: int, stops: Iterable[int]) -> None:
        """Use `from_xgrammar` or `from_llguidance`."""
        self.size: Final = size
        self.stops: Final = tuple(stops)
        self._start = MatcherState(self, matcher)
        self._done = MatcherState(self, None)

    def start(self) -> MatcherState:
        """The state before the first token."""
        return self._start

    def rows(self, state: MatcherState) -> Rows:
        """The tokens that may come next; none after the end."""
        if state.owner is not self:
            raise ForeignState(f"{state!r} is not a state of this constraint; begin with `start()`")
        if state.rows is None:
            assert state.matcher is not None, "after the end the rows are known"
            rows = Rows.from_bitmask(state.matcher.mask(), self.size)
            if not rows:
                raise MatcherError(
                    "the matcher permits no token here, not even the end; the grammar needs a "
                    "text that the tokenizer cannot write"
                )
            state.rows = rows
        return state.rows

    def advance(self, state: MatcherState, token: int) -> MatcherState:
        """The state after a token; `SubwordNotPermitted` if it may not come."""
        if state.next is not None and state.next[0] == token and state.owner is self:
            return state.next[1]
        rows = self.rows(state)
        if token not in rows:
            raise SubwordNotPermitted(token, "", rows)
        if token in self.stops:
            return self._done
        assert state.matcher is not None, "after the end nothing is permitted"
        made = MatcherState(self, state.matcher.after(int(token)))
        state.next = (token, made)
        return made

    def forced(self, state: MatcherState) -> tuple[int, ...]:
        """The one token that is permitted, if it is one. More would cost a mask each."""
        rows = self.rows(state)
        return tuple(rows) if rows.size == 1 else ()

    def is_done(self, state: MatcherState) -> bool:
        """Whether the end was read."""
        return state.done

    def needed(self, state: MatcherState) -> int | None:
        """0 after the end, else unknown: these engines do not say how a text can be completed."""
        return 0 if state.done else None


def from_xgrammar(compiled: Any) -> MatcherConstraint:
    """The constraint of an `xgrammar.CompiledGrammar`."""
    matcher = import_module("xgrammar").GrammarMatcher(compiled)
    size = compiled.tokenizer_info.vocab_size
    return MatcherConstraint(_Xgrammar(matcher, size), size, matcher.stop_token_ids)


def from_llguidance(matcher: Any, tokenizer: Any) -> MatcherConstraint:
    """The constraint of an `llguidance.LLMatcher` and the `LLTokenizer` that it was made with."""
    own = _Llguidance(matcher.deep_copy()).checked()
    return MatcherConstraint(own, tokenizer.vocab_size, tokenizer.eos_tokens)


@final
class _Xgrammar:
    def __init__(self, matcher: Any, size: int) -> None:
        self._matcher = matcher
        self._size = size

    def mask(self) -> NDArray[np.int32]:
        # It writes nothing where every token is permitted.
        mask = np.full(-(-self._size // 32), -1, np.int32)
        self._matcher.fill_next_token_bitmask(mask.reshape(1, -1))
        return mask

    def after(self, token: int) -> Matcher:
        fork = self._matcher.fork()
        if not fork.accept_token(token):
            raise MatcherError(f"xgrammar permitted the token {token} and then refused it")
        return _Xgrammar(fork, self._size)


@final
class _Llguidance:
    def __init__(self, matcher: Any) -> None:
        self._matcher = matcher

    def mask(self) -> NDArray[np.int32]:
        mask = np.frombuffer(self._matcher.compute_bitmask(), np.int32)
        self.checked()
        return mask

    def after(self, token: int) -> Matcher:
        copy = self._matcher.deep_copy()
        copy.consume_token(token)
        return _Llguidance(copy).checked()

    def checked(self) -> _Llguidance:
        """The same, unless it is in an error state, where its masks mean nothing."""
        if self._matcher.is_error():
            raise MatcherError(f"llguidance: {self._matcher.get_error().strip()}")
        return self
