"""Ways to understand a question: a parser is a parameter of the benchmark.

A way makes, for the world of a table, a function from a question to a `Reading`. `model_way` is
grammax with a model; `GoldWay` reads the gold, to check the rest of the benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tables_columns import Unsayable
from tables_worlds import World

import grammax
from grammax.errors import GrammaxError
from grammax.tables.form.text import from_tokens
from grammax.tables.form.tree import LogicalForm


@dataclass(frozen=True)
class Reading:
    """What a parser made of a question; if it abstains, the form is only a suggestion."""

    form: LogicalForm | None
    abstained: bool
    why: str = ""


Understand: TypeAlias = Callable[[str], Reading]
Way: TypeAlias = Callable[[World], AbstractContextManager[Understand]]


def model_way(model: Callable[[World], Path | None]) -> Way:
    """The parser with a model per world; None is the one that comes with the domain."""

    @contextmanager
    def way(world: World) -> Iterator[Understand]:
        with grammax.load(world.domain, model(world), compiled=True) as parser:

            def understand(text: str) -> Reading:
                try:
                    found = parser.parse(text, offer=False)
                    form = from_tokens(found.tokens, world.catalogue)
                except GrammaxError as error:
                    return Reading(None, True, type(error).__name__)
                why = "" if found.why is None else str(getattr(found.why, "value", found.why))
                return Reading(form, found.abstains, why)

            yield understand

    return way


class GoldWay:
    """The parser that reads the gold, where the language can say it."""

    def __init__(self) -> None:
        self._golds: dict[str, Callable[[], LogicalForm]] = {}

    def tell(self, text: str, gold: Callable[[], LogicalForm]) -> None:
        """The gold of the next question."""
        self._golds = {text: gold}

    @contextmanager
    def __call__(self, world: World) -> Iterator[Understand]:  # noqa: ARG002 - a `Way`
        yield self._understand

    def _understand(self, text: str) -> Reading:
        try:
            return Reading(self._golds[text](), False)
        except Unsayable as reason:
            return Reading(None, True, str(reason))
