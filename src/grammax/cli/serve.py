"""`grammax serve`: the HTTP service and its web page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grammax.cli.options import Model, Table, Tables
from grammax.cli.terminal import print_message
from grammax.tables.data_files import names_data, without_password

_TOKEN_VARIABLE = "GRAMMAX_TOKEN"

File = Path | None


DomainName = Annotated[
    str, typer.Argument(metavar="DOMAIN", help="Name or folder of a domain, or data.")
]
Host = Annotated[
    str, typer.Option(metavar="ADDRESS", help="By default only this machine can connect.")
]
Port = Annotated[int, typer.Option(metavar="N", min=0, max=65_535, help="0 takes any free port.")]
Workers = Annotated[
    int, typer.Option(metavar="N", min=1, max=64, help="Processes, about one per core.")
]
ChangesFile = Annotated[
    File, typer.Option(metavar="FILE", help="The file that stores changes of the catalogue.")
]
Corrections = Annotated[
    File, typer.Option(metavar="FILE", help="The file that corrections are appended to.")
]
Audit = Annotated[
    File,
    typer.Option(metavar="FILE", help="Append each request to this file before it is answered."),
]
TokenFile = Annotated[
    File,
    typer.Option(
        metavar="FILE",
        help=f"Holds the token for catalogue changes; by default it is ${_TOKEN_VARIABLE}.",
    ),
]
Teach = Annotated[
    bool | None,
    typer.Option(
        "--teach/--no-teach",
        help="Whether the page may write taught words to DIR/schema.toml [if only this machine "
        "can connect].",
    ),
]
AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="A name of the service, as in its URL; others are refused. Repeat it for several. "
        "[localhost, if only this machine can connect, else any]",
    ),
]
TrustProxy = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS",
        help="A proxy whose X-Forwarded-For names the client, for limits and the audit file.",
    ),
]
RootPath = Annotated[
    str,
    typer.Option(
        metavar="PATH",
        help="Where a proxy has the service, such as /search, whether it strips that or not.",
    ),
]
LogQueries = Annotated[bool, typer.Option("--log-queries", help="Log the text of queries as well.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Do not log a line per request.")]
MaxWords = Annotated[int, typer.Option(metavar="N", min=1, help="The longest query, in words.")]
MaxBatch = Annotated[int, typer.Option(metavar="N", min=1, help="The most queries in a batch.")]
MaxBody = Annotated[
    int, typer.Option(metavar="BYTES", min=1, help="The largest body of a request.")
]
Timeout = Annotated[float, typer.Option(metavar="S", min=0.1, help="The time limit of a request.")]
Concurrency = Annotated[
    int, typer.Option(metavar="N", min=1, help="Requests that a worker handles at once.")
]


def serve_command(
    domain: DomainName = "eqs",
    host: Host = "127.0.0.1",
    port: Port = 8000,
    workers: Workers = 1,
    model: Model = None,
    table: Table = None,
    tables: Tables = None,
    catalogue: ChangesFile = None,
    corrections: Corrections = None,
    audit: Audit = None,
    token_file: TokenFile = None,
    teach: Teach = None,
    allow_host: AllowHost = None,
    trust_proxy: TrustProxy = None,
    root_path: RootPath = "",
    log_queries: LogQueries = False,
    quiet: Quiet = False,
    max_words: MaxWords = 100,
    max_batch: MaxBatch = 64,
    max_body: MaxBody = 65_536,
    timeout: Timeout = 10.0,
    concurrency: Concurrency = 64,
) -> None:
    """Serve parses and answers over HTTP, with a web page.

    The log is written to stderr as lines of JSON. SIGTERM or Ctrl+C ends the service after it has
    finished the current requests. A domain folder answers only if its domain.toml sets `answers`.

    DOMAIN may be data of yours: a CSV or Parquet file, a folder of them, a DuckDB or SQLite file, a
    URL such as postgres://reader@db/films, whose password may be in $PGPASSWORD, or a folder that
    `grammax new DIR --from` wrote. It is read when the service starts, and never changed. Edits of
    DIR/schema.toml, by `grammax teach` or by hand, and a new training are used without a restart,
    and so are edits of the tables of a domain folder.

    \b
    Examples:
      grammax serve
      grammax serve --workers 2 --port 8080 --quiet
      grammax serve films.csv
      grammax serve shop.duckdb --table orders
      grammax serve rooms
      grammax serve --tables tables.toml
      GRAMMAX_TOKEN=$(openssl rand -hex 16) grammax serve --audit audit.jsonl
    """
    from grammax.service.run import is_loopback, serve
    from grammax.service.settings import Limits, Settings, as_root_path

    settings = Settings(
        domain=domain,
        table=table,
        model=_text(model),
        tables=_text(tables),
        catalogue=_text(catalogue),
        corrections=_text(corrections),
        audit=_text(audit),
        log_queries=log_queries,
        quiet=quiet,
        teach=is_loopback(host) if teach is None else teach,
        hosts=tuple(allow_host or ()),
        proxies=tuple(trust_proxy or ()),
        root_path=as_root_path(root_path),
        token=_token(token_file),
        limits=Limits(max_words, max_batch, max_body, timeout, concurrency),
    )
    if not is_loopback(host):
        _warn_of_others(host)
    if names_data(domain):
        print_message(f"Opening {without_password(domain)} ...", "dim")
    serve(settings, host, port, workers, lambda line: print_message(line, "green"))


def _warn_of_others(host: str) -> None:
    print_message(
        f"{host} can be reached from other machines, and anyone there can send queries and "
        f"corrections. Put a proxy with TLS and authentication in front of it.",
        "yellow",
    )


def _token(file: File) -> str | None:
    """The token in a file, or in the environment."""
    import os

    if file is None:
        return os.environ.get(_TOKEN_VARIABLE) or None
    return file.read_text(encoding="utf-8").strip()


def _text(path: File) -> str | None:
    """An absolute path, as text for the settings."""
    return None if path is None else str(path.absolute())
