"""Recursive transition networks, and the two automata built from them.

| module | contents |
|---|---|
| `network` | rules → one automaton per rule, whose arcs are kinds and calls |
| `superset` | networks → one finite automaton, looser than the grammar |
| `subsets` | the same for large grammars, made deterministic on demand |
| `unrolled` | networks → an engine that is exact to a nesting depth |
| `nodes`, `distances` | its states of networks, and how far they are from the end |
"""
