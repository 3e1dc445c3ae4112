"""What judging and paraphrasing a logical form asks of a catalogue.

The catalogue of `catalogue.py` is one; a test can make do with three dictionaries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from grammax.tables.lexicon import Lexicon


class NamedField(Protocol):
    """A field: its type is the name of an enum type or of a number type of the lexicon."""

    @property
    def token(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def aliases(self) -> Sequence[str]: ...


class NamedValue(Protocol):
    """An enum value or a currency."""

    @property
    def token(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def name(self) -> str: ...


class Names(Protocol):
    """Fields, values and currencies by their tokens, and the lexicon of all types."""

    @property
    def fields(self) -> Mapping[str, NamedField]: ...
    @property
    def values(self) -> Mapping[str, NamedValue]: ...
    @property
    def currencies(self) -> Mapping[str, NamedValue]: ...
    @property
    def lexicon(self) -> Lexicon: ...

    def descendants(self, token: str) -> Iterable[str]:
        """The values that lie within one: the countries of Western Europe."""
