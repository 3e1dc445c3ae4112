"""`DomainParts`: the optional parts of a table's domain, beside its catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, final

from grammax.language.capabilities import Examples
from grammax.tables.automata import MachineBuilder
from grammax.tables.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from grammax.tables.corpus.style import CorpusStyle
    from grammax.tables.domain.domain import TableDomain
    from grammax.tables.query.store import Store

Opener = Callable[[Catalogue], "AbstractContextManager[Store]"]
"""Opens the data store of a catalogue."""


@final
@dataclass(frozen=True, slots=True)
class DomainParts:
    """The optional parts of a domain, beside its catalogue.

    `machines` are automata built by hand, looser than those derived from the rules. `samples` may
    be made on first use, and so are `examples`, which show what can be asked. `about`, `model`,
    `start`, `folder` and `close` are those of `Domain`.
    `nouns` are words for a row beside those of the schema, `synonyms` others that are read as the
    schema's own; `phrases` are words that stand for a condition, each with the condition as people
    write it; `cues` are words that refer to a token
    without being its name. `training` are settings that differ from the defaults. `style` decides
    how the corpus words queries; `seed` and `sizes` are those of the corpus. `written` are pairs
    that people wrote. `store` opens the data of the domain, `connect` the user's own tables, which
    a mapping file describes. `reload` makes the domain again after one of `files` was edited.
    """

    machines: Mapping[str, MachineBuilder] = field(default_factory=dict)
    samples: tuple[str, ...] | Callable[[], tuple[str, ...]] = ()
    examples: Callable[[], tuple[Examples, ...]] = tuple
    about: str = ""
    model: Path | None = None
    start: Path | None = None
    folder: Path | None = None
    nouns: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    phrases: Mapping[str, str] = field(default_factory=dict)
    cues: Callable[[str], tuple[str, ...]] = lambda _: ()
    training: Mapping[str, Any] = field(default_factory=dict)
    out_of_domain: Callable[[Literal["train", "test"]], tuple[str, ...]] = lambda _: ()
    near_misses: Callable[[Literal["train", "test"]], tuple[str, ...]] = lambda _: ()
    style: Callable[[], CorpusStyle] | None = None  # called when the corpus is generated
    written: Callable[[], Sequence[tuple[str, str]]] = tuple  # queries and logical forms
    seed: int = 0
    sizes: Mapping[str, int] = field(default_factory=dict)
    store: Opener | None = None
    connect: Callable[[Path, Catalogue], AbstractContextManager[Store]] | None = None
    close: Callable[[], None] = lambda: None
    files: tuple[Path, ...] = ()
    reload: Callable[[], TableDomain] | None = None
