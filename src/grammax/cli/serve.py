"""`grammax serve`: the service, and its page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grammax.cli.terminal import print_message

_TOKEN_VARIABLE = "GRAMMAX_TOKEN"

File = Path | None


def serve_command(
    domain: Annotated[
        str, typer.Argument(metavar="DOMAIN", help="A domain's name, or the path of its folder.")
    ] = "eqs",
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="By default this machine alone is served.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65_535, help="0 is any.")] = 8000,
    workers: Annotated[
        int, typer.Option(metavar="N", min=1, max=64, help="Processes, about one a core.")
    ] = 1,
    model: Annotated[
        File,
        typer.Option(
            metavar="FILE", help="A checkpoint; by default the one shipped, or the folder's."
        ),
    ] = None,
    catalogue: Annotated[
        File, typer.Option(metavar="FILE", help="Where changes of the catalogue are kept.")
    ] = None,
    corrections: Annotated[
        File, typer.Option(metavar="FILE", help="Where corrections are appended.")
    ] = None,
    audit: Annotated[
        File, typer.Option(metavar="FILE", help="Append who asked what, before it is answered.")
    ] = None,
    token_file: Annotated[
        File,
        typer.Option(
            metavar="FILE",
            help=f"With the token for catalogue changes; by default it is ${_TOKEN_VARIABLE}.",
        ),
    ] = None,
    log_queries: Annotated[
        bool, typer.Option("--log-queries", help="Log the text of queries, too.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log no line for each request.")] = False,
    max_words: Annotated[int, typer.Option(metavar="N", min=1, help="Of a query.")] = 100,
    max_batch: Annotated[int, typer.Option(metavar="N", min=1, help="Queries of a batch.")] = 64,
    max_body: Annotated[int, typer.Option(metavar="BYTES", min=1, help="Of a request.")] = 65_536,
    timeout: Annotated[float, typer.Option(metavar="S", min=0.1, help="Of a request.")] = 10.0,
    concurrency: Annotated[
        int, typer.Option(metavar="N", min=1, help="Requests at once in a worker.")
    ] = 64,
) -> None:
    """Serve parses and answers over HTTP, with a web page.

    Logs are lines of JSON on stderr. SIGTERM or Ctrl+C ends it, once what was begun is finished.
    A folder of your own is parsed and explained; it has no answers, and its values stay.

    \b
    Examples:
      grammax serve
      grammax serve --workers 2 --port 8080 --quiet
      grammax serve rooms
      GRAMMAX_TOKEN=$(openssl rand -hex 16) grammax serve --audit audit.jsonl
    """
    from grammax.service.run import is_loopback, serve
    from grammax.service.settings import Limits, Settings

    settings = Settings(
        domain=domain,
        model=_text(model),
        catalogue=_text(catalogue),
        corrections=_text(corrections),
        audit=_text(audit),
        log_queries=log_queries,
        quiet=quiet,
        token=_token(token_file),
        limits=Limits(
            words=max_words,
            batch=max_batch,
            body=max_body,
            seconds=timeout,
            concurrency=concurrency,
        ),
    )
    if not is_loopback(host):
        print_message(
            f"{host} can be reached from other machines, and anyone there can ask and correct. "
            f"Put a proxy with TLS and a log-in before it.",
            "yellow",
        )
    serve(settings, host, port, workers, lambda address: print_message(address, "green"))


def _token(file: File) -> str | None:
    """The token of a file, or of the environment."""
    import os

    if file is None:
        return os.environ.get(_TOKEN_VARIABLE) or None
    return file.read_text(encoding="utf-8").strip()


def _text(path: File) -> str | None:
    """Paths as workers get them, whose folder is the same."""
    return None if path is None else str(path.absolute())
