"""Classifiers of scikit-learn as predictors under a grammar: only permitted classes are computed.

A linear support vector machine or a random forest chooses each token from features of the query,
of the tokens before and of the grammar, as KRISP does (Kate and Mooney 2006) and the search of
Vowpal Wabbit (Daumé et al. 2014). Where the grammar permits 12 of 400 classes, 12 are computed; the
choice is the one that the whole classifier would make among them.

| module | contents |
|---|---|
| `prefix` | `Source`, `Prefix`: a query, and the tokens predicted so far |
| `features` | what a classifier reads of them, numbered |
| `classes` | tokens, and in large kinds places among the names of the query |
| `predictor` | the scores of some classes, of a linear classifier or of a forest |
| `scorer` | `ClassifierScorer` under a grammar, `EveryClass` without one |
| `fit` | `fit`: pairs → `Fitted`, which decodes |

In this package `import sklearn` is the library. Nothing is written to files: classifiers are saved
as pickles, and a pickle from elsewhere can run anything.
"""

from grammax.sklearn.fit import Fitted as Fitted
from grammax.sklearn.fit import fit as fit
from grammax.sklearn.predictor import ClassifierError as ClassifierError
from grammax.sklearn.predictor import ForestColumns as ForestColumns
from grammax.sklearn.predictor import LinearRows as LinearRows
from grammax.sklearn.predictor import Predictor as Predictor
from grammax.sklearn.predictor import WholeClassifier as WholeClassifier
from grammax.sklearn.prefix import Name as Name
from grammax.sklearn.prefix import Prefix as Prefix
from grammax.sklearn.prefix import Source as Source
from grammax.sklearn.prefix import Words as Words
from grammax.sklearn.scorer import ClassifierScorer as ClassifierScorer
from grammax.sklearn.scorer import EveryClass as EveryClass
