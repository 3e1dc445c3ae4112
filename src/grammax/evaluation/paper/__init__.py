"""The paper's Table 1 for any domain: one network, all heads, measured side by side.

| file | what it does |
|---|---|
| `published` | the numbers that the paper gives |
| `network` | the network that all rows share: trained once, kept in the cache |
| `rows` | a parser for each row of the table |
| `measure` | parsers and queries → seconds, rows multiplied, exact match ... |
| `claims` | what the project says of the table |
"""
