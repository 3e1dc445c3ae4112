"""The parser in use with all that answers, replaced as a whole when the catalogue changes.

Changes are kept in a file that all workers share. The worker that makes one writes the file; the
others see that it is another, and follow. Names are indexed anew after a change is served: queries
are parsed with it at once, and only completions come later.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import cast, final

from grammax.domains import load_domain, trained_model
from grammax.files import locked
from grammax.language.capabilities import Explainable, Updatable
from grammax.language.changes import ChangeNotice, Changes, FixedVocabulary, NewValue
from grammax.language.changes_file import read_changes, write_changes
from grammax.language.domain import Domain
from grammax.parser import Parser, load
from grammax.service.plain import PlainDomain
from grammax.service.serving import Serving
from grammax.service.settings import Settings
from grammax.service.spoken import Spoken

_Mark = tuple[int, int, int] | None
Change = Callable[[Parser], Parser]


@final
class LiveCatalogue:
    """What is being served, and the file of changes behind it. Threads may share it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._path: Path = settings.catalogue_path
        self._base: Domain = load_domain(settings.domain)
        self._turn = Lock()  # one change at a time
        self._seen = _mark(self._path)
        self._serving = _serving(self._loaded(self._kept()))

    @property
    def serving(self) -> Serving:
        """What is in use now. To do several things with the same, ask once and keep it."""
        return self._serving

    @property
    def is_behind(self) -> bool:
        """Whether the file is another than the one that is served; this takes microseconds."""
        return isinstance(self._base, Updatable) and _mark(self._path) != self._seen

    @property
    def is_indexed(self) -> bool:
        """Whether completions have the names of what is served."""
        return self._serving.names is self._serving.domain

    def warm(self) -> None:
        """Open the store of what is served and index its names."""
        with self._turn:
            self._serving = self._serving.with_store().with_names()

    def index(self) -> None:
        """Index the names of what is served, while changes may go on."""
        serving = self._serving
        made = serving.with_names()
        with self._turn:
            if self._serving is serving:
                self._serving = made

    def follow(self) -> Serving | None:
        """Serve what the file says, if it is another now; what was served before is returned."""
        if not self.is_behind:
            return None
        with self._turn, locked(self._path):
            mark = _mark(self._path)
            changes = self._kept()
            self._seen = mark
            if changes == self._serving.domain.changes:
                return None
            return self._replace(self._made(self._followed(changes)))

    def add(self, values: list[NewValue]) -> tuple[Serving, Serving]:
        """What was served before, and what is served now, with these values kept in the file."""
        return self._change(lambda parser: parser.with_values(values))

    def remove(self, tokens: list[str]) -> tuple[Serving, Serving]:
        """What was served before, and what is served now, without these tokens."""
        return self._change(lambda parser: parser.without_values(tokens))

    def _change(self, change: Change) -> tuple[Serving, Serving]:
        with self._turn, locked(self._path):
            changes = self._kept()
            parser = self._serving.parser
            if changes != self._serving.domain.changes:  # another worker was here before
                parser = self._followed(changes)
            changed = change(parser)
            domain = changed.domain
            if not isinstance(domain, Updatable):
                raise FixedVocabulary(f"the values and fields of {domain.name!r} do not change.")
            made = self._made(changed)
            try:
                write_changes(self._path, domain.name, domain.base.version, domain.changes)
            except OSError:
                made.close()
                raise
            self._seen = _mark(self._path)
            return self._replace(made), made

    def _made(self, parser: Parser) -> Serving:
        """All that a parser is served with, its names apart."""
        return _serving(parser).with_store().named_as(self._serving)

    def _replace(self, made: Serving) -> Serving:
        before, self._serving = self._serving, made
        return before

    def _followed(self, changes: Changes) -> Parser:
        """The parser with what another worker changed: the one in use and a little more, or less.

        Where much has happened meanwhile it is loaded again, in a fifth of a second.
        """
        parser = self._serving.parser
        new = changes.since(self._serving.domain.changes)
        if new is not None and not (new.added and new.removed):
            add = bool(new.added)
            made = parser.with_values(new.added) if add else parser.without_values(new.removed)
            if isinstance(made.domain, Updatable) and made.domain.changes == changes:
                return made
        return self._loaded(changes)

    def _loaded(self, changes: Changes) -> Parser:
        domain = self._base
        if changes and isinstance(domain, Updatable):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ChangeNotice)  # `grammax catalogue list` tells
                domain = domain.with_changes(changes)
        return load(domain, self._settings.model, compiled=None)

    def _kept(self) -> Changes:
        if not isinstance(self._base, Updatable) or not self._path.exists():
            return Changes()
        return read_changes(self._path, self._base.name)


def require_servable(settings: Settings) -> None:
    """An error, before any worker is started, for what none of them could serve."""
    domain = load_domain(settings.domain)
    model = trained_model(domain) if settings.model is None else Path(settings.model)
    with model.open("rb"):
        pass
    if isinstance(domain, Updatable) and settings.catalogue_path.exists():
        read_changes(settings.catalogue_path, domain.name)


def _serving(parser: Parser) -> Serving:
    domain = parser.domain
    speaks = isinstance(domain, Explainable) and isinstance(domain, Updatable)
    return Serving.of(parser, cast("Spoken", domain) if speaks else PlainDomain(domain))


def _mark(path: Path) -> _Mark:
    """Changes whenever the file is replaced."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size
