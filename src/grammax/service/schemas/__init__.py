"""The JSON interface: one `msgspec` struct per body, which decodes, checks, encodes and documents.

| module      | what it holds                                                                    |
|-------------|----------------------------------------------------------------------------------|
| `base`      | the base classes of bodies, types that they share, errors                        |
| `parsing`   | queries and their parses, explanations, completions                              |
| `answering` | answers to queries and to logical forms                                          |
| `rows`      | one row and its peers, the distribution of a column                              |
| `editing`   | what may stand at a position of a logical form                                   |
| `catalogue` | values and fields: search and changes                                            |
| `teaching`  | corrections, and words that users teach                                          |
| `state`     | the state of the service, and the domain that it serves                          |
| `openapi`   | the OpenAPI document, written from these structs and the table of operations     |
"""
