"""Weights for a vocabulary of any size, and decoding along a given form by NSP and by grammax.

Nothing is left out but the choice itself: a head computes its best token, and the wanted one is
taken in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from statistics import median
from time import perf_counter
from typing import Any, Final

import numpy as np
import torch
from latency import FullLayer
from latency_stages import KILO, MEGA, bandwidth
from scale_worlds import Case, Form, World

from grammax.automaton.protocol import Automaton
from grammax.automaton.walk import walk
from grammax.domains import load_domain, shipped_model
from grammax.head.every_row import EveryRow
from grammax.head.layer import OutputLayer
from grammax.head.protocol import Candidate, Head, Options, Scores
from grammax.reading.name_index import NameIndex
from grammax.reading.names import NameMatcher
from grammax.reading.reader import QueryReader
from grammax.reading.spelling import Spelling
from grammax.runtime.cache import OutputRows
from grammax.runtime.head import RowParts, RuntimeSpans
from grammax.runtime.lstm import Array
from grammax.runtime.parser import RuntimeParser
from grammax.runtime.weights import Weights, load_weights
from grammax.search import Unconstrained
from grammax.vocabulary import Permitted, Span, Vocabulary

BUDGET: Final = 1_024  # tokens
NSP, TUNED, GRAMMAX = "NSP, PyTorch", "NSP, tuned", "grammax"
_SEEN: Final = 900  # tokens with a part of their own, as in the model of equity search
_BLOCK: Final = 4_096  # rows that are drawn; they are repeated


class Way:
    """A parser that goes where it is told."""

    def __init__(
        self, weights: Weights, automaton: Automaton[Any], head: Head[Array], path: Path
    ) -> None:
        self._told = Told(head)
        self._path = path
        self.parser = RuntimeParser(weights, automaton, self._told)

    def seconds(self, case: Case) -> float:
        """How long a query takes."""
        self._told.wanted = iter(self._path(case.form))
        started = perf_counter()
        found = self.parser.parse(case.text)
        taken = perf_counter() - started
        assert found.ids == case.form
        return taken


class Told:
    """A head whose best token is the next of `wanted`, once it has found its own."""

    memory_bytes = 0

    def __init__(self, head: Head[Array]) -> None:
        self._head = head
        self.tokens, self.end = head.tokens, head.end
        self.wanted: Iterator[int] = iter(())

    def scores(self, hidden: Array, options: Options) -> ToldScores:
        """The scores of the head."""
        return ToldScores(self._head.scores(hidden, options), next(self.wanted))

    def scores_of(self, hidden: Array, options: Sequence[Options]) -> Any:
        """Nothing here asks for batches."""
        raise NotImplementedError


class ToldScores:
    """The scores of a step, and the token to take."""

    def __init__(self, scores: Scores, wanted: int) -> None:
        self._scores, self._wanted = scores, wanted
        self.size = scores.size

    def best(self, count: int, among: Sequence[Span] | None = None) -> list[Candidate]:
        """The wanted token, as probable as the best."""
        ((_, log_probability),) = self._scores.best(count, among)
        return [(self._wanted, log_probability)]


class TorchRows:
    """All rows and their softmax in PyTorch, for hidden vectors of NumPy's."""

    memory_bytes = 0

    def __init__(self, weights: Weights) -> None:
        rows, bias = map(torch.from_numpy, (weights.rows.whole, weights.rows.bias))
        self._head = EveryRow(OutputLayer(rows, bias, len(rows) - 1))
        self.tokens, self.end = self._head.tokens, self._head.end

    def scores(self, hidden: Array, options: Options) -> Scores:
        """The scores of all rows."""
        return self._head.scores(torch.from_numpy(hidden), options)

    def scores_of(self, hidden: Array, options: Sequence[Options]) -> Any:
        """Nothing here asks for batches."""
        raise NotImplementedError


Path = Callable[[Form], Sequence[int]]


