"""Tokens, their kinds, and the order of rows: what an output matrix and a grammar share.

A *kind* is a set of tokens that the grammar never tells apart. Ids are row numbers, and the tokens
of a kind are consecutive rows, so a set of kinds is a handful of *spans* of the matrix: views,
never copies. Which kind lies beside which is the `layout`; `grammax.vocabulary.layout` chooses it.

Kinds are numbered as they were given and keep their numbers whatever the layout and whatever
tokens come and go. Automata speak of kind numbers alone, so they outlive every change made here.

A vocabulary in use can be changed without moving its rows (`changed`): what is added lies behind
all others, by kind, so such a kind has two spans; what is removed leaves a row that no kind has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from grammax.errors import UnknownToken, VocabularyError
from grammax.text import nearest

Span = tuple[int, int]
Ids = NDArray[np.int64]
NOTHING: Final = ""  # the token of a row that no kind has


@final
class Permitted:
    """What may come next: an interned, immutable set of kinds with its rows.

    One object exists per set of kinds and vocabulary, so `is` compares them and a head can key a
    cache by them; but for those that were `narrowed`, to some rows of their kinds.
    """

    __slots__ = ("_ids", "_vocabulary", "_whole", "kind_numbers", "size", "spans")

    def __init__(
        self,
        vocabulary: Vocabulary,
        kind_numbers: frozenset[int],
        spans: tuple[Span, ...] | None = None,
    ) -> None:
        self._vocabulary = vocabulary
        self._ids: Ids | None = None
        self._whole = spans is None  # all rows of the kinds
        self.kind_numbers: Final = kind_numbers
        self.spans: Final = vocabulary.rows_of(kind_numbers) if spans is None else spans
        self.size: Final = sum(stop - start for start, stop in self.spans)

    def narrowed(self, spans: Iterable[Span]) -> Permitted:
        """Some rows of these. It is a choice still, be it of one: a model learnt to choose here."""
        return Permitted(self._vocabulary, self.kind_numbers, merge_spans(spans))

    def among(self, kinds: Collection[int]) -> tuple[Span, ...]:
        """The rows that are of some of its kinds."""
        if self._whole:
            return self._vocabulary.rows_of(kinds)
        of = self._vocabulary.kinds_by_id
        return merge_spans((row, row + 1) for row in self if of[row] in kinds)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the kinds, in row order."""
        in_order = sorted(self.kind_numbers, key=self._vocabulary.spans)
        return tuple(self._vocabulary.kinds[kind] for kind in in_order)

    @property
    def ids(self) -> Ids:
        """The row numbers, ascending; the array is made once and is read-only."""
        if self._ids is None:
            ids = np.concatenate([np.arange(*span) for span in self.spans] or [np.arange(0)])
            ids.setflags(write=False)
            self._ids = ids
        return self._ids

    @property
    def forced(self) -> int | None:
        """The only permitted id, or None where there is a choice (or nothing to choose)."""
        return self.spans[0][0] if self.size == 1 and self._whole else None

    @property
    def tokens(self) -> Iterator[str]:
        """The permitted tokens as text, in row order."""
        return chain.from_iterable(
            self._vocabulary.tokens[start:stop] for start, stop in self.spans
        )

    def __contains__(self, token: object) -> bool:
        if not isinstance(token, int | np.integer | str):
            return False
        if self._vocabulary.kind_of(token) not in self.kind_numbers:
            return False
        row = self._vocabulary.id(token) if isinstance(token, str) else token
        return self._whole or any(start <= row < stop for start, stop in self.spans)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(range(start, stop) for start, stop in self.spans)

    def __repr__(self) -> str:
        names = self.kinds
        shown = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
        return f"Permitted({self.size} tokens in {len(self.spans)} spans: {shown})"


