"""Predictions beside what was expected → outcomes, and a report of them.

| file | what it does |
|---|---|
| `outcome` | judges one prediction: exact match, denotation, grammar, types, sort of mistake |
| `evaluate` | sends the queries of splits through a parser and judges what comes back |
| `bootstrap` | a share with its confidence interval |
| `report` | what the outcomes of each split come to |

A parser is any function from queries to tokens. Nothing here imports PyTorch.
"""

from grammax.evaluation.bootstrap import Share as Share
from grammax.evaluation.bootstrap import bootstrap as bootstrap
from grammax.evaluation.evaluate import evaluate as evaluate
from grammax.evaluation.outcome import Outcome as Outcome
from grammax.evaluation.outcome import judge as judge
from grammax.evaluation.report import Report as Report
from grammax.evaluation.report import SplitReport as SplitReport
