"""The JSON interface: one `msgspec` struct per body, which decodes, checks, encodes and documents.

| module      | what it holds                                                                    |
|-------------|----------------------------------------------------------------------------------|
| `requests`  | what clients send; unknown fields and wrong types are refused                    |
| `responses` | what endpoints return                                                            |
| `openapi`   | the OpenAPI document, written from these structs and the table of operations     |
"""
