"""Logical forms of folders as text in groups: compared, taken apart, and put into each other.

| module | contents |
|---|---|
| `order` | forms in one order, where an order does not matter |
| `parts` | the parts that a conjunction in brackets joins: `( and a b )` |
| `sequence` | conditions with a separator: `a , b` |
| `nesting` | a form in the place of a name of another |
"""
