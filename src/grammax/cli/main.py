"""The entry point of `grammax`: what no command foresaw is said in words, too.

It says what to install where the command line's packages are not, and that a bug is one; with
`GRAMMAX_TRACEBACK=1` the traceback of a bug is shown. The exit codes are those of `exit_codes`.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import Final

from grammax.cli.exit_codes import ERROR, INTERRUPTED, USAGE

TRACEBACK_VARIABLE: Final = "GRAMMAX_TRACEBACK"
_OPTIONAL: Final = ("rich", "typer")


def main() -> None:
    """Run the command line."""
    _prepare_streams()
    try:
        code = _run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = ERROR
    except OSError as error:  # while help is printed, or a message: to a full disk, say
        code = ERROR
        _say(error.strerror or str(error))
    except Exception as error:
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        code = ERROR
        _say(
            f"This is a bug of grammax: {type(error).__name__}: {error}\n"
            f"Please report it, with what {TRACEBACK_VARIABLE}=1 makes the command print."
        )
    raise SystemExit(_finished(code))


def _run() -> int:
    try:
        from grammax.cli.app import app
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if package not in _OPTIONAL:
            raise
        _say(
            f"The grammax command needs the package {package}, which is not installed: "
            f'pip install "grammax[cli]"'
        )
        return USAGE
    try:
        app(prog_name="grammax")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else ERROR if ended.code else 0
    return 0


def _prepare_streams() -> None:
    """Give a stream that is closed a place that takes nothing, so that only writing is an error."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        nowhere = os.open(os.devnull, os.O_RDONLY)
        sys.stdout = os.fdopen(nowhere, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A token that the terminal's encoding lacks is shown by its number, and stops nothing.
        sys.stdout.reconfigure(errors="backslashreplace")


def _finished(code: int) -> int:
    """The exit code once all is written out; what cannot be is given up."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError) as error:
            if stream is sys.stdout and not code and getattr(error, "errno", 0) != errno.EPIPE:
                _say(getattr(error, "strerror", None) or str(error))
            code = code or ERROR
            _give_up(stream)
    return code


def _give_up(stream: io.TextIOBase | object) -> None:
    """Let what a stream still holds go nowhere, since Python would try again, and complain."""
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
