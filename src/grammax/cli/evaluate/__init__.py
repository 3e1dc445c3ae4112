"""`grammax evaluate`: measures a trained parser.

| module | contents |
|---|---|
| `command` | the command and its options |
| `scope` | arguments of every kind of evaluation: splits, a limit, the output format |
| `matches` | exact match, denotation, and the kinds of mistakes |
| `calibration` | calibration of the confidence, and the cost of abstaining |
| `ablation` | contribution of each part of the model, over several trainings |
"""
