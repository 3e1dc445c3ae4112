"""LR(1) automata.

| module | what it has |
|---|---|
| `tables` | LALR(1) tables |
| `canonical` | canonical LR(1) tables, where LALR(1) has a false conflict |
| `conflicts` | which rules are in conflict, and a shortest prefix that leads there |
| `engine` | `LrEngine`: tables as an engine, whose states are shared stacks |
"""
