"""SQL → bracketed forms.

| module | contents |
|---|---|
| `scope` | the tables of a FROM, and the columns that names mean among them |
| `terms` | columns, aggregates, arithmetic and literals |
| `conditions` | WHERE and HAVING |
| `joins` | FROM, with joins along equal columns |
| `items` | what SELECT lists, by number and by name |
| `statement` | `read_sql`: SELECT, its clauses, subqueries and set operations |
"""
