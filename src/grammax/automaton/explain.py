"""Why a token may or may not come next, in words and as attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import final

from grammax.nearest import nearest
from grammax.vocabulary import Permitted, Vocabulary

_KINDS_SHOWN = 8
_TOKENS_SHOWN = 4


@final
@dataclass(frozen=True, slots=True)
class PermittedKind:
    """A kind that may come next: how many tokens it has, and the first few."""

    kind: str
    size: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        shown = ", ".join(self.examples)
        if self.size == 1:
            return shown
        dots = ", ..." if self.size > len(self.examples) else ""
        return f"{self.kind} ({self.size:,}: {shown}{dots})"


@final
@dataclass(frozen=True, slots=True)
class Explanation:
    """Where a prefix stands, what is permitted there, and why `token` is or is not."""

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
            lines.append("Under way: " + "; ".join(self.where[:3]))
        return "\n".join(line for line in lines if line)

    def _headline(self) -> str:
        verb = "can" if self.is_permitted else "cannot"
        if self.prefix is None:
            return f"{self.token} {verb} follow here."
        if not self.prefix:
            return f"{self.token} {verb} begin a sentence."
        shown = " ".join(self.prefix[-6:])
        dots = "... " if len(self.prefix) > 6 else ""
        return f'{self.token} {verb} follow "{dots}{shown}" (token {len(self.prefix) + 1}).'

    def _caret(self) -> list[str]:
        if not self.prefix or self.is_permitted:
            return []
        before = " ".join(self.prefix[-6:])
        dots = "... " if len(self.prefix) > 6 else ""
        marks = "^" * len(self.token)
        return [f"    {dots}{before} {self.token}", f"    {' ' * len(dots + before)} {marks}"]

    def _permitted_line(self) -> str:
        if not self.by_kind:
            return "Nothing is permitted here: the sentence is complete."
        kinds = "; ".join(str(kind) for kind in self.by_kind[:_KINDS_SHOWN])
        more = len(self.by_kind) - _KINDS_SHOWN
        dots = f"; and {more} more kinds" if more > 0 else ""
        end = ", or the end" if self.complete else ""
        return f"Permitted here: {kinds}{dots}{end}."

    def _reason(self) -> str:
        if self.kind is None:
            reason = f"{self.token} is not in the vocabulary."
        else:
            reason = f"{self.token} is of the kind {self.kind}, which is not permitted here."
        close = f" Nearest permitted: {', '.join(self.nearest)}." if self.nearest else ""
        return reason + close


def explanation(
    vocabulary: Vocabulary,
    permitted: Permitted,
    token: str,
    *,
    prefix: Sequence[str] | None,
    where: tuple[str, ...],
    complete: bool,
) -> Explanation:
    """The explanation of `token` where `permitted` may come next."""
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
