"""Support: which names of a query are meant as names.

Some kinds have open classes of names: titles, persons, brands, towns. Among thousands of them are
ordinary words and short codes: a film called "Up", a town called Reading. Such a name is *weak*. It
counts only with support from the rest of the query:

| support | example |
|---|---|
| typed in capitals, in a text that is not all capitals | films longer than UP |
| capitalised, within a text in lower case | films shot in Reading |
| a possessive | up's budget |
| beside another name of its kind | up vs coco |
| nothing else in the query but fields and function words | up running time |
| a place after a preposition, for kinds of places | films shot in reading |

The name of a little known token is supported by capitals only, and a function word never stands
"alone". A name in an open class that is made of other names ("swedish drama", a production firm)
is weak as well, and so are a name that is also one in a closed class, and a short code of a closed
class that is a function word ("in" for India) or a name of a field.

Where a name lacks support, the names inside it are looked for again.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise
from typing import Final, NamedTuple, final
from unicodedata import category

from grammax.reading.english import function_words, is_ordinary
from grammax.reading.name_index import Match, NameIndex
from grammax.reading.normal import Span, normal_phrase, plain_word

_CODE: Final = 3  # letters of a short code
_FEW: Final = 4  # words that do not say whether a text is in capitals
_FEW_BESIDE: Final = 2  # words beside a name in a query that asks for no field
_BETWEEN: Final = 2  # words between two names that stand beside each other
_VERSUS: Final = frozenset(("vs", "versus"))
_CONNECTING: Final = _VERSUS | {"and", "or", "&", "+", ",", "/", "."}
_PREPOSITIONS: Final = frozenset(("in", "from", "near", "at", "around"))
_APOSTROPHES: Final = ("'", "’", "`")
_REMEMBERED: Final = 20_000  # phrases
_ROUNDS: Final = 8


class Case(IntEnum):
    """How a word was typed."""

    LOWER = 0
    CAPITALISED = 1
    CAPITALS = 2


@final
@dataclass(frozen=True, slots=True)
class NameClasses:
    """What a domain says of its kinds, by their numbers, and how many tokens of a kind are known.

    The tokens of a kind are in the order of commonness.
    """

    open_kinds: frozenset[int]
    """Kinds with open classes of names."""
    closed_kinds: frozenset[int] = frozenset()
    """Kinds of all other values."""
    coded_kinds: frozenset[int] = frozenset()
    """Closed kinds with codes that may be function words: "in" for India."""
    fields: frozenset[int] = frozenset()
    places: frozenset[int] = frozenset()
    """Open kinds whose names follow prepositions."""
    neutral: frozenset[str] = frozenset()
    """Words beside function words that say nothing: the nouns for rows of the table."""
    famous: int = 300
    """Tokens with strong codes of three letters, and strong names that closed classes share."""
    coded: int = 130
    """Tokens of coded kinds whose codes are strong."""
    familiar: int = 1_000
    """Tokens whose names may be made of other names."""
    known: int = 6_000
    """Tokens whose weak names may be supported without capitals."""

    def is_value(self, kind: int) -> bool:
        """Whether the tokens of a kind are values."""
        return kind in self.open_kinds or kind in self.closed_kinds


class _Standing(NamedTuple):
    """How a phrase stands that names some tokens, whatever the rest of the query."""

    ids: tuple[int, ...]
    weak: frozenset[int]  # those of the tokens that need support
    strong: tuple[int, ...]  # the others
    function: bool  # whether all its words are function words
    code: bool  # whether it is a short code and no English word


class _Judged(NamedTuple):
    """A name of a query, and how it stands."""

    match: Match
    standing: _Standing


@final
@dataclass(frozen=True, slots=True)
class NameFinder:
    """Finds the names of a query that have support."""

    index: NameIndex
    kind_of: Sequence[int]
    """The kind of each token."""
    classes: NameClasses
    _standings: dict[str, _Standing] = field(default_factory=dict, init=False, repr=False)
    _firsts: dict[int, int] = field(default_factory=dict, init=False, repr=False)
    nouns: frozenset[str] = field(default=frozenset(), init=False, repr=False)
    """The nouns for rows in the plural."""

    def __post_init__(self) -> None:
        plurals = (word for word in self.classes.neutral if plain_word(word) != word)
        object.__setattr__(self, "nouns", frozenset(plurals))

    def find(
        self, words: Sequence[str], cases: Sequence[Case] = (), mentioned: Container[int] = ()
    ) -> list[Match]:
        """The supported names of a query.

        `cases` says how its words were typed, see `cases`; `mentioned` has the indices of words
        that are part of numbers and times.
        """
        without: set[Span] = set()
        for _ in range(_ROUNDS):
            found = self.index.find(words, without)
            if not self.nouns.isdisjoint(words):
                found = [match for match in found if not self._is_noun(words, match)]
            standings = [self._standing(words, match) for match in found]
            if not any(standing.weak for standing in standings):
                return found
            judged = list(map(_Judged, found, standings))
            query = _Query(words, cases, mentioned, judged, self)
            kept = [query.supported(each) if each.standing.weak else each.match for each in judged]
            lost = {m[:2] for m in kept if not m.ids and m.stop - m.start > 1}
            if not lost:
                break
            without |= lost  # there may be names inside
        return [match for match in kept if match.ids]

    def inside(self, phrase: Sequence[str]) -> list[Match]:
        """The names inside a phrase, without those that need support."""
        found = []
        for start, stop, ids in self.index.find(phrase, {(0, len(phrase))}):
            weak = self._weak_ids(phrase[start:stop], ids)
            kept = tuple(token for token in ids if token not in weak)
            if kept:
                found.append(Match(start, stop, kept))
        return [match for match in found if not self._is_noun(phrase, match)]

    def is_strong(self, words: Sequence[str], token: int) -> bool:
        """Whether a phrase, as `split` gives it, names a token without support."""
        ids = self.index.ids(tuple(words))
        return token in ids and token not in self._weak_ids(words, ids)

    def weak(self, words: Sequence[str], match: Match) -> frozenset[int]:
        """The tokens of a name in a query that count only because they have support."""
        phrase = words[match.start : match.stop]
        standing = self._standings.get(" ".join(phrase))
        if standing is None:  # a name within another; its tokens are not all that the words name
            whole = (each for each in self.index.find(phrase) if each[:2] == (0, len(phrase)))
            standing = self._standing(phrase, next(whole, Match(0, len(phrase), match.ids)))
        return standing.weak

    def _is_noun(self, words: Sequence[str], match: Match) -> bool:
        """Whether a match is a noun for rows, and a name only in the singular or an open class."""
        word = words[match.start]
        if match.stop - match.start > 1 or word not in self.nouns:
            return False
        return all(self.kind_of[t] in self.classes.open_kinds for t in self.index.ids((word,)))

    def position(self, token: int) -> int:
        """How many tokens of its kind come before a token."""
        kind = self.kind_of[token]
        first = self._firsts.get(kind)
        if first is None:
            first = self._firsts[kind] = self.kind_of.index(kind)
        return token - first

    def _standing(self, words: Sequence[str], match: Match) -> _Standing:
        """How a name of a query stands, remembered by its words and tokens."""
        start, stop, ids = match
        text = words[start] if stop - start == 1 else " ".join(words[start:stop])
        found = self._standings.get(text)
        if found is None or found.ids != ids:
            phrase = words[start:stop]
            weak = self._weak_ids(phrase, ids)
            strong = tuple(token for token in ids if token not in weak)
            code = len(phrase) == 1 and len(text) <= _CODE and not is_ordinary(text)
            found = _Standing(ids, weak, strong, bool(weak) and _is_functional(phrase), code)
            if len(self._standings) < _REMEMBERED:
                self._standings[text] = found
        return found

    def _weak_ids(self, phrase: Sequence[str], ids: Sequence[int]) -> frozenset[int]:
        """The tokens of a phrase that need support."""
        classes, kind_of = self.classes, self.kind_of
        words = normal_phrase(phrase)
        functional = _is_functional(words)
        code = len(words) == 1 and len(words[0]) <= _CODE and phrase[0].isalnum()  # "and" is "&"
        weak: list[int] = []
        if code:
            said = functional or self.names_field(ids) or words[0] in classes.neutral
            coded = [token for token in ids if kind_of[token] in classes.coded_kinds]
            weak = [t for t in coded if said or self.position(t) >= classes.coded]
        opened = [t for t in ids if kind_of[t] in classes.open_kinds]
        if not opened:
            return frozenset(weak)
        if functional or (len(words) == 1 and (is_ordinary(words[0]) or is_ordinary(phrase[0]))):
            return frozenset((*weak, *opened))
        if code:
            known = classes.famous if len(words[0]) == _CODE else 0
        elif len(words) > 1 and self._is_composed(phrase):
            known = classes.familiar
        elif any(kind_of[token] in classes.closed_kinds for token in ids):
            known = classes.famous
        else:
            return frozenset(weak)
        return frozenset((*weak, *(t for t in opened if self.position(t) >= known)))

    def is_known(self, token: int) -> bool:
        """Whether a token is well known among those of its kind."""
        is_open = self.kind_of[token] in self.classes.open_kinds
        return self.position(token) < (self.classes.known if is_open else self.classes.coded)

    def is_familiar(self, token: int) -> bool:
        """Whether a token is among the best known of its kind."""
        return self.position(token) < self.classes.familiar

    def names_field(self, ids: Sequence[int]) -> bool:
        """Whether one of some tokens is a field."""
        return any(self.kind_of[token] in self.classes.fields for token in ids)

    def _is_composed(self, phrase: Sequence[str]) -> bool:
        """Whether a phrase consists of names of closed kinds, fields and famous tokens."""
        closed, famous = self.classes.closed_kinds | self.classes.fields, self.classes.famous
        reached = 0
        for start, stop, ids in self.index.find(phrase, {(0, len(phrase))}):
            known = any(self.kind_of[t] in closed or self.position(t) < famous for t in ids)
            if start > reached or not known:
                return False
            reached = max(reached, stop)
        return reached == len(phrase)


@final
@dataclass(frozen=True, slots=True)
class _Query:
    """A query with its names, judged."""

    words: Sequence[str]
    cases: Sequence[Case]
    mentioned: Container[int]
    names: Sequence[_Judged]
    finder: NameFinder

    def supported(self, name: _Judged) -> Match:
        """The name with the tokens that count."""
        start, stop, ids = name.match
        if name.standing.function and not self.cases:
            return Match(start, stop, name.standing.strong)
        weak = name.standing.weak
        kept = tuple([token for token in ids if token not in weak or self._counts(name, token)])
        return name.match if len(kept) == len(ids) else Match(start, stop, kept)

    def _counts(self, name: _Judged, token: int) -> bool:
        kind, classes = self.finder.kind_of[token], self.finder.classes
        if self._is_capital(name):
            return True
        if kind not in classes.open_kinds or name.standing.function:
            return False
        start, stop, _ = name.match
        if stop - start == len(self.words[start]) == 1:
            return False  # a single letter
        if not name.standing.code and not self.finder.is_known(token):
            return False
        if self._is_possessive(name.match) or self._is_beside(name, token):
            return True
        if kind in classes.places:
            return name.match.start > 0 and self.words[name.match.start - 1] in _PREPOSITIONS
        return self._is_alone(name)

    def _is_capital(self, name: _Judged) -> bool:
        """Typed in capitals, or capitalised within a text in lower case.

        A field or a value of a closed class typed in capitals is no other name: "GDP", "BBB".
        """
        start, stop, ids = name.match
        if not self.cases or self._is_letter_after_word(name.match):
            return False
        typed = [c for c, w in zip(self.cases[start:stop], self.words[start:stop], strict=True)
                 if w.isalpha()]  # fmt: skip
        others = self._cases_beside(name.match)
        if all(case is Case.CAPITALS for case in typed):
            if self.words[start] == "i" or (start == 0 and self.words[0] == "a"):
                return False
            if len(others) >= _FEW and 2 * others.count(Case.CAPITALS) > len(others):
                return False
            if self.finder.names_field(ids) or self._names_closed(name):
                return False
            return not self._is_attribute(name)
        if start == 0 or name.standing.function or Case.LOWER in typed or self._names_closed(name):
            return False
        return 2 * others.count(Case.LOWER) > len(others)

    def _is_letter_after_word(self, match: Match) -> bool:
        """Whether a single letter follows a word of content: "top X films"."""
        start, stop, _ = match
        if stop - start > 1 or len(self.words[start]) > 1 or start == 0:
            return False
        before = self.words[start - 1]
        return before.isalpha() and before not in function_words()

    def _cases_beside(self, match: Match) -> list[Case]:
        """How the words beside a name were typed, without the first of the text."""
        inside = range(match.start, match.stop)
        return [
            case
            for at, case in enumerate(self.cases)
            if at and at not in inside and self.words[at].isalpha()
        ]

    def _names_closed(self, name: _Judged) -> bool:
        """Whether it also names a value of a closed class without support."""
        closed, kind_of = self.finder.classes.closed_kinds, self.finder.kind_of
        return any(kind_of[t] in closed and t not in name.standing.weak for t in name.match.ids)

    def _is_attribute(self, name: _Judged) -> bool:
        """Whether a noun for rows follows a name that is little known: "3D films"."""
        stop = name.match.stop
        if stop == len(self.words) or self.words[stop] not in self.finder.nouns:
            return False
        return not any(map(self.finder.is_known, name.standing.weak))

    def _is_possessive(self, match: Match) -> bool:
        start, stop, _ = match
        return self._possessive_at(stop - 2) if stop - start > 2 else self._possessive_at(stop)

    def _possessive_at(self, place: int) -> bool:
        words = self.words[place : place + 2]
        return len(words) == 2 and words[0] in _APOSTROPHES and words[1] == "s"

    def _is_beside(self, name: _Judged, token: int) -> bool:
        """Beside another name of the token's kind.

        The other one is not weak itself, or is on the side of a "vs", or both are well known.
        """
        kind = self.finder.kind_of[token]
        names = [each for each in self.names if not each.standing.function]
        for one, other in pairwise(names):
            if name is not one and name is not other:
                continue
            neighbour = other if name is one else one
            same = {t for t in neighbour.match.ids if self.finder.kind_of[t] == kind}
            between = self.words[one.match.stop : other.match.start]
            if not same or len(between) > _BETWEEN or not _CONNECTING.issuperset(between):
                continue
            if not _VERSUS.isdisjoint(between):
                return True
            if not same <= neighbour.standing.weak and (between or name.standing.code):
                return True
            if between and all(map(self.finder.is_familiar, (token, min(same)))):
                return True
        return False

    def _is_alone(self, name: _Judged) -> bool:
        """Whether the query has nothing else but fields and words that say nothing.

        "Good films" asks for films, so "good" is not the title of one.
        """
        if not self.finder.nouns.isdisjoint(self.words):
            return False
        fields, closed = self.finder.classes.fields, self.finder.classes.closed_kinds
        kind_of = self.finder.kind_of
        if self._names_closed(name):
            return False
        covered, asked = set(range(*name.match[:2])), False
        for other in self.names:
            if other is name or other.standing.function:
                continue
            if not any(kind_of[t] in fields for t in other.match.ids):
                strong = [t for t in other.match.ids if t not in other.standing.weak]
                if not strong or any(kind_of[t] in closed for t in strong):
                    return False
                if any(kind_of[t] in self.finder.classes.open_kinds for t in strong):
                    return False
            else:
                asked = True
            covered.update(range(*other.match[:2]))
        if not asked and len(self.words) > len(covered) + _FEW_BESIDE:
            return False
        if self.finder.names_field(name.match.ids) and not asked:
            return False
        return all(
            at in covered or at in self.mentioned or self._is_neutral(word)
            for at, word in enumerate(self.words)
        )

    def _is_neutral(self, word: str) -> bool:
        if not word.isalpha() or word == "s":
            return True
        return word in function_words() or word in self.finder.classes.neutral


def cases(text: str, words: Sequence[str]) -> tuple[Case, ...]:
    """How the words of a text, as `split` gives them, were typed; empty if case says nothing.

    That is so if the text is all in lower case or all in capitals.

    >>> [case.name for case in cases("films by A24", ["films", "by", "a", "2", "#4"])]
    ['LOWER', 'LOWER', 'CAPITALS', 'LOWER', 'LOWER']
    >>> cases("FILMS BY A24", ["films", "by", "a", "2", "#4"])
    ()
    """
    lower = text.lower()
    if lower == text or text.upper() == text or len(lower) != len(text):
        return ()
    found, at = [], 0
    for word in words:
        start = lower.find(word.removeprefix("#") or word, at)
        if start < 0:  # written differently in the text, with an accent or thousands separators
            found.append(Case.LOWER)
            continue
        at = start + len(word)
        typed = text[start:at]
        capital = Case.CAPITALS if typed.isupper() else Case.CAPITALISED
        found.append(capital if typed[:1].isupper() else Case.LOWER)
    return tuple(found)


def _is_functional(words: Sequence[str]) -> bool:
    """Whether all words are function words, apart from signs."""
    known = function_words()
    return all(word in known or _is_sign(word) for word in words)


def _is_sign(word: str) -> bool:
    """Whether a word is punctuation or a mathematical sign; a picture is none."""
    return not word.isalnum() and not any(category(letter) == "So" for letter in word)
