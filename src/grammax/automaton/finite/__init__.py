"""Finite automata over kinds: construction, determinisation, minimisation, inclusion.

| module | contents |
|---|---|
| `nfa` | `NfaBuilder`: nondeterministic automata, built arc by arc |
| `dfa` | `Dfa`: deterministic automata, with union and inclusion |
| `determinize`, `minimize` | subset construction, and the smallest equivalent automaton |
| `machines` | `Machine`: automata built by hand, as in the paper |
| `engine` | `FiniteEngine`: a `Dfa` as an engine |
"""
