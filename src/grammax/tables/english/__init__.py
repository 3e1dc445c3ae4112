"""Logical forms in English, and completions of queries.

| module | contents |
|---|---|
| `paraphrase` | a logical form as an English sentence |
| `summaries` | aggregates, groups, and what is asked of them |
| `clauses`, `comparisons` | single constraints as clauses |
| `phrases` | names, numbers and times |
| `wordings` | names of the fixed tokens |
| `chips` | labels and roles of single tokens |
| `completions` | completions of a query that is being typed |
| `likelihood` | how likely names and phrases are in a query |
| `dictionary` | the fields, with their units and usual values |
"""
