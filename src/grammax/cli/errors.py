"""Errors that users can cause, as a message for stderr and an exit code (see `exit_codes`).

Any other exception is a bug in grammax; `main` reports it as one.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from grammax.cli.exit_codes import ERROR, USAGE
from grammax.errors import GrammaxError

_EXTRAS: Final = {
    "ibis": "eqs",
    "pyarrow": "ray",
    "ray": "ray",
    "duckdb": "eqs",
    "torch": "model",
    "matplotlib": "plot",
    **dict.fromkeys(
        ("gunicorn", "httptools", "msgspec", "prometheus_client", "starlette", "uvicorn"), "service"
    ),
}


class Failure(NamedTuple):
    """The message of an error that a user can cause, and the exit code that scripts see."""

    message: str
    code: int


def failure_from(error: Exception) -> Failure | None:
    """The failure that an error stands for; None for a bug, and for a closed pipe."""
    if isinstance(error, BrokenPipeError):
        return None  # Typer ends silently
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
