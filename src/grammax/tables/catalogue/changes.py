"""Check values and fields to add to a catalogue, and assign kinds and tokens to them.

A kind is given by the name of its type or in words: COUNTRY, "country", "money field".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, Protocol, final

from grammax.language.changes import ChangeProblem, Changes, ChangesRefused, NewValue
from grammax.reading.new_names import (
    LONGEST,
    Unfit,
    cleaned,
    cleaned_aliases,
    numbered,
    token_words,
)
from grammax.tables.form.errors import is_name
from grammax.tables.lexicon import FIXED_TOKENS
from grammax.tables.schema import EnumType, Schema
from grammax.text import did_you_mean, nearest

_FIELD, _VALUE = "_FIELD", "_VALUE"


class GrowableKind(NamedTuple):
    """A kind of the vocabulary that can grow: the type of its tokens, and their prefix."""

    name: str
    type: str
    prefix: str
    is_field: bool


class Known(NamedTuple):
    """The catalogue's contents, against which additions are checked."""

    kinds: Mapping[str, GrowableKind]  # by each of their names, in lower case
    has: Callable[[str], bool]  # whether a token exists
    named: Callable[[GrowableKind, str], str | None]  # the token with a name, in lower case


def growable_kinds(schema: Schema, types: Mapping[str, EnumType]) -> dict[str, GrowableKind]:
    """The kinds that can grow, by each of their names in lower case."""
    found: dict[str, GrowableKind] = {}
    unit = None if schema.unit is None else schema.unit.type
    for name, type_ in types.items():
        begins = f"{type_.prefix.partition('_')[0]}_"
        kind = GrowableKind(name if name == unit else name + _VALUE, name, begins, is_field=False)
        found |= dict.fromkeys((name.lower(), type_.label.lower(), kind.name.lower()), kind)
    for name in (*types, *schema.number_types):
        if name != unit:
            label = types[name].label if name in types else name
            field = GrowableKind(name + _FIELD, name, schema.field_prefix, is_field=True)
            found |= dict.fromkeys((f"{form} field".lower() for form in (name, label)), field)
            found[field.name.lower()] = field
            if name in schema.number_types:
                found[name.lower()] = field
    return found


def resolved(values: Sequence[NewValue], known: Known) -> tuple[NewValue, ...]:
    """The values with their kinds and tokens. Raises `ChangesRefused`, which lists all problems."""
    batch = _Batch(known)
    problems: list[ChangeProblem] = []
    found: list[NewValue] = []
    for index, value in enumerate(values):
        try:
            found.append(batch.add(value))
        except Unfit as refused:
            problems.append(ChangeProblem(index, str(value.name)[:LONGEST], str(refused)))
    if problems:
        raise ChangesRefused(problems)
    return tuple(found)


def clean_name(alias: str, token: str) -> str:
    """A name with single spaces. Raises `ChangesRefused` if it cannot be a name."""
    try:
        return cleaned(alias, "name")
    except Unfit as refused:
        raise ChangesRefused([ChangeProblem(0, token, str(refused))]) from None


class Holder(Protocol):
    """A catalogue, against which removals are checked."""

    @property
    def changes(self) -> Changes: ...
    @property
    def ranking(self) -> Sequence[str]: ...

    def __contains__(self, token: object) -> bool: ...

    def kind_of(self, token: str) -> GrowableKind:
        """The kind of a token."""


def require_removable(
    tokens: Sequence[str], holder: Holder, of_kind: Callable[[GrowableKind], Sequence[str]]
) -> None:
    """Raise `ChangesRefused` for unknown tokens, and for kinds that would become empty."""
    problems: list[ChangeProblem] = []
    first: dict[str, int] = {}
    gone: dict[GrowableKind, list[int]] = {}
    for index, token in enumerate(tokens):
        message = ""
        if first.setdefault(token, index) != index:
            message = f"{token} is given twice: it can be removed once."
        elif token not in holder:
            message = _not_there(token, holder)
        else:
            gone.setdefault(holder.kind_of(token), []).append(index)
        if message:
            problems.append(ChangeProblem(index, str(token)[:LONGEST], message))
    for kind, indices in gone.items():
        if len(indices) >= len(of_kind(kind)):
            token = tokens[indices[-1]]
            message = (
                f"{token} is the last of {kind.name}, and without it the grammar would lead into a "
                f"dead end. Add another one first."
            )
            problems.append(ChangeProblem(indices[-1], token, message))
    if problems:
        raise ChangesRefused(problems)


