"""`Constraint`: what decoding with a language model asks of a grammar, in ids of its tokenizer."""

from __future__ import annotations

from typing import Protocol, TypeVar

from grammax.vocabulary.rows import Rows

C = TypeVar("C")


class Constraint(Protocol[C]):
    """Which tokens of a language model may come next. States are immutable values.

    The end-of-sequence token is an id like any other: it is among the rows where the text may end.
    """

    @property
    def size(self) -> int:
        """The number of token ids; every row is below it."""

    def start(self) -> C:
        """The state before the first token."""

    def rows(self, state: C) -> Rows:
        """The tokens that may come next: at least one, until the end was read."""

    def advance(self, state: C, token: int) -> C:
        """The state after a token; `SubwordNotPermitted` if it may not come."""

    def forced(self, state: C) -> tuple[int, ...]:
        """The tokens that must come next, as far as nothing else is permitted; often none."""

    def is_done(self, state: C) -> bool:
        """Whether the end was read."""

    def needed(self, state: C) -> int | None:
        """How many tokens complete the text, the end included; None where that is unknown.

        There is such a completion, and after its first token `needed` is at least one less. So a
        search that keeps `needed` within its budget always ends in time.
        """
