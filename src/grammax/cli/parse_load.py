"""A parser for a command, loaded with what it has to tell."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from grammax.cli.catalogue import changed_domain
from grammax.cli.terminal import late_progress, print_message
from grammax.errors import GrammaxError
from grammax.language.answer import Answers
from grammax.language.capabilities import Explainable
from grammax.language.changes import ChangeNotice

if TYPE_CHECKING:
    from grammax.parser import Parser


class NotSpoken(GrammaxError):
    """A domain that says nothing in English."""


def load_parser(
    domain: str, model: Path | None, catalogue: Path | None, data: Path | None = None
) -> Parser:
    """The parser that the options choose; the first run with a model prepares it."""
    from grammax.domains import load_domain
    from grammax.parser import load

    with told_on_stderr(ChangeNotice), late_progress(1) as progress:
        progress("preparing the model, once", 0)
        # Not compiled: one query does not pay for loading Numba.
        language = changed_domain(domain, catalogue) or load_domain(domain, data)
        return load(language, model, compiled=False)


def spoken(parser: Parser) -> Explainable:
    """The parser's domain, which speaks English; `NotSpoken` if it does not."""
    if not isinstance(parser.domain, Explainable):
        raise NotSpoken(
            f"the domain {parser.domain.name!r} has no answers in English. Use `grammax parse`."
        )
    return parser.domain


@contextmanager
def opened_store(domain: Explainable) -> Iterator[Answers]:
    """The store that answers, built first if need be."""
    with late_progress(None) as progress:
        progress("opening the store, which is built once", 0)
        store = domain.answers()
        if store is None:
            raise NotSpoken(f"the domain {domain.name!r} has nothing that answers: use `parse`.")
        answers = store.__enter__()
    try:
        yield answers
    finally:
        store.__exit__(None, None, None)


@contextmanager
def told_on_stderr(*notices: type[Warning]) -> Iterator[None]:
    """Print notices of these classes when the work is done, one a line, each once."""
    with warnings.catch_warnings(record=True) as caught:
        for notice in notices:
            warnings.simplefilter("always", notice)
        yield
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        print_message(text, "yellow")
