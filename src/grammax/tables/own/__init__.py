"""A table of one's own as a domain: from its description to questions and answers.

| module | contents |
|---|---|
| `domain` | `open_table`: a file or a database → a domain |
| `catalogue` | `TableDescription` → `Catalogue`: types, fields and values with their names |
| `samples` | sample queries about a table, each with an answer |
| `folder` | `schema.toml` in a folder of its own, and what is opened by a name |
"""
