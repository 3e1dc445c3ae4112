"""Answers from a data store: the meaning of a form as an Ibis expression, run by the store.

Tables are described by name and type alone, so SQL can be written for any dialect without a
connection.

| module | contents |
|---|---|
| `expressions` | the `Engine` of Ibis expressions, and columns without time |
| `plain` | a source of plain columns, without times |
| `view`, `dates` | a source over any table expression, such as a stranger's table; its dates |
| `quarters` | a source of quarterly series |
| `run`, `stores/` | connections, and runners that run a query read-only and within a time limit |
| `mapping`, `mapped` | the mapping file of the user's own tables, and the store that it describes |
"""
