"""The parser in use with all that answers, replaced as a whole when the catalogue changes.

Changes are kept in a file that all workers share. The worker that makes one writes the file; the
others see that it is another, within a second, and follow.
"""

from __future__ import annotations

import warnings
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, final

from grammax.automaton import BoundAutomaton
from grammax.changes import ChangeNotice, Changes, NewValue
from grammax.changes_file import locked, read_changes, write_changes
from grammax.domain import Answers, Domain, SpokenDomain, is_spoken
from grammax.domains import load_domain, shipped_model
from grammax.errors import GrammaxError
from grammax.living import LivingParser
from grammax.parser import Parser, load
from grammax.service.settings import Settings

_Mark = tuple[int, int, int] | None


class NotSpoken(GrammaxError):
    """A domain that people cannot talk with."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Serving:
    """A parser, and the store that answers what it found; one version of the vocabulary."""

    parser: Parser
    domain: SpokenDomain
    answers: Answers | None = None  # while the store is being opened, or where there is none
    _opened: ExitStack = field(default_factory=ExitStack)

    @property
    def version(self) -> str:
        """Of the vocabulary."""
        return self.domain.version

    @property
    def automaton(self) -> BoundAutomaton[Any]:
        """The tightest grammar: the one that the parser decodes under."""
        found = self.domain.automaton(self.domain.grammars[-1])
        assert isinstance(found, BoundAutomaton)
        return found

    def with_answers(self) -> Serving:
        """The same with its store opened and names indexed, which takes seconds the first time."""
        self.domain.completions("some", 1)
        store = self.domain.answers()
        opened = ExitStack()
        answers = None if store is None else opened.enter_context(store)
        return Serving(self.parser, self.domain, answers, opened)

    def close(self) -> None:
        """Let go of the store."""
        self._opened.close()


@final
class LiveCatalogue:
    """What is being served, and the file of changes behind it. Threads may share it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._path: Path = settings.catalogue_path
        self._base: Domain = load_domain(settings.domain)
        self._turn = Lock()  # one change at a time
        self._seen = _mark(self._path)
        domain = self._spoken(self._kept())
        self._living = LivingParser(load(domain, settings.model, compiled=None))
        self._serving = Serving(self._living.current, domain)

    @property
    def serving(self) -> Serving:
        """What is in use now. To do several things with the same, ask once and keep it."""
        return self._serving

    def warm(self) -> None:
        """Open the store of what is served, so that answers can be given."""
        with self._turn:
            self._serving = self._serving.with_answers()

    def follow(self) -> Serving | None:
        """Serve what the file says, if it is another now; what was served before is returned."""
        if _mark(self._path) == self._seen:
            return None
        with self._turn, locked(self._path):
            mark = _mark(self._path)
            changes = self._kept()
            self._seen = mark
            if changes == self._serving.domain.changes:
                return None
            return self._replace(self._reloaded(changes))

    def add(self, values: list[NewValue]) -> tuple[Serving, Serving]:
        """What was served before, and what is served now, with these values kept in the file."""
        return self._change(lambda parser: parser.with_values(values))

    def remove(self, tokens: list[str]) -> tuple[Serving, Serving]:
        """What was served before, and what is served now, without these tokens."""
        return self._change(lambda parser: parser.without_values(tokens))

    def _change(self, change: Any) -> tuple[Serving, Serving]:
        with self._turn, locked(self._path):
            changes = self._kept()
            parser = self._serving.parser
            if changes != self._serving.domain.changes:  # another worker was here before
                parser = self._reloaded(changes)
            made: Parser = change(parser)
            domain = _require_spoken(made.domain)
            write_changes(self._path, domain.name, domain.base.version, domain.changes)
            self._seen = _mark(self._path)
            before = self._replace(made)
            return before, self._serving

    def _replace(self, parser: Parser) -> Serving:
        before = self._serving
        made = Serving(parser, _require_spoken(parser.domain)).with_answers()
        self._living.replace(parser)
        self._serving = made
        return before

    def _reloaded(self, changes: Changes) -> Parser:
        return load(self._spoken(changes), self._settings.model, compiled=None)

    def _spoken(self, changes: Changes) -> SpokenDomain:
        domain = _require_spoken(self._base)
        if changes:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ChangeNotice)  # `grammax catalogue list` tells
                domain = _require_spoken(domain.with_changes(changes))
        return domain

    def _kept(self) -> Changes:
        if not self._path.exists():
            return Changes()
        return read_changes(self._path, self._settings.domain)


def require_servable(settings: Settings) -> None:
    """An error, before any worker is started, for what none of them could serve."""
    _require_spoken(load_domain(settings.domain))
    model = shipped_model(settings.domain) if settings.model is None else Path(settings.model)
    with model.open("rb"):
        pass
    if settings.catalogue_path.exists():
        read_changes(settings.catalogue_path, settings.domain)


def _require_spoken(domain: Domain) -> SpokenDomain:
    if not is_spoken(domain):
        raise NotSpoken(
            f"the domain {domain.name!r} has no labels and paraphrases, which a service needs. "
            f"Its module `domain` has to satisfy `grammax.domain.SpokenDomain`."
        )
    return domain


def _mark(path: Path) -> _Mark:
    """Changes whenever the file is replaced."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size
