"""`Spellings`: what a store writes for the values of its fields.

A catalogue has a token for each value; a stranger's table has texts, numbers or booleans, sometimes
several for one thing ("Sci-Fi", "sci fi"). Queries use what the store has, and answers are
translated back, so that a column of 50,000 names costs nothing.

>>> spellings = Spellings({"FLD_GENRE": {"GEN_SCI_FI": ("Sci-Fi", "sci fi"), "GEN_WAR": ("War",)}})
>>> spellings.held("FLD_GENRE", ["GEN_SCI_FI"]), spellings.others("FLD_GENRE")
(('Sci-Fi',), {'sci fi': 'Sci-Fi'})
>>> spellings.token("FLD_GENRE", "War"), spellings.token("FLD_GENRE", "Noir")
('GEN_WAR', 'Noir')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias, final

Stored: TypeAlias = str | int | float | bool
"""A value as a store holds it."""


@final
class Spellings:
    """The spellings of values, by field and by token; of several, the first stands for all.

    The values of a field that is not listed are stored as their tokens.
    """

    def __init__(
        self,
        by_field: Mapping[str, Mapping[str, Sequence[Stored]]] = MappingProxyType({}),
    ) -> None:
        self._by_field = by_field
        self._tokens: dict[str, dict[Stored, str]] = {}

    def held(self, field: str, tokens: Iterable[str]) -> tuple[Stored, ...]:
        """What a column holds for these values; those that the store never writes are left out."""
        written = self._by_field.get(field)
        if written is None:
            return tuple(tokens)
        return tuple(written[token][0] for token in tokens if written.get(token))

    def others(self, field: str) -> dict[Stored, Stored]:
        """For each further spelling of a value the first one."""
        written = self._by_field.get(field, {})
        return {other: each[0] for each in written.values() for other in each[1:]}

    def token(self, field: str, stored: Stored) -> str:
        """The token of what a store holds; what no token stands for is itself."""
        if field not in self._tokens:
            written = self._by_field.get(field, {})
            self._tokens[field] = {each[0]: token for token, each in written.items() if each}
        return self._tokens[field].get(stored) or str(stored)


TOKENS: Final = Spellings()
"""The spellings of a store that holds tokens."""
