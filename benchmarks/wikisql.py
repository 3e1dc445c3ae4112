"""WikiSQL: the latency of a question, from text to logical form, and how many are right.

NSP is the paper's baseline: the network in PyTorch, all 66,969 rows multiplied at each step, no
grammar. It is told the right token after each step, so it makes as many steps as the right logical
form has tokens, whatever its weights would have chosen. "NSP, tuned" does the same in NumPy with
the fastest full output layer that we know how to make. grammax finds its own way, under the typed
grammar; questions name their values, so of these only the named ones compete, but for the row that
says otherwise. All have the same weights; one thread, one run, interleaved.

The domain is examples/domains/wikisql: its prepare.py has to have been run, and a model trained
there (for latency alone, `grammax train examples/domains/wikisql --epochs 1` will do).

python benchmarks/wikisql.py [--quick] [--json] [--chart FILE]
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any

import torch
from latency import FullLayer, figures, p50
from report import Claim, Options, Row, progress, run
from threadpoolctl import threadpool_limits

from grammax.domains import trained_model
from grammax.evaluation.benchmark import at_least, at_most
from grammax.folder import FolderDomain
from grammax.head.every_row import EveryRow
from grammax.language.domain import Pair
from grammax.model.checkpoint import load_network
from grammax.model.parser import TorchParser, output_layer
from grammax.reading.parse import QueryNotice
from grammax.runtime.parser import RuntimeParser
from grammax.runtime.weights import load_weights
from grammax.search import Decoded, Unconstrained

FOLDER = Path(__file__).parents[1] / "examples" / "domains" / "wikisql"
NSP, TUNED = "NSP, PyTorch", "NSP, tuned"
PYTORCH, GRAMMAX = "grammax, PyTorch", "grammax"
PLAIN, ALL_VALUES = "grammax, not compiled", "grammax, all values compete"
EVERY = 40  # test questions, of which one is timed
BLOCK = 16  # questions that each way parses in turn
Way = Callable[[Pair], Decoded]


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """Time some questions all ways, interleaved, then parse all of them."""
    domain = FolderDomain(FOLDER)
    pairs = domain.pairs("test")
    timed = pairs[:: EVERY * (20 if options.quick else 1)]
    ways, parser = the_ways(domain)
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    scored: dict[str, list[int]] = {way: [] for way in ways}
    different = 0
    rounds = 1 if options.quick else 3
    for number in range(rounds + 1):  # the first warms up
        for first in range(0, len(timed), BLOCK):
            progress(f"run {number} of {rounds}: question {first + 1} of {len(timed)}")
            block, found = timed[first : first + BLOCK], {}
            for way, parse in ways.items():
                found[way] = list(_parsed(parse, block, seconds[way] if number else []))
                scored[way] += [sum(each.scored) for each in found[way]]
            pairs_of = zip(found[PYTORCH], found[GRAMMAX], strict=True)
            different += sum(one.tokens != other.tokens for one, other in pairs_of)
    rows = [
        {**figures(way, taken, seconds[NSP]), "rows a question": fmean(scored[way])}
        for way, taken in seconds.items()
    ]
    faster = p50(seconds[NSP]) / p50(seconds[GRAMMAX])
    claims = [
        at_least("faster than NSP", faster, 50, "×"),
        at_most("choices that differ from PyTorch's", different, 0, ""),
    ]
    return [*rows, *_accuracy(domain, parser, pairs[:: 20 if options.quick else 1])], claims


def the_ways(domain: FolderDomain) -> tuple[dict[str, Way], RuntimeParser]:
    """A way to parse a row, and the parser of grammax itself."""
    path = trained_model(domain)
    network, weights = load_network(path, domain), load_weights(path, domain)
    exact, free = domain.automaton(domain.grammars[-1]), Unconstrained(domain.vocabulary)
    anything = FolderDomain(FOLDER)
    anything.settings = replace(anything.settings, must_be_named=frozenset())
    with torch.inference_mode():
        every_row = Told(EveryRow(output_layer(network)))
    tuned = Told(FullLayer(weights, in_parts=False))
    grammax = RuntimeParser(weights, exact, compiled=True)
    ids = domain.vocabulary.ids

    def told(head: Told, parser: TorchParser | RuntimeParser) -> Way:
        def parse(pair: Pair) -> Decoded:
            head.tell(ids(pair.tokens))
            return parser.parse(pair.query)

        return parse

    def untold(parser: TorchParser | RuntimeParser) -> Way:
        return lambda pair: parser.parse(pair.query)

    ways = {
        NSP: told(every_row, TorchParser(network, free, every_row)),
        TUNED: told(tuned, RuntimeParser(weights, free, tuned, compiled=True)),
        PYTORCH: untold(TorchParser(network, exact)),
        ALL_VALUES: untold(RuntimeParser.load(path, anything, compiled=True)),
        PLAIN: untold(RuntimeParser(weights, exact)),
        GRAMMAX: untold(grammax),
    }
    return ways, grammax


class Told:
    """A head that multiplies and compares as another does, and then takes what it was told."""

    memory_bytes = 0

    def __init__(self, head: Any) -> None:
        self._head = head
        self.tokens = head.tokens
        self.end = head.end
        self._told: Iterator[int] = iter(())

    def tell(self, ids: Iterable[int]) -> None:
        """The tokens of the next sentence."""
        self._told = iter([*ids, self.end])

    def scores(self, hidden: Any, options: Any) -> _Told:
        """The scores of all rows, and what is taken."""
        scores = self._head.scores(hidden, options)
        ((_, log_probability),) = scores.best(1)
        return _Told(next(self._told, self.end), log_probability, scores.size)

    def scores_of(self, hidden: Any, options: Sequence[Any]) -> Any:
        """Nothing here asks for batches."""
        raise NotImplementedError


class _Told:
    """Scores of which the best is known already."""

    def __init__(self, token: int, log_probability: float, size: int) -> None:
        self.size = size
        self._best = [(token, log_probability)]

    def best(self, count: int, among: Any = None) -> list[tuple[int, float]]:  # noqa: ARG002
        """What was told."""
        return self._best


def _parsed(parse: Way, pairs: Sequence[Pair], seconds: list[float]) -> Iterator[Decoded]:
    """The parses of some questions; what they took is put to `seconds`."""
    for pair in pairs:
        started = perf_counter()
        found = parse(pair)
        seconds.append(perf_counter() - started)
        yield found


def _accuracy(domain: FolderDomain, parser: RuntimeParser, pairs: Sequence[Pair]) -> list[Row]:
    """Exact match on all questions, and on those whose tokens were all seen in training."""
    progress(f"{len(pairs):,} questions")
    found = parser.parse_batch([pair.query for pair in pairs])
    seen = {token for pair in domain.pairs("train") for token in pair.tokens}
    judged = [
        (parse.tokens, pair.tokens, seen.issuperset(pair.tokens))
        for parse, pair in zip(found, pairs, strict=True)
    ]
    of = {"all questions": judged, "all tokens seen": [each for each in judged if each[2]]}
    return [
        {
            "name": name,
            "questions": len(some),
            "exact match, %": 100 * fmean(domain.same(one, other) for one, other, _ in some),
            "ungrammatical": sum(not domain.grammatical(one) for one, _, _ in some),
        }
        for name, some in of.items()
    ]


if __name__ == "__main__":
    torch.set_num_threads(1)
    threadpool_limits(1, user_api="blas")
    warnings.simplefilter("ignore", QueryNotice)
    run("wikisql", __doc__ or "", main, ["torch"], chart="p50, ms")
