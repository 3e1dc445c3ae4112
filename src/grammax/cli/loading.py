"""A parser for a command, as its options choose it, and notices on stderr."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from grammax.cli.terminal import late_progress, print_message
from grammax.errors import GrammaxError

if TYPE_CHECKING:
    from grammax.language.answer import Answers
    from grammax.language.capabilities import Explainable
    from grammax.language.domain import Domain
    from grammax.parser import Parser


class NotExplainable(GrammaxError):
    """A domain that has no English for its logical forms, or nothing that answers them."""


def load_parser(
    domain: str,
    model: Path | None,
    catalogue: Path | None,
    data: Path | None = None,
    tables: Path | None = None,
) -> Parser:
    """The parser that the options choose; the first run with a model builds its cache."""
    from grammax.cli.catalogue import changed_domain
    from grammax.domains import load_domain
    from grammax.language.changes import ChangeNotice
    from grammax.parser import load

    with told_on_stderr(ChangeNotice), late_progress(None) as progress:
        progress("building the cache of the model, once", 0)
        language: Domain = changed_domain(domain, catalogue) or load_domain(domain, data)
        if tables is not None:
            language = _connected(language, tables)
        # Not compiled: loading Numba takes longer than one query.
        return load(language, model, compiled=False)


def explainable(parser: Parser) -> Explainable:
    """The parser's domain, if it explains logical forms in English; else `NotExplainable`."""
    from grammax.language.capabilities import Explainable

    if not isinstance(parser.domain, Explainable):
        raise NotExplainable(
            f"the domain {parser.domain.name!r} has no answers in English. Use `grammax parse`."
        )
    return parser.domain


@contextmanager
def opened_store(domain: Explainable) -> Iterator[Answers]:
    """The store that answers, built first if need be."""
    with late_progress(None) as progress:
        progress("opening the data store, which is built once", 0)
        store = domain.answers()
        if store is None:
            raise NotExplainable(
                f"the domain {domain.name!r} has nothing that answers: use `parse`."
            )
        answers = store.__enter__()
    try:
        yield answers
    finally:
        store.__exit__(None, None, None)


@contextmanager
def told_on_stderr(*notices: type[Warning]) -> Iterator[None]:
    """Print warnings of these classes on stderr when the work is done, each once."""
    with warnings.catch_warnings(record=True) as caught:
        for notice in notices:
            warnings.simplefilter("always", notice)
        yield
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        print_message(text, "yellow")


def _connected(domain: Domain, tables: Path) -> Domain:
    from grammax.language.capabilities import Connectable

    if not isinstance(domain, Connectable):
        raise GrammaxError(
            f"the domain {domain.name!r} answers from its own data and takes no tables. "
            f"Leave out --tables, and unset GRAMMAX_TABLES."
        )
    return domain.connected(tables)
