"""What comes to a domain's values and fields after its model was trained, and what goes.

    parser = parser.with_values([NewValue("Film noir", "genre", aliases=("noir",))])
    parser = parser.without_values(["GEN_WESTERN"])

A domain checks what is given and says what its token and its kind are; `Changes` are what is left
of all that was added and removed, against the vocabulary that the model was trained with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, final

from grammax.errors import GrammaxError

_SHOWN: Final = 20


@final
@dataclass(frozen=True, slots=True)
class NewValue:
    """A value or a field to be added: what it is called, and of which kind it is.

    A field's kind is its type and "field": "money field". The token, if none is given, is made of
    the kind and the name.

    >>> from grammax import NewValue
    >>> NewValue("Film noir", "genre", aliases=("noir",))
    NewValue(name='Film noir', kind='genre', aliases=('noir',), token='')
    """

    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    token: str = ""


@final
@dataclass(frozen=True, slots=True)
class ChangeProblem:
    """Why one of the things given cannot be added or removed; `place` counts them from 0."""

    place: int
    given: str
    message: str
    where: str = ""  # a file's line, if it came from one

    def __str__(self) -> str:
        return f"{self.where or f'number {self.place + 1}'}: {self.message}"


class ChangesRefused(GrammaxError):
    """Changes of which some cannot be made, so that none is; `problems` holds every reason.

    >>> import grammax
    >>> parser = grammax.load("eqs")
    >>> try:
    ...     parser.with_values([grammax.NewValue("Film noir", "genre")])
    ... except grammax.ChangesRefused as error:
    ...     [problem.given for problem in error.problems]
    ['Film noir']
    """

    def __init__(self, problems: Iterable[ChangeProblem]) -> None:
        self.problems: tuple[ChangeProblem, ...] = tuple(problems)
        shown = [str(problem) for problem in self.problems[:_SHOWN]]
        if len(self.problems) > _SHOWN:
            shown.append(f"... and {len(self.problems) - _SHOWN:,} more")
        super().__init__("\n".join(["nothing was changed:", *shown]))


class FixedVocabulary(GrammaxError):
    """A domain, or a model, whose values do not change."""


class ChangeNotice(UserWarning):
    """Some of the changes that were kept are no longer needed."""


@final
@dataclass(frozen=True, slots=True)
class Changes:
    """What was added, with tokens and kinds of the vocabulary, and the tokens that were removed.

    A token in both is another thing now, by the same token.
    """

    added: tuple[NewValue, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)

    @property
    def digest(self) -> str:
        """A short hash: the same for the same changes, in whatever order they were made."""
        added = sum(_number([v.token, v.kind, v.name, *sorted(v.aliases)]) for v in self.added)
        removed = sum(_number([token]) for token in self.removed)
        return f"{(3 * added + removed) % 2**32:08x}"

    def adding(self, values: Sequence[NewValue]) -> Changes:
        """These, and values with tokens that are not there."""
        return Changes((*self.added, *values), self.removed)

    def removing(self, tokens: Sequence[str]) -> Changes:
        """These less some tokens, which are there: what was only added is no change any more."""
        added, gone = {value.token for value in self.added}, set(tokens)
        kept = tuple(value for value in self.added if value.token not in gone)
        return Changes(kept, (*self.removed, *(token for token in tokens if token not in added)))

    def restoring(self, tokens: Collection[str]) -> Changes:
        """These without the removal of some tokens."""
        return Changes(self.added, tuple(token for token in self.removed if token not in tokens))

    def by_kind(self) -> dict[str, list[str]]:
        """The tokens that were added, by kind."""
        found: dict[str, list[str]] = {}
        for value in self.added:
            found.setdefault(value.kind, []).append(value.token)
        return found

    def since(self, before: Changes) -> Changes | None:
        """What was changed after `before`; None if something that was removed there is back."""
        if not set(before.removed) <= set(self.removed):
            return None
        old, new, gone = set(before.added), set(self.added), set(before.removed)
        removed = [value.token for value in before.added if value not in new]
        removed += [token for token in self.removed if token not in gone]
        return Changes(tuple(v for v in self.added if v not in old), tuple(removed))


def _number(texts: Sequence[str]) -> int:
    data = "\n".join(texts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")
