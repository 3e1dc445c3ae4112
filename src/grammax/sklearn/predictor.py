"""What a trained classifier says of some of its classes: all of them computed, or only those.

| predictor | classifiers | computes |
|---|---|---|
| `WholeClassifier` | those below | all classes; the reference |
| `LinearRows` | `LinearSVC`, `LogisticRegression`, `SGDClassifier` ... | some rows of `coef_` |
| `ForestColumns` | `RandomForestClassifier`, `ExtraTreesClassifier` | some columns of its leaves |

All give the same scores for the same classes. Features are binary: a step is the columns that it
has. Scores are logarithms of probabilities up to a constant, so that a softmax over some classes is
the distribution among them: a forest's are those of its leaves, and a linear classifier's are its
decision values. Margins of a support vector machine are no probabilities; they are multiplied by
`MARGIN`, because a beam that adds up flat distributions prefers short sentences.
"""

from __future__ import annotations

from typing import Any, Final, Protocol, final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, issparse

from grammax.errors import GrammaxError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MARGIN: Final = 5.0  # GEO, beam of 5: 17 % right with 1, 80 % with 3 to 6, 79 % with 10
_LEAST: Final = 1e-9  # added to probabilities: no permitted class is impossible
_ALIKE: Final = 1e-6  # the difference of equal scores that are summed in another order


class ClassifierError(GrammaxError):
    """A classifier, or pairs, that no predictor can be made of."""


class Predictor(Protocol):
    """Scores of classes by number, for a step with some features."""

    @property
    def classes(self) -> int:
        """The number of classes."""

    def scores(self, columns: Ints, classes: Ints) -> Floats:
        """The scores of some classes, (k), where the features at `columns` are present."""


@final
class WholeClassifier:
    """A classifier of scikit-learn as it is: all classes are computed, then some are taken."""

    def __init__(self, classifier: Any, columns: int) -> None:
        self._classifier = classifier
        self._columns = columns
        self.classes: Final = len(classifier.classes_)

    def scores(self, columns: Ints, classes: Ints) -> Floats:
        """The scores of some classes, (k)."""
        ends = np.array([0, len(columns)])
        step = csr_matrix((np.ones(len(columns)), columns, ends), (1, self._columns))
        found: Floats = self.every_score(step)[0, classes]
        return found

    def every_score(self, steps: csr_matrix) -> Floats:
        """The scores of all classes for some steps, (n, classes)."""
        if hasattr(self._classifier, "estimators_"):
            return _logarithms(self._classifier.predict_proba(steps))
        values: Floats = np.asarray(self._classifier.decision_function(steps), np.float64)
        values = values * _sharpness(self._classifier)
        return np.stack([-values / 2, values / 2], 1) if values.ndim == 1 else values


@final
class LinearRows:
    """A linear classifier: only the rows of some classes are read, and of those some columns."""

    def __init__(self, classifier: Any) -> None:
        given = classifier.coef_
        weight: Floats = np.asarray(given.toarray() if issparse(given) else given, np.float64)
        bias: Floats = np.broadcast_to(np.asarray(classifier.intercept_), len(weight))
        if len(weight) == 1:  # of two classes scikit-learn keeps one row, that of the second
            weight, bias = np.stack([-weight[0], weight[0]]) / 2, np.stack([-bias[0], bias[0]]) / 2
        sharpness = _sharpness(classifier)
        self._weight: Final = np.ascontiguousarray(weight * sharpness).reshape(-1)
        self._bias: Final = np.ascontiguousarray(bias * sharpness, np.float64)
        self._columns = weight.shape[1]
        self.classes: Final = len(weight)

    def scores(self, columns: Ints, classes: Ints) -> Floats:
        """The scores of some classes, (k): one sum of weights for each."""
        places = (classes * self._columns)[:, None] + columns
        found: Floats = self._weight.take(places).sum(1)
        found += self._bias[classes]
        return found


@final
class ForestColumns:
    """A forest: each tree leads to a leaf once, whose probabilities are read for some classes.

    Not for several threads: the trees read the features of a step from one array.
    """

    def __init__(self, classifier: Any, columns: int) -> None:
        self._trees: Final = [tree.tree_ for tree in classifier.estimators_]
        self._leaves: Final[list[Floats]] = [tree.value[:, 0] for tree in self._trees]  # views
        self._step = np.zeros((1, columns), np.float32)
        self.classes: Final = len(classifier.classes_)

    def scores(self, columns: Ints, classes: Ints) -> Floats:
        """The scores of some classes, (k)."""
        step = self._step
        step[0, columns] = 1
        total = np.zeros(len(classes))
        for tree, leaves in zip(self._trees, self._leaves, strict=True):
            total += leaves[tree.apply(step)[0]].take(classes)
        step[0, columns] = 0
        return _logarithms(total / len(self._trees))


def permitted_only(classifier: Any, sample: csr_matrix) -> Predictor:
    """The predictor that computes only the classes that are asked for.

    It is compared with the classifier on the steps of `sample`: a classifier whose scores are made
    of its weights in another way, such as `SVC` or a pipeline, is refused.
    """
    columns = sample.shape[1]
    name = type(classifier).__name__
    found: Predictor
    if not hasattr(classifier, "classes_"):
        raise _refused(f"{name} has no classes")
    if hasattr(classifier, "coef_"):
        found = LinearRows(classifier)
    elif _is_forest(classifier):
        found = ForestColumns(classifier, columns)
    else:
        raise _refused(f"{name} has neither rows of weights for its classes nor trees")
    whole = WholeClassifier(classifier, columns)
    if found.classes != whole.classes:
        raise _refused(f"{name} has {found.classes} rows of weights for {whole.classes} classes")
    everything, expected = np.arange(whole.classes), whole.every_score(sample)
    for row in range(sample.shape[0]):
        present = sample.indices[sample.indptr[row] : sample.indptr[row + 1]].astype(np.int64)
        if not np.allclose(found.scores(present, everything), expected[row], _ALIKE, _ALIKE):
            raise _refused(f"the scores of {name} are not sums of its weights")
    return found


def _is_forest(classifier: Any) -> bool:
    trees = getattr(classifier, "estimators_", ())
    return isinstance(trees, list) and all(
        hasattr(tree, "tree_") and tree.n_outputs_ == 1 for tree in trees
    )


def _sharpness(classifier: Any) -> float:
    return 1.0 if hasattr(classifier, "predict_proba") else MARGIN


def _refused(reason: str) -> ClassifierError:
    return ClassifierError(
        f"{reason}, so single classes of it cannot be computed. Give a linear classifier with one "
        f"row per class (LinearSVC, LogisticRegression, SGDClassifier) or a forest "
        f"(RandomForestClassifier, ExtraTreesClassifier)."
    )


def _logarithms(probabilities: Floats) -> Floats:
    found: Floats = np.log(probabilities + _LEAST)
    return found
