"""`LivingFolder`: a folder whose tokens come and go without training.

Goes in: values to add, tokens to remove, names. Comes out: another domain with the same kinds, and
so with the same automata, over a vocabulary that gained or lost tokens.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from inspect import getattr_static
from typing import Final, Self

from grammax.folder.living.tokens import FolderTokens
from grammax.language.capabilities import Updatable
from grammax.language.changes import Changes, NewValue, changed_vocabulary, tell_skipped
from grammax.vocabulary import Vocabulary

_FRAGMENTS: Final = 64  # spans of a changed vocabulary; with more, it is changed from its base
_OF_FILES: Final = frozenset(("grammar", "grammars", "samples", "_tables", "_seen", "_sql"))
"""What a domain with changes has of its base, of all that is computed on first use."""


class LivingFolder(Updatable):
    """Values of a folder that are added and removed; see `FolderTokens` for what can be."""

    _base: Self | None = None
    _tokens: FolderTokens | None = None  # with changes, the tokens
    _changed: Vocabulary | None = None  # with changes, the vocabulary

    @property
    @abstractmethod
    def file_tokens(self) -> FolderTokens:
        """The tokens of the base with their names, as the files have them."""

    @property
    def known_tokens(self) -> FolderTokens:
        """The tokens with their names."""
        return self.file_tokens if self._tokens is None else self._tokens

    @property
    def base(self) -> Self:
        """The folder as its files have it."""
        return self if self._base is None else self._base

    @property
    def changes(self) -> Changes:
        """The values that were added to those of the files, and the tokens that were removed."""
        return Changes() if self._base is None else self.known_tokens.changes

    def with_values(self, values: Sequence[NewValue]) -> Self:
        """Add values. Raises `ChangesRefused` if one cannot be added."""
        return self._with(self.known_tokens.with_values(values))

    def without_values(self, tokens: Sequence[str]) -> Self:
        """Remove tokens. Raises `ChangesRefused` if one cannot be removed."""
        return self._with(self.known_tokens.without_values(tokens))

    def with_alias(self, token: str, alias: str) -> Self:
        """Add a name of a token. Raises `ChangesRefused` if it cannot be added."""
        return self._with(self.known_tokens.with_alias(token, alias))

    def sort_of(self, token: str) -> str:
        """The kind of a token, if values come and go in it."""
        return self.known_tokens.growing_kind(token) or ""

    def with_changes(self, changes: Changes, *, quiet: bool = False) -> Self:
        """The folder with stored changes; a `ChangeNotice` counts those that no longer apply."""
        made = self.base.file_tokens.with_changes(changes)
        if not quiet:
            why = (
                f"the files of {self.name} have the added values or their names, or lack the "
                f"removed ones"
            )
            tell_skipped(changes, made.changes, why)
        return self._with(made)

    def _with(self, tokens: FolderTokens) -> Self:
        """The domain with these tokens; new changes are applied to the vocabulary in use."""
        base = self.base
        if not tokens.changes:
            return base
        made = copy(base)
        for name in [*vars(made)]:
            computed = isinstance(getattr_static(type(made), name, None), cached_property)
            if computed and name not in _OF_FILES:
                del vars(made)[name]
        made._base = base
        made._tokens = tokens
        made._changed = self._changed_vocabulary(tokens.changes)
        return made

    def _changed_vocabulary(self, changes: Changes) -> Vocabulary:
        new = changes.since(self.changes)
        if new is None or self.vocabulary.fragments >= _FRAGMENTS:
            return changed_vocabulary(self.base.vocabulary, changes)
        return changed_vocabulary(self.vocabulary, new)