@final
class Vocabulary:
    """Token ↔ id ↔ kind, with ids in row order.

    >>> v = Vocabulary({"COUNTRY": ["COU_GERMANY", "COU_FRANCE"], "EQ": ["EQ"]})
    >>> v.id("EQ"), v.tokens[0], v.kinds[v.kind_of("COU_FRANCE")]
    (2, 'COU_GERMANY', 'COUNTRY')
    >>> v.permitted({0}).spans
    ((0, 2),)
    """

    __slots__ = (
        "_id_of",
        "_interned",
        "_kind_numbers",
        "_spans",
        "kinds",
        "kinds_by_id",
        "layout",
        "tokens",
    )

    def __init__(
        self, kinds: Mapping[str, Sequence[str]], layout: Sequence[int] | None = None
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
        self._kind_numbers: Final = {name: number for number, name in enumerate(names)}
        self.layout: Final = order
        self._spans: Final = tuple(spans)
        self.tokens: Final = tuple(chain.from_iterable(members[kind] for kind in order))
        # Lists and tuples, not arrays: reading one element of an array costs three times as much.
        self.kinds_by_id: Final = tuple(
            chain.from_iterable([kind] * len(members[kind]) for kind in order)
        )
        self._id_of: Final = dict(zip(self.tokens, range(row), strict=True))
        if len(self._id_of) != row:
            raise self._duplicate(names, members)
        self._interned: Final[dict[frozenset[int], Permitted]] = {}

    @staticmethod
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

    def __len__(self) -> int:
        """How many rows there are; after a removal some may hold no token."""
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._id_of

    def __repr__(self) -> str:
        return f"Vocabulary({len(self._id_of):,} tokens of {len(self.kinds):,} kinds)"

    def span(self, kind: int) -> Span:
        """The rows of a kind, by number: `start` and, one past its end, `stop`."""
        if len(self._spans[kind]) != 1:
            raise VocabularyError(
                f"the rows of the kind {self.kinds[kind]} are {self._spans[kind]}, not one span, "
                f"since tokens were added to it. Use `spans`, or lay them out anew with `arranged`."
            )
        return self._spans[kind][0]

    def spans(self, kind: int) -> tuple[Span, ...]:
        """The rows of a kind, by number: one span, and one more for tokens that were added."""
        return self._spans[kind]

    def rows_of(self, kinds: Iterable[int]) -> tuple[Span, ...]:
        """The rows of some kinds, those that touch made one span."""
        return merge_spans(chain.from_iterable(self._spans[kind] for kind in kinds))

    @property
    def fragments(self) -> int:
        """How many spans there are beyond one of each kind: the fewer, the faster a head."""
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
            close = nearest(token, self._id_of)
            raise UnknownToken(
                token,
                f"the token {token!r} is not among the {len(self._id_of):,} of the vocabulary; "
                f"{_did_you_mean(token, close)}",
                close,
            ) from None

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """The rows of several tokens."""
        return [self.id(token) for token in tokens]

    def kind_of(self, token: int | np.integer | str) -> int | None:
        """The kind number of a token, by id or by text; None if it is not in the vocabulary."""
        if isinstance(token, str):
            row = self._id_of.get(token)
            return None if row is None else self.kinds_by_id[row]
        kind = self.kinds_by_id[token] if 0 <= token < len(self.tokens) else len(self.kinds)
        return kind if kind < len(self.kinds) else None

    def permitted(self, kinds: Iterable[int]) -> Permitted:
        """The interned `Permitted` of a set of kind numbers."""
        key = frozenset(kinds)
        found = self._interned.get(key)
        # setdefault is atomic: two threads that both make one agree on which is kept.
        return found or self._interned.setdefault(key, Permitted(self, key))

    def arranged(self, layout: Sequence[int]) -> Vocabulary:
        """The same kinds and tokens with the rows of the kinds in another order."""
        return Vocabulary(self._members(), layout)

    def with_tokens(self, added: Mapping[str, Iterable[str]]) -> tuple[Vocabulary, Ids]:
        """This vocabulary with tokens added to kinds, and the new row of every old one.

        >>> v = Vocabulary({"COUNTRY": ["COU_FRANCE"], "EQ": ["EQ"]})
        >>> wider, new_row = v.with_tokens({"COUNTRY": ["COU_ITALY"]})
        >>> wider.tokens, new_row.tolist()
        (('COU_FRANCE', 'COU_ITALY', 'EQ'), [0, 2])
        """
        members = self._members()
        for kind, tokens in added.items():
            self.kind_number(kind)
            fresh = tuple(tokens)
            for token in fresh:
                if token in self._id_of:
                    old = self.kinds[self.kinds_by_id[self._id_of[token]]]
                    raise VocabularyError(f"the token {token!r} is there already, in kind {old}")
            members[kind] = members[kind] + fresh
        return self._follow(Vocabulary(members, self.layout))

    def without_tokens(self, removed: Iterable[str]) -> tuple[Vocabulary, Ids]:
        """This vocabulary less some tokens, and the new row of every old one, -1 if it went."""
        gone = set(removed)
        touched = {self.kinds_by_id[self.id(token)] for token in gone}
        members = self._members()
        for kind in touched:
            name = self.kinds[kind]
            kept = tuple(token for token in members[name] if token not in gone)
            if not kept:
                raise _last_token(members[name][0], name)
            members[name] = kept
        return self._follow(Vocabulary(members, self.layout))

    def changed(
        self, added: Mapping[str, Iterable[str]], removed: Iterable[str] = ()
    ) -> Vocabulary:
        """With tokens added to kinds and others removed, in milliseconds: rows stay where they are.

        What is added lies behind all others. A token that is removed gives its row to the last one
        of its span, and that one's row is left empty.

        >>> v = Vocabulary({"COUNTRY": ["COU_FRANCE", "COU_ITALY", "COU_SPAIN"], "EQ": ["EQ"]})
        >>> wider = v.changed({"COUNTRY": ["COU_PERU"]}, removed=["COU_FRANCE"])
        >>> wider.tokens
        ('COU_SPAIN', 'COU_ITALY', '', 'EQ', 'COU_PERU')
        >>> wider.permitted({0}).spans
        ((0, 2), (4, 5))
        """
        tokens, kinds, ids = list(self.tokens), list(self.kinds_by_id), dict(self._id_of)
        spans, touched = list(self._spans), set[int]()
        for token in dict.fromkeys(removed):
            row = self.id(token) if token not in ids else ids[token]
            kind = kinds[row]
            touched.add(kind)
            spans[kind], last = _without_last(spans[kind], row)
            tokens[row] = tokens[last]
            ids[tokens[row]] = row
            del ids[token]
            tokens[last], kinds[last] = NOTHING, len(self.kinds)
        fresh = {self.kind_number(kind): tuple(some) for kind, some in added.items()}
        for kind in self.layout:
            some = fresh.get(kind, ())
            for row, token in enumerate(some, len(tokens)):
                if ids.setdefault(token, row) != row:
                    old = self.kinds[kinds[ids[token]]] if ids[token] < len(kinds) else "the same"
                    raise VocabularyError(f"the token {token!r} is there already, in kind {old}")
            if some:
                spans[kind] = (*spans[kind], (len(tokens), len(tokens) + len(some)))
                tokens += some
                kinds += [kind] * len(some)
        for kind in touched:
            if not spans[kind]:
                raise _last_token(self.tokens_of(kind)[0], self.kinds[kind])
        return self._with(tuple(tokens), tuple(kinds), tuple(spans), ids)

    def _with(
        self,
        tokens: tuple[str, ...],
        kinds_by_id: tuple[int, ...],
        spans: tuple[tuple[Span, ...], ...],
        ids: dict[str, int],
    ) -> Vocabulary:
        """The same kinds over other rows, which are right already."""
        made: Vocabulary = object.__new__(Vocabulary)
        parts = {
            "kinds": self.kinds,
            "_kind_numbers": self._kind_numbers,
            "layout": self.layout,
            "_spans": spans,
            "tokens": tokens,
            "kinds_by_id": kinds_by_id,
            "_id_of": ids,
            "_interned": {},
        }
        for name, part in parts.items():
            setattr(made, name, part)
        return made

    def _members(self) -> dict[str, tuple[str, ...]]:
        return {name: self.tokens_of(kind) for kind, name in enumerate(self.kinds)}

    def _follow(self, other: Vocabulary) -> tuple[Vocabulary, Ids]:
        get = other._id_of.get
        return other, np.fromiter((get(t, -1) for t in self.tokens), np.int64, len(self))


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans in ascending order, those that touch made one.

    >>> merge_spans([(5, 7), (0, 2), (2, 4)])
    ((0, 4), (5, 7))
    """
    merged: list[Span] = []
    for start, stop in sorted(spans):
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], stop)
        else:
            merged.append((start, stop))
    return tuple(merged)


def _without_last(spans: tuple[Span, ...], row: int) -> tuple[tuple[Span, ...], int]:
    """Spans of which the one with a row has lost its last, and the number of that."""
    place = next(place for place, (start, stop) in enumerate(spans) if start <= row < stop)
    start, last = spans[place][0], spans[place][1] - 1
    kept = ((start, last),) if last > start else ()
    return (*spans[:place], *kept, *spans[place + 1 :]), last


def _last_token(token: str, kind: str) -> VocabularyError:
    return VocabularyError(
        f"{token!r} is the last token of kind {kind}, and without it the grammar would lead into a "
        f"dead end. Add another token to {kind} first, or take the kind out of the grammar."
    )


def _did_you_mean(given: str, choices: Sequence[str]) -> str:
    close = nearest(given, choices)
    return f"did you mean {' or '.join(close)}?" if close else "nothing in it comes near."
