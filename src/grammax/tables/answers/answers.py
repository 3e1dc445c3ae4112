"""`StoreAnswers`: what a parser and a service ask of a `Store`, by tokens and by key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from grammax.errors import GrammaxError
from grammax.language.answer import ANSWER_SECONDS, BEGINNING, Answer, Spread, Tokens, View
from grammax.language.rows import Distribution, RowPage, TooManyRows
from grammax.tables.answers.distribution import distribution_of
from grammax.tables.answers.row import row_page
from grammax.tables.form.text import from_tokens
from grammax.tables.form.tree import Display, LogicalForm
from grammax.tables.form.walk import walk
from grammax.tables.query.store import Store

MOST_ROWS: Final = 300_000  # of a distribution: 30 MB
_EVERY_ROW: Final = 100_000


@final
class StoreAnswers:
    """The `Answers` of a store, for logical forms given as tokens.

    Two forms have the same answer if they list the same entities in the same order and display the
    same columns, or if they are summaries with the same columns and rows. Two empty answers are not
    the same. `form` is the tree of a form, if something else has made it already.
    """

    def __init__(self, store: Store, form: Callable[[Tokens], LogicalForm] | None = None) -> None:
        self._store = store
        self._form = form or (lambda tokens: from_tokens(tokens, store.catalogue))
        self._known: dict[Tokens, tuple[object, ...] | None] = {}

    @property
    def instant(self) -> bool:
        """Whether an answer takes a millisecond or so."""
        return self._store.instant

    def answer(
        self,
        tokens: Tokens,
        limit: int,
        seconds: float = ANSWER_SECONDS,
        view: View = BEGINNING,
    ) -> Answer:
        """The entities that a logical form selects, and the fields that it displays."""
        return self._store.answer(self._form(tokens), limit, seconds, view)

    def sql(self, tokens: Tokens, view: View = BEGINNING) -> str:
        """The query of a logical form as SQL, for a person to read, with the order and the columns
        of a view and all rows.
        """
        return self._store.sql(self._form(tokens), view=view)

    def spread(self, token: str, seconds: float = ANSWER_SECONDS) -> Spread | None:
        """How the numbers of a field are spread."""
        return self._store.spread(token, seconds)

    def row(self, key: str, limit: int, seconds: float) -> RowPage | None:
        """The values of one row, and its peers."""
        return row_page(self._store, key, limit, seconds)

    def distribution(self, tokens: Tokens, column: int | str, seconds: float) -> Distribution:
        """The distribution of a column over all rows of an answer."""
        form = self._form(tokens)
        shown, cells = self._store.numbers(form, column, MOST_ROWS + 1, seconds)
        if len(cells) > MOST_ROWS:
            raise TooManyRows(MOST_ROWS)
        return distribution_of(shown, cells)

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether both forms have an answer, and it is the same."""
        if one == other:
            return True
        first, second = self._answer(one), self._answer(other)
        return first is not None and bool(first[0]) and first == second

    def _answer(self, tokens: Tokens) -> tuple[object, ...] | None:
        """What identifies an answer; None if there is none."""
        if tokens not in self._known:
            try:
                self._known[tokens] = self._identity(self._form(tokens))
            except GrammaxError:
                self._known[tokens] = None
        return self._known[tokens]

    def _identity(self, lf: LogicalForm) -> tuple[object, ...]:
        """The keys in order and the displayed columns; of a summary, its rows and columns."""
        prepared = self._store.prepare(lf, _EVERY_ROW)
        rows = self._store.run(prepared)
        if prepared.query.summary:
            shown = [str(column.shows) for column in prepared.query.columns]
            places = sorted(range(len(shown)), key=shown.__getitem__)  # of groups in any order
            counted = rows if any(map(any, rows)) else []  # a count of nothing is empty, too
            cells = tuple(tuple(_rounded(row[place]) for place in places) for row in counted)
            return cells, tuple(sorted(shown))
        displayed = tuple(str(part) for part in walk(lf) if isinstance(part, Display))
        return tuple(row[0] for row in rows), displayed


def _rounded(cell: object) -> object:
    """A cell without the last digits of a float, which depend on the order of a sum."""
    return float(f"{cell:.12g}") if isinstance(cell, float) else cell
