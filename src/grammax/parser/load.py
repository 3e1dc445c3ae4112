"""`load`: the `Parser` of a domain and its model."""

from __future__ import annotations

from pathlib import Path

from grammax.domains import load_domain, trained_model
from grammax.language.capabilities import Connectable, NoOwnTables, Updatable
from grammax.language.changes import Changes, FixedVocabulary
from grammax.language.changes_file import read_changes
from grammax.language.domain import Domain
from grammax.parser.parser import Parser


def load(
    domain: str | Domain = "eqs",
    model: Path | str | None = None,
    *,
    tables: Path | str | None = None,
    catalogue: Changes | Path | str | None = None,
    table: str | None = None,
    compiled: bool | None = None,
) -> Parser:
    """The parser of a domain, given by its name, the path of its folder, or itself; or of data.

    Data is given by the path of a file (CSV, Parquet, DuckDB, SQLite), of a folder of files, or by
    a URL (`postgres://reader@db/films`); `table` is the name of a table, where there are several.
    Closing the parser closes the data.

    `model` is a file that `grammax train` wrote; by default the one that belongs to the domain.
    `tables` is a mapping file that describes the user's own tables: answers come from these.
    `catalogue` holds changes of values and fields, or is the file in which `grammax catalogue`
    stores them. Searches are `compiled` if Numba is installed: a query then takes a third of the
    time. The first time on a machine this takes a minute, in another thread, and queries are parsed
    meanwhile; `compiled=True` waits for it, and False does without.

    >>> import grammax
    >>> with grammax.load("eqs") as parser:
    ...     parsed = parser.parse("steel western europe not german")
    >>> parsed.lf[:10], parsed.abstains
    ('(AND (NOT ', False)
    """
    if isinstance(domain, str):
        opened = load_domain(domain, table=table)
        try:
            made = load(opened, model, tables=tables, catalogue=catalogue, compiled=compiled)
        except BaseException:
            opened.close()
            raise
        return made.owning(opened)
    path = trained_model(domain) if model is None else Path(model)
    if tables is not None:
        domain = connect(domain, Path(tables))
    if catalogue is not None:
        domain = _changed(domain, catalogue)
    return Parser(domain, path, compiled=compiled)


def connect(domain: Domain, tables: Path) -> Domain:
    """The domain, answering from the user's tables; `NoOwnTables` if it cannot."""
    if not isinstance(domain, Connectable):
        raise NoOwnTables(domain.name, tables)
    return domain.connected(tables)


def _changed(domain: Domain, catalogue: Changes | Path | str) -> Domain:
    if not isinstance(domain, Updatable):
        raise FixedVocabulary(f"the values and fields of {domain.name!r} do not change.")
    if not isinstance(catalogue, Changes):
        catalogue = read_changes(Path(catalogue), domain.name)
    return domain.with_changes(catalogue) if catalogue else domain
