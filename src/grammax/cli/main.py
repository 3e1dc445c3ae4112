"""The entry point of `grammax`: it reports errors that no command handles.

It names the package to install if one is missing, and reports other exceptions as bugs; with
`GRAMMAX_TRACEBACK=1` it shows their traceback. `exit_codes` lists the exit codes.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
import threading
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from grammax.cli.exit_codes import ERROR, INTERRUPTED, USAGE

TABLES_VARIABLE: Final = "GRAMMAX_TABLES"  # an option of `ask`, see `options`
TRACEBACK_VARIABLE: Final = "GRAMMAX_TRACEBACK"
_REQUIRED: Final = ("rich", "typer")
_QUERIES: Final = ("parse", "ask", "shell")  # commands with --domain
_DOMAINS: Final = ("train", "evaluate", "bench", "serve")  # commands whose first argument it is


def main() -> None:
    """Run the command line."""
    _prepare_streams()
    try:
        code = _run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = ERROR
    except OSError as error:  # while printing help or a message, e.g. to a full disk
        code = ERROR
        _say(error.strerror or str(error))
    except Exception as error:
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        code = ERROR
        _say(
            f"This is a bug in grammax: {type(error).__name__}: {error}\n"
            f"Please report it, with the traceback that {TRACEBACK_VARIABLE}=1 shows."
        )
    code = _finished(code)
    if plain_question(sys.argv[1:]) is not None:
        for thread in threading.enumerate():
            if not thread.daemon and thread is not threading.current_thread():
                thread.join()  # it writes a cache
        os._exit(code)  # all is closed and flushed; tearing down every module takes 0.2 s
    raise SystemExit(code)


def _run() -> int:
    for package in _REQUIRED:
        if find_spec(package) is None:
            _say(
                f"The grammax command needs the package {package}, which is not installed: "
                f'pip install "grammax[cli]"'
            )
            return USAGE
    if (hint := domain_here(sys.argv[1:])) is not None:
        _say(hint)
    query = plain_query(sys.argv[1:])
    if query is not None:
        return _quickly("grammax.cli.parse.one", "parse_one", query)
    question = plain_question(sys.argv[1:])
    if question is not None:
        data, query = question
        return _quickly("grammax.cli.ask.one", "ask_one", query, data)
    from grammax.cli.app import app

    try:
        app(prog_name="grammax")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else ERROR if ended.code else 0
    return 0


def domain_here(arguments: list[str]) -> str | None:
    """A hint, if no domain is named and the current folder is one; else None."""
    from grammax.tables.data_files import is_url

    if not arguments or not Path("domain.toml").is_file():
        return None
    command, *others = arguments
    if command not in _QUERIES and command not in _DOMAINS:
        return None
    named = any(
        each.startswith(("--domain", "--tables", "--help", "-h")) or is_url(each) or _exists(each)
        for each in others
    )
    if named or (command in _DOMAINS and others and not others[0].startswith("-")):
        return None
    way = "--domain . " if command in _QUERIES else ". "
    return (
        f"No domain is named, so `{command}` is about eqs. The current folder is a domain, too: "
        f"`grammax {command} {way}...`"
    )


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # too long for a path, or with a null character
        return False


def plain_query(arguments: list[str]) -> str | None:
    """The query, if the arguments are `parse QUERY` without options; else None.

    >>> plain_query(["parse", "steel in asia"])
    'steel in asia'
    >>> plain_query(["parse", "--help"]), plain_query(["ask", "steel in asia"])
    (None, None)
    """
    match arguments:
        case ["parse", query] if not query.startswith("-"):
            return query
    return None


def plain_question(arguments: list[str]) -> tuple[str, str] | None:
    """The data and the query, if the arguments are `ask DATA QUERY` without options; else None.

    >>> plain_question(["ask", "films.csv", "how many"])
    ('films.csv', 'how many')
    >>> plain_question(["ask", "films.csv", "--help"]), plain_question(["ask", "how", "many"])
    (None, None)
    """
    from grammax.tables.data_files import names_data

    match arguments:
        case ["ask", data, query] if not (data.startswith("-") or query.startswith("-")):
            if names_data(data) and not names_data(query) and TABLES_VARIABLE not in os.environ:
                return data, query
    return None


def _quickly(module: str, function: str, *arguments: str) -> int:
    """Parse or answer one query. There are no options, and loading Typer would take 0.3 s."""
    # Before NumPy is imported: one query needs no threads, and starting them takes 0.1 s.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from grammax.cli.errors import failure_from

    gc.disable()  # the process ends before there is much to collect
    try:
        code: int = getattr(import_module(module), function)(*arguments)
        return code
    except Exception as error:
        failure = failure_from(error)
        if failure is None:
            raise
        from grammax.cli.terminal import print_message

        print_message(failure.message, "red")
        return failure.code
    finally:
        gc.freeze()  # neither at exit
        gc.enable()


def _prepare_streams() -> None:
    """Replace closed streams, so that only writing to one is an error."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        nowhere = os.open(os.devnull, os.O_RDONLY)
        sys.stdout = os.fdopen(nowhere, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A character that the terminal's encoding lacks is shown as an escape sequence.
        sys.stdout.reconfigure(errors="backslashreplace")


def _finished(code: int) -> int:
    """The exit code after flushing both streams; output that cannot be written is dropped."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError) as error:
            if stream is sys.stdout and not code and getattr(error, "errno", 0) != errno.EPIPE:
                _say(getattr(error, "strerror", None) or str(error))
            code = code or ERROR
            _discard(stream)
    return code


def _discard(stream: io.TextIOBase | object) -> None:
    """Drop the buffer of a stream, which Python would otherwise try to flush again at exit."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
        os.close(nowhere)


def _say(message: str) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()


if __name__ == "__main__":
    main()
