"""The endpoints: functions from a request struct to a response struct.

| module          | what it does                                                                  |
|-----------------|-------------------------------------------------------------------------------|
| `router`        | the table of operations, and the Starlette routes that decode and encode      |
| `queries`       | /parse, /parse/batch, /ask, /complete, /explain                               |
| `forms`         | /run, /next, /corrections                                                     |
| `export`        | /export: whole answers as files                                               |
| `rows`          | /row: one row and its peers; /distribution: the numbers of a column           |
| `edits`         | /edit: follow-ups                                                             |
| `catalogue`     | /catalogue                                                                    |
| `teaching`      | /teach: words that users teach                                                |
| `state`         | /domain, /health, /ready, /metrics                                            |
| `examples`      | example bodies for the OpenAPI document, made from the domain's own samples   |
| `render`        | parses, chips and answers as response structs                                 |
| `continuations` | the tokens that are permitted at a position of a logical form                 |
| `explanation`   | the steps of a parse and the path through the automaton                       |
"""
