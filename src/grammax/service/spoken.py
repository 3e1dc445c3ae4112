"""What the service asks of a domain: `Explainable`, less what training needs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from grammax.automaton.protocol import Automaton
from grammax.language.answer import Answers
from grammax.language.capabilities import Chip, Completion, Entry
from grammax.language.changes import Changes
from grammax.language.domain import Tokens
from grammax.vocabulary import Vocabulary


class Spoken(Protocol):
    """A domain that can be shown to people; `Explainable` says what each of these is."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def vocabulary(self) -> Vocabulary: ...

    @property
    def grammars(self) -> tuple[str, ...]: ...

    @property
    def changes(self) -> Changes: ...

    def automaton(self, grammar: str) -> Automaton[Any]: ...

    def wordings(self, token: str) -> Sequence[str]: ...

    def text(self, tokens: Tokens) -> str: ...

    def answers(self) -> AbstractContextManager[Answers] | None: ...

    def search(self, text: str, limit: int) -> Sequence[Entry]: ...

    def read(self, text: str) -> Tokens: ...

    def require_meaning(self, tokens: Tokens) -> None: ...

    def paraphrase(self, tokens: Tokens) -> str: ...

    def label(self, token: str) -> str: ...

    def kind_named(self, text: str) -> str | None: ...

    def chips(self, tokens: Tokens) -> Sequence[Chip]: ...

    def completions(self, text: str, limit: int) -> Sequence[Completion]: ...
