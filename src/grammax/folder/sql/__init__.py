"""SQL folders: pairs of a question and SQL, which is read into bracketed forms and written back.

| module | contents |
|---|---|
| `schema` | `Schema`: tables, columns, and the keys by which tables are joined |
| `schema_files` | reads a schema from CREATE TABLE statements, or from a SQLite file |
| `tree` | bracketed forms as nested tuples, and as tokens |
| `reading/` | `read_sql`: SQL → form |
| `identifiers` | names that need quotes in SQL |
| `writing` | `write_sql`: form → SQL |
| `observed` | what the forms of pairs show beyond the schema |
| `scopes` | the sets of tables that a FROM may join |
| `values` | what each column may be compared with, and what people call columns |
| `grammar` | the grammar of a schema, in lark's notation |
| `pairs`, `folder` | reads people's files of questions and SQL, and writes the folder |
| `answers` | `SqlAnswers`: answers of a SQLite file, read-only and within a time limit |
| `notation` | `SqlNotation`: all of it, as the notation of a folder |
| `unsupported` | the errors of SQL that has no form |
"""
