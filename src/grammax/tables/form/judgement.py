"""`Judgement`: one type error; and the view of a catalogue that type checking needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, final

from grammax.tables.form.errors import LogicalFormError
from grammax.tables.form.tree import Atom
from grammax.tables.lexicon import Lexicon
from grammax.tables.schema import Schema

_SHOWN: Final = 20

Code = Literal[
    "unknown-field", "unknown-value", "unknown-unit", "operator", "value-type", "unit",
    "rank", "count", "time", "number", "measure", "group", "summary",
]  # fmt: skip


class NamedValue(Protocol):
    """An enum value or a unit."""

    @property
    def token(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def name(self) -> str: ...


class NamedField(NamedValue, Protocol):
    """A field: its type is the name of an enum type or of a number type of the lexicon."""

    @property
    def aliases(self) -> Sequence[str]: ...
    @property
    def unit(self) -> str: ...


class CatalogueView(Protocol):
    """The view of a catalogue that type checking and paraphrasing use."""

    @property
    def fields(self) -> Mapping[str, NamedField]: ...
    @property
    def values(self) -> Mapping[str, NamedValue]: ...
    @property
    def units(self) -> Mapping[str, NamedValue]: ...
    @property
    def lexicon(self) -> Lexicon: ...
    @property
    def schema(self) -> Schema: ...

    def descendants(self, token: str) -> Iterable[str]:
        """The values that lie within one: the countries of Western Europe."""


@final
@dataclass(frozen=True, slots=True)
class Judgement:
    """A type error: the constraint, the words in it, and what is permitted."""

    code: Code
    message: str
    hint: str
    part: Atom
    given: str
    nearest: tuple[str, ...] = ()

    def __str__(self) -> str:
        text, given = str(self.part), self.given
        if len(text) > 160:
            return f"{self.message}\n    {text[:160]} ...\n{self.hint}"
        found = re.search(rf"(?<![^\s()]){re.escape(given)}(?![^\s()])", text)
        marks = " " * (found.start() if found else 0) + "^" * len(given)
        return f"{self.message}\n    {text}\n    {marks}\n{self.hint}"


class IllTyped(LogicalFormError):
    """A logical form that is grammatical but ill-typed; `judgements` holds every reason."""

    def __init__(self, judgements: Iterable[Judgement]) -> None:
        self.judgements: tuple[Judgement, ...] = tuple(judgements)
        shown = [str(judgement) for judgement in self.judgements[:_SHOWN]]
        if len(self.judgements) > _SHOWN:
            shown.append(f"... and {len(self.judgements) - _SHOWN} more")
        super().__init__("\n\n".join(shown))

    def __reduce__(self) -> tuple[type[IllTyped], tuple[tuple[Judgement, ...]]]:
        return IllTyped, (self.judgements,)
