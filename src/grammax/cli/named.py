"""The domain or data, and the query, that the arguments of a command name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from grammax.tables.data_files import is_url, names_data, without_password

USUAL = "eqs"  # the domain of a command that names none


def domain_and_query(words: Sequence[str], domain: str) -> tuple[str, str | None]:
    """The domain or data and the query, given as QUERY or DATA QUERY; the query may be missing.

    `domain` is the value of --domain.

    >>> domain_and_query(["longest film"], "films"), domain_and_query(["a.csv", "longest"], "eqs")
    (('films', 'longest film'), ('a.csv', 'longest'))
    """
    match words:
        case []:
            return domain, None
        case [word] if _is_file(word):
            data = without_password(word)
            raise typer.BadParameter(
                f'give a query, too, in quotes: {data} "how many"; `grammax shell {data}` asks for '
                f"one after the other"
            )
        case [query]:
            return domain, query
        case [name, query] if is_named(name):
            return named_once(name, domain), query
        case [query, name] if names_data(name):
            raise typer.BadParameter(f'the data comes first: {without_password(name)} "{query}"')
        case _:
            given = without_password(words[0])
            raise typer.BadParameter(
                f"{given!r} is no data and no domain. Give one query, in quotes, and before it "
                f"the file or URL that it is about"
            )


def named_once(name: str | None, domain: str) -> str:
    """The domain or data of an argument, or of --domain; not of both."""
    if name is None:
        return domain
    if domain != USUAL:
        given, other = without_password(name), without_password(domain)
        raise typer.BadParameter(f"give {given!r} or --domain {other}, not both")
    return name


def is_named(name: str) -> bool:
    """Whether a word names a domain or data."""
    from grammax.domains import domain_names

    return name in domain_names() or names_data(name) or Path(name).is_dir()


def _is_file(word: str) -> bool:
    """Whether a single word is surely data, and no query."""
    return is_url(word) or ("." in word and Path(word).expanduser().is_file())
