"""The one place where what users can cause becomes a message on stderr and an exit code.

`exit_codes` lists the codes. Anything else is a bug of grammax, which `main` says.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, final

import typer
from typer.core import TyperGroup

from grammax.cli.exit_codes import ERROR, USAGE
from grammax.cli.terminal import print_message
from grammax.errors import GrammaxError

_EXTRAS: Final = {
    "ibis": "eqs",
    "duckdb": "eqs",
    "torch": "model",
    "matplotlib": "plot",
    **dict.fromkeys(("fastapi", "httptools", "prometheus_client", "uvicorn"), "service"),
}


class Failure(NamedTuple):
    """What to say of an error that users can cause, and the exit code that tells it to scripts."""

    message: str
    code: int


@final
class Commands(TyperGroup):
    """The root of the command line, through which every command is run."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            print_message(failure.message, "red")
            raise typer.Exit(failure.code) from None


def failure_of(error: Exception) -> Failure | None:
    """How an error fails a command; None for a bug, and for a reader that has seen enough."""
    if isinstance(error, BrokenPipeError):
        return None  # Typer ends in silence
    if isinstance(error, GrammaxError | OSError):
        return Failure(_message(error), ERROR)
    if isinstance(error, ModuleNotFoundError):
        package = (error.name or "").split(".")[0]
        if package in _EXTRAS:
            install = f'pip install "grammax[{_EXTRAS[package]}]"'
            return Failure(f"This needs {package}, which is not installed: {install}", USAGE)
    return None


def _message(error: GrammaxError | OSError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)
