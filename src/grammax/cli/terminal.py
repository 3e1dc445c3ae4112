"""Results to stdout, as lines, a table or JSON; messages and progress to stderr.

Where stdout is no terminal, tables are as wide as they need and have no colours.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich import box
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

_UNBOUNDED = 100_000
_PATIENCE_SECONDS = 2.0
_VISIBLE: dict[int, int | str | None] = {
    **{code: 0x2400 + code for code in range(0x20)},
    **dict.fromkeys(range(0x7F, 0xA0), "\N{REPLACEMENT CHARACTER}"),
    ord("\n"): "\n",
    ord("\t"): " ",
    ord("\r"): None,
}


def plain(text: str, style: str = "") -> Text:
    """Text without markup, its control characters made visible: tokens come from anywhere.

    >>> str(plain("a\\x1b[31mb\\tc"))
    'a␛[31mb c'
    """
    return Text(text.translate(_VISIBLE), style)


def print_result(result: RenderableType) -> None:
    """Print a table or a text to stdout."""
    width = None if sys.stdout.isatty() else _UNBOUNDED
    Console(width=width, highlight=False).print(result, soft_wrap=isinstance(result, Text))


def print_lines(lines: Iterable[str]) -> None:
    """Print plain lines to stdout; a reader that has gone away is noticed here."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def print_json(value: object) -> None:
    """Print a value as JSON to stdout, in ASCII: valid whatever the tokens and the terminal."""
    print_lines([json.dumps(value, indent=2)])


def print_message(message: str, style: str) -> None:
    """Print a message to stderr, its own lines kept as they are."""
    Console(stderr=True, highlight=False).print(plain(message, style), soft_wrap=True)


def new_table(*columns: str, numbers: Iterable[str] = ()) -> Table:
    """A table without rows; long cells go on in the next line, and `numbers` are set right."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    right = set(numbers)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


@contextmanager
def late_progress(steps: int | None) -> Iterator[Callable[[str, int], None]]:
    """A function to be told what is under way, and how many more of the steps are done.

    A bar shows itself on stderr if that is a terminal and the work takes over two seconds; it only
    moves where it is not known how many steps there are.
    """
    console = Console(stderr=True)
    if not console.is_interactive:
        yield lambda *_: None
        return
    text = TextColumn("{task.description}", markup=False)
    columns = (SpinnerColumn(), text, BarColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True)
    task = progress.add_task("", total=steps)
    timer = Timer(_PATIENCE_SECONDS, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda what, done: progress.update(task, description=what, advance=done)
    finally:
        timer.cancel()
        timer.join()
        progress.stop()
