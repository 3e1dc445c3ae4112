"""Load the parser that a command's options select, and answer with it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from grammax.cli.terminal import late_progress, print_message
from grammax.errors import GrammaxError
from grammax.tables.data_files import DataNotice, names_data, user_file, without_password

if TYPE_CHECKING:
    from grammax.language.answer import Answer, Tokens
    from grammax.language.capabilities import Explainable, Updatable
    from grammax.language.domain import Domain
    from grammax.parser import Answered, Parser


class NotExplainable(GrammaxError):
    """A domain that does not explain its logical forms in English."""


def load_parser(
    domain: str,
    model: Path | None,
    catalogue: Path | None,
    data: Path | None = None,
    tables: Path | None = None,
    table: str | None = None,
) -> Parser:
    """The parser that the options select; the first run with a model builds its cache.

    If it is of data, a line on stderr says what was opened. Closing the parser closes it.
    """
    from grammax.domains import load_domain
    from grammax.language.changes import ChangeNotice
    from grammax.parser import load

    if tables is not None:
        tables.open("rb").close()  # a missing file is reported before the model is loaded
    with notices_on_stderr(ChangeNotice, DataNotice), late_progress(None) as progress:
        progress(f"opening {without_password(domain)}", 0)
        changed = _changed_domain(domain, catalogue, data)
        language: Domain = changed or load_domain(domain, data, table)
        try:
            if language.about:
                print_message(language.about, "dim")
            progress("building the cache of the model, once", 0)
            # Not compiled: loading Numba takes longer than one query.
            return load(language, model, tables=tables, compiled=False).owning(language)
        except BaseException:
            language.close()
            raise


def _changed_domain(name: str, catalogue: Path | None, data: Path | None) -> Updatable | None:
    """The domain with its stored changes; None if it was never changed."""
    from grammax.language.changes_file import read_changes

    if names_data(name) and catalogue is None:
        return None  # its names are those of the data and of its schema.toml
    path = catalogue or user_file(name, "changes")
    if catalogue is None and not path.is_file():
        return None
    domain = updatable_domain(name, data)
    return domain.with_changes(read_changes(path, domain.name))


def updatable_domain(name: str, data: Path | None = None) -> Updatable:
    """A domain by its name; `FixedVocabulary` if its values and fields do not change."""
    from grammax.domains import load_domain
    from grammax.language.capabilities import Updatable
    from grammax.language.changes import FixedVocabulary

    if names_data(name):
        raise FixedVocabulary(
            f"the values of {without_password(name)} are those of its data. Other names for them "
            f"and for its columns belong into a schema.toml, which `grammax new DIR --from` writes."
        )
    domain = load_domain(name, data)
    if not isinstance(domain, Updatable):
        raise FixedVocabulary(f"the values and fields of {name!r} do not change.")
    return domain


def explainable(parser: Parser) -> Explainable:
    """The parser's domain, if it explains logical forms in English; else `NotExplainable`."""
    from grammax.language.capabilities import Explainable

    if not isinstance(parser.domain, Explainable):
        raise NotExplainable(
            f"the domain {parser.domain.name!r} has no answers in English. Use `grammax parse`."
        )
    return parser.domain


def asked(parser: Parser, text: str, rows: int, *, best: int, force: bool) -> Answered:
    """A query, parsed and answered, with notices and progress on stderr."""
    from grammax.reading.parse import QueryNotice

    with notices_on_stderr(QueryNotice), _answering(parser):
        return parser.ask(text, rows, best=best, force=force)


def answered(parser: Parser, tokens: Tokens, rows: int) -> Answer:
    """The answer to a logical form, with progress on stderr."""
    with _answering(parser):
        return parser.answers.answer(tokens, rows)


def sql_of(parser: Parser, found: Answered) -> str | None:
    """The SQL of an answer; None if there is no answer, or if it does not come from SQL."""
    from grammax.language.answer import ShowsSql

    answers = None if found.answer is None else parser.answers
    return answers.sql(found.parsed.tokens) if isinstance(answers, ShowsSql) else None


@contextmanager
def notices_on_stderr(*notices: type[Warning]) -> Iterator[None]:
    """Print warnings of these classes on stderr when the work is done, without duplicates."""
    with warnings.catch_warnings(record=True) as caught:
        for notice in notices:
            warnings.simplefilter("always", notice)
        yield
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        print_message(text, "yellow")


@contextmanager
def _answering(parser: Parser) -> Iterator[None]:
    from grammax.parser import NothingToAsk

    try:
        with late_progress(None) as progress:
            progress("answering; the data store is built on first use", 0)
            yield
    except NothingToAsk:
        raise NothingToAsk(
            f"the domain {parser.domain.name!r} has no data to answer from. Set `answers` in its "
            f"domain.toml, or use `grammax parse`."
        ) from None
