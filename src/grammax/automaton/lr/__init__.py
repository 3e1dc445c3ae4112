"""LR(1) automata: parse tables, their conflicts, and the engine that runs them.

| module | contents |
|---|---|
| `tables` | LALR(1) tables |
| `canonical` | canonical LR(1) tables, used where LALR(1) reports a false conflict |
| `conflicts` | which rules are in conflict, and a shortest prefix that leads there |
| `engine` | `LrEngine`: tables as an engine, whose states are shared stacks |
"""
