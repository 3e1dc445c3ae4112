"""`LiveCatalogue`: the snapshot in use, replaced as a whole when the catalogue changes.

Changes are stored in a file that all workers share. The worker that makes a change writes the file;
the others notice the new file and load it. Parsing uses a change at once; its names are indexed in
the background, so completions may lack them for a second.

A domain that is made from files, such as the `schema.toml` of a table, is made again when they are
edited. Until that is done, and if they cannot be used, the snapshot stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import final

from grammax.domains import load_domain, trained_model
from grammax.errors import GrammaxError
from grammax.files import locked
from grammax.language.capabilities import Reloadable, Updatable
from grammax.language.changes import (
    Changes,
    ChangesRefused,
    FixedVocabulary,
    NewValue,
)
from grammax.language.changes_file import read_changes, write_changes
from grammax.language.domain import Domain
from grammax.model.header import read_header
from grammax.parser import Parser, load
from grammax.parser.load import connect
from grammax.runtime import background
from grammax.runtime.cache import damaged_rows
from grammax.service.appended import require_appendable
from grammax.service.settings import Settings
from grammax.service.snapshot.snapshot import Snapshot, require_explainable
from grammax.tables.data_files import names_data

_Mark = tuple[int, int, int] | None
Change = Callable[[Parser], Parser]


@final
class LiveCatalogue:
    """The snapshot in use and the file of changes behind it. Threads may share it."""

    def __init__(self, settings: Settings, base: Domain | None = None) -> None:
        self._settings = settings
        self._path: Path = settings.catalogue_path
        self._base: Domain = domain_of(settings) if base is None else base
        if has_own_data(settings):
            background.start(partial(_open_early, self._base), "store")
        self._changing = Lock()  # one change at a time
        self._is_compiled = False  # loading Numba takes longer than the first answer
        self._seen = _mark(self._path)
        self._files_loaded = self._files_checked = self._marks()
        try:
            self._snapshot = Snapshot.from_parser(self._load(self._stored()))
        except BaseException:
            self._base.close()
            raise

    @property
    def snapshot(self) -> Snapshot:
        """The current snapshot. Read it once to use the same version for several operations."""
        return self._snapshot

    @property
    def is_behind(self) -> bool:
        """Whether the file is newer than the snapshot; this takes microseconds."""
        return isinstance(self._base, Updatable) and _mark(self._path) != self._seen

    def is_edited(self) -> bool:
        """Whether the domain's files have changed since they were loaded, and not since last asked.

        Editors may write a file in several steps, so a file is read once it rests.
        """
        marks, before = self._marks(), self._files_checked
        self._files_checked = marks
        return marks == before and marks != self._files_loaded

    def reload(self) -> Snapshot | None:
        """Make the domain again from its files; returns the snapshot that was replaced.

        Raises if the files cannot be used; then they are not tried again before they change.
        """
        with self._changing:
            self._files_loaded = self._files_checked = self._marks()
            base = self._base
            if not isinstance(base, Reloadable):
                return None
            made = base.reloaded()
            parser = self._load(self._stored(), made)
            snapshot = Snapshot.from_parser(parser).with_store().with_names().with_samples()
            self._base = made
            return self._replace(snapshot)

    def _marks(self) -> tuple[_Mark, ...]:
        """A mark of each file that the domain is made from."""
        files = self._base.edited_files if isinstance(self._base, Reloadable) else ()
        return tuple(map(_mark, files))

    @property
    def is_indexed(self) -> bool:
        """Whether completions know all names of the snapshot."""
        return self._snapshot.names is self._snapshot.domain

    def open_store(self) -> None:
        """Open the store of the snapshot."""
        with self._changing:
            self._snapshot = self._snapshot.with_store()

    def require_intact(self) -> None:
        """Compare the checksums of the model's cache; load the parser again if it is damaged."""
        folder = self._snapshot.parser.cache_folder
        if folder is not None and damaged_rows(folder):
            with self._changing:
                parser = self._load(self._snapshot.changes or Changes())
                self._replace(self._next_snapshot(parser))  # its store stays open, in memory

    def compile(self) -> None:
        """Have searches run in compiled code, if Numba is installed; later ones do as well."""
        while not self._is_compiled:
            parser = self._snapshot.parser
            parser.compile()
            with self._changing:  # the catalogue may have changed meanwhile
                self._is_compiled = self._snapshot.parser is parser

    def close(self) -> None:
        """Close the store, and the data that the domain was made from."""
        self._snapshot.close()
        self._base.close()

    def index(self) -> None:
        """Index the names of the snapshot; changes may happen meanwhile."""
        snapshot = self._snapshot
        indexed = snapshot.with_names().with_samples()
        with self._changing:
            if self._snapshot is snapshot:
                self._snapshot = indexed

    def follow(self) -> Snapshot | None:
        """Load the file if it is new; return the snapshot that was replaced."""
        if not self.is_behind:
            return None
        with self._changing, locked(self._path):
            mark = _mark(self._path)
            changes = self._stored()
            self._seen = mark
            if changes == self._snapshot.changes:
                return None
            return self._replace(self._next_snapshot(self._followed(changes)))

    def add(self, values: list[NewValue]) -> tuple[Snapshot, Snapshot]:
        """Add values and store them; returns the snapshots before and after."""
        return self._change(lambda parser: parser.with_values(values))

    def name(self, token: str, alias: str) -> tuple[Snapshot, Snapshot]:
        """Add a name of a token and store it; returns the snapshots before and after."""
        return self._change(lambda parser: parser.with_alias(token, alias))

    def remove(self, tokens: list[str]) -> tuple[Snapshot, Snapshot]:
        """Remove tokens and store the change; returns the snapshots before and after."""
        return self._change(lambda parser: parser.without_values(tokens))

    def _change(self, change: Change) -> tuple[Snapshot, Snapshot]:
        with self._changing, locked(self._path):
            changes = self._stored()
            parser = self._snapshot.parser
            if changes != self._snapshot.changes:  # another worker was faster
                parser = self._followed(changes)
            changed = change(parser)
            domain = changed.domain
            if not isinstance(domain, Updatable):
                raise FixedVocabulary(f"the values and fields of {domain.name!r} do not change.")
            made = self._next_snapshot(changed)
            try:
                write_changes(self._path, domain.name, domain.base.version, domain.changes)
            except OSError:
                made.close()
                raise
            self._seen = _mark(self._path)
            return self._replace(made), made

    def _next_snapshot(self, parser: Parser) -> Snapshot:
        """A snapshot with its store open and the names of the current one."""
        return Snapshot.from_parser(parser).with_store().with_names_of(self._snapshot)

    def _replace(self, made: Snapshot) -> Snapshot:
        before, self._snapshot = self._snapshot, made
        return before

    def _followed(self, changes: Changes) -> Parser:
        """The parser with the changes of another worker.

        A small change is applied to the current parser. After a larger one the parser is loaded
        again, which takes a fifth of a second.
        """
        parser = self._snapshot.parser
        new = changes.since(self._snapshot.changes or Changes())
        if new is not None and not (new.added and new.removed):
            add = bool(new.added)
            with suppress(ChangesRefused):  # files that were edited may have them by now
                made = parser.with_values(new.added) if add else parser.without_values(new.removed)
                if isinstance(made.domain, Updatable) and made.domain.changes == changes:
                    return made
        return self._load(changes)

    def _load(self, changes: Changes, base: Domain | None = None) -> Parser:
        domain = base or self._base
        if changes and isinstance(domain, Updatable):
            # Quietly: `grammax catalogue list` tells what is skipped, and filters of warnings are
            # not safe in threads.
            domain = domain.with_changes(changes, quiet=True)
        return load(domain, self._settings.model, compiled=None if self._is_compiled else False)

    def _stored(self) -> Changes:
        if not isinstance(self._base, Updatable) or not self._path.exists():
            return Changes()
        return read_changes(self._path, self._base.name)


