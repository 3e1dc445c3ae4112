"""Calibration: learns the confidence of a trained parser, and when it should abstain.

A network parses its training pairs correctly and with high probability, which says nothing about
its mistakes. Calibration is therefore learnt from held-out pairs, and from these with other names;
the training pairs only show how words are used. This module does not import PyTorch. `run`
calibrates every model that it trains.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from grammax.confidence import (
    Aims,
    Calibration,
    Features,
    Labelled,
    Usage,
    Watched,
    Wording,
    features,
    fit,
    kinds_that_are_named,
    scores_of_others,
    word_coverage,
)
from grammax.confidence.coverage import whole_numbers
from grammax.errors import GrammaxError
from grammax.language.domain import Domain, Pair
from grammax.model.header import Header
from grammax.reading.parse import QueryNotice
from grammax.reading.reader import Query
from grammax.runtime.parser import RuntimeParser
from grammax.training.augment.swaps import swapped_pairs
from grammax.training.augment.unlisted import unlisted_numbers, unlisted_texts
from grammax.training.examples import development_pairs, divided, own_pairs
from grammax.training.fold import Fold, sampled

_TIMES: Final = 8  # versions of a held-out pair with other names
_MORE: Final = 2_000  # such versions at most
_SWAPPED: Final = 1.0  # weight of all of them together, relative to the held-out pairs
_MISSPELT: Final = 0.15  # and of all held-out pairs with a misspelt word
_LETTERS: Final = 5  # of a word that may be misspelt

# Where names are not grounded.
_CAREFUL: Final = Aims(caught=0.99, wrong=0.9, lost=0.1, unwarned=0.07)
_UNLISTED: Final = 800  # queries with names that no table lists

_WATCHED: Final = 3_000  # training pairs that show which words are attended


class NothingHeldOut(GrammaxError):
    """No pairs are left to calibrate with."""


class Parsed(NamedTuple):
    """Pairs that a parser was not trained on."""

    parser: RuntimeParser
    training: Sequence[Pair]  # what it was trained on
    pairs: Sequence[Pair]


class Texts(NamedTuple):
    """Texts on which a parser should abstain."""

    out_of_domain: Sequence[str] = ()
    near_misses: Sequence[str] = ()

    @classmethod
    def of(cls, domain: Domain) -> Texts:
        """The texts of a domain for training."""
        return cls(domain.out_of_domain("train"), domain.near_misses("train"))


def learn_from_header(parser: RuntimeParser, header: Header, domain: Domain) -> Calibration:
    """The calibration of a model that was stored without one; `NothingHeldOut` if it cannot be."""
    config = header.training
    training, held_out = divided(own_pairs(domain, config), config.held_out, config.seed)
    other_pairs = held_out or development_pairs(domain, config)
    return learn(parser, domain, training, other_pairs, Texts.of(domain), config.seed)


def learn(
    parser: RuntimeParser,
    domain: Domain,
    training: Sequence[Pair],
    held_out: Sequence[Pair],
    texts: Texts,
    seed: int = 0,
    counts: Sequence[float] = (),
) -> Calibration:
    """The calibration of a parser from pairs that it was not trained on; `counts` weighs them.

    Without out-of-domain texts the parser treats every text as a query.
    """
    if not held_out:
        raise NothingHeldOut(
            "no pairs were held out of the training, so nothing shows when the parser is wrong. "
            "Train with --held-out 0.05, or add a split `dev`."
        )
    usage = learn_usage(parser, domain, training)
    queries = _read(parser, [pair.query for pair in domain.written_pairs() or training])
    given = labelled(parser, domain, held_out, texts, usage, queries, seed, counts)
    made = fit(given, usage, _wording(parser, queries, texts), _aims(parser))
    return replace(made, pairs=len(held_out))


def learn_from_several(
    given: Sequence[Parsed],
    parser: RuntimeParser,
    domain: Domain,
    training: Sequence[Pair],
    seed: int,
) -> Calibration:
    """The calibration of a parser from pairs that others were not trained on.

    `training` are the pairs of the parser. The words that it knows are its own.
    """

    def known(by: RuntimeParser, pairs: Sequence[Pair]) -> tuple[Usage, list[Query]]:
        return learn_usage(by, domain, pairs), _read(by, [pair.query for pair in pairs])

    texts, own = Texts.of(domain), known(parser, training)
    parts = []
    for second, seen, pairs in given:
        usage, queries = own if second is parser else known(second, seen)
        parts.append(labelled(second, domain, pairs, texts, usage, queries, seed))
    columns = zip(*parts, strict=True)
    together = Labelled(*([row for part in column for row in part] for column in columns))
    usage, queries = own
    made = fit(together, usage, _wording(parser, queries, texts), _aims(parser))
    return replace(made, pairs=sum(len(each.pairs) for each in given))


def _aims(parser: RuntimeParser) -> Aims:
    """A name that a query does not have may be read only where the domain does not ground names."""
    return Aims() if _grounds_itself(parser) else _CAREFUL


def learn_from_fold(
    second: RuntimeParser,
    parser: RuntimeParser,
    domain: Domain,
    training: Sequence[Pair],
    fold: Fold,
    seed: int,
) -> Calibration:
    """The calibration of a parser from the pairs that a second one was not trained on.

    `training` are the pairs of the second one. The words that the parser knows, and where texts to
    abstain on lie, are its own.
    """
    texts = Texts.of(domain)
    pairs, counts = fold.sample(seed)
    usage = learn_usage(second, domain, training)
    held_out, by_people = set(fold.written), domain.written_pairs()
    written = [pair.query for pair in by_people]
    known = [pair.query for pair in by_people if pair not in held_out]
    queries = _read(second, known or [pair.query for pair in training])
    given = labelled(second, domain, pairs, texts, usage, queries, seed, counts)
    usage_now = learn_usage(parser, domain, [*training, *fold.pairs])
    outside, near = _of_texts(parser, texts, usage_now, queries)
    now = given._replace(out_of_domain=outside, near_misses=near)
    wording = _wording(parser, _read(parser, written) if written else queries, texts)
    made = fit(given, usage, wording).with_threshold(now)
    return replace(made, usage=usage_now, pairs=len(pairs))


def labelled(
    parser: RuntimeParser,
    domain: Domain,
    held_out: Sequence[Pair],
    texts: Texts,
    usage: Usage,
    queries: Sequence[Query],
    seed: int,
    counts: Sequence[float] = (),
) -> Labelled:
    """The features of held-out pairs, of variants of them, and of texts to abstain on.

    A variant has other names, or a misspelt word. `queries` show how queries are worded.
    """
    random = np.random.default_rng((seed, 2))
    times = max(1, min(_TIMES, _MORE // len(held_out)))
    more = swapped_pairs(held_out, parser.weights.reader, random, times)
    misspelt = misspelt_pairs(held_out, random)
    weights = [*(counts or [1.0] * len(held_out))]
    total = sum(weights)
    weights += [_SWAPPED * total / max(1, len(more))] * len(more)
    weights += [_MISSPELT * total / max(1, len(misspelt))] * len(misspelt)
    pairs = [*held_out, *more, *misspelt]
    found = watched(parser, [pair.query for pair in pairs])
    right = [
        domain.same(decoded.tokens, pair.tokens)
        for (_, decoded, _), pair in zip(found, pairs, strict=True)
    ]
    wording = _wording(parser, queries, texts)
    scores = [wording.score(query) for query, _, _ in found]
    outside, near = _of_texts(parser, texts, usage, queries)
    near += _of_unlisted(parser, held_out, usage, wording, random)
    return Labelled(_features(found, usage, scores), right, outside, near, weights)


def _of_unlisted(
    parser: RuntimeParser,
    pairs: Sequence[Pair],
    usage: Usage,
    wording: Wording,
    random: np.random.Generator,
) -> list[Features]:
    """The features of queries that name what no table lists, or a number that is not used."""
    times = max(1, min(_TIMES, _UNLISTED // len(pairs)))
    reader = parser.weights.reader
    beside = reader.filling.lists_beside if reader.filling else {}  # these can be expressed
    texts = unlisted_texts(pairs, reader, usage.named.difference(beside), random, times)
    found = watched(parser, texts)
    rows = _features(found, usage, [wording.score(query) for query, _, _ in found])
    if reader.filling is None or _grounds_itself(parser):
        return rows
    found = watched(parser, unlisted_numbers(pairs, random))
    more = _features(found, usage, [wording.score(query) for query, _, _ in found])
    return rows + [row for row in more if row.unused]


def misspelt_pairs(pairs: Sequence[Pair], random: np.random.Generator) -> list[Pair]:
    """The pairs with one word misspelt; those without a longer word are left out."""
    found = []
    for pair in pairs:
        words = pair.query.split(" ")
        long = [at for at, word in enumerate(words) if word.isalpha() and len(word) >= _LETTERS]
        if long:
            at = int(random.choice(long))
            words[at] = _misspelt(words[at], random)
            found.append(Pair(" ".join(words), pair.tokens))
    return found


def _misspelt(word: str, random: np.random.Generator) -> str:
    """A word with a letter left out, doubled, or exchanged with the next; the first one stays."""
    at = int(random.integers(1, len(word) - 1))
    changes = ("", word[at] * 2, word[at + 1] + word[at])
    kind = int(random.integers(len(changes)))
    return word[:at] + changes[kind] + word[at + 1 + (kind == 2) :]


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


def learn_usage(parser: RuntimeParser, domain: Domain, training: Sequence[Pair]) -> Usage:
    """The usage of words in training queries.

    Which words are attended is learnt from some queries that are parsed correctly.
    """
    some = sampled(training, _WATCHED, np.random.default_rng(0))
    seen = zip(some, watched(parser, [pair.query for pair in some]), strict=True)
    usage = Usage.from_watched(
        each for pair, each in seen if domain.same(each[1].tokens, pair.tokens)
    )
    forms = [*_read_forms(parser, training)]
    usage = usage.with_plain(_words_outside(forms))
    if parser.weights.reader.names is None or _grounds_itself(parser):
        return usage
    return usage.with_named(kinds_that_are_named(forms))


def _grounds_itself(parser: RuntimeParser) -> bool:
    """Whether the domain's own grounding says what queries name."""
    names = parser.weights.reader.names
    return names is not None and names.grounds is not None and not names.grounds.reduces


