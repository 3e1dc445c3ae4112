"""More pairs of those that are there, others in each epoch: what a network is trained on.

Some pairs are recombined with parts of others, in some the numbers are others, and in some the
names are. All that they say was said in the pairs; nothing else is known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from grammax.automaton.protocol import Automaton
from grammax.automaton.walk import accepts_tokens
from grammax.language.domain import Domain, Tokens
from grammax.model.config import TrainingConfig
from grammax.reading.names import Names
from grammax.reading.reader import Query, Reader
from grammax.training.alignment import Alignment, Segment
from grammax.training.augment.numbers import renumbered
from grammax.training.augment.recombination import Recombination
from grammax.training.augment.swaps import Swaps
from grammax.training.examples import Example, example


@final
class Variations:
    """Draws an epoch's examples; `pairs` are the queries and tokens that there are."""

    def __init__(
        self,
        domain: Domain,
        reader: Reader,
        names: Names,
        config: TrainingConfig,
        pairs: Sequence[tuple[Query, Tokens]],
    ) -> None:
        self._reader = reader
        self._config = config
        self._pairs = pairs
        self._grammar = domain.automaton(config.grammar)
        self._swaps = Swaps(reader, names)
        self._recombination: Recombination | None = None
        divided = [(query, domain.parts(tokens)) for query, tokens in pairs]
        if config.p_recombine and any(len(parts) > 1 for _, parts in divided):
            alignment = Alignment(domain.vocabulary, divided)
            segments = [_covering(alignment.segments(*pair), len(pair[1])) for pair in divided]
            self._recombination = Recombination(domain, self._accepts, segments)

    def of(
        self,
        given: Sequence[Example],
        automaton: Automaton[Any],
        decisions_only: bool,
        random: np.random.Generator,
    ) -> list[Example]:
        """The examples of the pairs, which an automaton made of them, varied."""
        varied = []
        for number, before in enumerate(given):
            pair = self._varied(number, random)
            varied.append(before if pair is None else example(*pair, automaton, decisions_only))
        return self._swaps.of(varied, self._config.p_swap, random)

    def _varied(self, number: int, random: np.random.Generator) -> tuple[Query, Tokens] | None:
        """Other parts and other numbers; None if the pair stays as it is."""
        query, tokens = before = self._pairs[number]
        if self._recombination and random.random() < self._config.p_recombine:
            made = self._recombination.draw(number, random)
            if made is not None and len(made.words) <= self._reader.longest:
                query, tokens = self._reader.of(made.words), made.tokens
        if random.random() < self._config.p_renumber:
            words, others = renumbered(query.words, query.names, tokens, random)
            if others != tokens and self._accepts(others):
                query, tokens = self._reader.of(words), others
        return None if (query, tokens) == before else (query, tokens)

    def _accepts(self, tokens: Tokens) -> bool:
        return accepts_tokens(self._grammar, tokens)


def _covering(segments: list[Segment], parts: int) -> list[Segment]:
    """Segments that speak of all parts; where some are left out, none."""
    spoken = {segment.part for segment in segments if segment.part}
    return segments if len(spoken) == parts else []
