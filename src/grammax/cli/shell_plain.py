"""The prompt where prompt_toolkit is not installed: Python's own, with what readline adds."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import final

try:
    import readline
except ImportError:  # as on Windows
    readline = None  # type: ignore[assignment]


@final
class PlainPrompt:
    """Asks a person for a query, or to change a logical form."""

    def __init__(self, history: Path) -> None:
        self._history = history
        if readline is not None:
            with suppress(OSError):
                readline.read_history_file(history)

    def query(self) -> str:
        """The next line; `EOFError` at its end, `KeyboardInterrupt` if it is given up."""
        text = input("ask> ")
        if readline is not None:
            with suppress(OSError):
                self._history.parent.mkdir(parents=True, exist_ok=True)
                readline.write_history_file(self._history)
        return text

    def form(self, text: str) -> str:
        """A logical form as a person changed it."""
        if readline is None:
            return input(f"The form is {text}\nlf> ")
        readline.set_startup_hook(lambda: readline.insert_text(text))
        try:
            return input("lf> ")
        finally:
            readline.set_startup_hook(None)
