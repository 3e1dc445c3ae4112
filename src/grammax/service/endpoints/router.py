"""The table of operations, and the routes that decode requests and encode responses.

An operation's signature is its contract: a struct that it takes is the body of a POST and the query
string of a GET, a `str` is a parameter of the path, and the struct that it returns is the response.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, final, get_type_hints
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grammax.service.endpoints import (
    catalogue,
    edits,
    export,
    fields,
    forms,
    queries,
    rows,
    state,
    teaching,
)
from grammax.service.http.clients import client_name
from grammax.service.http.context import context_of
from grammax.service.http.given_up import RECEIVE
from grammax.service.http.limits import read_body, read_query_string
from grammax.service.metrics import CONTENT_TYPE
from grammax.service.schemas.base import File, encode
from grammax.service.worker import Worker

_BODY: Final = (400, 408, 413, 415, 422, 429, 503)
_GIVEN: Final = frozenset(("worker", "context", "return"))


@final
@dataclass(frozen=True)
class Operation:
    """A method and a path, with the function that handles it."""

    method: str
    path: str
    handler: Callable[..., Awaitable[Any]]
    refuses: tuple[int, ...] = ()  # statuses of errors
    status: int = 200
    needs_token: bool = False
    changes: bool = False  # whether it is audited before it begins
    has_quota: bool = False  # whether each client has a number of them in a minute
    is_counted: bool = True  # whether it counts among the concurrent requests
    media_types: tuple[str, ...] = ()  # of a file, where it does not return JSON

    @property
    def name(self) -> str:
        """The name of the handler."""
        return self.handler.__name__

    @property
    def summary(self) -> str:
        """The first line of the handler's docstring."""
        return (self.handler.__doc__ or "").partition("\n")[0]

    @cached_property
    def body(self) -> type[msgspec.Struct] | None:
        """The struct that is read from the body."""
        return self._struct if self.method == "POST" else None

    @cached_property
    def query(self) -> type[msgspec.Struct] | None:
        """The struct that is read from the query string."""
        return self._struct if self.method == "GET" else None

    @cached_property
    def parameter(self) -> str | None:
        """The parameter of the path, if there is one."""
        return next((name for name, type_ in self._hints.items() if type_ is str), None)

    @cached_property
    def gives(self) -> type[msgspec.Struct] | None:
        """The struct that is returned as JSON; None for a file."""
        found = self._hints["return"]
        is_json = issubclass(found, msgspec.Struct) and not issubclass(found, File)
        return found if is_json else None

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self.handler)

    @property
    def _struct(self) -> type[msgspec.Struct] | None:
        types = (type_ for name, type_ in self._hints.items() if name not in _GIVEN)
        return next((type_ for type_ in types if issubclass(type_, msgspec.Struct)), None)


OPERATIONS: Final = (
    Operation("POST", "/parse", queries.parse, _BODY),
    Operation("POST", "/parse/batch", queries.parse_batch, _BODY),
    Operation("POST", "/ask", queries.ask, (404, *_BODY)),
    Operation("POST", "/run", forms.run, (404, *_BODY)),
    Operation("POST", "/export", export.export, (404, *_BODY), media_types=export.MEDIA_TYPES),
    Operation("POST", "/row", rows.row, (404, *_BODY)),
    Operation("POST", "/distribution", rows.distribution, (404, *_BODY)),
    Operation("POST", "/next", forms.next_tokens, _BODY),
    Operation("POST", "/edit", edits.edit, _BODY),
    Operation("POST", "/complete", queries.complete, _BODY),
    Operation("POST", "/explain", queries.explain, _BODY),
    Operation("GET", "/catalogue", catalogue.search_catalogue, (422, 429, 503)),
    Operation("GET", "/fields", fields.fields, (404, 422, 429, 503)),
    Operation(
        "POST",
        "/catalogue",
        catalogue.add_to_catalogue,
        (401, 403, 409, *_BODY),
        needs_token=True,
        changes=True,
    ),
    Operation(
        "DELETE",
        "/catalogue/{token}",
        catalogue.remove_from_catalogue,
        (401, 403, 404, 409, 422, 429, 503),
        needs_token=True,
        changes=True,
    ),
    Operation(
        "POST", "/corrections", forms.correct, _BODY, status=201, changes=True, has_quota=True
    ),
    Operation("POST", "/teach", teaching.teach, (403, 409, *_BODY), status=201, changes=True),
    Operation("GET", "/domain", state.domain, is_counted=False),
    Operation("GET", "/health", state.health, is_counted=False),
    Operation("GET", "/ready", state.ready, (503,), is_counted=False),
    Operation("GET", "/metrics", state.metrics, is_counted=False, media_types=("text/plain",)),
)


def routes(worker: Worker) -> list[Route]:
    """A route per operation."""
    return [
        Route(each.path, _endpoint(each, worker), methods=[each.method], name=each.name)
        for each in OPERATIONS
    ]


def _endpoint(operation: Operation, worker: Worker) -> Callable[[Request], Awaitable[Response]]:
    handler, body, query = operation.handler, operation.body, operation.query
    parameter, status = operation.parameter, operation.status

    async def endpoint(request: Request) -> Response:
        context = context_of(request.scope)
        if operation.needs_token:
            catalogue.require_changeable(worker, request.headers)
        given: list[Any] = []
        if body is not None:
            given.append(await read_body(request, body, worker.limits))
        elif query is not None:
            given.append(read_query_string(request, query))
        elif parameter is not None:
            given.append(request.path_params[parameter])
        RECEIVE.set(request.receive)
        if operation.has_quota and not catalogue.has_token(worker, request.headers):
            worker.quota.take(client_name(context.client), worker.limits.corrections)
        async with worker.slot(context.client) if operation.is_counted else nullcontext():
            if operation.changes:
                await worker.audit_change(context, msgspec.to_builtins(given))
            result = await handler(worker, context, *given)
        if isinstance(result, bytes):
            return Response(result, status, {"Content-Type": CONTENT_TYPE})
        if isinstance(result, File):
            return _file(result, status)
        return Response(encode(result), status, media_type="application/json")

    return endpoint


def _file(found: File, status: int) -> Response:
    headers = {"Content-Type": found.media_type}
    if found.name:
        quoted = quote(found.name, safe="")
        headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quoted}"
    return Response(found.content, status, headers)
