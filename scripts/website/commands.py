"""The page of the command line: the help of every command, as the terminal shows it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Final

WIDTH: Final = 96

_BEGINNING: Final = """\
# Command line

What `--help` prints for each command. `grammax --install-completion` adds completion to your shell.
"""


def page() -> str:
    """The page, as Markdown."""
    os.environ.update(NO_COLOR="1", TERMINAL_WIDTH=str(WIDTH), COLUMNS=str(WIDTH))
    import typer.main

    from grammax.cli.app import app

    root: Any = typer.main.get_command(app)
    with root.make_context("grammax", [], resilient_parsing=True) as context:
        return _BEGINNING + "".join(_sections(root, context, 2))


def _sections(command: Any, context: Any, level: int) -> Iterator[str]:
    yield f"\n{'#' * level} {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n"
    if hasattr(command, "list_commands"):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            if found is not None and not found.hidden:
                with found.make_context(name, [], parent=context, resilient_parsing=True) as inner:
                    yield from _sections(found, inner, min(level + 1, 3))


if __name__ == "__main__":
    import sys

    sys.stdout.write(page())
