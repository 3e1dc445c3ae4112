"""Prompts of `grammax shell`: with prompt_toolkit if it is installed, else Python's own."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, final

from grammax.cli.terminal import print_message

if TYPE_CHECKING:
    from grammax.language.capabilities import Explainable

try:
    import readline
except ImportError:  # as on Windows
    readline = None  # type: ignore[assignment]


class Prompt(Protocol):
    """Asks a person for a query, or to edit a logical form."""

    def query(self) -> str:
        """The next line; `EOFError` at the end, `KeyboardInterrupt` if it is abandoned."""

    def form(self, text: str) -> str:
        """A logical form as a person edited it."""


def new_prompt(domain: Explainable, history: Path) -> Prompt:
    """The best available prompt."""
    try:
        from grammax.cli.shell.toolkit import ToolkitPrompt
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "prompt_toolkit":
            raise
        print_message('For completion: pip install "grammax[cli]"', "dim")
        return PlainPrompt(history)
    return ToolkitPrompt(domain, history)


@final
class PlainPrompt:
    """Python's own prompt, with the history and editing that readline adds."""

    def __init__(self, history: Path) -> None:
        self._history = history
        if readline is not None:
            with suppress(OSError):
                readline.read_history_file(history)

    def query(self) -> str:
        text = input("ask> ")
        if readline is not None:
            with suppress(OSError):
                self._history.parent.mkdir(parents=True, exist_ok=True)
                readline.write_history_file(self._history)
        return text

    def form(self, text: str) -> str:
        if readline is None:
            return input(f"The form is {text}\nlf> ")
        readline.set_startup_hook(lambda: readline.insert_text(text))
        try:
            return input("lf> ")
        finally:
            readline.set_startup_hook(None)
