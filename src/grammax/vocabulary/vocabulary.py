"""`Vocabulary`: tokens, their kinds, and the order of rows.

A *kind* is a set of tokens that the grammar treats alike. Ids are row numbers, and the tokens of a
kind are consecutive rows, so a set of kinds is a handful of *spans* of the output matrix: views,
never copies. The `layout` is the order of the kinds; `grammax.vocabulary.layout` chooses it.

Kinds are numbered in the order given. The numbers do not depend on the layout and do not change
when tokens are added or removed. Automata use kind numbers only, so they stay valid.

A model learns vectors for kinds. Vocabularies that share a model have kinds of their own, such as
the genres of one table and the colours of another, and *classes* in common, such as categories:
then the vectors are those of the classes. By default each kind is a class of its own.

Texts that a query fills are tokens without a row: where a vocabulary has a kind of `quoted` tokens,
any token in double quotes is of that kind, so that logical forms with texts can be read.

A vocabulary in use can be changed without moving its rows (`changed`). Added tokens come after all
others, so a kind may then have two spans; a removed token leaves an empty row, which has no kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Final, final

import numpy as np

from grammax.errors import UnknownToken, VocabularyError
from grammax.text import did_you_mean, nearest
from grammax.vocabulary.permitted import Permitted, Span, merge_spans

NOTHING: Final = ""  # the token of an empty row


@final
@dataclass(frozen=True, slots=True)
class KindClasses:
    """The classes that several vocabularies have in common, and those of some kinds.

    A kind that is not in `of` belongs to the class of its own name.

    >>> KindClasses(("EQ", "CATEGORY"), {"GENRE": "CATEGORY"}).number("GENRE")
    1
    """

    names: tuple[str, ...]
    of: Mapping[str, str] = field(default_factory=dict)

    def number(self, kind: str) -> int:
        """The number of a kind's class."""
        name = self.of.get(kind, kind)
        try:
            return self.names.index(name)
        except ValueError:
            raise VocabularyError(
                f"the kind {kind} is of the class {name}, which is not among the "
                f"{len(self.names)} classes; {_did_you_mean(name, self.names)}"
            ) from None


