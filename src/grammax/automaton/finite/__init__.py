"""Finite automata: the table, how it is made deterministic and minimal, and machines by hand."""
