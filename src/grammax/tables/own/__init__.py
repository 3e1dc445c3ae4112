"""A table of one's own as a domain: from its description to questions and answers.

| module | contents |
|---|---|
| `catalogue` | `TableDescription` → `Catalogue`: types, fields and values with their names |
"""
