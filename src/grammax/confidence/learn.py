"""A trained parser, its pairs, and texts that are no queries → its calibration.

What a network was trained on it parses rightly and surely, so that it tells nothing of when it is
wrong: that is learnt from held-out pairs, which are few, and from the same with other names. The
pairs of the training only tell what words are for.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from grammax.confidence.accounting import account
from grammax.confidence.calibration import Calibration, fit
from grammax.confidence.features import Features, features
from grammax.confidence.swapped import swapped
from grammax.confidence.usage import Usage, Watched
from grammax.errors import GrammaxError
from grammax.language.domain import Domain, Pair
from grammax.reading.parse import QueryNotice
from grammax.runtime.parser import RuntimeParser

_TIMES: Final = 8  # a held-out pair with other names
_SWAPPED: Final = 1.0  # all of them together, in held-out pairs


class NothingHeldOut(GrammaxError):
    """A training that held out no pairs, so that nothing tells when the parser is wrong."""


def learn(
    parser: RuntimeParser,
    domain: Domain,
    training: Sequence[Pair],
    held_out: Sequence[Pair],
    strangers: Sequence[str],
    seed: int = 0,
) -> Calibration:
    """The calibration of a parser; `strangers` are texts that are no queries of the domain."""
    if not held_out:
        raise NothingHeldOut(
            "no pairs were held out of the training, so nothing tells when the parser is wrong. "
            "Train with --held-out 0.05."
        )
    seen = zip(training, watched(parser, [pair.query for pair in training]), strict=True)
    usage = Usage.of(each for pair, each in seen if domain.same(each[1].tokens, pair.tokens))
    random = np.random.default_rng((seed, 2))
    more = swapped(held_out, parser.weights.reader, random, _TIMES)
    counts = [1.0] * len(held_out) + [_SWAPPED * len(held_out) / max(1, len(more))] * len(more)
    pairs = [*held_out, *more]
    found = watched(parser, [pair.query for pair in pairs])
    right = [
        domain.same(decoded.tokens, pair.tokens)
        for (_, decoded, _), pair in zip(found, pairs, strict=True)
    ]
    others = _features(watched(parser, strangers), usage)
    return fit(_features(found, usage), right, others, usage, counts)


def watched(parser: RuntimeParser, texts: Iterable[str]) -> list[Watched]:
    """The parses of texts, and what each choice attended to."""
    found: list[Watched] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        for text in texts:
            query = parser.read(text)
            decoded, decoder = parser.watch(query)
            found.append((query, decoded, decoder.attention))
    return found


def _features(found: Iterable[Watched], usage: Usage) -> list[Features]:
    return [
        features(query, decoded, account(query, decoded, attention, usage))
        for query, decoded, attention in found
    ]
