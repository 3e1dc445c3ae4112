"""Finite automata.

| module | what it has |
|---|---|
| `nfa` | `NfaBuilder`: nondeterministic automata, built arc by arc |
| `dfa` | `Dfa`: deterministic ones, with union and inclusion |
| `determinize`, `minimize` | from one to the other, and to the smallest |
| `machines` | `Machine`: automata built by hand, as the paper's |
| `engine` | `FiniteEngine`: a `Dfa` as an engine |
"""
