"""The prompt of a terminal by prompt_toolkit: history, completion, and editing of forms."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, final

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from grammax.cli.shell.forms import continuations, read_prefix
from grammax.cli.shell.session import COMMANDS
from grammax.language.capabilities import Explainable

_SHOWN: Final = 20
_FORM: Final = ":lf "


@final
class ToolkitPrompt:
    """Asks a person for a query, or to edit a logical form."""

    def __init__(self, domain: Explainable, history: Path) -> None:
        lines, forms = QueryCompleter(domain), FormCompleter(domain)
        self._query: PromptSession[str] = PromptSession(
            history=open_history(history), completer=lines, complete_in_thread=True
        )
        self._form: PromptSession[str] = PromptSession(completer=forms, complete_in_thread=True)

    def query(self) -> str:
        """The next line; `EOFError` at the end, `KeyboardInterrupt` if it is abandoned."""
        return self._query.prompt("ask> ")

    def form(self, text: str) -> str:
        """A logical form as a person edited it."""
        return self._form.prompt("lf> ", default=text)


@final
class QueryCompleter(Completer):
    """Completes queries by the names of fields and values, and commands."""

    def __init__(self, domain: Explainable) -> None:
        self._domain = domain
        self._forms = FormCompleter(domain)

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        text = document.text_before_cursor
        if text.startswith((_FORM, "(")):
            form = Document(text.removeprefix(_FORM))
            yield from self._forms.get_completions(form, complete_event)
        elif text.startswith(":"):
            for command in COMMANDS:
                if command.startswith(text):
                    yield Completion(command, -len(text))
        elif text.strip():
            for found in self._domain.completions(text, _SHOWN):
                start = _first_change(text, found.text)
                yield Completion(found.text[start:], start - len(text), display_meta=found.what)


@final
class FormCompleter(Completer):
    """Completes logical forms by what the grammar permits, found by token or by name."""

    def __init__(self, domain: Explainable) -> None:
        self._domain = domain

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        del complete_event
        text = document.text_before_cursor
        rest = read_prefix(text, self._domain).rest
        for token, label in continuations(text, self._domain, _SHOWN):
            yield Completion(token, -len(rest), display_meta=label)


def open_history(path: Path) -> History:
    """The history in a file that only its owner reads; in memory if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        path.open("rb").close()
    except OSError:
        return InMemoryHistory()
    return StoredHistory(path) if path.is_file() else InMemoryHistory()


@final
class StoredHistory(FileHistory):
    """A history in a file; a full disk loses lines but does not stop the conversation."""

    def store_string(self, string: str) -> None:
        with suppress(OSError, UnicodeError):
            super().store_string(string)

    def load_history_strings(self) -> Iterable[str]:
        with suppress(OSError):
            yield from super().load_history_strings()


def _first_change(typed: str, completed: str) -> int:
    """The start of the first word in which a completion differs from what was typed.

    >>> _first_change("attic on fri", "attic on Friday")
    9
    """
    pairs = enumerate(zip(typed, completed, strict=False))
    same = next((n for n, (one, other) in pairs if one != other), min(len(typed), len(completed)))
    return typed.rfind(" ", 0, same) + 1
