"""The augmented pairs of an epoch.

Some pairs are recombined with parts of others, some get other numbers, and some other names. All
words and structures come from the training pairs and from the names of tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, final

import numpy as np

from grammax.automaton.protocol import Automaton
from grammax.automaton.walk import accepts_tokens
from grammax.language.domain import Domain, Tokens
from grammax.model.config import TrainingConfig
from grammax.reading.names import NameMatcher
from grammax.reading.reader import Query, QueryReader
from grammax.reading.words import joined
from grammax.training.augment.alignment import Alignment, Segment
from grammax.training.augment.nesting import Nesting
from grammax.training.augment.numbers import renumbered
from grammax.training.augment.recombination import Recombination
from grammax.training.augment.swaps import Swaps
from grammax.training.augment.texts import TextSwaps
from grammax.training.examples import Example, UntrainablePair, example

_TRIES: Final = 5  # for each query that is asked for


@final
class Variations:
    """Draws the examples of an epoch; `pairs` are the training queries and their tokens."""

    def __init__(
        self,
        domain: Domain,
        reader: QueryReader,
        names: NameMatcher,
        config: TrainingConfig,
        pairs: Sequence[tuple[Query, Tokens]],
    ) -> None:
        self._domain = domain
        self._reader = reader
        self._config = config
        self._pairs = pairs
        self._written = domain.automaton(domain.grammars[-1])
        self._swaps = Swaps(reader, names)
        self._texts: TextSwaps | None = None
        filling = reader.filling
        if filling is not None and filling.has_texts and config.p_swap:
            self._texts = TextSwaps(filling, reader, names, pairs)
        self._recombination: Recombination | None = None
        self._nesting: Nesting | None = None
        divided = [(query, domain.parts(tokens)) for query, tokens in pairs]
        alignment = cache(lambda: Alignment(domain.vocabulary, divided))
        nests = domain.nesting() if config.p_nest else None
        if nests is not None:
            self._nesting = Nesting.from_pairs(
                nests, self._accepts, alignment, pairs, domain.vocabulary
            )
        if config.p_recombine and any(len(parts) > 1 for _, parts in divided):
            segments = [_covering(alignment().segments(*pair), len(pair[1])) for pair in divided]
            self._recombination = Recombination(domain, self._accepts, segments)

    def draw(
        self,
        given: Sequence[Example],
        automaton: Automaton[Any],
        decisions_only: bool,
        random: np.random.Generator,
        numbers: Sequence[int] | None = None,
    ) -> list[Example]:
        """The examples of all pairs, or of those at `numbers`, varied.

        `automaton` is the one that `given`, the examples of all pairs, were built with.
        """
        numbers = range(len(given)) if numbers is None else numbers
        if self._reader.filling is not None:
            return [
                self._refilled(number, given[number], automaton, decisions_only, random)
                for number in numbers
            ]
        varied = []
        for number in numbers:
            pair = self._varied(number, random)
            varied.append(
                given[number] if pair is None else example(*pair, automaton, decisions_only)
            )
        return self._swaps.draw(varied, self._config.p_swap, random)

    def queries(self, count: int, random: np.random.Generator) -> list[str]:
        """New queries, made of parts of those of the pairs; fewer if no more are found."""
        given = {joined(query.typed) for query, _ in self._pairs}
        found: dict[str, None] = {}
        for _ in range(_TRIES * count):
            pair = self._varied(int(random.integers(len(self._pairs))), random)
            text = "" if pair is None else joined(pair[0].typed)
            if text and text not in given:
                found[text] = None
            if len(found) == count:
                break
        return list(found)

    def _refilled(
        self,
        number: int,
        before: Example,
        automaton: Automaton[Any],
        decisions_only: bool,
        random: np.random.Generator,
    ) -> Example:
        """One example with other parts and other names; the query is read again.

        A variation that does not say all that its logical form has is not used.
        """
        pair = self._varied(number, random)
        query, tokens = self._pairs[number] if pair is None else pair
        if random.random() < self._config.p_swap:
            other = self._swaps.swapped(query, tokens, random)
            pair = pair if other is None else other
        if self._texts is not None and random.random() < self._config.p_swap:
            other = self._texts.draw(*(pair or (query, tokens)), random)
            pair = pair if other is None else other
        if pair is None:
            return before
        try:
            return example(*pair, automaton, decisions_only)
        except UntrainablePair:
            return before

    def _varied(self, number: int, random: np.random.Generator) -> tuple[Query, Tokens] | None:
        """The pair with other parts and other numbers; None if it does not change."""
        query, tokens = before = self._pairs[number]
        if self._nesting and random.random() < self._config.p_nest:
            made = self._nesting.draw(number, random)
            if made is not None and len(made.words) <= self._reader.longest:
                return self._reader.from_words(made.words), made.tokens
        if self._recombination and random.random() < self._config.p_recombine:
            made = self._recombination.draw(number, random)
            if made is not None and len(made.words) <= self._reader.longest:
                query, tokens = self._reader.from_words(made.words), made.tokens
        if self._reader.filling is None and random.random() < self._config.p_renumber:
            words, others = renumbered(query.words, query.names, tokens, random)
            if others != tokens and self._accepts(others):
                query, tokens = self._reader.from_words(words), others
        return None if (query, tokens) == before else (query, tokens)

    def _accepts(self, tokens: Tokens) -> bool:
        vocabulary = self._written.vocabulary
        if all(vocabulary.kind_of(token) is not None for token in tokens):
            return accepts_tokens(self._written, tokens)
        return self._domain.grammatical(tokens)  # it has what only a query can fill


def _covering(segments: list[Segment], parts: int) -> list[Segment]:
    """The segments if they express all parts, else an empty sequence."""
    expressed = {segment.part for segment in segments if segment.part}
    return segments if len(expressed) == parts else []