@final
class Vocabulary:
    """Token ↔ id ↔ kind, with ids in row order.

    >>> from grammax import Vocabulary
    >>> v = Vocabulary({"GENRE": ["drama", "comedy"], "EQ": ["="]})
    >>> v.id("="), v.tokens[0], v.kinds[v.kind_of("comedy")]
    (2, 'drama', 'GENRE')
    >>> v.permitted({0}).spans
    ((0, 2),)
    """

    __slots__ = (
        "_id_of",
        "_interned",
        "_kind_numbers",
        "_spans",
        "class_of",
        "classes",
        "kinds",
        "kinds_by_id",
        "layout",
        "quoted",
        "tokens",
    )

    def __init__(
        self,
        kinds: Mapping[str, Sequence[str]],
        layout: Sequence[int] | None = None,
        classes: KindClasses | None = None,
        quoted: str | None = None,
    ) -> None:
        names, members = tuple(kinds), [tuple(tokens) for tokens in kinds.values()]
        order = tuple(range(len(names))) if layout is None else tuple(layout)
        if sorted(order) != list(range(len(names))):
            raise VocabularyError(
                f"the layout must name each of the {len(names)} kinds once; it is {order[:9]}..."
            )
        spans: list[tuple[Span, ...]] = [()] * len(names)
        row = 0
        for kind in order:
            if not members[kind]:
                raise VocabularyError(
                    f"the kind {names[kind]} has no token: a grammar that permits it would lead "
                    f"into a dead end. Give it at least one token."
                )
            spans[kind] = ((row, row + len(members[kind])),)
            row += len(members[kind])

        self.kinds: Final = names
        self.classes: Final = names if classes is None else classes.names
        """The names of the classes, in the order of the vectors of a model."""
        self.class_of: Final = (
            tuple(range(len(names))) if classes is None else tuple(map(classes.number, names))
        )
        """For each kind the number of its class."""
        self._kind_numbers: Final = {name: number for number, name in enumerate(names)}
        self.quoted: Final = None if quoted is None else self.kind_number(quoted)
        """The kind of tokens in double quotes that have no row."""
        self.layout: Final = order
        self._spans: Final = tuple(spans)
        self.tokens: Final = tuple(chain.from_iterable(members[kind] for kind in order))
        # Lists and tuples, not arrays: reading one element of an array costs three times as much.
        self.kinds_by_id: Final = tuple(
            chain.from_iterable([kind] * len(members[kind]) for kind in order)
        )
        self._id_of: Final = dict(zip(self.tokens, range(row), strict=True))
        if len(self._id_of) != row:
            raise _duplicate(names, members)
        check_tokens(self.tokens)
        self._interned: Final[dict[frozenset[int], Permitted]] = {}

    @staticmethod
    def in_order(kinds: Mapping[str, Sequence[str]], rows: Sequence[str]) -> Vocabulary:
        """A vocabulary over the rows of a model that exists: `rows[row]` is the token of a row.

        The rows of a kind need not be adjacent, and rows of tokens that no kind has stay empty.

        >>> v = Vocabulary.in_order({"GENRE": ["drama", "comedy"], "EQ": ["="]},
        ...                         ["<end>", "comedy", "=", "drama", "<pad>"])
        >>> v.id("drama"), v.permitted({0}).spans, len(v)
        (3, ((1, 2), (3, 4)), 5)
        """
        plain = Vocabulary(kinds)
        numbers = dict(zip(plain.tokens, plain.kinds_by_id, strict=True))
        none = len(plain.kinds)
        made = _Rows(plain, {}, [()] * none)
        made.kinds = [numbers.get(token, none) for token in rows]
        made.tokens = [token if token in numbers else NOTHING for token in rows]
        made.ids = {token: row for row, token in enumerate(made.tokens) if token}
        for token in plain.tokens:
            if token not in made.ids:
                kind = plain.kinds[numbers[token]]
                raise VocabularyError(
                    f"the token {token!r} of kind {kind} has no row among the {len(rows):,} given"
                )
        if len(made.ids) != sum(map(bool, made.tokens)):
            twice = next(t for row, t in enumerate(made.tokens) if t and made.ids[t] != row)
            raise VocabularyError(f"the token {twice!r} has two rows; each token has one")
        spans: list[list[Span]] = [[] for _ in plain.kinds]
        first = 0
        for number, run in groupby(made.kinds):
            last = first + sum(1 for _ in run)
            if number != none:
                spans[number].append((first, last))
            first = last
        made.spans = [tuple(of) for of in spans]
        return plain._with(made)

    def __len__(self) -> int:
        """The number of rows, empty ones included."""
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._id_of

    def __repr__(self) -> str:
        return f"Vocabulary({len(self._id_of):,} tokens of {len(self.kinds):,} kinds)"

    def span(self, kind: int) -> Span:
        """The rows of a kind, by number, as one span; `VocabularyError` if it has several."""
        if len(self._spans[kind]) != 1:
            raise VocabularyError(
                f"the rows of the kind {self.kinds[kind]} are {self._spans[kind]}, not one span, "
                f"since tokens were added to it. Use `spans`."
            )
        return self._spans[kind][0]

    def spans(self, kind: int) -> tuple[Span, ...]:
        """The rows of a kind, by number: one span, and one more per change that added tokens."""
        return self._spans[kind]

    def rows_of(self, kinds: Iterable[int]) -> tuple[Span, ...]:
        """The rows of several kinds, adjacent spans joined."""
        return merge_spans(chain.from_iterable(self._spans[kind] for kind in kinds))

    @property
    def fragments(self) -> int:
        """The number of spans beyond one per kind: the fewer, the faster a head."""
        return sum(map(len, self._spans)) - len(self.kinds)

    def kind_number(self, name: str) -> int:
        """The number of a kind, by name."""
        try:
            return self._kind_numbers[name]
        except KeyError:
            raise VocabularyError(
                f"there is no kind {name!r}; {_did_you_mean(name, self.kinds)}"
            ) from None

    def tokens_of(self, kind: int | str) -> tuple[str, ...]:
        """The tokens of a kind, by number or by name, in row order."""
        spans = self._spans[self.kind_number(kind) if isinstance(kind, str) else kind]
        return tuple(chain.from_iterable(self.tokens[start:stop] for start, stop in spans))

    def id(self, token: str) -> int:
        """The row of a token."""
        try:
            return self._id_of[token]
        except KeyError:
            message = f"the token {token!r} is not among the {len(self._id_of):,} of the vocabulary"
            raise UnknownToken(token, message, lambda: nearest(token, self._id_of)) from None

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """The rows of several tokens."""
        return [self.id(token) for token in tokens]

    def kind_of(self, token: int | np.integer | str) -> int | None:
        """The kind number of a token, by id or by text; None if it is not in the vocabulary."""
        if isinstance(token, str):
            row = self._id_of.get(token)
            if row is None:
                return self.quoted if len(token) > 2 and token[0] == token[-1] == '"' else None
            return self.kinds_by_id[row]
        kind = self.kinds_by_id[token] if 0 <= token < len(self.tokens) else len(self.kinds)
        return kind if kind < len(self.kinds) else None

    def permitted(self, kinds: Iterable[int]) -> Permitted:
        """The interned `Permitted` of a set of kind numbers."""
        key = frozenset(kinds)
        found = self._interned.get(key)
        # setdefault is atomic: if two threads build one, both get the one that was stored.
        return found or self._interned.setdefault(key, Permitted(self, key))

    def changed(
        self, added: Mapping[str, Iterable[str]], removed: Iterable[str] = ()
    ) -> Vocabulary:
        """This vocabulary with tokens added to kinds and others removed, in milliseconds.

        Rows stay in place. Added tokens come after all others. The row of a removed token goes to
        the last token of its span, whose own row becomes empty.

        >>> v = Vocabulary({"GENRE": ["drama", "comedy", "western"], "EQ": ["="]})
        >>> wider = v.changed({"GENRE": ["horror"]}, removed=["drama"])
        >>> wider.tokens
        ('western', 'comedy', '', '=', 'horror')
        >>> wider.permitted({0}).spans
        ((0, 2), (4, 5))
        """
        rows = _Rows(self, self._id_of, self._spans)
        touched = {rows.remove(token) for token in dict.fromkeys(removed)}
        fresh = {self.kind_number(kind): tuple(tokens) for kind, tokens in added.items()}
        for kind in self.layout:
            if kind in fresh:
                rows.add(kind, fresh[kind])
        for kind in touched:
            if not rows.spans[kind]:
                raise _last_token(self.tokens_of(kind)[0], self.kinds[kind])
        return self._with(rows)

    def _with(self, rows: _Rows) -> Vocabulary:
        """The same kinds over other rows, which are not validated again."""
        made: Vocabulary = object.__new__(Vocabulary)
        parts = {
            "kinds": self.kinds,
            "classes": self.classes,
            "class_of": self.class_of,
            "_kind_numbers": self._kind_numbers,
            "quoted": self.quoted,
            "layout": self.layout,
            "_spans": tuple(rows.spans),
            "tokens": tuple(rows.tokens),
            "kinds_by_id": tuple(rows.kinds),
            "_id_of": rows.ids,
            "_interned": {},
        }
        for name, part in parts.items():
            setattr(made, name, part)
        return made


