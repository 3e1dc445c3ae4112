"""Which words of a query speak of which part of its logical form.

Names and numbers tell it outright. Of other words ("above", "listed on", "sorted by") it is learnt
from all pairs with which kinds of tokens they come, by IBM's model 1; a word that goes with none
in particular is glue. Last, the words of a part stay side by side where they can.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from math import log
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from grammax.language.domain import Part
from grammax.reading.reader import Query
from grammax.training.augment.numbers import numbers_of, said_numbers
from grammax.vocabulary import Vocabulary

GLUE: Final = -1  # the owner of words that speak of no part
_ROUNDS: Final = 12  # of expectation and maximisation
_NOTHING: Final = ""  # the sign of glue
_PRIOR: Final = 4.0  # how much likelier than by a part a word is glue, before anything is learnt
_LEAST: Final = 1e-5  # a chance, where a word never came with a sign
_KNOWN: Final = log(0.5)  # of a word whose part is known
_LARGE: Final = 12  # tokens: those of larger kinds are taken together
_AWAY: Final = log(0.1)  # from the words of one part to those of another
_TO_GLUE: Final = log(0.5)  # and to glue, or back


class _Word(NamedTuple):
    text: str
    owners: tuple[int, ...]  # the parts it speaks of, where that is known


class Segment(NamedTuple):
    """Words side by side, and the part that they speak of; None if they are glue."""

    part: Part | None
    words: tuple[str, ...]


@final
class Alignment:
    """What was learnt of some pairs: each a query, and the parts of its logical form."""

    def __init__(
        self, vocabulary: Vocabulary, pairs: Iterable[tuple[Query, Sequence[Part]]]
    ) -> None:
        self._sign = cache(lambda token: _sign(token, vocabulary))
        self._tokens = vocabulary.tokens
        self._chances: dict[str, dict[str, float]] = {}
        given = [
            (
                [word.text for word in self._words(query, parts) if not word.owners],
                [_NOTHING, *dict.fromkeys(sign for part in parts for sign in self._signs(part))],
            )
            for query, parts in pairs
        ]
        for _ in range(_ROUNDS):
            self._chances = self._learnt(given)

    def segments(self, query: Query, parts: Sequence[Part]) -> list[Segment]:
        """The words of a query by the parts that they speak of."""
        words = self._words(query, parts)
        owners = _smoothed(self._scores(words, parts))
        found: list[Segment] = []
        start = 0
        for stop in range(1, len(words) + 1):
            if stop == len(words) or owners[stop] != owners[start]:
                part = None if owners[start] == GLUE else parts[owners[start]]
                found.append(Segment(part, query.words[start:stop]))
                start = stop
        return found

    def _learnt(self, given: Sequence[tuple[list[str], list[str]]]) -> dict[str, dict[str, float]]:
        """One round: what the chances so far make of each word, counted."""
        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for words, signs in given:
            for word in words:
                shares = [self._chance(sign, word) for sign in signs]
                shares[0] *= _PRIOR
                total = sum(shares)
                for sign, share in zip(signs, shares, strict=True):
                    counts[sign][word] += share / total
        totals = {sign: sum(found.values()) for sign, found in counts.items()}
        return {
            sign: {word: count / totals[sign] for word, count in found.items()}
            for sign, found in counts.items()
        }

    def _chance(self, sign: str, word: str) -> float:
        """Of a word, where its part has a sign."""
        if not self._chances:
            return 1.0
        return max(self._chances.get(sign, {}).get(word, 0.0), _LEAST)

    def _scores(self, words: Sequence[_Word], parts: Sequence[Part]) -> NDArray[np.float64]:
        """Of each word the log-chance by each part, and last as glue."""
        signs = [self._signs(part) for part in parts]
        scores = np.full((len(words), len(parts) + 1), log(_LEAST))
        for row, (word, owners) in zip(scores, words, strict=True):
            if owners:
                row[list(owners)] = _KNOWN
            else:
                row[:-1] = [log(max(self._chance(sign, word) for sign in each)) for each in signs]
                row[-1] = log(2 * self._chance(_NOTHING, word))
        return scores

    def _words(self, query: Query, parts: Sequence[Part]) -> list[_Word]:
        found = [_Word(word, ()) for word in query.words]
        for start, stop, ids in query.names:
            meant = {self._tokens[token] for token in ids}
            owners = tuple(n for n, part in enumerate(parts) if meant.intersection(part.tokens))
            found[start:stop] = [_Word(word, owners) for word in query.words[start:stop]]
        numbers = [numbers_of(part.tokens) for part in parts]
        for start, stop, text in said_numbers(query.words, query.names):
            owners = tuple(n for n, each in enumerate(numbers) if text in each)
            found[start:stop] = [_Word("0", owners)] * (stop - start)  # all numbers are alike
        return found

    def _signs(self, part: Part) -> list[str]:
        """What a part is made of: kinds of names, and single tokens of small kinds."""
        return list(dict.fromkeys(map(self._sign, part.tokens)))


def _sign(token: str, vocabulary: Vocabulary) -> str:
    kind = vocabulary.kinds_by_id[vocabulary.id(token)]
    start, stop = vocabulary.span(kind)
    alike = stop - start > _LARGE or token.isdecimal()
    return vocabulary.kinds[kind] if alike else token


def _smoothed(scores: NDArray[np.float64]) -> list[int]:
    """The likeliest owners of all words, where a change of owner costs; GLUE is the last."""
    glue = scores.shape[1] - 1
    change = np.full((glue + 1, glue + 1), _AWAY)  # from, to
    change[glue] = change[:, glue] = _TO_GLUE
    np.fill_diagonal(change, 0.0)
    best, came = scores[0], []
    for row in scores[1:]:
        paths = best[:, None] + change
        came.append(paths.argmax(0))
        best = paths.max(0) + row
    owner = int(best.argmax())
    owners = [owner]
    for before in reversed(came):
        owner = int(before[owner])
        owners.append(owner)
    return [GLUE if owner == glue else owner for owner in reversed(owners)]
