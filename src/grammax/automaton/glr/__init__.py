"""Generalised LR: exact for every context-free grammar, however ambiguous.

| module | contents |
|---|---|
| `items` | the LR(0) graph of a grammar, built as far as it is visited; empty rules are skipped |
| `stacks` | graph-structured stacks, interned; what pushing a table state on one leads to |
| `engine` | `GlrEngine`: sets of stacks as an engine |
"""
