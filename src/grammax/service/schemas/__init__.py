"""The JSON interface: one `msgspec` struct per body, which decodes, checks, encodes and documents.

| module      | what it holds                                                                    |
|-------------|----------------------------------------------------------------------------------|
| `requests`  | bodies of requests; unknown fields and wrong types are refused                   |
| `responses` | bodies of responses                                                              |
| `openapi`   | the OpenAPI document, written from these structs and the table of operations     |
"""
