"""A finished parse → how probable it is that its logical form is right, or that it abstains.

| file | what it does |
|---|---|
| `usage` | what training says of words: which are heeded, which are let pass |
| `accounting` | which words of a query its logical form accounts for |
| `features` | the few numbers that tell right from wrong |
| `logistic` | logistic regression, with weights that are JSON |
| `calibration` | confidence, abstention, and the words that nothing accounts for |
| `swapped` | more pairs of a few, by other names |
| `learn` | all of it learnt from held-out pairs and from texts that are no queries |
| `kept` | a calibration in the header of its model's file |

Nothing is decoded a second time, and nothing here imports PyTorch.
"""

from grammax.confidence.calibration import Abstention as Abstention
from grammax.confidence.calibration import Calibration as Calibration
from grammax.confidence.calibration import Judgement as Judgement
from grammax.confidence.calibration import fit as fit
from grammax.confidence.features import Features as Features
from grammax.confidence.features import features as features
from grammax.confidence.kept import calibrate as calibrate
from grammax.confidence.kept import kept_calibration as kept_calibration
from grammax.confidence.learn import NothingHeldOut as NothingHeldOut
from grammax.confidence.learn import learn as learn
from grammax.confidence.usage import Usage as Usage
