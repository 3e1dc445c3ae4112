"""The parser in use, while its values and fields change: what a service holds.

living = LivingParser(grammax.load("eqs"))
living.parse("steel makers in wakanda")        # in any thread
living.add([NewValue("Wakanda", "country")])   # at the same time, in another
living.remove(["COU_FRANCE"])
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import final

from grammax.language.changes import NewValue
from grammax.parser import ROWS, Answered, Parsed, Parser


@final
class LivingParser:
    """Holds a parser that is replaced as a whole; threads may share it.

    A query is parsed and answered by the parser that was in use when it came, whatever happens
    meanwhile, and tells by its `version` which that was. Changes wait for each other.
    """

    def __init__(self, parser: Parser) -> None:
        self._current = parser
        self._lock = Lock()

    @property
    def current(self) -> Parser:
        """The parser in use. To do several things with the same one, ask once and keep it."""
        return self._current

    @property
    def version(self) -> str:
        """Of the vocabulary in use."""
        return self._current.domain.version

    def parse(self, text: str, best: int = 1) -> Parsed:
        """As `Parser.parse`."""
        return self._current.parse(text, best)

    def parse_batch(self, texts: Sequence[str]) -> list[Parsed]:
        """As `Parser.parse_batch`: all by one parser."""
        return self._current.parse_batch(texts)

    def ask(self, text: str, rows: int = ROWS) -> Answered:
        """As `Parser.ask`."""
        return self._current.ask(text, rows)

    def add(self, values: Sequence[NewValue]) -> Parser:
        """Use a parser with these values from now on; it is the one that is returned."""
        with self._lock:
            self._current = self._current.with_values(values)
            return self._current

    def remove(self, tokens: Sequence[str]) -> Parser:
        """Use a parser without these from now on; it is the one that is returned."""
        with self._lock:
            self._current = self._current.without_values(tokens)
            return self._current

    def replace(self, parser: Parser) -> Parser:
        """Use another parser from now on; the one before is returned."""
        with self._lock:
            before, self._current = self._current, parser
            return before