class _Rows:
    """The rows of a vocabulary while they are being changed."""

    def __init__(
        self, vocabulary: Vocabulary, ids: Mapping[str, int], spans: Sequence[tuple[Span, ...]]
    ) -> None:
        self.vocabulary = vocabulary
        self.tokens = list(vocabulary.tokens)
        self.kinds = list(vocabulary.kinds_by_id)
        self.ids = dict(ids)
        self.spans = list(spans)

    def remove(self, token: str) -> int:
        """Remove a token and return its kind."""
        row = self.vocabulary.id(token) if token not in self.ids else self.ids[token]
        kind = self.kinds[row]
        self.spans[kind], last = _without_last(self.spans[kind], row)
        self.tokens[row] = self.tokens[last]
        self.ids[self.tokens[row]] = row
        del self.ids[token]
        self.tokens[last], self.kinds[last] = NOTHING, len(self.vocabulary.kinds)
        return kind

    def add(self, kind: int, tokens: tuple[str, ...]) -> None:
        """Add tokens to a kind, as rows after all others."""
        first = len(self.tokens)
        for row, token in enumerate(tokens, first):
            old = self.ids.setdefault(token, row)
            if old != row:
                name = self.vocabulary.kinds[self.kinds[old] if old < first else kind]
                raise VocabularyError(f"the token {token!r} exists already, in kind {name}")
        if tokens:
            self.spans[kind] = (*self.spans[kind], (first, first + len(tokens)))
            self.tokens += tokens
            self.kinds += [kind] * len(tokens)


def _without_last(spans: tuple[Span, ...], row: int) -> tuple[tuple[Span, ...], int]:
    """The spans, where the one that holds `row` loses its last row, and that last row."""
    index = next(index for index, (start, stop) in enumerate(spans) if start <= row < stop)
    start, last = spans[index][0], spans[index][1] - 1
    shorter = ((start, last),) if last > start else ()
    return (*spans[:index], *shorter, *spans[index + 1 :]), last


def check_tokens(tokens: Sequence[str]) -> None:
    """`VocabularyError` if a token is not a text that can be written; one pass over all of them."""
    try:
        "".join(tokens).encode()
        if all(tokens):
            return
    except (TypeError, UnicodeEncodeError):
        pass
    for token in tokens:
        if not isinstance(token, str):
            raise VocabularyError(f"{token!r} is a {type(token).__name__}; a token is a str")
        if not token:
            raise VocabularyError("a token is empty; leave it out, the end has a row of its own")
        try:
            token.encode()
        except UnicodeEncodeError:
            raise VocabularyError(
                f"the token {token!r} has half of a surrogate pair, which is no character"
            ) from None


def _duplicate(names: Sequence[str], members: Sequence[Sequence[str]]) -> VocabularyError:
    seen: dict[str, str] = {}
    for name, tokens in zip(names, members, strict=True):
        for token in tokens:
            if token in seen:
                return VocabularyError(
                    f"the token {token!r} is given in kind {seen[token]} and again in kind "
                    f"{name}. A token has one kind; `grammax.grammar.split_kinds` makes finer "
                    f"kinds where kinds overlap."
                )
            seen[token] = name
    raise AssertionError("called only where a token is repeated")


def _last_token(token: str, kind: str) -> VocabularyError:
    return VocabularyError(
        f"{token!r} is the last token of kind {kind}, and without it the grammar would lead into a "
        f"dead end. Add another token to {kind} first, or take the kind out of the grammar."
    )


def _did_you_mean(given: str, choices: Sequence[str]) -> str:
    return did_you_mean(nearest(given, choices)) or "no name in it is similar."