def require_servable(settings: Settings) -> Domain | None:
    """Raise if the settings cannot be served, as far as that can be told in a moment.

    Returns the domain, unless it is of data: opening that may take long.
    """
    domain = None if names_data(settings.domain) else domain_of(settings)
    try:
        for path in filter(None, (settings.model, settings.tables)):
            with Path(path).open("rb"):
                pass
        for path in filter(None, (str(settings.corrections_path), settings.audit)):
            require_appendable(Path(path))
        if domain is not None:
            _require_servable(domain, settings)
    except BaseException:
        if domain is not None:
            domain.close()
        raise
    return domain


def _require_servable(domain: Domain, settings: Settings) -> None:
    require_explainable(domain)
    model = trained_model(domain) if settings.model is None else Path(settings.model)
    read_header(model).require(domain, model)
    if isinstance(domain, Updatable) and settings.catalogue_path.exists():
        read_changes(settings.catalogue_path, domain.name)


def domain_of(settings: Settings) -> Domain:
    """The domain of some settings, which answers from the user's tables if they name these."""
    domain = load_domain(settings.domain, table=settings.table)
    return domain if settings.tables is None else connect(domain, Path(settings.tables))


def has_own_data(settings: Settings) -> bool:
    """Whether a domain answers from data that comes with it, or that is made for it."""
    return settings.tables is None and not names_data(settings.domain)


def _open_early(domain: Domain) -> None:
    """Open and close a store, so that its files are made while the model is being loaded."""
    with suppress(GrammaxError, OSError, ImportError):  # it is opened again, which tells why
        store = domain.answers()
        if store is not None:
            with store:
                pass


def _mark(path: Path) -> _Mark:
    """A mark of the file's version, which differs whenever the file was replaced."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size