def _not_there(token: str, holder: Holder) -> str:
    if token in FIXED_TOKENS:
        return f"{token} is a fixed token of the language and cannot be removed."
    if token in holder.changes.removed:
        return f"{token} was removed already."
    close = nearest(token, holder.ranking)
    hint = did_you_mean(close, sentence=True)
    return f"there is no field or value {token!r}. {hint}".rstrip()


def slug(name: str) -> str:
    """A name in the spelling of tokens: letters of all scripts stay, punctuation goes.

    >>> slug("R&B/Soul 2"), slug("Zürich, Inc."), slug("U.S. Girls"), slug("東京"), slug("🚀")
    ('RB_SOUL_2', 'ZURICH_INC', 'US_GIRLS', '東京', 'U1F680')
    >>> slug("L'Avventura"), slug("Ocean’s Eleven")
    ('LAVVENTURA', 'OCEANS_ELEVEN')
    """
    return "_".join(token_words(name)).upper()


@final
class _Batch:
    """Values that are added together: each token and each name can be used once."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._tokens: set[str] = set()
        self._names: dict[tuple[str, str], str] = {}

    def add(self, value: NewValue) -> NewValue:
        """The value with its kind and token. Raises `Unfit` if it cannot be added."""
        name = cleaned(value.name, "name")
        kind = self._kind(value)
        given = cleaned(value.token, "token") if value.token else ""
        token = self._given(given, kind) if given else self._made(name, kind)
        aliases = cleaned_aliases(value.aliases, name)
        self._tokens.add(token)
        self._names.setdefault((kind.name, name.casefold()), token)
        return replace(value, name=name, kind=kind.name, aliases=aliases, token=token)

    def _kind(self, value: NewValue) -> GrowableKind:
        if not isinstance(value.kind, str) or not value.kind.strip():
            raise Unfit(f"{value.name!r} has no kind; {self._permitted}.")
        form = " ".join(value.kind.split()).lower()
        kind = self._known.kinds.get(form) or self._known.kinds.get(form.replace(" ", "_"))
        if kind is None:
            close = nearest(form, self._known.kinds)
            hint = did_you_mean(close) or f"{self._permitted}."
            raise Unfit(f"there is no kind {value.kind!r} for {value.name!r}; {hint}")
        field = self._known.kinds.get(f"{kind.type.lower()}{_FIELD.lower()}")
        if field is not None and not kind.is_field and value.token.startswith(field.prefix):
            return field
        return kind

    @cached_property
    def _permitted(self) -> str:
        types = dict.fromkeys(kind.type for kind in self._known.kinds.values())
        kinds = self._known.kinds.values()
        enums = {kind.type for kind in kinds if not kind.is_field}
        field = next((kind.type for kind in kinds if kind.type not in enums), *sorted(enums)[:1])
        return f'kinds are {", ".join(types)}, and of fields "{field} field" and so on'

    def _given(self, token: str, kind: GrowableKind) -> str:
        if self._taken(token):
            raise Unfit(f"the token {token} exists already. Remove it first, or give another one.")
        if not is_name(token) or not token.startswith(kind.prefix) or token == kind.prefix:
            raise Unfit(
                f"{token!r} cannot be a token of {kind.name}: those begin with {kind.prefix} and "
                f"have no spaces or parentheses. Without one, a token is built from the name."
            )
        return token

    def _made(self, name: str, kind: GrowableKind) -> str:
        low = name.casefold()
        old = self._names.get((kind.name, low)) or self._known.named(kind, low)
        if old is not None:
            raise Unfit(
                f"{name!r} is the name of {old} already. Give a token, if it is another one of the "
                f"same name."
            )
        return next(token for token in numbered(kind.prefix + slug(name)) if not self._taken(token))

    def _taken(self, token: str) -> bool:
        return token in self._tokens or self._known.has(token)
