"""Alignment: which words of a query express which part of its logical form.

Names and numbers are aligned directly. For other words ("above", "made by", "sorted by") IBM's
model 1 learns from all pairs which kinds of tokens they occur with; a word that prefers none is
glue. Finally, changes from one part to another within a query are penalised.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from math import log
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from grammax.language.domain import Part, Tokens
from grammax.reading.reader import Query
from grammax.training.augment.numbers import numbers_in, numbers_of
from grammax.vocabulary import Vocabulary

GLUE: Final = -1  # the owner of words that express no part
_ROUNDS: Final = 12  # of expectation maximisation
_NOTHING: Final = ""  # the symbol of glue
_FILLED: Final = "<filled>"  # and of what a query fills, if that has no token of its own
_PRIOR: Final = 4.0  # prior odds of glue against one part
_LEAST: Final = 1e-5  # probability of a word that never occurred with a symbol
_KNOWN: Final = log(0.5)  # log-probability of a word whose part is known
_LARGE: Final = 12  # tokens: a larger kind is one symbol
_AWAY: Final = log(0.1)  # log-probability of a change from one part to another
_TO_GLUE: Final = log(0.5)  # and of a change to glue, or back


class _Word(NamedTuple):
    text: str
    owners: tuple[int, ...]  # the parts that it may express, if that is known


class Segment(NamedTuple):
    """Adjacent words, and the part that they express; None if they are glue."""

    part: Part | None
    words: tuple[str, ...]


@final
class Alignment:
    """The alignment learnt from some pairs, each a query and the parts of its logical form."""

    def __init__(
        self, vocabulary: Vocabulary, pairs: Iterable[tuple[Query, Sequence[Part]]]
    ) -> None:
        self._symbol = cache(lambda token: _symbol(token, vocabulary))
        self._tokens = vocabulary.tokens
        given = [
            (
                [word.text for word in self._words(query, parts) if not word.owners],
                [
                    _NOTHING,
                    *dict.fromkeys(symbol for part in parts for symbol in self._symbols(part)),
                ],
            )
            for query, parts in pairs
        ]
        self._probabilities = learnt(given)

    def segments(self, query: Query, parts: Sequence[Part]) -> list[Segment]:
        """The words of a query, segmented by the parts that they express."""
        words = self._words(query, parts)
        owners = _smoothed(self._scores(words, parts))
        found: list[Segment] = []
        start = 0
        for stop in range(1, len(words) + 1):
            if stop == len(words) or owners[stop] != owners[start]:
                part = None if owners[start] == GLUE else parts[owners[start]]
                found.append(Segment(part, query.typed[start:stop]))
                start = stop
        return found

    def _probability(self, symbol: str, word: str) -> float:
        """The probability of a word, given a symbol of its part."""
        return max(self._probabilities.get(symbol, {}).get(word, 0.0), _LEAST)

    def _scores(self, words: Sequence[_Word], parts: Sequence[Part]) -> NDArray[np.float64]:
        """The log-probability of each word under each part and, last, as glue."""
        symbols = [self._symbols(part) for part in parts]
        scores = np.full((len(words), len(parts) + 1), log(_LEAST))
        for row, (word, owners) in zip(scores, words, strict=True):
            if owners:
                row[list(owners)] = _KNOWN
            else:
                row[:-1] = [
                    log(max(self._probability(symbol, word) for symbol in each)) for each in symbols
                ]
                row[-1] = log(2 * self._probability(_NOTHING, word))
        return scores

    def _words(self, query: Query, parts: Sequence[Part]) -> list[_Word]:
        found = [_Word(word, ()) for word in query.words]
        for start, stop, ids in query.names:
            meant = query.written_pieces(tuple(self._tokens[token] for token in ids))
            owners = tuple(
                n
                for n, part in enumerate(parts)
                if any(_is_within(piece, part.tokens) for piece in meant)
            )
            found[start:stop] = [_Word(word, owners) for word in query.words[start:stop]]
        numbers = [numbers_of(part.tokens) for part in parts]
        for start, stop, text in numbers_in(query.words, query.names):
            owners = tuple(n for n, each in enumerate(numbers) if text in each)
            found[start:stop] = [_Word("0", owners)] * (stop - start)  # one word for all numbers
        return found

    def _symbols(self, part: Part) -> list[str]:
        """The symbols of a part: large kinds, and single tokens of small ones."""
        return list(dict.fromkeys(map(self._symbol, part.tokens)))


def learnt(given: Sequence[tuple[list[str], list[str]]]) -> dict[str, dict[str, float]]:
    """The probability of each word under each symbol that it occurs with: IBM's model 1.

    Each occurrence of a word is shared among the symbols of its query, glue first; each round takes
    the expected counts under the probabilities so far, and normalises them.
    """
    symbols: list[str] = []
    words: list[str] = []
    starts: list[int] = []
    for some, others in given:
        for word in some:
            starts.append(len(words))
            symbols += others
            words += [word] * len(others)
    if not words:
        return {}
    pairs: dict[tuple[str, str], int] = {}
    keys = np.array([pairs.setdefault(p, len(pairs)) for p in zip(symbols, words, strict=True)])
    order = {symbol: place for place, symbol in enumerate(dict.fromkeys(symbols))}
    symbol_of = np.array([order[symbol] for symbol, _ in pairs])
    lengths = np.diff([*starts, len(words)])
    found = np.ones(len(pairs))
    for _ in range(_ROUNDS):
        shares = np.maximum(found, _LEAST)[keys]
        shares[starts] *= _PRIOR
        shares /= np.repeat(np.add.reduceat(shares, starts), lengths)
        counts = np.bincount(keys, shares, len(pairs))
        found = counts / np.bincount(symbol_of, counts)[symbol_of]
    probabilities: dict[str, dict[str, float]] = defaultdict(dict)
    for (symbol, word), probability in zip(pairs, found.tolist(), strict=True):
        probabilities[symbol][word] = probability
    return dict(probabilities)


def _is_within(piece: Tokens, tokens: Tokens) -> bool:
    """Whether a piece is one after the other in the tokens of a part."""
    size = len(piece)
    if size == 1:
        return piece[0] in tokens
    return any(tokens[at : at + size] == piece for at in range(len(tokens) - size + 1))


def _symbol(token: str, vocabulary: Vocabulary) -> str:
    if vocabulary.kind_of(token) is None:
        return _FILLED
    kind = vocabulary.kinds_by_id[vocabulary.id(token)]
    start, stop = vocabulary.span(kind)
    alike = stop - start > _LARGE or token.isdecimal()
    return vocabulary.kinds[kind] if alike else token


def _smoothed(scores: NDArray[np.float64]) -> list[int]:
    """The most probable owners of all words (Viterbi); the last column is glue."""
    glue = scores.shape[1] - 1
    change = np.full((glue + 1, glue + 1), _AWAY)  # from, to
    change[glue] = change[:, glue] = _TO_GLUE
    np.fill_diagonal(change, 0.0)
    best, previous = scores[0], []
    for row in scores[1:]:
        paths = best[:, None] + change
        previous.append(paths.argmax(0))
        best = paths.max(0) + row
    owner = int(best.argmax())
    owners = [owner]
    for before in reversed(previous):
        owner = int(before[owner])
        owners.append(owner)
    return [GLUE if owner == glue else owner for owner in reversed(owners)]
