"""`ChangingTable`: fields and values of a table that come and go without training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from grammax.language.capabilities import Updatable
from grammax.language.changes import Changes, NewValue, changed_vocabulary, tell_skipped
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.domain.base import CatalogueDomain

_FRAGMENTS: Final = 64  # spans of a changed vocabulary; with more, it is laid out again


class ChangingTable(CatalogueDomain, Updatable):
    """Values and fields that are added to the catalogue and removed from it."""

    @property
    def changes(self) -> Changes:
        """The changes of the catalogue relative to its base."""
        return self.catalogue.changes

    def with_values(self, values: Sequence[NewValue]) -> Self:
        """Add values and fields. Raises `ChangesRefused` if one cannot be added."""
        return self._over(self.catalogue.with_values(values))

    def without_values(self, tokens: Sequence[str]) -> Self:
        """Remove values and fields. Raises `ChangesRefused` if one cannot be removed."""
        return self._over(self.catalogue.without_values(tokens))

    def with_alias(self, token: str, alias: str) -> Self:
        """Add a name of a value or field. Raises `ChangesRefused` if it cannot be added."""
        return self._over(self.catalogue.with_alias(token, alias))

    def sort_of(self, token: str) -> str:
        """Whether a token is a field or a value; other tokens get no names."""
        values, fields = self.catalogue.values, self.catalogue.fields
        return "field" if token in fields else "value" if token in values else ""

    def with_changes(self, changes: Changes, *, quiet: bool = False) -> Self:
        """The base with stored changes; a `ChangeNotice` counts those that no longer apply."""
        made = self.catalogue.with_changes(changes)
        if not quiet:
            version = self.catalogue.base.version
            why = f"the catalogue {version} has the added values or lacks the removed ones"
            tell_skipped(changes, made.changes, why)
        return self._over(made)

    def _over(self, catalogue: Catalogue) -> Self:
        """The domain of a changed catalogue; new changes are applied to the current vocabulary."""
        if not catalogue.changes:
            return self.base
        made = type(self)(catalogue, self._parts)
        made._base = self.base
        new = catalogue.changes.since(self.changes)
        if new is not None and self.vocabulary.fragments < _FRAGMENTS:
            made.vocabulary = changed_vocabulary(self.vocabulary, new)
        return made
