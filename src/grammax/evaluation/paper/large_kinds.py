"""Two more rows: heads that choose inside kinds of many tokens, fitted to the trained network.

`Hierarchical` learns vectors of classes from steps of the training pairs, and `Selected` counts the
words of their queries. Network and rows stay as they are. Both decode under the exact grammar, as
the last row of `Spans` does, which shows what each of them saves and misses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np
import torch
from torch import Tensor

from grammax.automaton.protocol import Automaton
from grammax.head.hierarchical import Hierarchical, fit_classes
from grammax.head.layer import OutputLayer
from grammax.head.protocol import Options
from grammax.head.row_classes import row_classes
from grammax.head.selected import Selected, Selection
from grammax.language.domain import Domain, Pair
from grammax.model.network import Network
from grammax.model.parser import TorchParser
from grammax.search import Decoded
from grammax.training.batch import collated, on_device
from grammax.training.examples import Example, examples
from grammax.training.loss import batch_hidden
from grammax.vocabulary import Vocabulary

PAIRS: Final = 2_000  # training pairs whose steps the classes are fitted to
_BATCH: Final = 64


def has_large_kinds(vocabulary: Vocabulary, large: int) -> bool:
    """Whether a kind has so many tokens that these heads do anything."""
    return any(
        sum(stop - start for start, stop in vocabulary.spans(kind)) > large
        for kind in range(len(vocabulary.kinds))
    )


def hierarchical_parser(
    domain: Domain, network: Network, layer: OutputLayer, large: int
) -> TorchParser:
    """The exact grammar with a hierarchical softmax, fitted to steps of the training pairs."""
    automaton = domain.automaton(domain.exact)
    head = Hierarchical(layer, row_classes(layer, domain.vocabulary, large))
    hidden, options, targets = _steps(network, domain.pairs("train")[:PAIRS], automaton)
    chosen = [
        number
        for number, choice in enumerate(options)
        if len(head.units(choice).classes)  # the others have nothing to teach
    ]
    if chosen:
        some = [options[number] for number in chosen]
        head, _ = fit_classes(head, hidden[chosen], some, targets[chosen])
    return TorchParser(network, automaton, head)


def _steps(
    network: Network, pairs: Sequence[Pair], automaton: Automaton[Any]
) -> tuple[Tensor, list[Options], Tensor]:
    """The hidden vectors at the choices of some pairs, what competes there, and what is right."""
    reader, random = network.reader, np.random.default_rng(0)
    spelt = reader.names.spelling.dimensions if reader.names else 0
    made = examples(pairs, reader, automaton, network.config.decisions_only)
    hidden: list[Tensor] = []
    network.eval()
    for start in range(0, len(made), _BATCH):
        batch = collated(made[start : start + _BATCH], spelt, network.beginning, 0.0, random)
        with torch.no_grad():
            hidden.append(batch_hidden(network, on_device(batch, network.device), None))
    options = [choice for one in made for choice in one.options if choice is not None]
    targets = [target for one in made for target in _targets(one)]
    return torch.cat(hidden), options, torch.tensor(targets)


def _targets(example: Example) -> list[int]:
    steps = zip(example.targets, example.options, strict=True)
    return [target for target, choice in steps if choice is not None]


@final
class SelectingParser:
    """The exact grammar with `Selected`: each query has a head of its own."""

    def __init__(self, domain: Domain, network: Network, layer: OutputLayer, large: int) -> None:
        self.network = network
        self.automaton = domain.automaton(domain.exact)
        self.head = Selected.for_query(layer, _selection(domain, network, large), ())

    def parse(self, text: str) -> Decoded:
        """The logical form of one query."""
        words = self.network.reader.read(text).words
        head = Selected.for_query(self.head.layer, self.head.selection, words)
        return TorchParser(self.network, self.automaton, head).parse(text)


def _selection(domain: Domain, network: Network, large: int) -> Selection:
    """What the words of training queries select, and the words of names."""
    reader, vocabulary = network.reader, domain.vocabulary
    pairs = [
        (query.words, vocabulary.ids(query.filled(pair.tokens)))
        for pair in domain.pairs("train")
        for query in (reader.read(pair.query),)
    ]
    names = None
    if reader.names is not None:
        names = {row: reader.names.phrases(token) for row, token in enumerate(vocabulary.tokens)}
    return Selection.from_pairs(pairs, vocabulary, names=names, large=large)
