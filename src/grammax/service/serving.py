"""What one version of a vocabulary is served with: a parser, a store that answers, and names."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Self, final

from grammax.automaton import BoundAutomaton
from grammax.language.answer import Answers
from grammax.language.capabilities import Completion, Entry
from grammax.language.domain import Tokens
from grammax.parser import Parser
from grammax.service.places import Places
from grammax.service.plain import PlainDomain
from grammax.service.spoken import Spoken

_INDEXED_BY: Final = "some"  # any text: the first that is completed has all names indexed


@final
@dataclass(frozen=True, slots=True, eq=False)
class Serving:
    """Replaced as a whole. Whoever does several things with one asks once, and keeps it."""

    parser: Parser
    domain: Spoken
    places: Places
    answers: Answers | None = None  # while the store is being opened, or where there is none
    names: Spoken | None = None  # the domain whose names are indexed: this one, or the one before
    _opened: ExitStack = field(default_factory=ExitStack)

    @classmethod
    def of(cls, parser: Parser, domain: Spoken) -> Self:
        """A parser with its domain; it parses, and nothing else yet."""
        return cls(parser, domain, Places(_automaton(domain)))

    @property
    def version(self) -> str:
        """Of the vocabulary."""
        return self.domain.version

    @property
    def is_plain(self) -> bool:
        """Whether it parses, and no more: nothing answers, and the catalogue stays as it is."""
        return isinstance(self.domain, PlainDomain)

    @property
    def samples(self) -> tuple[str, ...]:
        """Queries to begin with, of a domain for which the page has none of its own."""
        return self.domain.samples if isinstance(self.domain, PlainDomain) else ()

    @property
    def automaton(self) -> BoundAutomaton[Any]:
        """The tightest grammar: the one that the parser decodes under."""
        return _automaton(self.domain)

    def with_store(self) -> Serving:
        """The same with its store opened, which is built the first time, in seconds."""
        store = self.domain.answers()
        opened = ExitStack()
        answers = None if store is None else opened.enter_context(store)
        return replace(self, answers=answers, _opened=opened)

    def with_names(self) -> Serving:
        """The same with its own names indexed, which takes most of a second."""
        self.domain.completions(_INDEXED_BY, 1)
        return replace(self, names=self.domain)

    def named_as(self, before: Serving) -> Serving:
        """The same with the names of what was served before it, until its own are indexed."""
        return replace(self, names=before.names)

    def completions(self, text: str, limit: int) -> Sequence[Completion]:
        """How a query that is being typed may go on."""
        there = self.domain.vocabulary
        found = self._names.completions(text, limit)
        return [each for each in found if each.token is None or each.token in there]

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """What a text may mean; what was added and is not indexed yet is found by any part."""
        found = self._names.search(text, limit)
        if self._names is self.domain:
            return found
        found = [entry for entry in found if entry.token in self.domain.vocabulary]
        known = {entry.token for entry in found}
        is_called = partial(_is_called, text.strip().casefold())
        new = [
            Entry(value.token, value.kind, value.name, value.aliases)
            for value in self.domain.changes.added
            if value.token not in known and is_called((value.name, *value.aliases))
        ]
        return [*new, *found][:limit]

    def close(self) -> None:
        """Let go of the store."""
        self._opened.close()

    @property
    def _names(self) -> Spoken:
        return self.domain if self.names is None else self.names


def _automaton(domain: Spoken) -> BoundAutomaton[Any]:
    found = domain.automaton(domain.grammars[-1])
    assert isinstance(found, BoundAutomaton)
    return found


def _is_called(text: str, names: Tokens) -> bool:
    return any(text in name.casefold() for name in names)
