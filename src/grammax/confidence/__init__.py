"""A finished parse → the probability that its logical form is right, and whether to abstain.

| module | what it does |
|---|---|
| `coverage` | which words of a query its logical form covers |
| `logistic` | logistic regression, with weights that are JSON |
| `calibration` | features, confidence and abstention |

`grammax.training.calibration` learns a calibration. Nothing here imports PyTorch.
"""

from grammax.confidence.calibration import Abstention as Abstention
from grammax.confidence.calibration import Calibration as Calibration
from grammax.confidence.calibration import Features as Features
from grammax.confidence.calibration import Judgement as Judgement
from grammax.confidence.calibration import features as features
from grammax.confidence.calibration import fit as fit
from grammax.confidence.calibration import stored_calibration as stored_calibration
from grammax.confidence.coverage import Usage as Usage
from grammax.confidence.coverage import Watched as Watched
from grammax.confidence.coverage import word_coverage as word_coverage
