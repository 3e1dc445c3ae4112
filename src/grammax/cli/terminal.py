"""Results go to stdout, as lines, a table or JSON; messages and progress go to stderr.

If stdout is not a terminal, tables are as wide as their content and have no colours. Rich is
imported on first use, because a command that prints plain lines does not need it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress, TaskID
    from rich.table import Table
    from rich.text import Text

_UNBOUNDED: Final = 100_000
_PATIENCE_SECONDS = 2.0
_VISIBLE: Final[dict[int, int | str | None]] = {
    **{code: 0x2400 + code for code in range(0x20)},
    **dict.fromkeys(range(0x7F, 0xA0), "\N{REPLACEMENT CHARACTER}"),
    ord("\n"): "\n",
    ord("\t"): " ",
    ord("\r"): None,
}


def plain(text: str, style: str = "") -> Text:
    """Text without markup; control characters are made visible, because tokens may contain any.

    >>> str(plain("a\\x1b[31mb\\tc"))
    'a␛[31mb c'
    """
    from rich.text import Text

    return Text(text.translate(_VISIBLE), style)


def print_result(result: RenderableType) -> None:
    """Print a table or a text to stdout."""
    from rich.console import Console
    from rich.text import Text

    width = None if sys.stdout.isatty() else _UNBOUNDED
    Console(width=width, highlight=False).print(result, soft_wrap=isinstance(result, Text))


def print_lines(lines: Iterable[str]) -> None:
    """Print plain lines to stdout; flushing notices a reader that has closed the pipe."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def print_json(value: object) -> None:
    """Print a value to stdout as JSON, in ASCII: valid whatever the tokens and the terminal."""
    print_lines([json.dumps(value, indent=2)])


def print_message(message: str, style: str) -> None:
    """Print a message to stderr, keeping its line breaks."""
    messages_console().print(plain(message, style), soft_wrap=True)


def messages_console() -> Console:
    """The console of messages and progress: stderr."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def new_table(*columns: str, numbers: Iterable[str] = ()) -> Table:
    """A table without rows; long cells are folded, and columns in `numbers` are right-aligned."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    right = set(numbers)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


@contextmanager
def late_progress(steps: int | None) -> Iterator[Callable[[str, int], None]]:
    """A function to report progress: it takes the current activity and the steps just finished.

    A bar appears on stderr if that is a terminal and the work takes more than two seconds. Without
    a number of steps it only pulses.
    """
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    bar = _LateBar(steps)
    timer = Timer(_PATIENCE_SECONDS, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield bar.update
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


@final
class _LateBar:
    """A progress bar that counts from the beginning and is drawn once `show` is called."""

    def __init__(self, steps: int | None) -> None:
        self._steps = steps
        self._description = ""
        self._done = 0
        self._shown: tuple[Progress, TaskID] | None = None

    def show(self) -> None:
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        text = TextColumn("{task.description}", markup=False)
        columns = (SpinnerColumn(), text, BarColumn(), TimeElapsedColumn())
        progress = Progress(*columns, console=messages_console(), transient=True)
        task = progress.add_task(self._description, total=self._steps, completed=self._done)
        progress.start()
        self._shown = progress, task

    def update(self, description: str, finished: int) -> None:
        self._description = description
        self._done += finished
        if self._shown is not None:
            progress, task = self._shown
            progress.update(task, description=description, completed=self._done)

    def stop(self) -> None:
        if self._shown is not None:
            self._shown[0].stop()
