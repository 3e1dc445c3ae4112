"""`Grounds`: the tokens that a query makes available, by the `Grounding` of its domain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from grammax.automaton.grounded import AvailableTokens
from grammax.language.capabilities import Fillable
from grammax.language.domain import Domain
from grammax.reading.name_index import Match, NameIndex, Phrase
from grammax.reading.support import NameClasses, NameFinder
from grammax.reading.words import split
from grammax.vocabulary import Vocabulary


@final
@dataclass(frozen=True, slots=True, eq=False)
class Grounds:
    """The grounding of a domain in kind numbers and ids."""

    domain: Fillable
    kinds: frozenset[int]
    implied: Mapping[int, tuple[int, ...]]  # by kind
    always: tuple[int, ...]
    unused: frozenset[int]
    classes: NameClasses
    turns: tuple[tuple[frozenset[str], Mapping[int, tuple[int, ...]]], ...]
    named: frozenset[int]
    reduces: bool

    @classmethod
    def from_domain(cls, domain: Fillable) -> Grounds:
        """The grounding of a domain over its vocabulary."""
        grounding, vocabulary = domain.grounding, domain.vocabulary
        number = vocabulary.kind_number
        there = [kind for kind in grounding.unused if kind in vocabulary.kinds]

        def numbers(kinds: Iterable[str]) -> frozenset[int]:
            return frozenset(map(number, kinds))

        return cls(
            domain,
            numbers(grounding.kinds),
            {number(kind): tuple(vocabulary.ids(t)) for kind, t in grounding.implied.items()},
            tuple(vocabulary.ids(grounding.always)),
            numbers(there),
            NameClasses(
                open_kinds=numbers(grounding.open),
                closed_kinds=numbers(grounding.values - grounding.open),
                coded_kinds=numbers(grounding.coded),
                fields=numbers(grounding.kinds - grounding.values),
                places=numbers(grounding.places),
                neutral=grounding.neutral,
            ),
            tuple((words, _in_ids(turned, vocabulary)) for words, turned in grounding.turns),
            numbers(grounding.named),
            grounding.reduces,
        )

    @property
    def limited(self) -> frozenset[int]:
        """All kinds of which a query makes some tokens available."""
        return self.kinds | self.named

    def turn(self, words: Sequence[str], names: list[Match]) -> list[Match]:
        """The names, which also mean what some words of the query make of them."""
        for turning, turned in self.turns:
            if not turning.isdisjoint(words):
                names = [
                    name
                    if turned.keys().isdisjoint(name.ids)
                    else Match(name.start, name.stop, (*name.ids, *_more(name.ids, turned)))
                    for name in names
                ]
        return names

    def finder(self, index: NameIndex, kind_of: Sequence[int]) -> NameFinder:
        """Finds names in queries; of several values of a kind that share a name, the best known."""
        values = self.classes.open_kinds | self.classes.closed_kinds
        return NameFinder(index.with_owners(kind_of, values), kind_of, self.classes)

    def over(self, domain: Domain) -> Grounds:
        """The same for a domain whose vocabulary has changed."""
        return Grounds.from_domain(domain) if isinstance(domain, Fillable) else self

    def available(
        self, names: Sequence[Match], kind_of: Sequence[int], named: Iterable[int] = ()
    ) -> AvailableTokens:
        """The tokens that names and mentions make available; `named` are all that are named."""
        kinds, implied = self.kinds, self.implied
        found = {*self.always, *(token for token in named if kind_of[token] in self.named)}
        for match in names:
            for token in match.ids:
                kind = kind_of[token]
                if kind in kinds:
                    found.add(token)
                    found.update(implied.get(kind, ()))
        for kind in self.named - kinds - {kind_of[token] for token in found}:
            for start, stop in self.domain.vocabulary.spans(kind):
                found.update(range(start, stop))
        return AvailableTokens(found, self.limited, self.reduces)

    def searched_phrases(
        self, token: str, names: Sequence[Phrase], vocabulary: Vocabulary
    ) -> list[Phrase]:
        """The words that refer to a token: its names and cues; none if its kind is not used."""
        if vocabulary.kind_of(token) in self.unused:
            return []
        cues = self.domain.cues(token)
        if not cues:  # as most tokens
            return list(names)
        return list(dict.fromkeys((*names, *[tuple(split(cue)) for cue in cues])))


def _more(ids: Sequence[int], turned: Mapping[int, tuple[int, ...]]) -> list[int]:
    return [token for each in ids for token in turned.get(each, ()) if token not in ids]


def _in_ids(
    turned: Mapping[str, tuple[str, ...]], vocabulary: Vocabulary
) -> dict[int, tuple[int, ...]]:
    return {
        vocabulary.id(token): tuple(t for t in map(vocabulary.id, others))
        for token, others in turned.items()
        if token in vocabulary and all(other in vocabulary for other in others)
    }
