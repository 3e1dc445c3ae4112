"""`Snapshot`: one version of a vocabulary with its parser, its store and its names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Self, final

from grammax.automaton import BoundAutomaton
from grammax.automaton.glr.engine import GlrEngine
from grammax.automaton.lr.engine import LrEngine
from grammax.automaton.networks.subsets import SubsetEngine
from grammax.automaton.networks.unrolled import UnrolledEngine
from grammax.errors import GrammaxError
from grammax.language.answer import Answers
from grammax.language.capabilities import (
    Completion,
    Entry,
    Examples,
    Explainable,
    Fillable,
    Updatable,
)
from grammax.language.changes import Changes
from grammax.language.domain import Domain, Tokens
from grammax.parser import Parser
from grammax.service.snapshot.slots import EditableSlots
from grammax.text import fold_text

_STATES: Final = 2_000  # of an automaton; people use some thousand, and it forgets all at once
_ANY_TEXT: Final = "some"  # the first completion makes the domain index its names


class NotExplainable(GrammaxError):
    """A domain that does not explain its logical forms."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The state served at one time; a request uses one snapshot from beginning to end."""

    parser: Parser
    domain: Explainable
    slots: EditableSlots
    has_store: bool  # whether the domain answers at all
    answers: Answers | None = None  # None while the store is being opened, and if there is no store
    examples: Sequence[Examples] = ()  # once they are made
    names: Explainable | None = None  # the domain whose names are indexed: this, or an earlier one

    @classmethod
    def from_parser(cls, parser: Parser) -> Self:
        """A parser with its domain; its store is not open and its names are not indexed yet."""
        domain = require_explainable(parser.domain)
        _limit_states(_automaton(domain))
        return cls(parser, domain, EditableSlots(_automaton(domain)), domain.answers() is not None)

    @property
    def version(self) -> str:
        """The version of the vocabulary."""
        return self.domain.version

    @property
    def changes(self) -> Changes | None:
        """The changes of the catalogue; None if it cannot be changed."""
        return self.domain.changes if isinstance(self.domain, Updatable) else None

    @property
    def automaton(self) -> BoundAutomaton[Any]:
        """The automaton of the exact grammar, under which the parser decodes."""
        return _automaton(self.domain)

    def with_store(self) -> Snapshot:
        """The same with its store open; the first time, building the store may take seconds."""
        return replace(self, answers=self.parser.answers) if self.has_store else self

    def with_names(self) -> Snapshot:
        """The same with its names indexed, which takes up to a second."""
        self.domain.completions(_ANY_TEXT, 1)
        return replace(self, names=self.domain)

    def with_samples(self) -> Snapshot:
        """The same with its samples and examples made, which takes a moment where data is asked."""
        tuple(self.domain.samples)  # the domain keeps them
        return replace(self, examples=self.parser.examples)

    def with_names_of(self, before: Snapshot) -> Snapshot:
        """The same with the names and examples of an earlier one, until its own are indexed."""
        return replace(self, names=before.names, examples=before.examples)

    def completions(self, text: str, limit: int) -> Sequence[Completion]:
        """Completions of a query that is being typed."""
        vocabulary = self.domain.vocabulary
        found = self._names.completions(text, limit)
        return [each for each in found if each.token is None or each.token in vocabulary]

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Entries that match a text; added values that are not indexed yet match by any part."""
        found = self._names.search(text, limit)
        if self._names is self.domain:
            return found
        found = [entry for entry in found if entry.token in self.domain.vocabulary]
        known = {entry.token for entry in found}
        matches = partial(_any_contains, fold_text(text.strip()))
        new = [
            Entry(value.token, value.kind, value.name, value.aliases)
            for value in (self.changes or Changes()).added
            if value.token not in known and matches((value.name, *value.aliases))
        ]
        return [*new, *found][:limit]

    def close(self) -> None:
        """Close the store."""
        self.parser.close()

    @property
    def _names(self) -> Explainable:
        return self.domain if self.names is None else self.names


def require_explainable(domain: Domain) -> Explainable:
    """The domain, if its logical forms can be shown; `NotExplainable` otherwise."""
    if not isinstance(domain, Explainable):
        raise NotExplainable(
            f"the domain {domain.name!r} cannot be served: it does not say what its logical forms "
            f"mean. Let it subclass grammax.language.capabilities.Explainable."
        )
    return domain


def has_slots(domain: Domain) -> bool:
    """Whether its exact grammar has slots in place of what a query fills, as of open folders."""
    return isinstance(domain, Fillable) and domain.filled_grammar == domain.exact


def _automaton(domain: Domain) -> BoundAutomaton[Any]:
    found = domain.automaton(domain.exact)
    assert isinstance(found, BoundAutomaton)
    return found


def _limit_states(automaton: BoundAutomaton[Any]) -> None:
    """Let the engine keep fewer states, as clients choose the forms that make them."""
    engine = automaton.engine
    if isinstance(engine, LrEngine | GlrEngine | UnrolledEngine | SubsetEngine):
        engine.remembered = min(engine.remembered, _STATES)


def _any_contains(text: str, names: Tokens) -> bool:
    return any(text in fold_text(name) for name in names)
