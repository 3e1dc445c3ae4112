"""`NameIndex`: phrases → the tokens that they name. Longer phrases take precedence.

A name is also found in other forms, see `normal`: the index stores the normal form of each name
beside the name, and looks for the words of a query as typed, then for their normal forms. Of the
tokens of a phrase, those with it as a name come before those with it as a variant.

A phrase may name several tokens. With the kinds of tokens given, it names one token of a kind, the
first in the order of names: its *owner*. It may still name tokens of several kinds.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain, islice, pairwise
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from grammax.reading.normal import Span, normal_phrase, normal_words
from grammax.reading.words import is_continued

Phrase = tuple[str, ...]  # one or more words
Arrays = Mapping[str, NDArray[np.generic]]
TokenNames = Iterable[tuple[int, Iterable[Phrase]]]  # tokens, each with its names
_Found = tuple[Span, int]  # where a phrase is, and its number

_SEPARATOR: Final = "\n"  # words have no white space
_AND: Final = ("&",)
_LONGEST_VARIANT: Final = 4  # words of a name that is stored in its normal form too
_LONGEST: Final = 62  # words of a name; longer ones are not found
_REMEMBERED: Final = 50_000  # phrases
_SHORTEST_JOINED: Final = 7  # letters of two words that may be written as one: "sci fi"


class Match(NamedTuple):
    """Words `start` to `stop` of a query are a name of the tokens `ids`."""

    start: int
    stop: int
    ids: tuple[int, ...]


@final
class NameIndex:
    """Phrases and the ids of their tokens, as arrays, which load without parsing.

    >>> index = NameIndex.from_names([[("crime",)], [("true", "crime"), ("documentary",)]])
    >>> index.find(["swedish", "true", "crime"])
    [Match(start=1, stop=3, ids=(1,))]
    >>> index.find(["documentaries"])
    [Match(start=0, stop=1, ids=(1,))]
    """

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self._starts = arrays["starts"]
        self._ids = arrays["ids"]
        phrases = _texts(arrays["phrases"])
        self._numbers = dict(zip(phrases, range(len(phrases)), strict=True))
        firsts, lengths = _texts(arrays["firsts"]), arrays["lengths"].tolist()
        self._lengths = dict(zip(firsts, lengths, strict=True))
        self._known: dict[int, tuple[int, ...]] = {}  # a cache of `_owners`
        self._names = int(arrays["names"][0])  # phrases that are names; the rest are variants
        self._stored = len(phrases)
        self._kind_of: Sequence[int] = ()
        self._owned: Container[int] = ()  # kinds of which a phrase names one token
        self._base: NameIndex | None = None  # the index that this one was derived from
        self._new: frozenset[str] = frozenset()  # words of added names

    @classmethod
    def from_names(cls, names: Iterable[Iterable[Phrase]]) -> NameIndex:
        """The index of the names of each token, in the order of ids."""
        found: dict[str, list[int]] = {}
        variants: dict[str, list[int]] = {}
        lengths: dict[str, int] = {}  # by first word, the lengths of names, as bits
        for token, phrases in enumerate(names):
            called = [words for words in phrases if words]
            for words in called:
                _enter(found, lengths, words, token)
            for words in _variants(called):
                _enter(variants, lengths, words, token)
        count = len(found)
        for text, ids in variants.items():
            found[text] = list(dict.fromkeys((*found.get(text, ()), *ids)))
        return cls(
            {
                "phrases": _bytes(found),
                "starts": np.cumsum([0, *map(len, found.values())], dtype=np.int32),
                "ids": np.array([i for ids in found.values() for i in ids], np.int32),
                "firsts": _bytes(lengths),
                "lengths": np.array(list(lengths.values()), np.int64),
                "names": np.array([count], np.int32),
            }
        )

    def with_owners(self, kind_of: Sequence[int], kinds: Container[int]) -> NameIndex:
        """The same index, in which a phrase names only the first token of each of some kinds.

        >>> index = NameIndex.from_names([[("crime",)], [("crime",), ("true", "crime")]])
        >>> index.with_owners(kind_of=(4, 4), kinds={4}).find(["crime"])
        [Match(start=0, stop=1, ids=(0,))]
        """
        made: NameIndex = object.__new__(NameIndex)
        vars(made).update(vars(self), _kind_of=kind_of, _owned=kinds, _known={})
        return made

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of names; computed on first use, and once for all changed indexes."""
        if self._base is not None:
            return self._base.words | self._new
        return frozenset(chain.from_iterable(map(str.split, islice(self._numbers, self._names))))

    def words_of(self, wanted: NDArray[np.bool_]) -> frozenset[str]:
        """The words of all phrases that name a wanted token; `wanted` has a value for each token.

        >>> index = NameIndex.from_names([[("crime",)], [("true", "crime"), ("war",)]])
        >>> sorted(index.words_of(np.array([False, True])))
        ['crime', 'true', 'war']
        """
        if not len(self._ids):
            return frozenset()
        starts = self._starts[:-1].astype(np.int64)
        named = np.logical_or.reduceat(wanted[self._ids.astype(np.int64)], starts).tolist()
        texts = (t for t, n in self._numbers.items() if named[n] and not self._is_variant(n))
        return frozenset(chain.from_iterable(map(str.split, texts)))

    def changed(self, removed: TokenNames, added: TokenNames) -> NameIndex:
        """The index without the names of some tokens and with those of others; it is not stored.

        >>> index = NameIndex.from_names([[("crime",)], [("true", "crime")]])
        >>> index.changed([(0, [("crime",)])], [(2, [("new", "wave")])]).find(["new", "wave"])
        [Match(start=0, stop=2, ids=(2,))]
        """
        ids: dict[str, dict[int, None]] = {}  # of the changed phrases
        lengths = dict(self._lengths)
        for token, phrases in removed:
            called = [words for words in phrases if words]
            for words in [*called, *_variants(called)]:
                self._ids_to_change(ids, words).pop(token, None)
        for token, phrases in added:
            called = [words for words in phrases if words]
            for words in [*called, *_variants(called)]:
                self._ids_to_change(ids, words)[token] = None
                lengths[words[0]] = lengths.get(words[0], 0) | _bit(words)
        return self._with({text: list(tokens) for text, tokens in ids.items()}, lengths)

    def _ids_to_change(self, ids: dict[str, dict[int, None]], words: Phrase) -> dict[int, None]:
        text = " ".join(words)
        found = ids.get(text)
        if found is None:
            found = ids[text] = dict.fromkeys(self._all_ids(self._numbers.get(text)))
        return found

    def _with(self, ids: Mapping[str, Sequence[int]], lengths: dict[str, int]) -> NameIndex:
        """The index with other ids for some phrases, appended to the existing ones."""
        made: NameIndex = object.__new__(NameIndex)
        made.arrays, made._lengths, made._numbers = {}, lengths, dict(self._numbers)
        made._known = {}
        made._kind_of, made._owned = self._kind_of, self._owned
        made._names, made._stored = self._names, self._stored
        left = {text: tokens for text, tokens in ids.items() if tokens}
        for text in ids.keys() - left.keys():
            made._numbers.pop(text, None)
        first = len(self._starts) - 1
        made._numbers.update({text: number for number, text in enumerate(left, first)})
        ends = np.cumsum([len(tokens) for tokens in left.values()], dtype=np.int32)
        more = np.array([token for tokens in left.values() for token in tokens], np.int32)
        made._starts = np.concatenate([self._starts, len(self._ids) + ends])
        made._ids = np.concatenate([self._ids, more])
        made._base = self._base or self
        made._new = self._new.union(chain.from_iterable(map(str.split, left)))
        return made

    def __contains__(self, words: Phrase) -> bool:
        return " ".join(words) in self._numbers

    def ids(self, words: Phrase) -> tuple[int, ...]:
        """The tokens that a phrase names, as it is written."""
        return self._owners(self._numbers.get(" ".join(words)))

    def find(self, words: Sequence[str], without: Container[Span] = ()) -> list[Match]:
        """The names in a query; a name within a longer one is left out.

        Phrases at the spans `without` are not taken for names, but those within them are.
        """
        found = self._spans(words, None, range(len(words)), without)
        texts, places = normal_words(words)
        if texts != words:
            found += self._spans(texts, places, _next_changes(words, texts, places), without)
        found += self._joined(texts, places, without)
        matches: list[Match] = []
        for span, number in _outermost(found):
            ids = self._owners(number)
            if matches and matches[-1][:2] == span:
                ids = self._joint(matches.pop().ids, ids)
            matches.append(Match(*span, ids))
        return matches

    def _joint(self, ids: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
        """The tokens of a name as typed, and those of its variant of other kinds, with owners."""
        if not self._kind_of:
            return ids
        kinds = {self._kind_of[token] for token in ids}
        return (*ids, *(token for token in more if self._kind_of[token] not in kinds))

    def _spans(
        self,
        words: Sequence[str],
        places: Sequence[Span] | None,
        beyond: Sequence[int],
        without: Container[Span],
    ) -> list[_Found]:
        """The phrases among words at some places; one that starts at i goes beyond `beyond[i]`."""
        found: list[_Found] = []
        numbers, lengths, reached, end = self._numbers, self._lengths, 0, len(words)
        for start, word in enumerate(words):
            if word not in lengths:
                continue
            least = max(reached, beyond[start])
            for length in _descending(lengths[word]):
                stop = start + length
                if stop <= least:
                    break
                if stop > end:
                    continue
                number = numbers.get(" ".join(words[start:stop]) if length > 1 else word)
                if number is not None:
                    span = (places[start][0], places[stop - 1][1]) if places else (start, stop)
                    if span not in without:
                        found.append((span, number))
                        reached = stop
                        break
        return found

    def _joined(
        self, words: Sequence[str], places: Sequence[Span], without: Container[Span]
    ) -> Iterator[_Found]:
        """Two words that are a name if written as one."""
        for at, (first, second) in enumerate(pairwise(words)):
            if len(first) + len(second) >= _SHORTEST_JOINED:
                number = self._numbers.get(first + second)
                if number is not None and first.isalpha() and second.isalpha():
                    span = places[at][0], places[at + 1][1]
                    if span not in without:
                        yield span, number

    def named(self, words: Sequence[str]) -> Iterator[int]:
        """All tokens with a name in a query, also inside a longer name, not inside a number."""
        for match in self.all(words):
            yield from match.ids

    def all(self, words: Sequence[str]) -> Iterator[Match]:
        """All names in a query, also those inside longer ones, but none inside a number."""
        texts, places = normal_words(words)
        seen = set()
        for span, number in chain(
            self._every(words, [(at, at + 1) for at in range(len(words))]),
            self._every(texts, places) if texts != words else (),
            self._joined(texts, places, ()),
        ):
            if span not in seen:
                seen.add(span)
                yield Match(*span, self._owners(number))

    def _every(self, words: Sequence[str], places: Sequence[Span]) -> Iterator[_Found]:
        inside = [is_continued(word) for word in words] + [False]
        for start, word in enumerate(words):
            for length in reversed(_descending(self._lengths.get(word, 0))):
                stop = start + length
                if stop <= len(words) and not inside[stop]:
                    number = self._numbers.get(" ".join(words[start:stop]))
                    if number is not None:
                        yield (places[start][0], places[stop - 1][1]), number

    def _owners(self, number: int | None) -> tuple[int, ...]:
        """The tokens of a phrase; the first only of each kind that has owners."""
        if number is None:
            return ()
        known = self._known.get(number)
        if known is None:
            first: dict[int, int] = {}
            for token in self._all_ids(number):
                kind = self._kind_of[token] if self._kind_of else -1
                first.setdefault(kind if kind in self._owned else -1 - token, token)
            known = tuple(first.values())
            if len(self._known) < _REMEMBERED:
                self._known[number] = known
        return known

    def _all_ids(self, number: int | None) -> tuple[int, ...]:
        if number is None:
            return ()
        first, last = self._starts[number : number + 2].tolist()
        return tuple(self._ids[first:last].tolist())

    def _is_variant(self, number: int) -> bool:
        return self._names <= number < self._stored


def _next_changes(words: Sequence[str], texts: list[str], places: list[Span]) -> list[int]:
    """For each normal form the next one, from itself on, that differs from what was typed."""
    found, ahead = [0] * len(texts), len(texts)
    for at in range(len(texts) - 1, -1, -1):
        start, stop = places[at]
        if stop - start > 1 or texts[at] != words[start]:
            ahead = at
        elif at + 1 < len(places) and places[at + 1][0] > stop:
            ahead = at  # a sign after it was dropped
        found[at] = ahead
    return found


def _outermost(found: list[_Found]) -> Iterator[_Found]:
    """The phrases within no other, in order; at one place there may be several."""
    reached, last = 0, (0, 0)
    for each in sorted(found, key=_by_place):
        if each[0][1] > reached or each[0] == last:
            last = each[0]
            reached = last[1]
            yield each


def _by_place(found: _Found) -> Span:
    start, stop = found[0]
    return start, -stop


def _variants(names: Sequence[Phrase]) -> Iterator[Phrase]:
    """Other forms of a token's names: normal ones, and "rock & roll" for "rock roll".

    Lists of names often have a short name without the "&" of the full one. It is put back.
    """
    for words in names:
        normal = normal_phrase(words)
        if normal != words and 0 < len(normal) <= _LONGEST_VARIANT and normal != _AND:
            yield normal
        if "&" in normal:
            bare = tuple(word for word in normal if word != "&")
            for other in names:
                if len(other) > 1 and bare[: len(other)] == other:
                    stop = [at for at, word in enumerate(normal) if word != "&"][len(other) - 1]
                    if "&" in normal[: stop + 1]:
                        yield normal[: stop + 1]


def _enter(found: dict[str, list[int]], lengths: dict[str, int], words: Phrase, token: int) -> None:
    ids = found.setdefault(" ".join(words), [])
    if not ids or ids[-1] != token:
        ids.append(token)
    lengths[words[0]] = lengths.get(words[0], 0) | _bit(words)


def _bit(words: Phrase) -> int:
    return 1 << len(words) if len(words) <= _LONGEST else 0


@cache
def _descending(lengths: int) -> tuple[int, ...]:
    """The lengths that bits stand for, the longest first."""
    return tuple(n for n in range(_LONGEST, 0, -1) if lengths >> n & 1)


def _bytes(texts: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer(_SEPARATOR.join(texts).encode("utf-8", "surrogatepass"), np.uint8)


def _texts(data: NDArray[np.generic]) -> list[str]:
    return data.tobytes().decode("utf-8", "surrogatepass").split(_SEPARATOR) if len(data) else []
