"""Queries that name something no table lists, on which a parser should abstain.

In a query of a pair, one name is replaced by an invented one, or a number by another; or a number
is added. No form can say what is meant then, so whatever a parser finds is wrong. A calibration
learns from them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final, final

import numpy as np

from grammax.errors import GrammaxError
from grammax.language.domain import Pair
from grammax.reading.name_index import Match
from grammax.reading.names import NameMatcher
from grammax.reading.reader import QueryReader
from grammax.reading.words import is_continued, joined, split
from grammax.training.augment.swaps import replaced

_SHORTEST, _LONGEST = 4, 11  # letters of an invented name
_TRIES: Final = 20
_TWO_WORDS: Final = 0.2  # share of the invented names
_ENDS: Final = "^", "$"


def unlisted_texts(
    pairs: Sequence[Pair],
    reader: QueryReader,
    kinds: Collection[str],
    random: np.random.Generator,
    times: int = 1,
) -> list[str]:
    """Queries of pairs with an invented name in place of one of these kinds; others are left out.

    The names are invented `times` times for each pair.
    """
    names = reader.names
    if names is None or not kinds:
        return []
    invented, vocabulary = InventedNames(names), names.vocabulary
    found: list[str] = []
    for pair in pairs:
        query = reader.read(pair.query)
        try:
            used = set(vocabulary.ids(query.filled(pair.tokens)))
        except GrammaxError:  # the form has what its query does not say
            continue
        there = [
            match
            for match in query.names
            if any(
                t in used and vocabulary.kinds[vocabulary.kinds_by_id[t]] in kinds
                for t in match.ids
            )
            and names.is_name(query.words[match.start : match.stop], match.ids)
        ]
        for _ in range(times if there else 0):
            match = there[int(random.integers(len(there)))]
            words = invented.draw(query.words[match.start : match.stop], random)
            if words:
                found.append(joined(replaced(query.typed, {Match(*match): words})))
    return found


def unlisted_numbers(pairs: Sequence[Pair], random: np.random.Generator) -> list[str]:
    """Queries of pairs with a number that they do not have, somewhere between their words."""
    found: list[str] = []
    for pair in pairs:
        words = pair.query.split(" ")
        number = str(int(random.integers(2, 100)))
        at = int(random.integers(len(words) + 1))
        beside = "".join(words[max(0, at - 1) : at + 1])
        if number not in pair.query and not any(letter.isdigit() for letter in beside):
            found.append(" ".join((*words[:at], number, *words[at:])))
    return found


@final
class InventedNames:
    """Names that sound like those of a domain: each letter follows another as it does there."""

    def __init__(self, names: NameMatcher) -> None:
        self._index = names.index
        self._after: dict[str, list[str]] = defaultdict(list)
        words = {
            word
            for token in names.vocabulary.tokens
            for phrase in names.phrases(token)
            for word in phrase
            if word.isalpha()
        }
        for word in sorted(words):
            for one, other in zip(_ENDS[0] + word, word + _ENDS[1], strict=True):
                self._after[one].append(other)
        self._words = words

    def draw(self, instead_of: Sequence[str], random: np.random.Generator) -> tuple[str, ...]:
        """A name that is not listed: of digits if the other one is; empty if none is found."""
        for _ in range(_TRIES):
            if all(word.isdecimal() or is_continued(word) for word in instead_of):
                words = tuple(split(str(int(random.integers(10, 10 ** (1 + len(instead_of)))))))
            else:
                count = 1 + int(random.random() < _TWO_WORDS)
                words = tuple(self._word(random) for _ in range(count))
            if all(words) and self._words.isdisjoint(words) and not self._index.find(words):
                return words
        return ()

    def _word(self, random: np.random.Generator) -> str:
        """One invented word; empty if it came out too short or too long."""
        found = _ENDS[0]
        while found[-1] != _ENDS[1] and len(found) <= _LONGEST:
            after = self._after.get(found[-1])
            if not after:
                return ""
            found += after[int(random.integers(len(after)))]
        word = found.strip("".join(_ENDS))
        return word if found[-1] == _ENDS[1] and len(word) >= _SHORTEST else ""
