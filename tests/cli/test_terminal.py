from __future__ import annotations

from functools import partial
from io import StringIO
from time import sleep

import pytest
from rich.console import Console

from grammax.cli import terminal
from grammax.cli.terminal import late_progress


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> StringIO:
    """What a terminal of 80 columns is sent on stderr."""
    sent = StringIO()
    shown = partial(Console, file=sent, force_terminal=True, force_interactive=True, width=80)
    monkeypatch.setattr("rich.console.Console", lambda **_: shown())
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    return sent


def test_progress_shows_itself_late(screen: StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "_PATIENCE_SECONDS", 0.01)
    with late_progress(10) as progress:
        progress("superset", 3)
        sleep(0.2)
    assert "superset" in screen.getvalue()


def test_quick_work_shows_no_progress(screen: StringIO) -> None:
    with late_progress(10) as progress:
        progress("superset", 10)
    assert screen.getvalue() == ""


def test_progress_ends_with_the_work_that_failed(
    screen: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_PATIENCE_SECONDS", 0.01)
    with pytest.raises(ZeroDivisionError), late_progress(10) as progress:
        progress("superset", sleep(0.1) or 1 // 0)
    assert screen.getvalue().count("\x1b[?25h") == 1  # the cursor is back


def test_messages_are_red_on_a_terminal_and_have_no_markup(screen: StringIO) -> None:
    terminal.print_message("[bold] is\nno markup", "red")
    assert screen.getvalue() == "\x1b[31m[bold] is\x1b[0m\n\x1b[31mno markup\x1b[0m\n"