def the_ways(world: World, weights: Weights) -> dict[str, Way]:
    """NSP in PyTorch and tuned, which choose each token and the end; and grammax."""
    tokens = len(world.vocabulary)
    free = Unconstrained(world.vocabulary)
    spans = RuntimeSpans(weights.rows, tokens, weights.parts)

    def all_tokens(form: Form) -> Form:
        return (*form, tokens)

    def choices(form: Form) -> list[int]:
        return [token for token, _ in scored(world, form)]

    return {
        NSP: Way(weights, free, TorchRows(weights), all_tokens),
        TUNED: Way(weights, free, FullLayer(weights, in_parts=False), all_tokens),
        GRAMMAX: Way(weights, world.automaton, spans, choices),
    }


def scored(world: World, form: Form) -> list[tuple[int, Permitted]]:
    """The tokens of a form that are chosen, each with what competes."""
    steps = zip(form, walk(world.automaton, form), strict=False)
    return [(token, step.permitted) for token, step in steps if step.permitted.size > 1]


def floor(world: World, weights: Weights, cases: Sequence[Case]) -> dict[str, float]:
    """The median query's choices and rows, and the bytes it needs over what can be read a second.

    Of a row the spelt part alone has to be read. The encoder's weights stay in the second-level
    cache; the decoder's and the rows are read from an array as large as they are together, a row
    that competes twice counted once.
    """
    chosen = [[permitted for _, permitted in scored(world, case.form)] for case in cases]
    words = median(len(weights.reader.read(case.text).ids) for case in cases)
    steps = median(map(len, chosen))
    rows = median(sum(permitted.size for permitted in each) for each in chosen)
    different = median(sum(permitted.size for permitted in set(each)) for each in chosen)
    width = 4 * weights.config.spelt
    far = _bandwidth(_near(weights.state.nbytes + different * width))
    seconds = words * weights.encoder_states.nbytes / _bandwidth(512 * KILO)
    seconds += (steps * weights.state.nbytes + rows * width) / far
    return {
        "choices": steps,
        "rows": rows,
        "rows, MB": rows * width / MEGA,
        "floor, ms": 1e3 * seconds,
    }


def _near(size: float) -> int:
    """The power of 2 above a size, 1 MB to 128 MB, which is far beyond all caches."""
    return min(128 * MEGA, max(MEGA, 1 << int(size).bit_length()))


@lru_cache
def _bandwidth(size: int) -> float:
    """The best of three: a floor is not raised by what else the machine does."""
    return max(bandwidth(size) for _ in range(3))


def random_weights(vocabulary: Vocabulary) -> Weights:
    """The network of equity search for another vocabulary, whose tokens it never saw.

    What belongs to tokens and kinds is random; no token has a name.
    """
    domain = load_domain("eqs")
    known = load_weights(shipped_model(domain.name), domain)
    random, c = np.random.default_rng(0), replace(known.config, decisions_only=True, budget=BUDGET)

    def drawn(*shape: int) -> Array:
        return 0.1 * random.standard_normal(shape, np.float32)

    def repeated(*shape: int) -> Array:
        return np.resize(drawn(min(_BLOCK, shape[0]), *shape[1:]), shape)

    tokens, kinds = len(vocabulary), len(vocabulary.kinds)
    seen = np.unique(np.linspace(0, tokens - 1, min(_SEEN, tokens // 2)).astype(np.int64))
    own_of = np.zeros(tokens + 1, np.int64)
    own_of[seen] = np.arange(1, len(seen) + 1)
    kind_of = np.array([*vocabulary.kinds_by_id, kinds])
    names = NameMatcher(vocabulary, lambda _: (), Spelling(c.spelling), NameIndex.from_names([]))
    spelt = repeated(tokens + 1, c.spelt)
    columns = known.learnt + 1  # the last is a bias
    return replace(
        known,
        config=c,
        reader=QueryReader(known.reader.words, names, c.longest_query),
        features=drawn(names.features, c.words),
        token_kinds=drawn(kinds + 1, c.tokens),
        tokens=drawn(len(seen) + 1, c.tokens),
        kind_of=kind_of,
        own_of=own_of,
        uncovered=drawn(kinds, known.learnt),
        rows=OutputRows(repeated(tokens + 1, c.hidden), repeated(tokens + 1), spelt),
        parts=RowParts(drawn(kinds + 1, columns), drawn(len(seen), columns), seen, kind_of),
    )
