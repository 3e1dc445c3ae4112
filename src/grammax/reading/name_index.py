"""`NameIndex`: phrases → the tokens that they name. Longer phrases take precedence.

A name is also found in other forms, see `normal`: the index stores the normal form of each name
beside the name, and looks for the words of a query as typed, then for their normal forms. Of the
tokens of a phrase, those with it as a name come before those with it as a variant.

A phrase may name several tokens. With the kinds of tokens given, it names one token of a kind, the
first in the order of names: its *owner*. It may still name tokens of several kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from grammax.reading.normal import Span, is_normal, normal_words, plain_word, variants
from grammax.reading.phrase_table import LONGEST, Arrays, PhraseTable, prefixes
from grammax.reading.words import is_continued

Phrase = tuple[str, ...]  # one or more words
TokenNames = Iterable[tuple[int, Iterable[Phrase]]]  # tokens, each with its names
_Ids = tuple[int, ...]
_Found = tuple[Span, _Ids]  # where a phrase is, and its tokens

_REMEMBERED: Final = 50_000  # texts
_SHORTEST_JOINED: Final = 7  # letters of two words that may be written as one: "sci fi"


class _Known(NamedTuple):
    """What is known of a text."""

    ids: _Ids  # the tokens that it names
    longer: tuple[int, ...]  # lengths of the phrases that begin with it, the longest first
    one: _Ids  # of two words, the tokens that their normal forms name if written as one


_NOTHING: Final = _Known((), (), ())


class Match(NamedTuple):
    """Words `start` to `stop` of a query are a name of the tokens `ids`."""

    start: int
    stop: int
    ids: tuple[int, ...]


@final
class _Remembered(dict[str, _Known]):
    """Look-ups by text, each done once until there are too many."""

    def __init__(self, look_up: Callable[[str], _Known]) -> None:
        super().__init__()
        self._look_up = look_up

    def __missing__(self, text: str) -> _Known:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self[text] = self._look_up(text)
        return found


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
        self._table = PhraseTable(arrays)
        self._known = _Remembered(self._look_up)
        self._kind_of: Sequence[int] = ()
        self._owned: Container[int] = ()  # kinds of which a phrase names one token
        self._changed: Mapping[str, _Ids] = {}  # phrases with other tokens than in the table
        self._begun: Mapping[str, int] = {}  # by the first words of added names, their lengths
        self._new: frozenset[str] = frozenset()  # words of added names

    @classmethod
    def from_names(cls, names: Iterable[Iterable[Phrase]]) -> NameIndex:
        """The index of the names of each token, in the order of ids."""
        found: dict[str, list[int]] = {}
        others: dict[str, list[int]] = {}
        by_token = [[words for words in phrases if words] for phrases in names]
        every = set(chain.from_iterable(chain.from_iterable(by_token)))
        normal = frozenset(word for word in every if is_normal(word))
        for token, called in enumerate(by_token):
            for words in called:
                _enter(found, words, token)
            for words in variants(called, normal):
                _enter(others, words, token)
        count = len(found)
        for text, ids in others.items():
            found[text] = list(dict.fromkeys((*found[text], *ids))) if text in found else ids
        return cls(PhraseTable.from_phrases(found, count).arrays)

    @property
    def arrays(self) -> Arrays:
        """The arrays to store, without changes."""
        return self._table.arrays

    def with_owners(self, kind_of: Sequence[int], kinds: Container[int]) -> NameIndex:
        """The same index, in which a phrase names only the first token of each of some kinds.

        >>> index = NameIndex.from_names([[("crime",)], [("crime",), ("true", "crime")]])
        >>> index.with_owners(kind_of=(4, 4), kinds={4}).find(["crime"])
        [Match(start=0, stop=1, ids=(0,))]
        """
        made: NameIndex = object.__new__(NameIndex)
        vars(made).update(vars(self), _kind_of=kind_of, _owned=kinds)
        made._known = _Remembered(made._look_up)
        return made

    def has_word(self, word: str) -> bool:
        """Whether a word is part of a name.

        >>> index = NameIndex.from_names([[("true", "crime")]])
        >>> index.has_word("crime"), index.has_word("true crime")
        (True, False)
        """
        return word in self._new or self._table.find(word).is_word

    def words(self) -> frozenset[str]:
        """All words of names."""
        return self._table.words() | self._new

    def words_of(self, wanted: NDArray[np.bool_]) -> frozenset[str]:
        """The words of all phrases that name a wanted token; `wanted` has a value for each token.

        >>> index = NameIndex.from_names([[("crime",)], [("true", "crime"), ("war",)]])
        >>> sorted(index.words_of(np.array([False, True])))
        ['crime', 'true', 'war']
        """
        changed = self._changed
        texts = chain(
            (text for text in self._table.names_of(wanted) if text not in changed),
            (text for text, ids in changed.items() if wanted[list(ids)].any()),
        )
        return frozenset(chain.from_iterable(map(str.split, texts)))

    def changed(self, removed: TokenNames, added: TokenNames) -> NameIndex:
        """The index without the names of some tokens and with those of others; it is not stored.

        >>> index = NameIndex.from_names([[("crime",)], [("true", "crime")]])
        >>> index.changed([(0, [("crime",)])], [(2, [("new", "wave")])]).find(["new", "wave"])
        [Match(start=0, stop=2, ids=(2,))]
        """
        ids: dict[str, dict[int, None]] = {}  # of the changed phrases
        begun = dict(self._begun)
        for token, phrases in removed:
            for words in _with_variants(phrases):
                self._ids_to_change(ids, words).pop(token, None)
        for token, phrases in added:
            for words in _with_variants(phrases):
                self._ids_to_change(ids, words)[token] = None
                for prefix, bit in prefixes(words):
                    begun[prefix] = begun.get(prefix, 0) | bit
        made: NameIndex = object.__new__(NameIndex)
        vars(made).update(vars(self), _begun=begun)
        made._known = _Remembered(made._look_up)
        made._changed = {**self._changed, **{text: tuple(tokens) for text, tokens in ids.items()}}
        left = (text for text, tokens in ids.items() if tokens)
        made._new = self._new.union(chain.from_iterable(map(str.split, left)))
        return made

    def _ids_to_change(self, ids: dict[str, dict[int, None]], words: Phrase) -> dict[int, None]:
        text = " ".join(words)
        found = ids.get(text)
        if found is None:
            found = ids[text] = dict.fromkeys(self._all_ids(text))
        return found

    def _all_ids(self, text: str) -> _Ids:
        """All tokens that a phrase names, owners or not."""
        changed = self._changed.get(text)
        return self._table.find(text).ids if changed is None else changed

    def __contains__(self, words: Phrase) -> bool:
        return bool(self._all_ids(" ".join(words)))

    def ids(self, words: Phrase) -> tuple[int, ...]:
        """The tokens that a phrase names, as it is written."""
        return self._known[" ".join(words)][0]

    def find(self, words: Sequence[str], without: Container[Span] = ()) -> list[Match]:
        """The names in a query; a name within a longer one is left out.

        Phrases at the spans `without` are not taken for names, but those within them are.
        """
        known = self._known
        texts, places = normal_words(words)
        pairs = [known[f"{one} {other}"] for one, other in pairwise(words)]
        found = self._phrases(words, pairs, without)
        if texts != words:
            found += self._in_normal_form(words, texts, places, pairs, without)
        if len(texts) == len(words):  # each word has its own normal form
            found += [
                ((at, at + 2), pair.one)
                for at, pair in enumerate(pairs)
                if pair.one and (at, at + 2) not in without
            ]
        else:
            found += self._joined(texts, places, without)
        alone = [known[word].ids for word in words]
        if without:
            alone = [() if (at, at + 1) in without else ids for at, ids in enumerate(alone)]
        return self._outermost(found, alone)

    def _outermost(self, found: list[_Found], alone: Sequence[_Ids]) -> list[Match]:
        """The phrases within no other, in order, and between them the words that are names."""
        matches: list[Match] = []
        reached = 0
        for (start, stop), ids in sorted(found, key=_by_place):
            if stop > reached:
                matches += [
                    Match(at, at + 1, alone[at]) for at in range(reached, start) if alone[at]
                ]
                if stop - start == 1:
                    ids = self._joint(alone[start], ids)
            elif matches[-1][:2] == (start, stop):
                ids = self._joint(matches.pop().ids, ids)
            else:
                continue  # within a longer one
            matches.append(Match(start, stop, ids))
            reached = stop
        matches += [Match(at, at + 1, alone[at]) for at in range(reached, len(alone)) if alone[at]]
        return matches

    def _joint(self, ids: _Ids, more: _Ids) -> _Ids:
        """The tokens of a name as typed, and those of its variant of other kinds, with owners."""
        if not self._kind_of or not ids:
            return ids or more
        kinds = {self._kind_of[token] for token in ids}
        return (*ids, *(token for token in more if self._kind_of[token] not in kinds))

    def _phrases(
        self,
        words: Sequence[str],
        pairs: Sequence[_Known],
        without: Container[Span],
        places: Sequence[Span] | None = None,
        beyond: Sequence[int] | None = None,
    ) -> list[_Found]:
        """The phrases of two or more words; one that starts at i goes beyond `beyond[i]`.

        `pairs` is what is known of each word with the next one.
        """
        found: list[_Found] = []
        known, reached, end = self._known, 0, len(words)
        for start, pair in enumerate(pairs):
            if pair is _NOTHING:
                continue
            if beyond is not None and beyond[start] > reached:
                reached = beyond[start]  # it never decreases
            for length in pair.longer:
                stop = start + length
                if stop <= reached:
                    break
                ids = known[" ".join(words[start:stop])].ids if stop <= end else ()
                if ids:
                    span = (places[start][0], places[stop - 1][1]) if places else (start, stop)
                    if span not in without:
                        found.append((span, ids))
                        reached = stop
                        break
            stop = start + 2
            if pair.ids and stop > reached:
                span = (places[start][0], places[stop - 1][1]) if places else (start, stop)
                if span not in without:
                    found.append((span, pair.ids))
                    reached = stop
        return found

    def _in_normal_form(
        self,
        words: Sequence[str],
        texts: Sequence[str],
        places: Sequence[Span],
        typed: Sequence[_Known],
        without: Container[Span],
    ) -> list[_Found]:
        """The phrases of normal forms, with at least one that differs from what was typed."""
        known, count = self._known, len(texts)
        changed = _changes(words, texts, places)
        if count == len(words):
            pairs = list(typed)
            starts = {start for at in changed for start in (at - 1, at)}
            for start in starts.intersection(range(count - 1)):
                pairs[start] = known[f"{texts[start]} {texts[start + 1]}"]
        else:
            pairs = [known[f"{one} {other}"] for one, other in pairwise(texts)]
        beyond: list[int] = []  # for each normal form the next one, from itself on, that differs
        for at in changed:
            beyond += [at] * (at + 1 - len(beyond))
        found = self._phrases(texts, pairs[: len(beyond)], without, places, beyond)
        for at in changed:
            ids = known[texts[at]].ids
            if ids and places[at] not in without:
                found.append((places[at], ids))
        return found

    def _joined(
        self, words: Sequence[str], places: Sequence[Span], without: Container[Span]
    ) -> list[_Found]:
        """Two normal forms that are a name if written as one."""
        found: list[_Found] = []
        for at, (first, second) in enumerate(pairwise(words)):
            ids = self._written_as_one(first, second)
            span = places[at][0], places[at + 1][1]
            if ids and span not in without:
                found.append((span, ids))
        return found

    def _written_as_one(self, first: str, second: str) -> _Ids:
        """The tokens that two words name if written as one."""
        if len(first) + len(second) < _SHORTEST_JOINED:
            return ()
        return self._known[first + second][0] if first.isalpha() and second.isalpha() else ()

    def named(self, words: Sequence[str]) -> Iterator[int]:
        """All tokens with a name in a query, also inside a longer name, not inside a number."""
        for match in self.all(words):
            yield from match.ids

    def all(self, words: Sequence[str]) -> Iterator[Match]:
        """All names in a query, also those inside longer ones, but none inside a number."""
        texts, places = normal_words(words)
        seen = set()
        for span, ids in chain(
            self._every(words, [(at, at + 1) for at in range(len(words))]),
            self._every(texts, places) if texts != words else (),
            self._joined(texts, places, ()),
        ):
            if span not in seen:
                seen.add(span)
                yield Match(*span, ids)

    def _every(self, words: Sequence[str], places: Sequence[Span]) -> Iterator[_Found]:
        inside = [is_continued(word) for word in words] + [False]
        for start, word in enumerate(words):
            longer = self._known[word][1]
            for length in (1, *reversed(longer)):
                stop = start + length
                if stop <= len(words) and not inside[stop]:
                    ids = self._known[" ".join(words[start:stop])][0]
                    if ids:
                        yield (places[start][0], places[stop - 1][1]), ids

    def _look_up(self, text: str) -> _Known:
        """What is known of a text, see `_Known`."""
        ids, lengths, _ = self._table.find(text)
        if self._changed:
            ids = self._changed.get(text, ids)
            lengths |= self._begun.get(text, 0)
        words = text.split(" ")
        one = self._written_as_one(*map(plain_word, words)) if len(words) == 2 else ()
        if not (ids or lengths or one):
            return _NOTHING
        return _Known(self._owners(ids), _descending(lengths), one)

    def _owners(self, ids: _Ids) -> _Ids:
        """Of some tokens, the first only of each kind that has owners."""
        if not self._kind_of:
            return ids
        first: dict[int, int] = {}
        for token in ids:
            kind = self._kind_of[token]
            first.setdefault(kind if kind in self._owned else -1 - token, token)
        return tuple(first.values())


def _changes(words: Sequence[str], texts: Sequence[str], places: Sequence[Span]) -> list[int]:
    """The normal forms that differ from what was typed."""
    if len(texts) == len(words):
        return [at for at, (a, b) in enumerate(zip(words, texts, strict=True)) if a != b]
    after = [*(start for start, _ in places[1:]), 0]  # where the next one starts
    forms = zip(texts, places, after, strict=True)
    return [
        at
        for at, (text, (start, stop), following) in enumerate(forms)
        if stop - start > 1 or text != words[start] or following > stop  # a sign was dropped
    ]


def _by_place(found: _Found) -> Span:
    start, stop = found[0]
    return start, -stop


def _with_variants(phrases: Iterable[Phrase]) -> list[Phrase]:
    """The names of a token and their variants."""
    called = [words for words in phrases if words]
    return [*called, *variants(called)]


def _enter(found: dict[str, list[int]], words: Phrase, token: int) -> None:
    text = " ".join(words)
    ids = found.get(text)
    if ids is None:
        found[text] = [token]
    elif ids[-1] != token:
        ids.append(token)


@cache
def _descending(lengths: int) -> tuple[int, ...]:
    """The lengths that bits stand for, the longest first."""
    return tuple(n for n in range(LONGEST, 0, -1) if lengths >> n & 1)
