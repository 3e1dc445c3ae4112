"""The protocols of this package.

`Automaton` is the interface between grammar and decoding, in terms of tokens. `Engine` is the
interface of the implementations (finite, LR, Earley, ...), in terms of kinds. `BoundAutomaton`
combines an `Engine` and a vocabulary to an `Automaton`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Protocol, TypeVar

from grammax.vocabulary import Permitted, Vocabulary

S = TypeVar("S")
AnyState = TypeVar("AnyState", bound="State")


class Automaton(Protocol[S]):
    """The interface between a grammar and decoding. States are immutable, so beams share them.

    >>> from grammax import Automaton, Grammar, lr
    >>> automaton: Automaton = lr(Grammar.read('film: "genre" "is" ("drama" | "comedy")'))
    >>> state = automaton.pass_token(automaton.start, "genre")
    >>> list(automaton.next_tokens(state).tokens), automaton.accepts(state)
    (['is'], False)
    >>> automaton.tokens_to_accept(state)
    2
    """

    @property
    def vocabulary(self) -> Vocabulary: ...

    @property
    def start(self) -> S: ...

    def next_tokens(self, state: S) -> Permitted:
        """What may come next; empty only where the sentence is complete."""

    def pass_token(self, state: S, token: int | str) -> S:
        """The state after a token, an id or its text; `TokenNotPermitted` if it may not come."""

    def accepts(self, state: S) -> bool:
        """Whether what was read so far is a complete sentence."""

    def tokens_to_accept(self, state: S) -> int:
        """The fewest tokens that complete the sentence: 0 where it is complete."""


class State:
    """The state of a grammar after a prefix. An immutable value; `moves` and `kind_set` are caches.

    `moves` maps the kinds tried so far to the states they lead to, and `kind_set` is the number of
    the permitted set in its engine's `KindSets`, None until it is asked for.
    """

    __slots__ = ("kind_set", "moves", "owner")

    owner: object
    moves: dict[int, State]
    kind_set: int | None


class Engine(Protocol[AnyState]):
    """The states of a grammar and the moves between them, over kinds."""

    @property
    def name(self) -> str: ...

    @property
    def kind_sets(self) -> KindSets: ...

    @property
    def start(self) -> AnyState: ...

    def permitted(self, state: AnyState) -> int:
        """The number in `kind_sets` of the set of kinds that may come next."""

    def move(self, state: AnyState, kind: int) -> AnyState | None:
        """The state after a token of this kind, or None if it may not come next."""

    def accepts(self, state: AnyState) -> bool: ...

    def tokens_to_accept(self, state: AnyState) -> int: ...

    def where(self, state: AnyState) -> tuple[str, ...]:
        """Lines to display: the rules in progress, with a dot before the next symbol."""

    def likely_sets(self) -> Iterable[int]:
        """Sets of kinds, as bits, that are permitted together; a layout puts them side by side."""


class KindSets:
    """Sets of kinds, given as the bits of an int and numbered in order of arrival.

    A set of 3,000 kinds is an int of 3,000 bits, which is slow to hash at every step; its number
    is not.
    """

    __slots__ = ("_bits", "_fresh", "_numbers")

    def __init__(self) -> None:
        self._fresh = count()
        self._numbers: dict[int, int] = {}
        self._bits: dict[int, int] = {}

    def number(self, bits: int) -> int:
        """The number of a set, a new one if the set is new."""
        found = self._numbers.get(bits)
        if found is None:
            # Two threads may both number a set; both numbers lead to its bits, and one is stored.
            fresh = next(self._fresh)
            self._bits[fresh] = bits
            found = self._numbers.setdefault(bits, fresh)
        return found

    def bits(self, number: int) -> int:
        """The set with this number."""
        return self._bits[number]
