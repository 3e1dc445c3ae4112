"""A finished parse → how probable it is that its logical form is right, or that it abstains.

| file | what it does |
|---|---|
| `usage` | what training says of words: which are heeded, which are let pass |
| `accounting` | which words of a query its logical form accounts for |
| `features` | the few numbers that tell right from wrong |
| `logistic` | logistic regression, with weights that are JSON |
| `calibration` | confidence, abstention, and the words that nothing accounts for |

`grammax.training.calibration` learns it. Nothing is decoded a second time, and nothing here imports
PyTorch.
"""

from grammax.confidence.calibration import Abstention as Abstention
from grammax.confidence.calibration import Calibration as Calibration
from grammax.confidence.calibration import Judgement as Judgement
from grammax.confidence.calibration import fit as fit
from grammax.confidence.calibration import stored_calibration as stored_calibration
from grammax.confidence.features import Features as Features
from grammax.confidence.features import features as features
from grammax.confidence.usage import Usage as Usage
