"""`grammax parse`: the logical form of a query, or of each line of a file.

| module | contents |
|---|---|
| `command` | the command and its options |
| `one` | one query, parsed and printed |
| `report` | a parse as JSON, and explained token by token |
| `batch` | a file of queries, parsed in chunks |
| `files` | the file of queries, and the JSON lines written for it |
| `on_ray` | files of queries, parsed by processes of Ray |
| `workers` | runs a function in several processes, results in order |
"""
