"""Calibrates the base model: how confident it may be in the reading of a question.

Tables that it was not trained on show when it is right. Questions about another table, with the
noun of this one, show what it must not pretend to understand: nearly all that they ask for is not
there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Final

import numpy as np

from grammax.base_model.schemas import SchemaDrawer, drawn_questions
from grammax.confidence import (
    Features,
    Labelled,
    Usage,
    Watched,
    features,
    fit,
    word_coverage,
)
from grammax.errors import GrammaxError
from grammax.language.domain import Pair
from grammax.model.checkpoint import Tensors
from grammax.model.header import Header, decoding_grammar
from grammax.runtime.lstm import Array
from grammax.runtime.parser import RuntimeParser
from grammax.runtime.weights import weights_from
from grammax.tables.domain import TableDomain
from grammax.training.calibration import misspelt_pairs, watched, words_outside_names

_MISSPELT: Final = 0.15  # the share of questions that are used once more, with a misspelt word
_REWORDED: Final = 0.6  # and of those with a word more that changes nothing
_LEAST: Final = 0.7  # people ask less plainly than questions are drawn: see docs/accuracy.md
_FOREIGN: Final = 0.35  # questions about another table, relative to the table's own

_ADDED: Final = (
    "actually", "available", "basically", "certain", "corresponding", "current", "currently",
    "database", "details", "existing", "exactly", "following", "given", "information", "just",
    "known", "kindly", "maybe", "overall", "particular", "possible", "possibly", "present",
    "quick", "quickly", "really", "recorded", "respective", "simply", "specific", "together",
    "various", "want", "whole", "wonder", "records", "entries", "data", "please", "check",
    "anyone", "anybody", "everything", "here", "right", "system", "table", "whichever",
)  # fmt: skip
Asked = tuple[TableDomain, RuntimeParser, list[Pair]]


def calibrated(
    header: Header,
    tensors: Tensors,
    drawer: SchemaDrawer,
    seeds: Sequence[int],
    plain: Collection[str],
    questions: int = 24,
    progress: Callable[[int], None] = lambda _: None,
) -> Header:
    """The header with a calibration, learnt from the tables of some seeds.

    `plain` are words of questions that need not mean anything, see `family.plain_words`.
    """
    arrays = {name: tensor.cpu().float().numpy() for name, tensor in tensors.items()}
    tables = list(_asked(header, arrays, drawer, seeds, questions, progress))
    usage = _usage(tables).with_plain(plain)
    rows: list[Features] = []
    right: list[bool] = []
    foreign: list[Features] = []
    for number, (domain, parser, pairs) in enumerate(tables):
        random = Random(number)
        some = [pair for pair in pairs if random.random() < _MISSPELT]
        more = [_reworded(pair, random) for pair in pairs if random.random() < _REWORDED]
        asked = [*pairs, *misspelt_pairs(some, np.random.default_rng(number)), *more]
        read = _watched(parser, asked)
        rows += _features([found for found, _ in read], usage)
        right += [domain.same(found[1].tokens, pair.tokens) for found, pair in read]
        others = [Pair(text, ()) for text in _foreign(domain, tables[number - 1], random)]
        foreign += _features([found for found, _ in _watched(parser, others)], usage)
        progress(len(seeds) + number + 1)
    made = fit(Labelled(rows, right, (), foreign), usage)
    least = max(made.least_confidence, _LEAST)
    return replace(header, confidence=replace(made, least_confidence=least).to_json())


def _asked(
    header: Header,
    arrays: dict[str, Array],
    drawer: SchemaDrawer,
    seeds: Sequence[int],
    questions: int,
    progress: Callable[[int], None],
) -> Iterator[Asked]:
    for number, seed in enumerate(seeds, 1):
        domain, pairs = drawn_questions(drawer, seed, questions)
        if not pairs:
            continue
        weights = weights_from(header, arrays, domain)
        parser = RuntimeParser(weights, domain.automaton(decoding_grammar(header.model, domain)))
        yield domain, parser, pairs
        progress(number)


def _usage(tables: Sequence[Asked]) -> Usage:
    """The words of questions: those that are attended, and those that need not be."""
    seen: list[Watched] = []
    plain: set[str] = set()
    for domain, parser, pairs in tables:
        read = _watched(parser, pairs)
        seen += [found for found, pair in read if domain.same(found[1].tokens, pair.tokens)]
        plain |= words_outside_names(parser, pairs)
    return Usage.from_watched(seen).with_plain(plain)


def _watched(parser: RuntimeParser, pairs: Iterable[Pair]) -> list[tuple[Watched, Pair]]:
    """The readings of pairs, without those that have none."""
    found = []
    for pair in pairs:
        with suppress(GrammaxError):
            found += [(each, pair) for each in watched(parser, [pair.query])]
    return found


def _reworded(pair: Pair, random: Random) -> Pair:
    """A question with another word in it, as people add words that mean nothing more."""
    words = pair.query.split(" ")
    words.insert(random.randint(0, len(words)), random.choice(_ADDED))
    return Pair(" ".join(words), pair.tokens)


def _foreign(domain: TableDomain, other: Asked, random: Random) -> list[str]:
    """Questions about another table, with the noun of this one."""
    theirs, ours = other[0].nouns, domain.nouns
    count = max(1, round(_FOREIGN * len(other[2])))
    found = []
    for pair in random.sample(other[2], min(count, len(other[2]))):
        text = pair.query.lower()
        for one, another in zip(reversed(theirs), reversed(ours), strict=True):
            text = text.replace(one, another)
        found.append(text)
    return found


def _features(found: Sequence[Watched], usage: Usage) -> list[Features]:
    return [
        features(query, decoded, word_coverage(query, decoded, attention, usage))
        for query, decoded, attention in found
    ]
