"""`grammax train`: a parser from the pairs of a domain.

| module | contents |
|---|---|
| `command` | the command: begins or resumes a training |
| `options` | its options |
| `progress` | the progress of a training, and the summary at its end |
"""
