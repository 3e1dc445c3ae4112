"""Nesting: a whole pair in the place of a name of another one.

"what is the largest state" and "what is the population of ohio" make "what is the population of
the largest state". The words around the inner query that express nothing, such as "what is", are
left out. The result is used only if the grammar accepts it. (Jia & Liang, 2016, make such pairs by
abstracting whole phrases.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, final

import numpy as np

from grammax.language.domain import Nests, Part, Tokens
from grammax.reading.name_index import Match
from grammax.reading.reader import Query
from grammax.training.augment.alignment import Alignment
from grammax.training.augment.recombination import Accepts, Recombined, Words
from grammax.vocabulary import Vocabulary

_TRIES: Final = 6
_SAMPLED: Final = 200  # pairs that show how often another one fits into them
_OFTEN: Final = 0.02
_HOSTS: Final = 12  # names of each kind that are tried to see whether a pair fits anywhere


class _Host(NamedTuple):
    """A pair, and the names in its query that stand for one token each."""

    words: Words
    tokens: Tokens
    names: Sequence[tuple[Match, str]]


@final
class Nesting:
    """Draws pairs, the `hosts`, with others in the places of names, the `donors`."""

    def __init__(
        self,
        nests: Nests,
        accepts: Accepts,
        hosts: Sequence[_Host],
        donors: Sequence[Recombined],
    ) -> None:
        self._nests = nests
        self._accepts = accepts
        self._hosts = hosts
        self._donors = donors

    @classmethod
    def from_pairs(
        cls,
        nests: Nests,
        accepts: Accepts,
        alignment: Callable[[], Alignment],
        pairs: Sequence[tuple[Query, Tokens]],
        vocabulary: Vocabulary,
    ) -> Nesting | None:
        """None for a language whose pairs hardly ever fit into each other."""
        hosts = [_host(query, tokens, vocabulary.tokens) for query, tokens in pairs]
        every = cls(nests, accepts, hosts, [Recombined((), tokens) for _, tokens in pairs])
        if not every._often_fits():
            return None
        fitting = every._fitting(pairs, vocabulary)
        expressed = ((_expressed(alignment(), *pair), pair[1]) for pair in fitting)
        donors = [Recombined(words, tokens) for words, tokens in expressed if words]
        return cls(nests, accepts, hosts, donors) if donors else None

    def draw(self, number: int, random: np.random.Generator) -> Recombined | None:
        """The pair at an index with another one in it; None if none was found that fits."""
        words, tokens, names = self._hosts[number]
        for _ in range(_TRIES if names else 0):
            match, name = names[int(random.integers(len(names)))]
            inner = self._donors[int(random.integers(len(self._donors)))]
            made = self._nested(tokens, name, inner.tokens)
            if made is not None:
                return Recombined((*words[: match.start], *inner.words, *words[match.stop :]), made)
        return None

    def _often_fits(self) -> bool:
        random = np.random.default_rng(0)
        tried = random.integers(len(self._hosts), size=_SAMPLED).tolist()
        return sum(self.draw(number, random) is not None for number in tried) >= _OFTEN * _SAMPLED

    def _nested(self, outer: Tokens, name: str, inner: Tokens) -> Tokens | None:
        made = self._nests(outer, name, inner)
        return made if made is not None and self._accepts(made) else None

    def _fitting(
        self, pairs: Sequence[tuple[Query, Tokens]], vocabulary: Vocabulary
    ) -> list[tuple[Query, Tokens]]:
        """The pairs that fit into one of the first pairs with a name of some kind."""
        by_kind: dict[int, dict[tuple[Tokens, str], None]] = {}
        for host in self._hosts:
            for _, name in host.names:
                found = by_kind.setdefault(vocabulary.kinds_by_id[vocabulary.id(name)], {})
                if len(found) < _HOSTS:
                    found[host.tokens, name] = None
        tried = [each for found in by_kind.values() for each in found]
        return [
            (query, inner)
            for query, inner in pairs
            if any(self._nested(outer, name, inner) is not None for outer, name in tried)
        ]


def _host(query: Query, tokens: Tokens, spelt: Sequence[str]) -> _Host:
    inside = set(tokens)
    meant = [(match, [spelt[token] for token in match.ids]) for match in query.names]
    named = [(match, [name for name in names if name in inside]) for match, names in meant]
    clear = [(match, names[0]) for match, names in named if len(names) == 1]
    return _Host(query.typed, tokens, [m for m in clear if sum(m[1] == o for _, o in clear) == 1])


def _expressed(alignment: Alignment, query: Query, tokens: Tokens) -> Words:
    """The words of a query from the first to the last that express something."""
    segments = alignment.segments(query, [Part(tokens, "")])
    owned = [index for index, segment in enumerate(segments) if segment.part]
    if not owned:
        return ()
    inside = segments[owned[0] : owned[-1] + 1]
    return tuple(word for segment in inside for word in segment.words)
