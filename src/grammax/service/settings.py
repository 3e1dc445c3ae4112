"""Settings of a service."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final, final

from grammax.domains import domain_names
from grammax.errors import GrammaxError
from grammax.files import data_folder
from grammax.tables.data_files import user_file

TOKEN_VARIABLE: Final = "GRAMMAX_TOKEN"
_LONGEST_READ: Final = 200  # words; the parser cuts longer queries
_SHORTEST_TOKEN: Final = 16
_PATH: Final = re.compile(r"[\w.~/-]*", re.ASCII)


class SettingsRefused(GrammaxError):
    """An invalid setting of the service."""


@final
@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one request, and of all requests of one worker."""

    words: int = 100  # of a query
    batch: int = 64  # queries
    body: int = 65_536  # bytes
    seconds: float = 10.0  # for an answer, and for a body to arrive
    concurrency: int = 64  # requests that are handled at once
    client_concurrency: int = 48  # of them, those of one client
    corrections: int = 60  # of one client in a minute, unless it sends the token
    rows: int = 1_000  # of an answer
    tokens: int = 400  # of a logical form
    fields: int = 64  # of a logical form, as each may be a column of its answer

    def __post_init__(self) -> None:
        for name in (each.name for each in fields(self)):
            if getattr(self, name) <= 0:
                raise SettingsRefused(f"{name} is {getattr(self, name)}; it must be above 0.")
        if self.words > _LONGEST_READ:
            raise SettingsRefused(
                f"words is {self.words}; the parser reads {_LONGEST_READ} at most. Give fewer."
            )

    @property
    def characters(self) -> int:
        """The longest query: longer ones are refused before their words are counted."""
        return 40 * self.words


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a service except its address."""

    domain: str = "eqs"  # a name, or the path or URL of a folder or of data
    table: str | None = None  # of the data, where it has several
    model: str | None = None
    tables: str | None = None  # a mapping file: answer from tables of the user
    catalogue: str | None = None  # the file of changes; by default among the user's data
    corrections: str | None = None  # the file of corrections; by default beside the changes
    audit: str | None = None
    log_queries: bool = False
    quiet: bool = False  # no log line per request
    teach: bool = False  # whether users of the page may teach words to a table
    hosts: tuple[str, ...] = ()  # names of the service; without any, all are permitted
    proxies: tuple[str, ...] = ()  # addresses whose X-Forwarded-For is believed
    root_path: str = ""  # where a proxy has the service, such as /search
    token: str | None = None  # permits changes of the catalogue; without it they are refused
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.token is not None and len(self.token) < _SHORTEST_TOKEN:
            raise SettingsRefused(
                f"the token has {len(self.token)} characters; give {_SHORTEST_TOKEN} or more, "
                f"such as `openssl rand -hex 16` prints."
            )

    @property
    def catalogue_path(self) -> Path:
        """The file of catalogue changes."""
        return Path(self.catalogue or self._default_path("changes"))

    @property
    def corrections_path(self) -> Path:
        """The file of corrections."""
        return (
            self._default_path("corrections")
            if self.corrections is None
            else Path(self.corrections)
        )

    def _default_path(self, what: str) -> Path:
        """A path in the domain's folder, if it has one, else among the user's data."""
        if self.domain in domain_names():
            return data_folder() / f"{self.domain}-{what}.jsonl"
        return user_file(self.domain, what)


def as_root_path(given: str) -> str:
    """A path without a slash at its end: "/search" for "search/", and "" for "/"."""
    path = "/".join(filter(None, given.split("/")))
    if not _PATH.fullmatch(path):
        raise SettingsRefused(
            f"the root path is {given!r}; give one of letters, digits and hyphens, such as /search."
        )
    return f"/{path}" if path else ""
