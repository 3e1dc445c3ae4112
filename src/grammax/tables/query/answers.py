"""`StoreAnswers`: an open store as the `Answers` of a domain."""

from __future__ import annotations

from typing import Final, final

from grammax.errors import GrammaxError
from grammax.language.answer import ANSWER_SECONDS, Answer, Tokens
from grammax.tables.form.text import from_tokens
from grammax.tables.form.tree import Display, LogicalForm
from grammax.tables.form.walk import walk
from grammax.tables.query.store import Market

_EVERY_ROW: Final = 100_000


@final
class StoreAnswers:
    """Two logical forms have the same answer if they list the same rows and columns.

    Two empty answers do not count as equal.
    """

    def __init__(self, store: Market) -> None:
        self._store = store
        self._known: dict[Tokens, tuple[object, ...] | None] = {}

    def answer(self, tokens: Tokens, limit: int, seconds: float = ANSWER_SECONDS) -> Answer:
        """The rows that a logical form selects, and what it displays of them."""
        return self._store.answer(self._form(tokens), limit, seconds)

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether both are answered, and alike."""
        if one == other:
            return True
        first, second = self._answer(one), self._answer(other)
        return first is not None and bool(first[0]) and first == second

    def _answer(self, tokens: Tokens) -> tuple[object, ...] | None:
        """The keys in order, and what is displayed; None where nothing is answered."""
        if tokens not in self._known:
            try:
                lf = self._form(tokens)
                rows = self._store.answer(lf, _EVERY_ROW).token_rows
                self._known[tokens] = (tuple(row[0] for row in rows), _displayed(lf))
            except GrammaxError:
                self._known[tokens] = None
        return self._known[tokens]

    def _form(self, tokens: Tokens) -> LogicalForm:
        return from_tokens(tokens, self._store.catalogue)


def _displayed(lf: LogicalForm) -> tuple[str, ...]:
    return tuple(str(part) for part in walk(lf) if isinstance(part, Display))
