"""The answers of a folder: the results of a function of an installed package, as tables.

`answers = "rooms"` in the settings is looked up among the entry points of the group
`grammax.answers`. Only installed packages have entry points, so nothing in a folder, which may come
from anyone, is ever executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from numbers import Real
from threading import Thread
from time import perf_counter
from typing import Any, Final, final

from grammax.errors import GrammaxError
from grammax.language.answer import (
    ANSWER_SECONDS,
    BEGINNING,
    Answer,
    Answers,
    AnswerTooSlow,
    Cell,
    Column,
    View,
    column_index,
)
from grammax.language.domain import Tokens

GROUP: Final = "grammax.answers"
Function = Callable[[Tokens], Any]  # a logical form → its denotation
_COLUMN: Final = "answer"  # the only column of an answer whose rows are not mappings


class NoSuchAnswers(GrammaxError):
    """No installed package provides answers under this name."""


class AnswerFailed(GrammaxError):
    """A function that answers raised an error."""


@final
@dataclass(frozen=True, slots=True)
class FunctionAnswers:
    """`Answers` from a function, which several threads may call at once.

    A call that exceeds its time limit is abandoned, not stopped.
    """

    function: Function

    @property
    def instant(self) -> bool:
        """It is not known how long a function takes."""
        return False

    def answer(
        self,
        tokens: Tokens,
        limit: int,
        seconds: float = ANSWER_SECONDS,
        view: View = BEGINNING,
    ) -> Answer:
        """The result of the function, at most `limit` rows."""
        begun = perf_counter()
        found = self._call(tokens, seconds)
        return as_answer(found, limit, perf_counter() - begun, view)

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether two logical forms have the same answer, which is not empty."""
        if one == other:
            return True
        try:
            found = self._call(one)
            return not _is_empty(found) and bool(found == self._call(other))
        except (AnswerFailed, AnswerTooSlow):
            return False

    def _call(self, tokens: Tokens, seconds: float = ANSWER_SECONDS) -> Any:
        found: list[Any] = []
        failed: list[Exception] = []

        def work() -> None:
            try:
                found.append(self.function(tokens))
            except Exception as error:  # the function may raise anything
                failed.append(error)

        worker = Thread(target=work, daemon=True)
        worker.start()
        worker.join(seconds)
        if failed:
            kind = type(failed[0]).__name__
            raise AnswerFailed(f"the function that answers raised {kind}: {failed[0]}") from failed[
                0
            ]
        if not found:
            raise AnswerTooSlow(f"there was no answer after {seconds:g} seconds")
        return found[0]


def as_answer(found: Any, limit: int, seconds: float = 0.0, view: View = BEGINNING) -> Answer:
    """The result of a function as a table: rows of mappings or of single values, or one value.

    >>> as_answer([{"room": "attic", "seats": 4}, {"room": "cedar"}], limit=20).rows
    (('attic', 4), ('cedar', None))
    >>> as_answer(["attic", "cedar"], limit=1).rows, as_answer(3, limit=20).rows
    ((('attic',),), ((3,),))
    """
    given = list(found) if isinstance(found, list | tuple) else [] if found is None else [found]
    first, end = view.offset, view.offset + limit
    shown = given if view.sort is not None else given[first:end]
    labels = [_COLUMN]
    if given and all(isinstance(row, Mapping) for row in given):
        labels = list(dict.fromkeys(str(key) for row in given for key in row))
        shown = [{str(key): value for key, value in row.items()} for row in shown]
        rows = tuple(tuple(_cell(row.get(label)) for label in labels) for row in shown)
    else:
        rows = tuple((_cell(row),) for row in shown)
    columns = tuple(
        Column(label, type=_type([row[index] for row in rows]))
        for index, label in enumerate(labels)
    )
    if view.sort is not None:
        labels = [column.label for column in columns]
        at = column_index(view.sort.column, labels, labels)
        rows = _sorted(rows, at, view.sort.descending)[first:end]
    return Answer(columns, rows, rows, len(given), len(given) > end, seconds)


def _sorted(
    rows: tuple[tuple[Cell, ...], ...], at: int, descending: bool
) -> tuple[tuple[Cell, ...], ...]:
    """The rows by one of their cells, as they were where it is the same; None comes last."""

    def key(row: tuple[Cell, ...]) -> tuple[bool, float, str]:
        cell = row[at]
        if isinstance(cell, int | float):
            return False, cell, ""
        return True, 0.0, (", ".join(cell) if isinstance(cell, tuple) else str(cell)).lower()

    known = sorted((row for row in rows if row[at] is not None), key=key, reverse=descending)
    return (*known, *(row for row in rows if row[at] is None))


def _cell(value: Any) -> Cell:
    """A value as a text, a number, several texts, or None."""
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Real):  # such as those of NumPy
        return float(value)
    if isinstance(value, list | tuple):
        return tuple(map(str, value))
    return str(value)


def _type(cells: Sequence[Cell]) -> str:
    known = [cell for cell in cells if cell is not None]
    return "number" if known and all(isinstance(cell, int | float) for cell in known) else "text"


def _is_empty(found: Any) -> bool:
    return found is None or (isinstance(found, list | tuple) and not found)


@contextmanager
def opened_answers(name: str) -> Iterator[Answers]:
    """The answers installed under a name; `NoSuchAnswers` lists the available names."""
    yield FunctionAnswers(_installed(name))


def _installed(name: str) -> Function:
    there = entry_points(group=GROUP)
    if name not in there.names:
        raise NoSuchAnswers(
            f"answers is {name!r}, and no installed package has an entry point of that name in the "
            f"group {GROUP}; {_listed(sorted(there.names))}. docs/your-own-language.md shows one."
        )
    try:
        function: Function = there[name].load()
    except (ImportError, AttributeError) as error:
        message = f"the entry point {name!r} of {GROUP} cannot be loaded: {error}"
        raise NoSuchAnswers(message) from error
    if not callable(function):
        raise NoSuchAnswers(f"the entry point {name!r} of {GROUP} is not a function")
    return function


def _listed(names: Sequence[str]) -> str:
    return f"there is {', '.join(names)}" if names else "there is none"
