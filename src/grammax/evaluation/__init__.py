"""Evaluation of parsers: accuracy, calibration, ablation, and the paper's table.

| module | what it does |
|---|---|
| `outcome` | judges one prediction: exact match, denotation, grammar, types, class of mistake |
| `evaluate` | parses the queries of splits and judges the predictions |
| `bootstrap` | computes a share with its confidence interval |
| `report` | summarises the outcomes of each split |
| `calibration` | measures calibration errors, and the risk at each coverage |
| `ablation` | measures the contribution of each part of the model |
| `benchmark` | rows, claims and machine, as every benchmark reports them |
| `paper` | measures the paper's Table 1 |

A parser is any function from queries to tokens. Only `paper` imports PyTorch.
"""

from grammax.evaluation.bootstrap import Share as Share
from grammax.evaluation.bootstrap import bootstrap as bootstrap
from grammax.evaluation.evaluate import evaluate as evaluate
from grammax.evaluation.outcome import Outcome as Outcome
from grammax.evaluation.outcome import judge as judge
from grammax.evaluation.report import Report as Report
from grammax.evaluation.report import SplitReport as SplitReport
