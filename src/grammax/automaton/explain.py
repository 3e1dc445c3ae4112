"""Explain why a token is or is not permitted, as text and as attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import final
from unicodedata import east_asian_width

from grammax.text import nearest
from grammax.vocabulary import Permitted, Vocabulary

_KINDS_SHOWN = 8
_TOKENS_SHOWN = 4


@final
@dataclass(frozen=True, slots=True)
class PermittedKind:
    """A kind that may come next, the number of its tokens, and the first few."""

    kind: str
    size: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        shown = ", ".join(map(readable, self.examples))
        if self.size == 1:
            return shown
        dots = ", ..." if self.size > len(self.examples) else ""
        return f"{readable(self.kind)} ({self.size:,}: {shown}{dots})"


@final
@dataclass(frozen=True, slots=True)
class Explanation:
    """The kinds permitted after a prefix, and why `token` is or is not among them."""

    prefix: tuple[str, ...] | None
    token: str
    kind: str | None
    is_permitted: bool
    permitted: Permitted
    by_kind: tuple[PermittedKind, ...]
    where: tuple[str, ...]
    nearest: tuple[str, ...]
    complete: bool

    def __str__(self) -> str:
        lines = [self._headline(), *self._caret(), self._permitted_line()]
        if not self.is_permitted:
            lines.append(self._reason())
        if self.where:
            lines.append("Under way: " + "; ".join(map(_shortened, self.where[:3])))
        return "\n".join(line for line in lines if line)

    def _headline(self) -> str:
        verb = "can" if self.is_permitted else "cannot"
        token = readable(self.token)
        if self.prefix is None:
            return f"{token} {verb} follow here."
        if not self.prefix:
            return f"{token} {verb} begin a sentence."
        return f'{token} {verb} follow "{self._before()}" (token {len(self.prefix) + 1}).'

    def _before(self) -> str:
        """The last few tokens of the prefix."""
        prefix = self.prefix or ()
        shown = " ".join(map(readable, prefix[-6:]))
        return f"... {shown}" if len(prefix) > 6 else shown

    def _caret(self) -> list[str]:
        if not self.prefix or self.is_permitted:
            return []
        before, token = self._before(), readable(self.token)
        marks = " " * _columns(before) + " " + "^" * _columns(token)
        return [f"    {before} {token}", f"    {marks}"]

    def _permitted_line(self) -> str:
        if not self.by_kind:
            return "Nothing is permitted here: the sentence is complete."
        kinds = "; ".join(str(kind) for kind in self.by_kind[:_KINDS_SHOWN])
        more = len(self.by_kind) - _KINDS_SHOWN
        dots = f"; and {more} more kinds" if more > 0 else ""
        end = ", or the end" if self.complete else ""
        return f"Permitted here: {kinds}{dots}{end}."

    def _reason(self) -> str:
        token = readable(self.token)
        if self.kind is None:
            reason = f"{token} is not in the vocabulary."
        else:
            reason = f"{token} is of the kind {readable(self.kind)}, which is not permitted here."
        close = ", ".join(map(readable, self.nearest))
        return f"{reason} Nearest permitted: {close}." if close else reason


def explanation(
    vocabulary: Vocabulary,
    permitted: Permitted,
    token: str,
    *,
    prefix: Sequence[str] | None,
    where: tuple[str, ...],
    complete: bool,
) -> Explanation:
    """The explanation of `token` after a prefix where `permitted` may come next."""
    kind = vocabulary.kind_of(token)
    is_permitted = kind is not None and kind in permitted.kind_numbers
    by_kind = [
        PermittedKind(name, len(tokens), tuple(islice(tokens, _TOKENS_SHOWN)))
        for name in permitted.kinds
        for tokens in (vocabulary.tokens_of(name),)
    ]
    return Explanation(
        prefix=None if prefix is None else tuple(prefix),
        token=token,
        kind=None if kind is None else vocabulary.kinds[kind],
        is_permitted=is_permitted,
        permitted=permitted,
        by_kind=tuple(by_kind),
        where=where,
        nearest=() if is_permitted else nearest(token, permitted.tokens),
        complete=complete,
    )


def readable(name: str) -> str:
    """A token or kind for display: without the quotes of a literal kind, and shortened."""
    if name.startswith('"') and name.endswith('"') and len(name) > 2:
        name = name[1:-1].replace('\\"', '"')
    return _shortened(name, 60)


def _shortened(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[: most - 20]} ... {text[-12:]}"


def _columns(text: str) -> int:
    """The number of terminal columns of a text: two for a wide character."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
