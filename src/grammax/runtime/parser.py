"""Text → logical form without PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

import numpy as np

from grammax.automaton.protocol import Automaton
from grammax.domain import Domain
from grammax.model.parse import Parse, QuerySearch, read_query
from grammax.model.reader import Query
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.spans import RuntimeSpans
from grammax.runtime.weights import Weights, load_weights
from grammax.search import OneByOne


@final
class RuntimeParser:
    """The choices of `TorchParser`, in a fraction of its time; threads may share it."""

    def __init__(self, weights: Weights, automaton: Automaton[Any]) -> None:
        self.weights = weights
        self.automaton = automaton
        self.head = RuntimeSpans(weights.rows, weights.bias, len(automaton.vocabulary))
        decoder = RuntimeDecoder(weights)
        self._search = QuerySearch(
            decoder, OneByOne(decoder, np.stack), self.head, automaton, weights.config
        )

    @classmethod
    def load(cls, path: Path, domain: Domain) -> RuntimeParser:
        """The model of a file, under the tightest grammar of its domain."""
        return cls(load_weights(path, domain), domain.automaton(domain.grammars[-1]))

    def read(self, text: str) -> Query:
        """The words of a query, with a notice if some were cut or none is known."""
        return read_query(self.weights.reader, text)

    def parse(self, text: str) -> Parse:
        """The logical form of one query."""
        return self._search.parse(self.read(text))

    def best(self, text: str, count: int) -> list[Parse]:
        """The `count` best logical forms of one query, best first."""
        return self._search.best(self.read(text), count)

    def parse_many(self, texts: Sequence[str]) -> list[Parse]:
        """The logical forms of many queries."""
        return [self.parse(text) for text in texts]
