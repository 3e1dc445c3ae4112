"""The paper's Table 1 for any domain: one network, all heads, measured interleaved.

| module | what it does |
|---|---|
| `published` | the paper's figures (no PyTorch) |
| `network` | the network that all rows share: shipped, or trained once and cached |
| `rows` | a parser for each row of the table |
| `large_kinds` | its last rows: a hierarchical softmax, and rows that a query's words select |
| `measure` | times the rows |
| `figures` | seconds and sentences → speed-up, rows multiplied, exact match ... |
| `claims` | the project's claims about the table |
"""
