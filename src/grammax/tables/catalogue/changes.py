"""Check values and fields to add to a catalogue, and assign kinds and tokens to them.

A kind is given by the name of its type or in words: COUNTRY, "country", "money field".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, NamedTuple, Protocol, final

from grammax.language.changes import ChangeProblem, Changes, ChangesRefused, NewValue
from grammax.reading.words import split
from grammax.tables.form.errors import is_name
from grammax.tables.lexicon import FIXED_TOKENS
from grammax.tables.schema import EnumType, Schema
from grammax.text import did_you_mean, fold_letters, nearest

_LONGEST: Final = 200  # characters of a name
_FIELD, _VALUE = "_FIELD", "_VALUE"
_LETTERS: Final = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d",
     "'": None, "’": None, "`": None}
)  # fmt: skip
_APOSTROPHES: Final = str.maketrans("", "", "'’`")
_INITIALS: Final = re.compile(r"\b(\w)\.(?=\w\b)")
_JOINED: Final = re.compile(r"\b(\w+)&(?=\w\b)")
_WORDS: Final = re.compile(r"[^\W_]+")


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


class _Refused(Exception):
    """Why a value cannot be added."""


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
        except _Refused as refused:
            problems.append(ChangeProblem(index, str(value.name)[:_LONGEST], str(refused)))
    if problems:
        raise ChangesRefused(problems)
    return tuple(found)


def clean_name(alias: str, token: str) -> str:
    """A name with single spaces. Raises `ChangesRefused` if it cannot be a name."""
    try:
        return _clean(alias, "name")
    except _Refused as refused:
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
            problems.append(ChangeProblem(index, str(token)[:_LONGEST], message))
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
    text = fold_letters(name).translate(_APOSTROPHES)
    text = _JOINED.sub(r"\1", _INITIALS.sub(r"\1", text))
    found = "_".join(_WORDS.findall(text.upper()))
    return found or "_".join(f"U{ord(each):X}" for each in name if not each.isspace())


@final
class _Batch:
    """Values that are added together: each token and each name can be used once."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._tokens: set[str] = set()
        self._names: dict[tuple[str, str], str] = {}

    def add(self, value: NewValue) -> NewValue:
        """The value with its kind and token. Raises `_Refused` if it cannot be added."""
        name = _clean(value.name, "name")
        kind = self._kind(value)
        given = _clean(value.token, "token") if value.token else ""
        token = self._given(given, kind) if given else self._made(name, kind)
        aliases = dict.fromkeys(_clean(alias, "alias") for alias in _aliases(value))
        aliases.pop(name, None)
        self._tokens.add(token)
        self._names.setdefault((kind.name, name.casefold()), token)
        return replace(value, name=name, kind=kind.name, aliases=tuple(aliases), token=token)

    def _kind(self, value: NewValue) -> GrowableKind:
        if not isinstance(value.kind, str) or not value.kind.strip():
            raise _Refused(f"{value.name!r} has no kind; {self._permitted}.")
        form = " ".join(value.kind.split()).lower()
        kind = self._known.kinds.get(form) or self._known.kinds.get(form.replace(" ", "_"))
        if kind is None:
            close = nearest(form, self._known.kinds)
            hint = did_you_mean(close) or f"{self._permitted}."
            raise _Refused(f"there is no kind {value.kind!r} for {value.name!r}; {hint}")
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
            raise _Refused(
                f"the token {token} exists already. Remove it first, or give another one."
            )
        if not is_name(token) or not token.startswith(kind.prefix) or token == kind.prefix:
            raise _Refused(
                f"{token!r} cannot be a token of {kind.name}: those begin with {kind.prefix} and "
                f"have no spaces or parentheses. Without one, a token is built from the name."
            )
        return token

    def _made(self, name: str, kind: GrowableKind) -> str:
        low = name.casefold()
        old = self._names.get((kind.name, low)) or self._known.named(kind, low)
        if old is not None:
            raise _Refused(
                f"{name!r} is the name of {old} already. Give a token, if it is another one of the "
                f"same name."
            )
        return next(token for token in _forms(kind.prefix + slug(name)) if not self._taken(token))

    def _taken(self, token: str) -> bool:
        return token in self._tokens or self._known.has(token)


def _forms(token: str) -> Iterator[str]:
    yield token
    number = 2
    while True:
        yield f"{token}_{number}"
        number += 1


def _aliases(value: NewValue) -> Sequence[str]:
    if isinstance(value.aliases, str) or not all(isinstance(a, str) for a in value.aliases):
        raise _Refused(
            f"the aliases of {value.name!r} are {value.aliases!r:.60}, not a list of texts"
        )
    return [alias for alias in value.aliases if alias.strip()]


def _clean(text: str, what: str) -> str:
    """The text with single spaces. Raises `_Refused` if it cannot be a name."""
    if not isinstance(text, str):
        raise _Refused(f"the {what} is {text!r:.60}, not a text.")
    clean = " ".join(text.split())
    if not clean:
        raise _Refused(f"the {what} is empty. Give the name that people use.")
    if not any(map(str.isalpha, clean)) and _names_nothing(split(clean)):
        raise _Refused(
            f"the {what} {clean[:20]!r} has no letter or sign in it, and names nothing in a query."
        )
    if "|" in clean or not clean.isprintable():
        raise _Refused(
            f"the {what} {clean[:40]!r} has a bar or a character that cannot be printed in it. "
            f"Write it without."
        )
    if len(clean) > _LONGEST:
        raise _Refused(
            f"the {what} {clean[:40]!r}... has {len(clean):,} characters; {_LONGEST} at most."
        )
    return clean


def _names_nothing(words: Sequence[str]) -> bool:
    return not words or (len(words) == 1 and words[0].isdecimal())
