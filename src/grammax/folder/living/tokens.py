"""`FolderTokens`: the tokens of a folder by kind, with their names, and changes to them.

Values come and go in kinds that a table declares, and in those for which the grammar lists several
tokens. A kind with a single token of the grammar is syntax, such as "(" or "find", and stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Final, final

from grammax.folder.data import read_form
from grammax.folder.living.listed import ListedTokens, name_key, own_words
from grammax.language.changes import ChangeProblem, Changes, ChangesRefused, NewValue
from grammax.reading.new_names import LONGEST, Unfit, cleaned, cleaned_aliases, numbered
from grammax.text import did_you_mean, nearest

_SHOWN: Final = 12  # kinds in a message


@final
class FolderTokens:
    """The tokens of a folder with some changes. Immutable; equal changes mean equal tokens."""

    def __init__(self, base: ListedTokens, changes: Changes | None = None) -> None:
        self.changes = changes or Changes()
        self._base = base
        self._added = {value.token: value for value in self.changes.added}
        self._removed = frozenset(self.changes.removed)

    @property
    def growable(self) -> Collection[str]:
        """The kinds in which values come and go."""
        return self._base.growable

    def growing_kind(self, token: str) -> str | None:
        """The kind of a token, if values come and go in it."""
        kind = self._kind_of(token) if token in self else None
        return kind if kind in self._base.growable else None

    def __contains__(self, token: object) -> bool:
        if token in self._added:
            return True
        return token in self._base.vocabulary and token not in self._removed

    def wordings(self, token: str) -> Sequence[str] | None:
        """The names of a token that was added or renamed; None for others."""
        value = self._added.get(token)
        return None if value is None else (value.name, *value.aliases)

    def with_values(self, values: Sequence[NewValue]) -> FolderTokens:
        """Add values. Raises `ChangesRefused` if one cannot be added."""
        found, problems = self._fitting(values)
        if problems:
            raise ChangesRefused(problems)
        return self._adding(found)

    def without_values(self, tokens: Sequence[str]) -> FolderTokens:
        """Remove tokens. Raises `ChangesRefused` if one cannot be removed."""
        problems = list(self._not_removable(tokens))
        if problems:
            raise ChangesRefused(sorted(problems, key=lambda problem: problem.index))
        return FolderTokens(self._base, self.changes.removing(tokens))

    def with_alias(self, token: str, alias: str) -> FolderTokens:
        """Another name of a token. Raises `ChangesRefused` if it cannot be one."""
        try:
            if token not in self:
                raise Unfit(self._not_there(token))
            kind = self._kind_of(token)
            if kind not in self._base.growable:
                raise Unfit(f"{_is_syntax(token)}.")
            word = cleaned(alias, "name")
            name, *aliases = self.wordings(token) or self._base.wordings(token)
            if name_key(word) in map(name_key, (name, *aliases)):
                return self
            self._require_free((word,), kind, token)
        except Unfit as unfit:
            raise ChangesRefused([ChangeProblem(0, token, str(unfit))]) from None
        value = NewValue(name, kind, (*aliases, word), token)
        of_base = token in self._base.vocabulary
        return FolderTokens(self._base, self.changes.redefining(value, is_of_base=of_base))

    def with_changes(self, changes: Changes) -> FolderTokens:
        """The tokens of the files with stored changes; those that no longer apply are left out."""
        base, gone = self._base, {*changes.removed}
        again = [v for v in changes.added if v.token in gone and base.kind_of(v.token) == v.kind]
        renamed = {value.token for value in again}
        removed = [t for t in dict.fromkeys(changes.removed) if t not in renamed]
        made = FolderTokens(base)
        refused = {problem.given for problem in made._not_removable(removed)}
        made = made.without_values([token for token in removed if token not in refused])
        found, _ = made._fitting([v for v in changes.added if v.token not in renamed])
        made = made._adding(found)
        for value in again:
            with suppress(Unfit):
                made._require_free((value.name, *value.aliases), value.kind, value.token)
                made = FolderTokens(base, made.changes.redefining(value, is_of_base=True))
        return made

    def _adding(self, values: Sequence[NewValue]) -> FolderTokens:
        """The tokens and values that fit; what was removed and is as it was just comes back."""
        back = {v.token for v in values if v.token in self._removed and self._was(v)}
        new = [value for value in values if value.token not in back]
        return FolderTokens(self._base, self.changes.restoring(back).adding(new))

    def _was(self, value: NewValue) -> bool:
        """Whether the files have exactly this value."""
        base, names = self._base, (value.name, *value.aliases)
        return base.kind_of(value.token) == value.kind and names == (*base.wordings(value.token),)

    def _fitting(
        self, values: Sequence[NewValue]
    ) -> tuple[tuple[NewValue, ...], tuple[ChangeProblem, ...]]:
        """The values that fit, with kinds and tokens, and why others do not."""
        batch = FolderTokens(self._base, self.changes)  # what fits enters it, and this stays
        found, problems = [], []
        for index, value in enumerate(values):
            try:
                fitting = batch._fit(value)
            except Unfit as unfit:
                given = str(value.name or value.token)[:LONGEST]
                problems.append(ChangeProblem(index, given, str(unfit)))
            else:
                batch._enter(fitting)
                found.append(fitting)
        return tuple(found), tuple(problems)

    def _fit(self, value: NewValue) -> NewValue:
        """The value with its kind and token. Raises `Unfit` if it cannot be added."""
        given = cleaned(value.token, "token") if value.token else ""
        name = cleaned(self._name(value, given), "name")
        kind = self._kind(value.kind, name)
        aliases = cleaned_aliases(value.aliases, name)
        token = self._given(given) if given else ""
        self._require_free((name, *aliases), kind, token)
        spelt = token or self._base.spelling(kind).token(name)
        token = token or next(each for each in numbered(spelt) if each not in self)
        if not self._is_readable(token, kind):
            raise Unfit(
                f"{token!r} cannot be a token, because logical forms with it are not read as it "
                f"stands: leave out spaces, brackets and quotes."
            )
        return replace(value, name=name, kind=kind, aliases=aliases, token=token)

    def _enter(self, value: NewValue) -> None:
        """Let a value be known to those after it."""
        self._added[value.token] = value
        self._names.update(dict.fromkeys(_keys(value), value.token))

    def _name(self, value: NewValue, token: str) -> str:
        """The name as given; of a row of a table of tokens its first alias, or its own words."""
        if value.name or not token:
            return value.name
        return next((alias for alias in value.aliases if alias), own_words(token))

    def _kind(self, given: object, name: str) -> str:
        """A kind that can grow, by its name."""
        base = self._base
        if not isinstance(given, str) or not given.strip():
            raise Unfit(f"{name!r} has no kind; {self._kinds}")
        form = " ".join(given.split()).casefold()
        for each in (form, form.replace(" ", "_"), form.replace(" ", "-")):
            if each in base.by_name:
                return base.by_name[each]
        kinds = base.vocabulary.kinds
        syntax = {kind.strip('"').casefold(): kind for kind in kinds if kind not in base.growable}
        if form.strip('"') in self._base.filled:
            raise Unfit(f"{name!r} is not needed in {given}, which queries fill; {self._kinds}")
        if form.strip('"') in syntax:
            token = base.vocabulary.tokens_of(syntax[form.strip('"')])[0]
            raise Unfit(f"{name!r} cannot be added to {given}: {_is_syntax(token)}; {self._kinds}")
        hint = did_you_mean(nearest(form.upper(), base.growable)) or self._kinds
        raise Unfit(f"there is no kind {given!r:.60} for {name!r}; {hint}")

    @property
    def _kinds(self) -> str:
        names = [kind for kind in self._base.growable if not kind.startswith('"')]
        if not names:
            return "no kind of the grammar can grow: let a table declare one."
        more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
        return f"kinds that can grow are {', '.join(names[:_SHOWN])}{more}."

    def _given(self, token: str) -> str:
        if token in self:
            raise Unfit(f"the token {token} exists already. Remove it first, or give another one.")
        return token

    def _require_free(self, names: Iterable[str], kind: str, token: str) -> None:
        """Raise `Unfit` if a name is that of another token of the kind."""
        known = self._base.named(kind)
        for name in names:
            owner = self._names.get((kind, name_key(name)))
            if owner is None:
                owner = known.get(name_key(name))
                owner = None if owner in self._removed else owner
            if owner not in (None, token):
                raise Unfit(
                    f"{name!r} is a name of {owner} already, and a name of a kind means one token. "
                    f"Leave it out, or give another one."
                )

    def _is_readable(self, token: str, kind: str) -> bool:
        """Whether the notation reads the token as one, as far as it does for others of the kind."""
        notation = self._base.notation
        if read_form(token, notation) == (token,):
            return True
        others = self._base.tokens_of(kind)
        return any(read_form(other, notation) != (other,) for other in others)

    @cached_property
    def _names(self) -> dict[tuple[str, str], str]:
        """The tokens that were added, by kind and name."""
        return {key: value.token for value in self.changes.added for key in _keys(value)}

    def _kind_of(self, token: str) -> str:
        value = self._added.get(token)
        kind = self._base.kind_of(token) if value is None else value.kind
        assert kind is not None, "it was checked that there is such a token"
        return kind

    def _count(self, kind: str) -> int:
        """The number of tokens of a kind."""
        tokens = self._base.tokens_of(kind)
        stay = sum(token not in self._removed for token in tokens)
        return stay + sum(value.kind == kind for value in self.changes.added)

    def _not_removable(self, tokens: Sequence[str]) -> Iterable[ChangeProblem]:
        """Why some tokens cannot be removed."""
        first: dict[str, int] = {}
        gone: dict[str, list[int]] = {}
        for index, token in enumerate(tokens):
            message = ""
            if first.setdefault(token, index) != index:
                message = f"{token} is given twice: it can be removed once."
            elif token not in self:
                message = self._not_there(token)
            elif (kind := self._kind_of(token)) not in self._base.growable:
                message = f"{_is_syntax(token)}."
            else:
                gone.setdefault(kind, []).append(index)
            if message:
                yield ChangeProblem(index, str(token)[:LONGEST], message)
        for kind, indices in gone.items():
            if len(indices) >= self._count(kind):
                token = tokens[indices[-1]]
                message = (
                    f"{token} is the last of {kind}, and without it the grammar would lead into a "
                    f"dead end. Add another one first."
                )
                yield ChangeProblem(indices[-1], token, message)

    def _not_there(self, token: object) -> str:
        if token in self._removed:
            return f"{token} was removed already."
        known = (each for kind in self._base.growable for each in self._tokens_of(kind))
        hint = did_you_mean(nearest(str(token), known), sentence=True)
        return f"there is no token {token!r:.60}. {hint}".rstrip()

    def _tokens_of(self, kind: str) -> Iterable[str]:
        yield from (t for t in self._base.tokens_of(kind) if t not in self._removed)
        yield from (value.token for value in self.changes.added if value.kind == kind)


def _is_syntax(token: str) -> str:
    return (
        f"{token!r} is the only token of its kind, so it belongs to the syntax of the grammar, "
        f"which does not change"
    )


def _keys(value: NewValue) -> list[tuple[str, str]]:
    return [(value.kind, name_key(name)) for name in (value.name, *value.aliases)]