def _read_forms(parser: RuntimeParser, pairs: Iterable[Pair]) -> Iterator[tuple[Query, set[int]]]:
    """The queries of pairs, each with the ids of its form as it is predicted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        for pair in pairs:
            query = parser.read(pair.query)
            try:
                ids = parser.automaton.vocabulary.ids(query.filled(pair.tokens))
            except GrammaxError:  # the logical form has what its query does not say
                continue
            yield query, query.used(ids)


def words_outside_names(parser: RuntimeParser, pairs: Iterable[Pair]) -> set[str]:
    """The words of queries that are in no name of a token of their form, and whole numbers."""
    return _words_outside(_read_forms(parser, pairs))


def _words_outside(forms: Iterable[tuple[Query, set[int]]]) -> set[str]:
    found: set[str] = set()
    for query, tokens in forms:
        inside = {
            position
            for start, stop, ids in query.names
            if not tokens.isdisjoint(ids)
            for position in range(start, stop)
        }
        found.update(word for at, word in enumerate(query.words) if at not in inside)
        found.update(number for at, number in whole_numbers(query.words) if at not in inside)
    return found


def _of_texts(
    parser: RuntimeParser, texts: Texts, usage: Usage, queries: Sequence[Query]
) -> tuple[list[Features], list[Features]]:
    """The features of texts to abstain on, each with a wording that was learnt without it."""
    found = watched(parser, [*texts.out_of_domain, *texts.near_misses])
    scores = scores_of_others(queries, [query for query, _, _ in found])
    rows = _features(found, usage, scores)
    outside = len(texts.out_of_domain)
    return rows[:outside], rows[outside:]


def _wording(parser: RuntimeParser, queries: Sequence[Query], texts: Texts) -> Wording:
    return Wording.learn(queries, _read(parser, [*texts.out_of_domain, *texts.near_misses]))


def _read(parser: RuntimeParser, texts: Iterable[str]) -> list[Query]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        return [parser.read(text) for text in texts]


def _features(found: Iterable[Watched], usage: Usage, wording: Sequence[float]) -> list[Features]:
    return [
        features(query, decoded, word_coverage(query, decoded, attention, usage), score)
        for (query, decoded, attention), score in zip(found, wording, strict=True)
    ]
