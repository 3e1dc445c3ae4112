"""`ExplainedTable`: logical forms of a table in English, as chips, and completions of queries."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from grammax.language.capabilities import (
    Chip,
    Completion,
    Entry,
    Examples,
    Explainable,
    FieldEntry,
)
from grammax.language.domain import Tokens
from grammax.tables.domain.filled import FilledTable
from grammax.tables.english.chips import Chips
from grammax.tables.english.completions import completions
from grammax.tables.english.dictionary import Dictionary
from grammax.tables.english.likelihood import Likelihood, mentioned
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.form.text import read, to_tokens
from grammax.tables.form.typecheck import require_well_typed

if TYPE_CHECKING:
    from grammax.tables.catalogue.find import Finder

_MATCHES: Final = 50  # names that a mistyped text may mean


class ExplainedTable(FilledTable, Explainable):
    """Names, paraphrases, chips, completions and the dictionary of fields."""

    @cached_property
    def examples(self) -> tuple[Examples, ...]:
        """Example queries by what they show."""
        return self._parts.examples()

    def read(self, text: str) -> Tokens:
        """The tokens of a logical form in the paper's notation."""
        return to_tokens(read(text, self.catalogue))

    def require_meaning(self, tokens: Tokens) -> None:
        """Raise `LogicalFormError` if it cannot be read, `IllTyped` if its types are wrong."""
        require_well_typed(self.form(tokens), self.catalogue)

    def paraphrase(self, tokens: Tokens) -> str:
        """A logical form in English: "films directed by Agnès Varda"."""
        return paraphrase(self.form(tokens), self.catalogue)

    def label(self, token: str) -> str:
        """The name of a token for display."""
        return self._chips.label(token)

    def kind_named(self, text: str) -> str | None:
        """ "country" is COUNTRY_VALUE, "money field" MONEY_FIELD."""
        kind = self.catalogue.base.kinds.get(" ".join(text.split()).lower())
        return None if kind is None else kind.name

    def chips(self, tokens: Tokens) -> Sequence[Chip]:
        """Each token of a logical form, or of its beginning."""
        return self._chips.chips(tokens)

    def completions(self, text: str, limit: int) -> Sequence[Completion]:
        """Phrases that were taught, names of the catalogue, and phrases of queries."""
        taught = self.phrases.completions(text) if self._parts.phrases else ()
        return [*taught, *completions(text, self._names, limit, self._likelihood)][:limit]

    @cached_property
    def _likelihood(self) -> Likelihood:
        """Of names in queries, from those that people wrote."""
        if self.base is not self:
            counts = self.base._likelihood.counts
        else:
            counts = mentioned(self._parts.written(), self.catalogue)
        return Likelihood(self.catalogue, counts)

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Fields, values and units that a text may mean, the likeliest first."""
        return [self._entry(match.token) for match in self._names.find(text, limit)]

    def _entry(self, token: str) -> Entry:
        name, *aliases = self.catalogue.wordings(token)
        return Entry(token, self.catalogue.kind_of(token).name, name, tuple(aliases))

    @property
    def has_fields(self) -> bool:
        """Whether the catalogue has any."""
        return bool(self.catalogue.fields)

    def fields(self, search: str = "") -> Sequence[str]:
        """Fields with a text in one of their names, or that a mistyped text may mean."""
        if found := self._dictionary.search(search):
            return found
        matches = self._names.find(search, _MATCHES)
        return [match.token for match in matches if match.token in self.catalogue.fields]

    def field_entry(self, token: str) -> FieldEntry | None:
        """A field with its unit and its usual values."""
        return self._dictionary.entry(token) if token in self.catalogue.fields else None

    @cached_property
    def _dictionary(self) -> Dictionary:
        from grammax.tables.query.translate import default_measures  # parsing does not need it

        defaults = default_measures(self.catalogue)
        return Dictionary(self.catalogue, defaults, self._likelihood)

    @cached_property
    def _chips(self) -> Chips:
        return Chips(self.catalogue, self.vocabulary)

    @cached_property
    def _names(self) -> Finder:
        from grammax.tables.catalogue.find import Finder  # its index takes half a second

        return Finder(self.catalogue)
