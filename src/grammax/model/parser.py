"""`TorchParser`: parses text with a trained network, a head and a grammar."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, final

import torch

from grammax.automaton.protocol import Automaton
from grammax.head.layer import OutputLayer
from grammax.head.protocol import Head
from grammax.head.spans import Spans
from grammax.language.domain import Domain
from grammax.model.decoding import TorchBatchDecoder, TorchDecoder
from grammax.model.header import decoding_grammar
from grammax.model.network import Network
from grammax.reading.parse import QuerySearch, read_query
from grammax.reading.reader import Query
from grammax.search import Decoded, SearchError
from grammax.search.result import all_found, found_or_errors

_BATCH: Final = 128


@final
class TorchParser:
    """The reference parser: by default under the exact grammar, multiplying only permitted rows.

    Other heads and automata can be given: `EveryRow` and `Unconstrained` are the paper's NSP. A
    network with `decisions_only` works only under the grammar that it was trained with.
    """

    def __init__(
        self,
        network: Network,
        automaton: Automaton[Any],
        head: Head[torch.Tensor] | None = None,
    ) -> None:
        self.network = network
        self.automaton = automaton
        self.head: Head[torch.Tensor] = Spans(output_layer(network)) if head is None else head
        self._search = QuerySearch(
            TorchDecoder(network), TorchBatchDecoder(network), self.head, automaton, network.config
        )

    @classmethod
    def for_domain(cls, network: Network, domain: Domain) -> TorchParser:
        """A parser under the exact grammar of a domain."""
        return cls(network, domain.automaton(decoding_grammar(network.config, domain)))

    def read(self, text: str) -> Query:
        """Read a query, with a `QueryNotice` if words were cut or none is known."""
        return read_query(self.network.reader, text)

    def parse(self, text: str) -> Decoded:
        """The logical form of one query."""
        query = self.read(text)
        with torch.inference_mode():
            return self._search.parse(query)

    def best(self, text: str, count: int) -> list[Decoded]:
        """The `count` best logical forms of one query, best first."""
        query = self.read(text)
        with torch.inference_mode():
            return self._search.best(query, count)

    def parse_batch(self, texts: Sequence[str]) -> list[Decoded]:
        """The logical forms of many queries, decoded in batches."""
        # `map`, because the frame of a comprehension would be between the warning and the caller.
        queries = list(map(self.read, texts))
        found: list[Decoded | SearchError] = []
        with torch.inference_mode():
            for start in range(0, len(queries), _BATCH):
                batch = queries[start : start + _BATCH]
                found += found_or_errors(partial(self._search.parse_batch, batch), len(batch))
        return all_found(found)


@torch.inference_mode()
def output_layer(network: Network) -> OutputLayer:
    """The rows of a trained network as one matrix, which heads can share."""
    layer = network.rows.layer()
    return OutputLayer(layer.weight.contiguous(), layer.bias.contiguous(), layer.tokens)
