"""More pairs of a few: names swapped for others of their kind, as `model.swaps` does in training.

A held-out pair has a handful of names; with others in their places the same query is another test
of the parser, and its logical form is still known.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grammax.language.domain import Pair
from grammax.reading.name_index import Match, Phrase
from grammax.reading.names import Names
from grammax.reading.reader import Reader
from grammax.reading.words import CONTINUED
from grammax.training.augment.swaps import replaced


def swapped(
    pairs: Sequence[Pair], reader: Reader, random: np.random.Generator, times: int
) -> list[Pair]:
    """Each pair `times` times, every time with other names; one without names is left out."""
    names = reader.names
    if names is None:
        return []
    found = (_swapped(pair, reader, names, random) for pair in pairs for _ in range(times))
    return [pair for pair in found if pair is not None]


def _swapped(pair: Pair, reader: Reader, names: Names, random: np.random.Generator) -> Pair | None:
    query, vocabulary = reader.read(pair.query), names.vocabulary
    said = set(vocabulary.ids(pair.tokens))
    tokens: dict[str, str] = {}
    words: dict[Match, Phrase] = {}
    for token, matches in _named(query.names, said).items():
        other = _other(token, names, random)
        if other is not None:
            tokens[vocabulary.tokens[token]] = vocabulary.tokens[other[0]]
            words |= dict.fromkeys(matches, other[1])
    if not tokens:
        return None
    text = _text(replaced(query.words, words))
    return Pair(text, tuple(tokens.get(token, token) for token in pair.tokens))


def _named(names: Sequence[Match], said: set[int]) -> dict[int, list[Match]]:
    """The tokens that are said, each with its names; where names overlap, the first is meant."""
    found: dict[int, list[Match]] = {}
    reached = 0
    for match in names:
        meant = set(match.ids) & said
        if len(meant) == 1 and match.start >= reached:
            found.setdefault(meant.pop(), []).append(match)
            reached = match.stop
    return found


def _other(token: int, names: Names, random: np.random.Generator) -> tuple[int, Phrase] | None:
    """Another token of the kind and a name that is its alone; None if the draw has none."""
    vocabulary = names.vocabulary
    other = int(random.integers(*vocabulary.spans(vocabulary.kinds_by_id[token])[0]))
    phrases = [
        words
        for words in names.phrases(vocabulary.tokens[other])
        if [match.ids for match in names.find(words)] == [(other,)]
    ]
    if other == token or not phrases:
        return None
    return other, phrases[int(random.integers(len(phrases)))]


def _text(words: Sequence[str]) -> str:
    """Words as a text that is split into them again."""
    return " ".join(words).replace(f" {CONTINUED}", "")
