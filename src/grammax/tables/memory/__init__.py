"""Answers from arrays in memory: the meaning of a form, computed with NumPy at once.

Arrays are mapped from a file, so that processes share them and opening reads nothing. A query takes
a fraction of a millisecond, and needs neither Ibis nor a data store.

| module | contents |
|---|---|
| `values` | texts as codes, conditions of three values, members of a field with several values |
| `rows` | the rows of a query: selected, ordered, limited |
| `groups` | rows → groups and their aggregates |
| `engine` | the `Engine` of arrays, and the runner that lists rows |
| `columns` | `Columns`: all arrays of a source; their file |
| `source` | sources of plain columns and of quarterly series |
"""
