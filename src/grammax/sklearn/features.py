"""What a classifier reads: binary features of a query, of what was predicted, of what may follow.

| features | |
|---|---|
| of the query | its words and pairs of words |
| of the prediction | its last three tokens, the open brackets, all its tokens |
| of both | words still to be said, with the path and the last token; the next names |
| of the grammar | the kinds that are permitted |

Tokens of large kinds are features by their kind, so that no feature depends on one name of
thousands. Features are texts until `Columns` numbers them: a fixed vocabulary of those that occur
in a few training steps. (Feature hashing, Weinberger et al. 2009, needs no vocabulary, but a row of
weights is then as long as the table of hashes.)
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from grammax.sklearn.prefix import Name, Prefix
from grammax.vocabulary import Permitted, Vocabulary

Ints = NDArray[np.int64]

COMMON: Final = 3  # steps that a feature is in at least
_NAMES: Final = 3  # unused names that are looked at
_AROUND: Final = 3  # words on either side of a name


@final
class Features:
    """The features of a step, as texts; tokens of the kinds `by_place` are not told apart."""

    def __init__(self, vocabulary: Vocabulary, by_place: frozenset[int]) -> None:
        self._kind_of = vocabulary.kinds_by_id
        self._kinds = vocabulary.kinds
        self._texts = tuple(
            vocabulary.kinds[kind] if kind in by_place else token
            for token, kind in zip(vocabulary.tokens, vocabulary.kinds_by_id, strict=True)
        )

    def of(self, prefix: Prefix, permitted: Permitted) -> list[str]:
        """All features of a step; some may be repeated."""
        words, unused = prefix.source.words, prefix.unused
        texts = self._texts
        last = ["-", "-", "-", *(texts[token] for token in prefix.tokens[-3:])]
        one, path = last[-1], " ".join([texts[token] for token in prefix.path])
        here = f"{path}|{one}"
        found = [f"w={word}" for word in words]
        found += [f"b={a} {b}" for a, b in pairwise(("^", *words))]
        found += [f"p={word}|{here}" for word in words]
        found += ["here=" + here, "path=" + path, f"depth={len(prefix.path)}"]
        found += ["last=" + " ".join(last[-count:]) for count in (1, 2, 3)]
        found += [f"up={texts[token]}" for token in prefix.path[-2:]]
        for token in dict.fromkeys([texts[token] for token in prefix.tokens]):
            found += [f"h={token}", f"h={token}|{here}"]
        found += self._permitted(permitted)
        left = min(len(unused), 5)
        found += [f"left={left}", f"left={left} {one}", f"left={left}|{here}"]
        found += self._names(unused, here, one)
        found += _around_names(prefix, unused, one)
        found += self._neighbours(prefix, unused, here)
        return found

    def _permitted(self, permitted: Permitted) -> Iterator[str]:
        kinds: Iterable[int] = permitted.kind_numbers
        if permitted.rows is not None:
            kinds = {self._kind_of[row] for row in permitted.rows}
        ordered = sorted(kinds)
        yield "g=" + " ".join(map(str, ordered))
        for kind in ordered:
            yield f"k={kind}"

    def _names(self, unused: Sequence[Name], here: str, one: str) -> Iterator[str]:
        """The kinds of the next names, and the names themselves as far as they are common."""
        for place, name in enumerate(unused[:_NAMES]):
            for row in name.ids[:4]:
                kind = self._kinds[self._kind_of[row]]
                yield f"n{place}={kind}"
                yield f"n{place}={kind}|{here}"
                yield f"n{place}={kind} {one}"
                yield f"m{place}={row}"
                yield f"m{place}={row} {one}"

    def _neighbours(self, prefix: Prefix, unused: Sequence[Name], here: str) -> Iterator[str]:
        """The last name and the next, the next and the one after: kinds, and words between."""
        names = prefix.source.names
        last = [] if prefix.at is None else [names[prefix.at]]
        for label, two in (("before", [*last, *unused[:1]]), ("after", unused[:2])):
            if len(two) == 2:
                one, other = two
                kinds = [self._kinds[self._kind_of[name.ids[0]]] for name in two]
                words = " ".join(prefix.source.words[one.stop : other.start][:_AROUND])
                alike = kinds[0] == kinds[1]
                yield f"{label}={kinds[0]} {kinds[1]}|{here}"
                yield f"{label}={alike}|{here}"
                yield f"{label}={alike} {words}"
                yield f"{label}={alike} {words}|{here}"


def _around_names(prefix: Prefix, unused: Sequence[Name], one: str) -> Iterator[str]:
    """The words around the next name and the last one, those between them, and those after."""
    words = prefix.source.words
    last = None if prefix.at is None else prefix.source.names[prefix.at]
    since = 0 if last is None else last.stop
    gap = words[since:]
    if unused:
        gap = words[since : unused[0].start]
        for at, word in _around(words, unused[0]):
            yield f"a{at}={word}"
            yield f"a{at}={word} {one}"
    if last is not None:
        for at, word in _around(words, last):
            yield f"l{at}={word} {one}"
    yield f"gap={min(len(gap), 6)}"
    for word in gap:
        yield f"g1={word}"
        yield f"g1={word} {one}"
    for a, b in pairwise(gap):
        yield f"g2={a} {b}"
        yield f"g2={a} {b} {one}"
    for word in words[since:]:
        yield f"r={word}"
        yield f"r={word} {one}"


def _around(words: Sequence[str], name: Name) -> Iterator[tuple[int, str]]:
    for at in range(1, _AROUND + 1):
        before, after = name.start - at, name.stop - 1 + at
        yield -at, words[before] if before >= 0 else "^"
        yield at, words[after] if after < len(words) else "$"


@final
class Columns:
    """Features that occur in at least `common` of some steps, numbered.

    >>> columns = Columns.of_steps([["a", "b"], ["b", "c"], ["b", "b", "a"]], common=2)
    >>> columns.of(["c", "b", "a", "d", "b"]).tolist()
    [0, 1]
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names: Final = tuple(names)
        self._number: Final = {name: number for number, name in enumerate(self.names)}

    @classmethod
    def of_steps(cls, steps: Iterable[Sequence[str]], common: int = COMMON) -> Columns:
        """The columns of the features of some steps."""
        return StepTable(steps).columns(common)[0]

    def __len__(self) -> int:
        """The number of columns."""
        return len(self.names)

    def of(self, features: Iterable[str]) -> Ints:
        """The columns of some features, ascending, each once; unknown features have none."""
        number = self._number
        found = {number[feature] for feature in features if feature in number}
        return np.array(sorted(found), np.int64)


