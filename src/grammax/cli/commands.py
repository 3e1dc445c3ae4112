"""The one place where what users can cause becomes a message on stderr and an exit code.

0: done. 1: a grammar, a table, a token or a file is not right. 2: the command itself is not.
Anything else is a bug of grammax and keeps its traceback.
"""

from __future__ import annotations

from typing import Any, final

import typer
from typer.core import TyperGroup

from grammax.cli.terminal import print_message
from grammax.errors import GrammaxError

_EXTRAS = {"ibis": "eqs", "duckdb": "eqs", "torch": "model", "matplotlib": "plot"}


@final
class Commands(TyperGroup):
    """The root of the command line, through which every command is run."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # the reader has seen enough; Typer ends in silence
        except (GrammaxError, OSError) as error:
            print_message(_message(error), "red")
            raise typer.Exit(1) from None
        except ModuleNotFoundError as missing:
            package = (missing.name or "").split(".")[0]
            if package not in _EXTRAS:
                raise
            install = f'pip install "grammax[{_EXTRAS[package]}]"'
            print_message(f"This needs {package}, which is not installed: {install}", "red")
            raise typer.Exit(2) from None


def _message(error: GrammaxError | OSError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)
