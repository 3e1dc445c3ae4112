"""`grammax evaluate`: how good a trained parser is.

| module | contents |
|---|---|
| `command` | the command and its options |
| `scope` | what every kind of evaluation is given: splits, a limit, how to show the result |
| `matches` | exact match, denotation, and the kinds of mistakes |
| `calibration` | how far the confidence can be trusted, and what abstaining costs |
| `ablation` | what each part of the model is worth, over several trainings |
"""