@final
class StepTable:
    """The features of many steps as numbers, until it is known which are common."""

    def __init__(self, steps: Iterable[Sequence[str]] = ()) -> None:
        self._number: dict[str, int] = {}
        self._flat = array("q")
        self._ends = array("q", [0])
        for step in steps:
            self.add(step)

    def __len__(self) -> int:
        """The number of steps."""
        return len(self._ends) - 1

    def add(self, features: Sequence[str]) -> None:
        """The features of one more step."""
        number = self._number
        self._flat.extend({number.setdefault(feature, len(number)) for feature in features})
        self._ends.append(len(self._flat))

    def columns(self, common: int) -> tuple[Columns, Ints, Ints]:
        """The columns, and the steps as rows of a sparse matrix: indices, and where rows end."""
        flat, ends = np.array(self._flat, np.int64), np.array(self._ends, np.int64)
        counts = np.bincount(flat, minlength=len(self._number))
        kept = np.flatnonzero(counts >= common)
        names = list(self._number)
        renumbered = np.full(len(names), -1)
        renumbered[kept] = np.arange(len(kept))
        indices = renumbered[flat]
        there = indices >= 0
        ends = np.concatenate(([0], np.cumsum(there)))[ends]
        return Columns([names[number] for number in kept.tolist()]), indices[there], ends
