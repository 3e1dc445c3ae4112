"""How good a parser is: accuracy, calibration, ablation, and the paper's table.

| module | what it does |
|---|---|
| `outcome` | judges one prediction: exact match, denotation, grammar, types, class of mistake |
| `evaluate` | parses the queries of splits and judges the predictions |
| `bootstrap` | a share with its confidence interval |
| `report` | the outcomes of each split in figures |
| `calibration` | how well confidences are calibrated, and what abstaining gains |
| `ablation` | what each part of the model contributes |
| `benchmark` | rows, claims and machine, as every benchmark reports them |
| `paper` | the paper's Table 1 |

A parser is any function from queries to tokens. Nothing here but `paper` imports PyTorch.
"""

from grammax.evaluation.bootstrap import Share as Share
from grammax.evaluation.bootstrap import bootstrap as bootstrap
from grammax.evaluation.evaluate import evaluate as evaluate
from grammax.evaluation.outcome import Outcome as Outcome
from grammax.evaluation.outcome import judge as judge
from grammax.evaluation.report import Report as Report
from grammax.evaluation.report import SplitReport as SplitReport
