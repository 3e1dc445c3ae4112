"""How people speak of a column, from its semantic class and its name.

| module | contents |
|---|---|
| `inflection` | comparatives, superlatives and past forms |
| `numbers` | words for numbers and dates: "oldest", "cheaper than {n}", "released" |
| `values` | words around named values: "from {v}", "directed by {v}" |
| `speech` | `Speech`: everything that is said of one column |
| `cues` | words that refer to a column without being its name |
"""
