"""Phrases: words that people taught to stand for a condition, such as "blockbuster".

A phrase is read without the model: it is taken out of the query, the model reads the rest, and the
condition is added to the logical form. So it works at once, for any model.

| module | contents |
|---|---|
| `conditions` | `read_condition`: "gross > 100m" → the tokens of a constraint |
| `queries` | `Phrases`: a query → the rest of it, and the conditions that its phrases stand for |
"""
