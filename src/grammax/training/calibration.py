"""Calibration: learns the confidence of a trained parser, and when it should abstain.

A network parses its training pairs correctly and with high probability, which says nothing about
its mistakes. Calibration is therefore learnt from held-out pairs, and from these with other names;
the training pairs only show how words are used. This module does not import PyTorch. `run`
calibrates every model that it trains.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from grammax.confidence import (
    Calibration,
    Features,
    Usage,
    Watched,
    features,
    fit,
    word_coverage,
)
from grammax.errors import GrammaxError
from grammax.language.domain import Domain, Pair
from grammax.model.header import Header
from grammax.reading.parse import QueryNotice
from grammax.runtime.parser import RuntimeParser
from grammax.training.augment.swaps import swapped_pairs
from grammax.training.examples import divided

_DEVELOPMENT: Final = ("dev", "validation", "valid")
_TIMES: Final = 8  # versions of a held-out pair with other names
_SWAPPED: Final = 1.0  # weight of all of them together, relative to the held-out pairs


class NothingHeldOut(GrammaxError):
    """No pairs are left to calibrate with."""


def learn_from_header(parser: RuntimeParser, header: Header, domain: Domain) -> Calibration:
    """The calibration of a model that was stored without one; `NothingHeldOut` if it cannot be."""
    config = header.training
    training, held_out = divided(domain.pairs("train"), config.held_out, config.seed)
    out_of_domain = domain.out_of_domain("train")
    other_pairs = held_out or development_pairs(domain)
    return learn(parser, domain, training, other_pairs, out_of_domain, config.seed)


def learn(
    parser: RuntimeParser,
    domain: Domain,
    training: Sequence[Pair],
    held_out: Sequence[Pair],
    out_of_domain: Sequence[str],
    seed: int = 0,
) -> Calibration:
    """The calibration of a parser from pairs that it was not trained on.

    Without out-of-domain texts the parser treats every text as a query.
    """
    if not held_out:
        raise NothingHeldOut(
            "no pairs were held out of the training, so nothing shows when the parser is wrong. "
            "Train with --held-out 0.05, or add a split `dev`."
        )
    usage = learn_usage(parser, domain, training)
    random = np.random.default_rng((seed, 2))
    more = swapped_pairs(held_out, parser.weights.reader, random, _TIMES)
    counts = [1.0] * len(held_out) + [_SWAPPED * len(held_out) / max(1, len(more))] * len(more)
    pairs = [*held_out, *more]
    found = watched(parser, [pair.query for pair in pairs])
    right = [
        domain.same(decoded.tokens, pair.tokens)
        for (_, decoded, _), pair in zip(found, pairs, strict=True)
    ]
    others = _features(watched(parser, out_of_domain), usage)
    return fit(_features(found, usage), right, others, usage, counts)


def watched(parser: RuntimeParser, texts: Iterable[str]) -> list[Watched]:
    """The parses of texts, each with the attention weights of every choice."""
    found: list[Watched] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        for text in texts:
            query = parser.read(text)
            decoded, decoder = parser.watch(query)
            found.append((query, decoded, decoder.attention))
    return found


def development_pairs(domain: Domain) -> Sequence[Pair]:
    """The pairs of a split that is neither for training nor for the final test."""
    split = next((name for name in domain.splits if name in _DEVELOPMENT), None)
    return () if split is None else domain.pairs(split)


def learn_usage(parser: RuntimeParser, domain: Domain, training: Sequence[Pair]) -> Usage:
    """The usage of words in training queries, from those that are parsed correctly."""
    seen = zip(training, watched(parser, [pair.query for pair in training]), strict=True)
    return Usage.from_watched(
        each for pair, each in seen if domain.same(each[1].tokens, pair.tokens)
    )


def _features(found: Iterable[Watched], usage: Usage) -> list[Features]:
    return [
        features(query, decoded, word_coverage(query, decoded, attention, usage))
        for query, decoded, attention in found
    ]
