"""`CatalogueDomain`: what all capabilities of a table's domain are built on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Self

from grammax.language.domain import Domain, Tokens
from grammax.tables.automata import table_vocabulary
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.domain.parts import DomainParts
from grammax.tables.form.text import from_tokens
from grammax.tables.form.tree import LogicalForm
from grammax.tables.wording.speech import label_of
from grammax.vocabulary import Vocabulary


class CatalogueDomain(Domain):
    """A catalogue with its vocabulary, and the parts beside it."""

    def __init__(self, catalogue: Catalogue, parts: DomainParts | None = None) -> None:
        self.catalogue = catalogue
        self._parts = parts or DomainParts()
        self._base: Self | None = None

    @property
    def name(self) -> str:
        """The name of the schema."""
        return self.catalogue.schema.name

    @property
    def version(self) -> str:
        """The version of the catalogue."""
        return self.catalogue.version

    @property
    def base(self) -> Self:
        """The domain without changes."""
        return self if self._base is None else self._base

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The rows of the output layer."""
        return table_vocabulary(self.catalogue)

    @cached_property
    def form(self) -> Callable[[Tokens], LogicalForm]:
        """The tree of a logical form, by its tokens; recent ones are cached."""
        catalogue = self.catalogue
        return lru_cache(maxsize=64)(lambda tokens: from_tokens(tokens, catalogue))

    @property
    def nouns(self) -> tuple[str, str]:
        """The schema's nouns for a row."""
        entity = self.catalogue.schema.entity
        return entity.singular, entity.plural

    @cached_property
    def _label(self) -> str | None:
        """The field that names a row, in a schema without history."""
        schema = self.catalogue.schema
        return None if schema.history else label_of(self.catalogue)
