"""What a store answers: forms given as tokens, one row by its key, and distributions.

| module | contents |
|---|---|
| `answers` | `StoreAnswers` |
| `row` | all values of one row, in groups |
| `peers` | the rows that are most like one |
| `distribution` | numbers → a histogram with round limits |
"""
