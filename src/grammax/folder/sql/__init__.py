"""SQL folders: pairs of a question and SQL, which is read into bracketed forms and written back.

| module | contents |
|---|---|
| `schema` | `Schema`: tables, columns, and the keys by which tables are joined |
| `schema_files` | reads a schema from CREATE TABLE statements, or from a SQLite file |
| `tree` | bracketed forms as nested tuples, and as tokens |
| `reading/` | `read_sql`: SQL → form |
| `identifiers` | names that need quotes in SQL |
| `writing` | `write_sql`: form → SQL |
| `unsupported` | the errors of SQL that has no form |
"""
