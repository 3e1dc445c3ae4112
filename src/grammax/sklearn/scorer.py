"""Classifiers as `Scorer`: the classes of the permitted tokens, or every class without a grammar.

`ClassifierScorer` scores the tokens that a grammar permits: with `LinearRows` or `ForestColumns`
only their classes are computed, with `WholeClassifier` all, and the others are masked. `EveryClass`
is the classifier without a grammar, as the head `EveryRow` is for a network.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from grammax.head.protocol import Options
from grammax.search import ListedScores
from grammax.sklearn.classes import UNSEEN, Classes
from grammax.sklearn.features import Columns, Features
from grammax.sklearn.predictor import ClassifierError, Predictor
from grammax.sklearn.prefix import Brackets, Prefix, Source
from grammax.vocabulary import Permitted

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_BEHIND: Final = 10.0  # how far a class that training never saw is behind the last one that it saw


@final
@dataclass(frozen=True, slots=True, eq=False)
class ClassifierScorer:
    """A classifier under a grammar.

    Tokens of one class have one score. Tokens whose class is in no training step come after all
    others: they are taken only where nothing else is permitted.
    """

    classes: Classes
    features: Features
    columns: Columns
    predictor: Predictor
    brackets: Brackets | None

    def computed_by(self, predictor: Predictor) -> ClassifierScorer:
        """The same with scores that are computed in another way."""
        return replace(self, predictor=predictor)

    def start(self, source: Source) -> Prefix:
        """The query before the first token."""
        return Prefix(source, self.brackets)

    def scores(self, state: Prefix, options: Options) -> ListedScores:
        """The scores of the permitted tokens after a prefix."""
        permitted = words_of(options)
        rows = options.ids(len(self.classes.vocabulary))
        classes = self.classes.of(state, rows)
        columns = self.columns.of(self.features.of(state, permitted))
        return ListedScores(rows, scores_of(self.predictor, columns, classes))

    def advance(self, state: Prefix, token: int) -> Prefix:
        """The prefix after one more token."""
        return state.after(token)


@final
@dataclass(frozen=True, slots=True, eq=False)
class EveryClass:
    """A classifier without a grammar: all classes that name a token compete."""

    scorer: ClassifierScorer

    def start(self, source: Source) -> Prefix:
        """The query before the first token."""
        return self.scorer.start(source)

    def scores(self, state: Prefix, options: Options) -> ListedScores:
        """The scores of all classes after a prefix, whatever the options."""
        made = self.scorer
        rows, classes = made.classes.rows(state)
        end = len(made.classes.vocabulary)
        if not len(rows) or rows[-1] != end:  # a sentence that is cut ends, learnt or not
            rows, classes = np.append(rows, end), np.append(classes, UNSEEN)
        columns = made.columns.of(made.features.of(state, words_of(options)))
        return ListedScores(rows, scores_of(made.predictor, columns, classes))

    def advance(self, state: Prefix, token: int) -> Prefix:
        """The prefix after one more token."""
        return state.after(token)


def words_of(options: Options) -> Permitted:
    """The permitted tokens, which are those of a vocabulary with kinds."""
    if not isinstance(options.permitted, Permitted):
        raise ClassifierError(
            "a classifier decodes under an automaton, whose vocabulary has kinds; this is a "
            "constraint over the sub-words of a language model. Give the automaton itself."
        )
    return options.permitted


def scores_of(predictor: Predictor, columns: Ints, classes: Ints) -> Floats:
    """The scores of some classes, those of unseen ones below all others."""
    known = classes != UNSEEN
    if known.all():
        return predictor.scores(columns, classes)
    values = np.zeros(len(classes))
    if known.any():
        values[known] = predictor.scores(columns, classes[known])
        values[~known] = values[known].min() - _BEHIND
    return values
