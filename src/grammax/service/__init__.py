"""`grammax serve`: parsing, answering and correcting over HTTP, with a web page.

| module        | what it does                                                                   |
|---------------|--------------------------------------------------------------------------------|
| `settings`    | `Settings` and `Limits`                                                        |
| `run`         | binds the socket, and runs one worker under uvicorn                            |
| `server`      | the settings of uvicorn                                                        |
| `supervisor`  | several workers, supervised by gunicorn                                        |
| `app`         | the ASGI application: endpoints, page, errors                                  |
| `worker`      | `Worker`: the state of one process                                             |
| `loading`     | what a worker serves, loaded in a thread while it already listens              |
| `memory`      | the memory of what was replaced is given back                                  |
| `metrics`     | metrics for Prometheus                                                         |
| `log`         | the log, written in the background                                             |
| `appended`    | append-only files of JSON lines                                                |
| `corrections` | corrections by users, for training                                             |
| `http/`       | around every request: context, limits, errors, middleware                      |
| `schemas/`    | the JSON interface as structs, and the OpenAPI document                        |
| `snapshot/`   | the parser and its store, replaced as a whole when the catalogue changes       |
| `endpoints/`  | functions from a request struct to a response struct                           |
| `page/`       | the web page: HTML, CSS and JavaScript modules                                 |

Requests are decoded and responses encoded by `msgspec` structs. Parsing takes about a millisecond
and runs on the event loop; answers come from threads.
"""
