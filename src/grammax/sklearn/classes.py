"""`Classes`: the classes of a classifier, and the class of each token at a step.

A class is a token. In a large kind that would be a class for each of thousands of names, most of
them in no training pair. So where the query names a token of such a kind, its class is a *place*:
the first name of the kind that is not used yet, the second, and so on. A name that training never
saw then has a class, and a classifier learns when to take the next name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from grammax.sklearn.prefix import Prefix
from grammax.vocabulary import Ids, Vocabulary

Ints = NDArray[np.int64]
# Of a token (-1, row), of a place (kind, place), of other tokens of a kind (kind, -1), and of names
# that were used already (kind, -2), (kind, -3) ...
Label = tuple[int, int]
_AGAIN: Final = -2

LARGE: Final = 8  # tokens of a kind above which its names are classes by their places
RARE: Final = 3  # occurrences below which an unnamed token of a large kind is no class of its own
UNSEEN: Final = -1  # the class of a token that is in no training pair


def large_kinds(vocabulary: Vocabulary, most: int = LARGE) -> frozenset[int]:
    """The kinds with more than `most` tokens."""
    kinds = range(len(vocabulary.kinds))
    return frozenset(k for k in kinds if sum(b - a for a, b in vocabulary.spans(k)) > most)


def label_of(prefix: Prefix, row: int, vocabulary: Vocabulary, by_place: frozenset[int]) -> Label:
    """The label of a row after a prefix: its place if the query names it, else the token."""
    found = places(prefix, vocabulary.kinds_by_id, by_place) if row < len(vocabulary) else {}
    return found.get(row, (-1, row))


def places(prefix: Prefix, kind_of: Sequence[int], by_place: frozenset[int]) -> dict[int, Label]:
    """The labels of the tokens of large kinds that the query names, by row."""
    names, used = prefix.source.names, prefix.used
    found: dict[int, Label] = {}
    unused, again = Counter[int](), Counter[int]()
    for index in sorted(range(len(names)), key=used.__contains__):  # the unused ones first
        for row in names[index].ids:
            kind = kind_of[row]
            if kind in by_place and row not in found:
                counts = again if index in used else unused
                found[row] = (kind, _AGAIN - counts[kind] if index in used else counts[kind])
                counts[kind] += 1
    return found


@final
class Classes:
    """The classes of some training steps, numbered from 0."""

    def __init__(
        self, labels: Iterable[Label], vocabulary: Vocabulary, by_place: frozenset[int]
    ) -> None:
        """`labels` are those of the steps, repeated as often as they occur."""
        self.vocabulary = vocabulary
        self.by_place = by_place
        counts = Counter(labels)
        kept: dict[Label, None] = {}
        for label, count in counts.items():
            kept[self._merged(label) if count < RARE else label] = None
        self.labels: Final = tuple(kept)
        self._number: Final = {label: number for number, label in enumerate(self.labels)}
        kinds = np.array([*vocabulary.kinds_by_id, len(vocabulary.kinds)])
        by_kind = np.full(len(vocabulary.kinds) + 1, UNSEEN)
        for (kind, place), number in self._number.items():
            if kind >= 0 and place == -1:
                by_kind[kind] = number
        self._by_row: Ints = by_kind[kinds]  # one more than the tokens, for the end
        self._rows = np.full(len(self.labels), UNSEEN)
        for (kind, row), number in self._number.items():
            if kind == -1:
                self._by_row[row] = number
                self._rows[number] = row

    def __len__(self) -> int:
        """The number of classes."""
        return len(self.labels)

    def number(self, label: Label) -> int:
        """The class of a label, `UNSEEN` if it has none."""
        found = self._number.get(label)
        return self._number.get(self._merged(label), UNSEEN) if found is None else found

    def of(self, prefix: Prefix, rows: Ids) -> Ints:
        """The classes of some rows, ascending, after a prefix; `UNSEEN` where there is none."""
        found: Ints = self._by_row[rows]
        for row, label in places(prefix, self.vocabulary.kinds_by_id, self.by_place).items():
            at = int(np.searchsorted(rows, row))
            if at < len(rows) and rows[at] == row:
                found[at] = self._number.get(label, UNSEEN)
        return found

    def rows(self, prefix: Prefix) -> tuple[Ids, Ints]:
        """All rows that have a class of their own after a prefix, ascending, and their classes."""
        rows = self._rows.copy()
        for row, label in places(prefix, self.vocabulary.kinds_by_id, self.by_place).items():
            token = self._number.get((-1, row))
            if token is not None:
                rows[token] = UNSEEN
            place = self._number.get(label)
            if place is not None:
                rows[place] = row
        classes = np.flatnonzero(rows != UNSEEN)
        order = np.argsort(rows[classes], kind="stable")
        return rows[classes][order], classes[order]

    def name(self, number: int) -> str:
        """A class in words, for people."""
        kind, which = self.labels[number]
        if kind == -1:
            tokens = self.vocabulary.tokens
            return tokens[which] if which < len(tokens) else "the end"
        name = self.vocabulary.kinds[kind]
        if which == -1:
            return f"another {name}"
        if which < 0:
            return f"{name}, name {_AGAIN - which + 1} of those used"
        return f"{name}, name {which + 1} of the query"

    def _merged(self, label: Label) -> Label:
        """The label of all rare tokens of a large kind."""
        kind, row = label
        if kind != -1 or row >= len(self.vocabulary):
            return label
        own = self.vocabulary.kinds_by_id[row]
        return (own, -1) if own in self.by_place else label
