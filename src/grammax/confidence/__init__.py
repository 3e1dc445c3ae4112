"""Calibrated confidence: the probability that a logical form is right, and whether to abstain.

| module | contents |
|---|---|
| `coverage` | the words of a query that its logical form covers |
| `wording` | whether a text is worded like a query that can be answered |
| `substitution` | names in a form that stand in for others |
| `features` | what tells right parses from wrong ones |
| `logistic` | logistic regression, with weights in JSON |
| `calibration` | confidence, abstention and its reason |

`grammax.training.calibration` learns a calibration. This package does not import PyTorch.
"""

from grammax.confidence.calibration import Abstention as Abstention
from grammax.confidence.calibration import Aims as Aims
from grammax.confidence.calibration import Calibration as Calibration
from grammax.confidence.calibration import Judgement as Judgement
from grammax.confidence.calibration import Labelled as Labelled
from grammax.confidence.calibration import fit as fit
from grammax.confidence.calibration import stored_calibration as stored_calibration
from grammax.confidence.coverage import Usage as Usage
from grammax.confidence.coverage import Watched as Watched
from grammax.confidence.coverage import unknown_words as unknown_words
from grammax.confidence.coverage import word_coverage as word_coverage
from grammax.confidence.features import Features as Features
from grammax.confidence.features import features as features
from grammax.confidence.substitution import kinds_that_are_named as kinds_that_are_named
from grammax.confidence.wording import Wording as Wording
from grammax.confidence.wording import scores_of_others as scores_of_others
