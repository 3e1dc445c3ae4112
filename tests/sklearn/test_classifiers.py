"""Classifiers of scikit-learn under a grammar: what they learn, compute, and refuse."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the classifiers are scikit-learn's")

from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import SVC, LinearSVC

from grammax import Grammar, decode, lr
from grammax.automaton.grounded import AvailableTokens, NamedOnly
from grammax.automaton.walk import accepts_tokens
from grammax.head import Options
from grammax.reading.name_index import Match
from grammax.search import Sampling, Unconstrained
from grammax.search.decode import decode_batch
from grammax.sklearn import ClassifierError, Fitted, LinearRows, Words, fit
from grammax.sklearn.fit import choices

GENRES = [f"g{n}" for n in range(30)]
GRAMMAR = Grammar.read(
    "query: atom | two | many\n"
    'two: "(" "and" atom atom ")"\n'
    'many: "all" atom+\n'
    'atom: "(" "genre" "is" GENRE ")" | "(" "year" OPERATOR YEAR ")"\n'
    'OPERATOR: "<" | ">"\n'
    'YEAR: "1990" | "2000" | "2010"\n'
    f"GENRE: {' | '.join(chr(34) + genre + chr(34) for genre in GENRES)}"
)
AUTOMATON = lr(GRAMMAR)
VOCABULARY = AUTOMATON.vocabulary
OPERATORS = {"before": "<", "after": ">"}


def source(text: str) -> Words:
    """The words of a query; a genre is named by itself."""
    words = Words.of(text)
    found = [(n, word) for n, word in enumerate(words.words) if word in GENRES]
    names = tuple(Match(n, n + 1, (VOCABULARY.id(word),)) for n, word in found)
    return Words(words.words, names)


def pair(random: np.random.Generator, genres: list[str]) -> tuple[Words, list[str]]:
    """A query and its form: one or two conditions."""
    texts, atoms = [], []
    for _ in range(random.integers(1, 3)):
        if random.random() < 0.5:
            genre = genres[random.integers(len(genres))]
            texts.append(genre)
            atoms.append(["(", "genre", "is", genre, ")"])
        else:
            word, year = list(OPERATORS)[random.integers(2)], ("1990", "2000")[random.integers(2)]
            texts.append(f"{word} {year}")
            atoms.append(["(", "year", OPERATORS[word], year, ")"])
    form = atoms[0] if len(atoms) == 1 else ["(", "and", *atoms[0], *atoms[1], ")"]
    return source(" and ".join(texts)), form


def named_only(words: Words) -> NamedOnly[Any]:
    """The grammar for a query, in which only genres that it names are permitted."""
    ids = [row for name in words.names for row in name.ids]
    return NamedOnly(AUTOMATON, AvailableTokens(ids, {VOCABULARY.kind_number("GENRE")}))


RANDOM = np.random.default_rng(0)
PAIRS = [pair(RANDOM, GENRES[:20]) for _ in range(200)]
NEW = [pair(RANDOM, GENRES[20:]) for _ in range(40)]  # with genres that training never saw
CLASSIFIERS = {
    "svm": lambda: LinearSVC(C=0.1, random_state=0),
    "logistic": lambda: LogisticRegression(max_iter=500),
    "sgd": lambda: SGDClassifier(random_state=0),
    "forest": lambda: RandomForestClassifier(10, max_features=0.3, random_state=0),
    "extra trees": lambda: ExtraTreesClassifier(5, random_state=0),
}


@cache
def fitted(name: str) -> Fitted[Words]:
    return fit(named_only, PAIRS, CLASSIFIERS[name]())


@pytest.mark.parametrize("name", ["svm", "forest"])
def test_a_classifier_learns_a_small_language_and_names_that_it_never_saw(name: str) -> None:
    right = [fitted(name).decode(words)[0].tokens == tuple(form) for words, form in NEW]
    assert np.mean(right) > 0.9


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_only_permitted_classes_are_computed_and_the_choice_is_that_of_the_whole(name: str) -> None:
    made, compared = fitted(name), 0
    for words, form in NEW:
        automaton = made.automaton(words)
        for prefix, options, _ in choices(automaton, words, form):
            own, whole = (each.scores(prefix, options) for each in (made.scorer, made.whole))
            (rows, logs), (same_rows, same_logs) = own.distribution(), whole.distribution()
            assert rows.tolist() == same_rows.tolist() == options.ids(len(VOCABULARY)).tolist()
            assert logs == pytest.approx(same_logs, abs=1e-9)
            assert own.best(1)[0][0] == whole.best(1)[0][0]
            compared += 1
    assert compared > 100


def test_a_predictor_is_asked_for_the_permitted_classes_alone() -> None:
    made, asked = fitted("svm"), []

    class Asked:
        classes = made.scorer.predictor.classes

        def scores(self, columns: Any, classes: Any) -> Any:
            asked.append(len(classes))
            return made.scorer.predictor.scores(columns, classes)

    found = decode(made.scorer.computed_by(Asked()), made.automaton(NEW[0][0]), NEW[0][0])[0]
    permitted = [size for size in found.scored if size]
    assert len(asked) == len(permitted)
    assert all(one <= other for one, other in zip(asked, permitted, strict=True))
    assert max(asked) < Asked.classes


def test_training_steps_are_the_choices_alone() -> None:
    words, form = PAIRS[0]
    steps = choices(named_only(words), words, form)
    assert len(steps) < len(form)
    assert all(options.permitted.size > 1 or options.may_end for _, options, _ in steps)
    every = sum(len(choices(named_only(words), words, form)) for words, form in PAIRS)
    assert fitted("svm").steps == every
    assert fitted("svm").left_out == 0


@pytest.mark.parametrize("name", ["svm", "forest"])
def test_every_search_gives_sentences_of_the_grammar(name: str) -> None:
    made = fitted(name)
    sources = [words for words, _ in NEW[:6]]
    for words in [*sources, source("something else entirely"), Words(())]:
        for found in made.decode(words, best=4, budget=15):
            assert accepts_tokens(AUTOMATON, found.tokens)
            assert len(found.tokens) <= 15
    batch = decode_batch(made.scorer, AUTOMATON, sources, budget=30)
    alone = [decode(made.scorer, AUTOMATON, words, budget=30) for words in sources]
    assert batch == alone
    best = decode(made.scorer, AUTOMATON, sources[0], best=3, budget=30)
    logs = [each.log_probability for each in best]
    assert logs == sorted(logs, reverse=True)
    assert best[0].tokens == alone[0][0].tokens
    drawn = made.decode(sources[0], sampling=Sampling(4, seed=1), budget=30)
    assert all(accepts_tokens(AUTOMATON, each.tokens) for each in drawn)


def test_without_a_grammar_every_class_competes_and_sentences_may_be_wrong() -> None:
    free = Unconstrained(VOCABULARY, brackets=("(", ")"))
    made = fit(free, PAIRS, LinearSVC(C=0.1, random_state=0))
    right = 0
    for words, form in NEW:
        (found,) = decode(made.free, free, words, budget=20)
        right += found.tokens == tuple(form)
        assert min(found.scored) > 5
    assert right > len(NEW) / 2
    salad = [" ".join(RANDOM.choice([*GENRES, "before", "and", "of"], 6)) for _ in range(20)]
    free_forms = [decode(made.free, free, source(text), budget=20)[0].tokens for text in salad]
    assert not all(accepts_tokens(AUTOMATON, form) for form in free_forms)
    prefix, options, _ = choices(free, *PAIRS[0])[0]
    rows, _ = made.free.scores(prefix, options).distribution()
    assert len(rows) < options.permitted.size
    assert rows.tolist() == sorted(set(rows.tolist()))


def test_a_token_that_training_never_saw_comes_last_and_is_taken_if_nothing_else_may() -> None:
    made = fitted("svm")
    words = source("before 2010")
    state = AUTOMATON.read(["(", "year", "<"])
    prefix = made.scorer.start(words)
    for token in VOCABULARY.ids(["(", "year", "<"]):
        prefix = made.scorer.advance(prefix, token)
    permitted = AUTOMATON.next_tokens(state)
    best = made.scorer.scores(prefix, Options(permitted)).best(3)
    assert best[-1][0] == VOCABULARY.id("2010")
    only = permitted.narrowed([VOCABULARY.id("2010")])
    assert made.scorer.scores(prefix, Options(only)).best(1) == [(VOCABULARY.id("2010"), 0.0)]


def test_two_classes_are_scored_as_one_row_of_weights_says() -> None:
    grammar = lr(Grammar.read('query: "say" WORD\nWORD: "yes" | "no"'))
    pairs = [(Words.of(text), ["say", text]) for text in ("yes", "no")] * 4
    for classifier in (LinearSVC(), LogisticRegression()):
        made = fit(grammar, pairs, classifier)
        assert len(classifier.coef_) == 1
        assert isinstance(made.scorer.predictor, LinearRows)
        for words, form in pairs[:2]:
            found = made.decode(words)[0]
            assert found.tokens == tuple(form)
            prefix, options, _ = choices(grammar, words, form)[0]
            own, whole = (each.scores(prefix, options) for each in (made.scorer, made.whole))
            assert own.distribution()[1] == pytest.approx(whole.distribution()[1])
    chance = made.classifier.predict_proba(np.zeros((1, len(made.scorer.columns))))[0]
    columns = np.zeros(0, np.int64)
    logs = made.scorer.predictor.scores(columns, np.arange(2))
    assert np.exp(logs) / np.exp(logs).sum() == pytest.approx(chance)


@pytest.mark.parametrize(
    ("classifier", "reason"),
    [
        (SVC(kernel="rbf"), "neither rows of weights for its classes nor trees"),
        (SVC(kernel="linear"), "rows of weights for"),
        (GradientBoostingClassifier(n_estimators=1), "neither rows"),
        (make_pipeline(MaxAbsScaler(), LinearSVC(C=0.1)), "Pipeline has neither"),
    ],
)
def test_a_classifier_whose_classes_cannot_be_computed_alone_is_refused(
    classifier: Any, reason: str
) -> None:
    with pytest.raises(ClassifierError, match=reason):
        fit(named_only, PAIRS[:40], classifier)


def test_scores_that_are_not_sums_of_weights_are_noticed() -> None:
    class Cubed(LinearSVC):  # type: ignore[misc]
        def decision_function(self, steps: Any) -> Any:
            return super().decision_function(steps) ** 3

    with pytest.raises(ClassifierError, match="Cubed are not sums of its weights"):
        fit(named_only, PAIRS[:40], Cubed(C=0.1))


def test_pairs_without_a_choice_or_outside_the_grammar_are_said() -> None:
    with pytest.raises(ClassifierError, match="nothing to learn: 0 choices"):
        fit(AUTOMATON, [], LinearSVC())
    wrong = [(Words.of("x"), ["(", "genre", "is", "1990", ")"])]
    with pytest.raises(ClassifierError, match="1 pairs are not sentences of the grammar"):
        fit(AUTOMATON, wrong, LinearSVC())
    cut = (Words.of("x"), ["(", "genre", "is"])
    assert fit(named_only, [*PAIRS[:40], cut], LinearSVC(C=0.1)).left_out == 1
    with pytest.raises(ClassifierError, match="smaller `common`"):
        fit(named_only, PAIRS[:40], LinearSVC(), common=10_000)
