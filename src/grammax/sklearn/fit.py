"""`fit`: pairs and a classifier of scikit-learn → `Fitted`, a predictor under a grammar.

The rows of the training are the steps at which a grammar leaves a choice; forced tokens are read
and not learnt. The class of a row is the class of the right token, see `classes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, Generic, TypeVar, final

import numpy as np
from scipy.sparse import csr_matrix

from grammax.automaton.protocol import Automaton
from grammax.errors import GrammaxError
from grammax.head.protocol import Options
from grammax.search import Decoded, Sampling, decode, training_steps
from grammax.sklearn.classes import Classes, Label, label_of, large_kinds
from grammax.sklearn.features import COMMON, Columns, Features, StepTable
from grammax.sklearn.predictor import ClassifierError, WholeClassifier, permitted_only
from grammax.sklearn.prefix import Brackets, Prefix, Source
from grammax.sklearn.scorer import ClassifierScorer, EveryClass, words_of
from grammax.vocabulary import Vocabulary

S = TypeVar("S", bound=Source)
Grammar = Automaton[Any] | Callable[[S], Automaton[Any]]  # one, or one for each query
Choice = tuple[Prefix, Options, int]  # with the id that is right

_SAMPLE: Final = 8  # steps on which a predictor is compared with its classifier


@final
@dataclass(frozen=True)
class Fitted(Generic[S]):
    """A fitted classifier under the grammar that it was fitted with.

    `scorer` is for `grammax.decode`. `whole` computes all classes and masks those that are not
    permitted; `free` is the classifier without a grammar, for `grammax.search.Unconstrained`.
    """

    grammar: Grammar[S]
    classifier: Any
    scorer: ClassifierScorer
    steps: int  # of the training
    left_out: int  # pairs that the grammar does not accept

    @cached_property
    def whole(self) -> ClassifierScorer:
        """The scorer that computes all classes, then masks."""
        columns = len(self.scorer.columns)
        return self.scorer.computed_by(WholeClassifier(self.classifier, columns))

    @property
    def free(self) -> EveryClass:
        """The scorer without a grammar."""
        return EveryClass(self.whole)

    def automaton(self, source: S) -> Automaton[Any]:
        """The grammar for a query."""
        return _automaton(self.grammar, source)

    def decode(
        self, source: S, *, best: int = 1, sampling: Sampling | None = None, budget: int = 200
    ) -> list[Decoded]:
        """Sentences for a query, as `grammax.decode` finds them."""
        grammar = self.automaton(source)
        return decode(self.scorer, grammar, source, best=best, sampling=sampling, budget=budget)


def fit(
    grammar: Grammar[S],
    pairs: Iterable[tuple[S, Sequence[int | str]]],
    classifier: Any,
    *,
    common: int = COMMON,
) -> Fitted[S]:
    """Fit a classifier to pairs of a query and a sentence of the grammar.

    `grammar` is an automaton, or a function from a query to an automaton, such as one that permits
    only the values that the query names: then fewer classes are scored. `pairs` are queries, as
    `Words.of(text)` makes them, each with the tokens of its sentence. `classifier` is a linear
    classifier or a forest of scikit-learn; it is fitted here, to binary features that occur in
    `common` steps or more. Pairs that the grammar does not accept are left out.

    The result decodes queries; `steps` is the number of choices that were learnt, `left_out` the
    number of pairs that were not.

    >>> from sklearn.svm import LinearSVC
    >>> import grammax
    >>> from grammax.sklearn import Words, fit
    >>> text = 'film: "genre" "is" GENRE | "year" "is" "1999"\\nGENRE: "drama" | "noir"'
    >>> automaton = grammax.lr(grammax.Grammar.read(text))
    >>> said = {"a drama": "genre is drama", "dark ones": "genre is noir", "old": "year is 1999"}
    >>> pairs = [(Words.of(query), form.split()) for query, form in said.items()] * 3
    >>> fitted = fit(automaton, pairs, LinearSVC())
    >>> print(fitted.decode(Words.of("something dark"))[0], fitted.steps)
    genre is noir 15
    """
    training: _Training | None = None
    for source, tokens in pairs:
        automaton = _automaton(grammar, source)
        training = training or _Training(automaton.vocabulary)
        training.add(automaton, source, tokens)
    if training is None or len(set(training.labels)) < 2:
        labels, left_out = (training.labels, training.left_out) if training else ([], 0)
        raise ClassifierError(
            f"there is nothing to learn: {len(labels)} choices of the pairs have "
            f"{len(set(labels))} classes, and {left_out} pairs are not sentences of the grammar. "
            f"Give pairs that the grammar accepts, with two different choices or more."
        )
    scorer = training.fitted(classifier, common)
    return Fitted(grammar, classifier, scorer, len(training.labels), training.left_out)


def choices(automaton: Automaton[Any], source: Source, tokens: Sequence[int | str]) -> list[Choice]:
    """The steps of a sentence at which there is a choice.

    Raises a `GrammaxError` if the sentence is not of the grammar.
    """
    vocabulary = automaton.vocabulary
    steps = training_steps(automaton, tokens)
    ids = [vocabulary.id(token) if isinstance(token, str) else token for token in tokens]
    begin = Prefix(source, Brackets.of(vocabulary))
    prefixes = list(accumulate(ids, Prefix.after, initial=begin))
    return [(prefixes[position], options, target) for position, options, target in steps]


@final
class _Training:
    """The steps that a classifier is fitted to. Mutable."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.by_place = large_kinds(vocabulary)
        self.features = Features(vocabulary, self.by_place)
        self.table = StepTable()
        self.labels: list[Label] = []
        self.left_out = 0

    def add(self, automaton: Automaton[Any], source: Source, tokens: Sequence[int | str]) -> None:
        """The steps of one more pair."""
        try:
            found = choices(automaton, source, tokens)
        except GrammaxError:
            self.left_out += 1
            return
        for prefix, options, target in found:
            self.table.add(self.features.of(prefix, words_of(options)))
            self.labels.append(label_of(prefix, target, self.vocabulary, self.by_place))

    def fitted(self, classifier: Any, common: int) -> ClassifierScorer:
        """Fit a classifier to all steps."""
        classes = Classes(self.labels, self.vocabulary, self.by_place)
        columns, matrix = _matrix(self.table, common)
        classifier.fit(matrix, np.array([classes.number(label) for label in self.labels]))
        predictor = permitted_only(classifier, matrix[:_SAMPLE])
        brackets = Brackets.of(self.vocabulary)
        return ClassifierScorer(classes, self.features, columns, predictor, brackets)


def _automaton(grammar: Grammar[S], source: S) -> Automaton[Any]:
    return grammar(source) if callable(grammar) else grammar


def _matrix(table: StepTable, common: int) -> tuple[Columns, csr_matrix]:
    columns, indices, ends = table.columns(common)
    if not len(columns):
        raise ClassifierError(
            f"no feature is in {common} of the {len(table)} steps or more: give more pairs, or a "
            f"smaller `common`"
        )
    shape = len(table), len(columns)
    matrix = csr_matrix((np.ones(len(indices)), indices, ends), shape)
    matrix.sort_indices()
    return columns, matrix
