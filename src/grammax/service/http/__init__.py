"""The handling of every request: its context, limits, errors and connection.

| module           | what it does                                                                |
|------------------|-----------------------------------------------------------------------------|
| `context`        | `RequestContext`: id, status and details of one request                     |
| `errors`         | `RequestRefused` and the handlers that write every error as the same JSON   |
| `limits`         | reads bodies and query strings within the limits, as `msgspec` structs      |
| `middleware`     | request ids, security headers, the log, the audit file, metrics             |
| `clients`        | limits of single clients: concurrent requests, corrections                  |
| `turns`          | the order of requests: clients take turns, on the event loop and in threads |
| `origins`        | requests for other hosts, or from pages of other sites, are refused         |
| `private`        | the paths of the server, which errors do not show                           |
| `connections`    | uvicorn's HTTP protocol with limits of headers and of connections           |
| `peers`          | the connections of each client, and which one makes room for a new one      |
"""
