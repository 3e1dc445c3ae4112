"""Changes: values and fields that are added to or removed from a domain after training.

    parser = parser.with_values([NewValue("Film noir", "genre", aliases=("noir",))])
    parser = parser.without_values(["GEN_WESTERN"])

A domain checks the given values and assigns their tokens and kinds. `Changes` are the net
difference from the vocabulary that the model was trained with.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, final

from grammax.errors import GrammaxError
from grammax.vocabulary import Vocabulary

_SHOWN: Final = 20


@final
@dataclass(frozen=True, slots=True)
class NewValue:
    """A value or a field to add: its name, its kind, and optionally aliases and a token.

    The kind of a field is its type and "field": "money field". By default the token is built from
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
    """The reason why the value or token at an index cannot be added or removed."""

    index: int
    given: str
    message: str
    where: str = ""  # the line of a file, if it came from one

    def __str__(self) -> str:
        return f"{self.where or f'number {self.index + 1}'}: {self.message}"


class ChangesRefused(GrammaxError):
    """Some changes cannot be applied, so none was; `problems` lists every reason.

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
    """A domain, or a model, whose values cannot be changed."""


class ChangeNotice(UserWarning):
    """Some of the stored changes no longer apply."""


@final
@dataclass(frozen=True, slots=True)
class Changes:
    """The added values, with their tokens and kinds, and the removed tokens.

    A token that is both added and removed has been redefined.
    """

    added: tuple[NewValue, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)

    @property
    def digest(self) -> str:
        """A short hash, which does not depend on the order of the changes."""
        added = sum(_number([v.token, v.kind, v.name, *sorted(v.aliases)]) for v in self.added)
        removed = sum(_number([token]) for token in self.removed)
        return f"{(3 * added + removed) % 2**32:08x}"

    def adding(self, values: Sequence[NewValue]) -> Changes:
        """These changes and more values, whose tokens are new."""
        return Changes((*self.added, *values), self.removed)

    def removing(self, tokens: Sequence[str]) -> Changes:
        """These changes and the removal of existing tokens; removing an added token cancels it."""
        added, gone = {value.token for value in self.added}, set(tokens)
        kept = tuple(value for value in self.added if value.token not in gone)
        return Changes(kept, (*self.removed, *(token for token in tokens if token not in added)))

    def redefining(self, value: NewValue, is_of_base: bool) -> Changes:
        """These changes with another definition of an existing token."""
        kept = tuple(each for each in self.added if each.token != value.token)
        is_gone = not is_of_base or value.token in self.removed
        removed = self.removed if is_gone else (*self.removed, value.token)
        return Changes((*kept, value), removed)

    def restoring(self, tokens: Collection[str]) -> Changes:
        """These changes without the removal of some tokens."""
        return Changes(self.added, tuple(token for token in self.removed if token not in tokens))

    def by_kind(self) -> dict[str, list[str]]:
        """The added tokens by kind."""
        found: dict[str, list[str]] = {}
        for value in self.added:
            found.setdefault(value.kind, []).append(value.token)
        return found

    def since(self, before: Changes) -> Changes | None:
        """The changes made after `before`; None if a token removed there exists again."""
        if not set(before.removed) <= set(self.removed):
            return None
        old, new, gone = set(before.added), set(self.added), set(before.removed)
        removed = [value.token for value in before.added if value not in new]
        removed += [token for token in self.removed if token not in gone]
        return Changes(tuple(v for v in self.added if v not in old), tuple(removed))


def tell_skipped(stored: Changes, applied: Changes, why: str) -> None:
    """A `ChangeNotice` for the caller's caller, if some of the stored changes do not apply."""
    before, after = (len(each.added) + len(each.removed) for each in (stored, applied))
    if after < before:
        warnings.warn(
            f"{before - after:,} of {before:,} changes are skipped, because {why}.",
            ChangeNotice,
            stacklevel=3,
        )


def changed_vocabulary(vocabulary: Vocabulary, changes: Changes) -> Vocabulary:
    """A vocabulary with changes; tokens that only get other names stay where they are."""
    gone = set(changes.removed)
    stays = {v.token for v in changes.added if v.token in gone and _has_kind(vocabulary, v)}
    added = Changes(tuple(value for value in changes.added if value.token not in stays))
    removed = [token for token in changes.removed if token not in stays]
    return vocabulary.changed(added.by_kind(), removed) if added or removed else vocabulary


def _has_kind(vocabulary: Vocabulary, value: NewValue) -> bool:
    """Whether the token of a value is of the value's kind there, too."""
    kind = vocabulary.kind_of(value.token)
    return kind is not None and vocabulary.kinds[kind] == value.kind


def _number(texts: Sequence[str]) -> int:
    data = "\n".join(texts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")
