"""Classifiers of scikit-learn under a grammar: the permitted classes alone, and all of them.

Each classifier is fitted to the choices of some pairs, then it parses the test set: under the
grammar with the permitted classes alone, under it with all classes computed and then masked, and a
linear one, fitted to every token, without a grammar.

A step is timed on the choices of the test set, in turns and each way warm, from its features to its
scores. `in arrays` computes all classes as `permitted` computes some, without the checks and copies
of scikit-learn's own call: for a forest that is no slower, because the paths to the leaves are the
same and the call is what is saved. Finding the features costs the same in all ways and has a column
of its own.

GeoQuery is read from $GRAMMAX_DATA, and left out where that is not set. The network beside is the
one that is shipped for equities; the figures of GeoQuery's are in docs/accuracy.md.

python benchmarks/classifiers.py [--quick] [--json] [--pairs 6000]
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Any, Final

import numpy as np
from report import Claim, Options, Row, at_most, progress, run
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import LinearSVC

import grammax
from grammax.automaton.protocol import Automaton
from grammax.domains import load_domain
from grammax.errors import GrammaxError
from grammax.evaluation.benchmark import at_least
from grammax.language.domain import Domain, Pair, Tokens
from grammax.model.config import ModelConfig
from grammax.model.header import decoding_grammar, new_reader
from grammax.reading.parse import QueryNotice, automaton_for, written
from grammax.reading.reader import Query
from grammax.reading.words import WordVocabulary
from grammax.search import Decoded, SearchError, Unconstrained, decode
from grammax.search.scorer import Scorer
from grammax.sklearn import ClassifierScorer, Fitted, LinearRows, fit
from grammax.sklearn.fit import choices
from grammax.sklearn.scorer import words_of

GEO: Final = Path(__file__).parents[1] / "examples" / "domains" / "geo"
Make = Callable[[], Any]
Known = list[tuple[Query, Tokens]]


@dataclass(frozen=True, slots=True)
class Work:
    """A language with its pairs, read as queries."""

    name: str
    domain: Domain
    automaton: Automaton[Any]
    train: Known
    test: Known
    pairs: Sequence[Pair]  # of the test

    def grammar(self, query: Query) -> Automaton[Any]:
        """The grammar of a query, which permits the names in it."""
        return automaton_for(query, self.automaton) if query.fills else self.automaton


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """Fit and measure language by language, classifier by classifier."""
    warnings.simplefilter("ignore", QueryNotice)
    quick = options.quick
    count = 500 if quick else options.given.pairs
    works = [_work("equities", load_domain("eqs"), count, filled=True)]
    if "GRAMMAX_DATA" in os.environ:
        works.append(_work("geo", load_domain(str(GEO)), count, filled=False))
    trees = 10 if quick else 20
    classifiers: dict[str, tuple[Make, int]] = {
        "linear SVM": (lambda: LinearSVC(C=0.05, random_state=0), 3),
        "random forest": (
            lambda: RandomForestClassifier(
                trees, max_features=0.02, max_leaf_nodes=5_000, random_state=0
            ),
            10 if quick else 40,
        ),
    }
    rows: list[Row] = []
    claims: list[Claim] = []
    for work in works:
        for name, (make, common) in classifiers.items():
            if work.name == "geo":
                common = 3
            progress(f"{work.name}: {name}")
            found, claimed = _measured(work, name, make, common, quick)
            rows += found
            claims += claimed
    progress("")
    rows.sort(key=lambda row: list(row))  # a table for each set of columns
    return [*rows, *_networks(works[0])], claims


def _work(name: str, domain: Domain, count: int, filled: bool) -> Work:
    config = ModelConfig(decisions_only=True, filled=filled)
    reader = new_reader(config, domain, WordVocabulary(()))

    def read(pairs: Sequence[Pair]) -> Known:
        found = []
        for query, tokens in pairs:
            one = reader.read(query)
            try:
                found.append((one, one.filled(tokens)))
            except GrammaxError:  # a form with a number that its query does not say
                found.append((one, ()))
        return found

    pairs = [*domain.pairs("train"), *domain.written_pairs()]
    order = np.random.default_rng(0).permutation(len(pairs))[:count]
    test = domain.pairs("test")
    automaton = domain.automaton(decoding_grammar(config, domain))
    return Work(name, domain, automaton, read([pairs[n] for n in order]), read(test), test)


def _measured(
    work: Work, name: str, make: Make, common: int, quick: bool
) -> tuple[list[Row], list[Claim]]:
    begin = perf_counter()
    fitted = fit(work.grammar, work.train, make(), common=common)
    seconds = perf_counter() - begin
    parsed, each = _parsed(work, fitted.scorer, work.grammar)
    whole, masked = _parsed(work, fitted.whole, work.grammar)
    times, permitted = _steps(work, fitted, 100 if quick else 600)
    differ = sum(one.tokens != other.tokens for one, other in zip(parsed, whole, strict=True))
    title = f"{work.name}, {name}"
    accuracy: Row = {
        "name": title,
        "pairs": len(work.train),
        "steps": fitted.steps,
        "features": len(fitted.scorer.columns),
        "classes": len(fitted.scorer.classes),
        "fit, s": seconds,
        "exact, %": _exact(work, parsed),
        "query, ms": each,
        "with all classes, ms": masked,
    }
    step: Row = {
        "name": f"{title}: a step",
        "permitted": permitted,
        "features, µs": times["features"],
        "permitted, µs": times["permitted"],
        "in arrays, µs": times["arrays"],
        "whole, µs": times["whole"],
        "whole / permitted": times["whole"] / times["permitted"],
    }
    claims = [
        at_most(f"{title}: sentences that differ from the whole classifier's", differ, 0, ""),
        at_least(f"{title}: whole / permitted", times["whole"] / times["permitted"], 5, "×"),
    ]
    is_linear = isinstance(fitted.scorer.predictor, LinearRows)
    without = [_without_grammar(work, title, make, common)] if is_linear else []
    return [accuracy, step, *without], claims


def _without_grammar(work: Work, title: str, make: Make, common: int) -> Row:
    """The same classifier, fitted to every token and free to choose any."""
    progress(f"{title}, without a grammar")
    free = Unconstrained(work.automaton.vocabulary, brackets=("(", ")"))
    begin = perf_counter()
    fitted = fit(free, [pair for pair in work.train if pair[1]], make(), common=common)
    seconds = perf_counter() - begin
    found, each = _parsed(work, fitted.free, lambda _: free)
    wrong = sum(not work.domain.grammatical(one.tokens) for one in found)
    return {
        "name": f"{title}, without the grammar",
        "steps": fitted.steps,
        "fit, s": seconds,
        "classes": len(fitted.scorer.classes),
        "exact, %": _exact(work, found),
        "ungrammatical": wrong,
        "of": len(found),
        "query, ms": each,
    }


def _networks(work: Work) -> list[Row]:
    """The network that is shipped, on the same queries."""
    parser = grammax.load("eqs")
    parser.parse(work.pairs[0].query)
    begin = perf_counter()
    found = [parser.parse(pair.query).tokens for pair in work.pairs]
    seconds = perf_counter() - begin
    right = [work.domain.same(t, p.tokens) for t, p in zip(found, work.pairs, strict=True)]
    return [
        {
            "name": f"{work.name}, network as shipped",
            "exact, %": 100 * mean(right),
            "query, ms": 1e3 * seconds / len(found),
        }
    ]


def _parsed(
    work: Work, scorer: Scorer[Query, Any], grammar: Callable[[Query], Automaton[Any]]
) -> tuple[list[Decoded], float]:
    """The results for the test queries, and milliseconds per query, reading not included."""
    found = []
    begin = perf_counter()
    for query, _ in work.test:
        try:
            (one,) = decode(scorer, grammar(query), query, budget=100)
        except SearchError:  # without a grammar: a sentence that never ends
            one = Decoded((), (), 0.0, (), (), "budget")
        found.append(one)
    seconds = perf_counter() - begin
    pairs = zip(found, work.test, strict=True)
    return [_written(one, query) for one, (query, _) in pairs], 1e3 * seconds / len(found)


def _written(one: Decoded, query: Query) -> Decoded:
    try:
        return written(one, query)
    except GrammaxError:  # without a grammar: a slot that the query does not fill
        return one


def _exact(work: Work, found: Sequence[Decoded]) -> float:
    def same(one: Decoded, tokens: Tokens) -> bool:
        try:
            return work.domain.same(one.tokens, tokens)
        except GrammaxError:
            return False

    return 100 * mean(same(one, p.tokens) for one, p in zip(found, work.pairs, strict=True))


def _steps(work: Work, fitted: Fitted[Query], most: int) -> tuple[dict[str, float], float]:
    """Median microseconds of a step in each way, and the mean of permitted tokens."""
    steps = []
    for query, tokens in work.test:
        try:
            steps += choices(work.grammar(query), query, tokens)
        except GrammaxError:
            continue
    random = np.random.default_rng(0)
    steps = [steps[n] for n in random.permutation(len(steps))[:most]]
    own, whole = fitted.scorer, fitted.whole
    everything = np.arange(len(own.classes))
    times: dict[str, list[float]] = {"features": [], "permitted": [], "arrays": [], "whole": []}
    for _ in range(3):
        for prefix, options, _ in steps:
            begin = perf_counter()
            columns = own.columns.of(own.features.of(prefix, words_of(options)))
            times["features"].append(perf_counter() - begin)
            classes = own.classes.of(prefix, options.ids(len(own.classes.vocabulary)))
            classes = classes[classes >= 0]
            for way, scorer, asked in _ways(own, whole, classes, everything):
                scorer.predictor.scores(columns, asked)
                begin = perf_counter()
                scorer.predictor.scores(columns, asked)
                times[way].append(perf_counter() - begin)
    permitted = mean(options.permitted.size + options.may_end for _, options, _ in steps)
    return {way: 1e6 * median(of) for way, of in times.items()}, permitted


def _ways(
    own: ClassifierScorer, whole: ClassifierScorer, classes: Any, everything: Any
) -> list[tuple[str, ClassifierScorer, Any]]:
    return [("permitted", own, classes), ("arrays", own, everything), ("whole", whole, classes)]


def arguments(parser: argparse.ArgumentParser) -> None:
    """How many pairs."""
    parser.add_argument("--pairs", type=int, default=6_000, metavar="N", help="of training [6000]")


if __name__ == "__main__":
    run("classifiers", __doc__ or "", main, ["scikit-learn"], arguments=arguments)
